// One issuer: the library's provider with two confidential clients, accounts, keys, and how it signs people in.
//
// The clients have any redirect address on the loopback and must use PKCE. Consent is given without asking.
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import Provider from "oidc-provider";
import { Accounts } from "./accounts.mjs";
import { Faults } from "./faults.mjs";

// It has what must be encoded in a form, which is how Basic authentication of a client takes it.
export const CLIENT_SECRET = "an open secret/1+1=2:%";
export const CLIENTS = { lectern: "client_secret_basic", "lectern-post": "client_secret_post" };

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const MAX_CALLS = 1000;
// The newest keys, which a client must all know.
const MAX_KEYS = 3;

export class Issuer {
    constructor(url, name) {
        this.name = name;
        this.url = `${url}/${name}`;
        this.clientSecret = CLIENT_SECRET;
        this.accounts = new Accounts();
        this.faults = new Faults();
        this.counts = {};
        this.calls = [];
        this.settings = { claimsInIdToken: true };
        this.keys = [];
        this.rotateKey();
    }

    /** The key that signs now. */
    get key() {
        return this.keys[0];
    }

    /** Signs with a new key from now on. The earlier ones stay published unless they are `forgotten`. */
    rotateKey({ forgotten = false } = {}) {
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
        const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
        this.keys = forgotten ? [key] : [key, ...this.keys].slice(0, MAX_KEYS);
        this.makeProvider();
    }

    change({ claimsInIdToken = this.settings.claimsInIdToken }) {
        if (typeof claimsInIdToken !== "boolean") throw new RangeError("claimsInIdToken must be true or false");
        this.settings = { claimsInIdToken };
        this.makeProvider();
    }

    /** Notes a request of an endpoint, with its parameters but for secrets. */
    record(endpoint, parameters) {
        this.counts[endpoint] = (this.counts[endpoint] ?? 0) + 1;
        const { client_secret, ...shown } = Object.fromEntries(parameters);
        this.calls.push({ endpoint, parameters: shown });
        if (this.calls.length > MAX_CALLS) this.calls.shift();
    }

    makeProvider() {
        const path = `/${this.name}`;
        this.provider = new Provider(this.url, {
            clients: Object.entries(CLIENTS).map(([client_id, token_endpoint_auth_method]) => ({
                client_id, token_endpoint_auth_method, client_secret: CLIENT_SECRET,
                redirect_uris: ["http://127.0.0.1/callback"], post_logout_redirect_uris: ["http://127.0.0.1/"],
            })),
            jwks: { keys: this.keys },
            claims: {
                openid: ["sub", "groups", "roles", "upn"],
                email: ["email", "email_verified"],
                profile: ["name", "given_name", "family_name", "preferred_username", "locale"],
                groups: ["groups"],
            },
            conformIdTokenClaims: !this.settings.claimsInIdToken,
            cookies: {
                keys: [randomBytes(16).toString("hex")],
                names: { session: `session_${this.name}`, interaction: "interaction", resume: "resume" },
                long: { signed: true, path },
                short: { signed: true },
            },
            features: { devInteractions: { enabled: false } },
            pkce: { required: () => true },
            interactions: { url: (_context, interaction) => `${path}/login/${interaction.uid}` },
            findAccount: (_context, sub) => this.findAccount(sub),
            loadExistingGrant,
        });
        const Client = this.provider.Client;
        Client.prototype.redirectUriAllowed = isLoopback;
        Client.prototype.postLogoutRedirectUriAllowed = isLoopback;
        this.handle = this.provider.callback();
    }

    async findAccount(sub) {
        const claims = this.accounts.bySubject(sub);
        return claims && { accountId: sub, claims: async () => claims };
    }
}

function isLoopback(address) {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return url.protocol === "http:" && LOOPBACK.includes(url.hostname) && url.hash === "";
}

/** Whoever signed in has consented to all that the client asks for. */
async function loadExistingGrant(context) {
    const { client, session, provider, requestParamOIDCScopes } = context.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope([...requestParamOIDCScopes].join(" "));
    await grant.save();
    return grant;
}
