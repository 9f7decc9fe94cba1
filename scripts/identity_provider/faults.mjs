// What goes wrong at an issuer for a test, by a name. Each fault comes up so many times as the test asks for.
import { createPublicKey, randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT, decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK } from "jose";

const HOUR_SECONDS = 3600;

// The claims of an ID token that is signed with the right key.
const CLAIMS = {
    wrong_nonce: (claims) => ({ ...claims, nonce: randomUUID() }),
    no_nonce: ({ nonce, ...claims }) => claims,
    wrong_issuer: (claims) => ({ ...claims, iss: "https://elsewhere.example" }),
    wrong_audience: (claims) => ({ ...claims, aud: "somebody-else" }),
    more_audiences: (claims) => ({ ...claims, aud: [claims.aud, "somebody-else"] }),
    wrong_azp: (claims) => ({ ...claims, aud: [claims.aud, "somebody-else"], azp: "somebody-else" }),
    expired: (claims) => ({ ...claims, iat: claims.iat - 2 * HOUR_SECONDS, exp: claims.iat - HOUR_SECONDS }),
    issued_later: (claims) => ({ ...claims, iat: claims.iat + HOUR_SECONDS, exp: claims.exp + HOUR_SECONDS }),
    no_subject: ({ sub, ...claims }) => claims,
};

// The signature of an ID token.
const SIGNATURES = {
    bad_signature: async (token) => token.slice(0, -6) + (token.endsWith("AAAAAA") ? "BBBBBB" : "AAAAAA"),
    unsigned: async (token) => new UnsecuredJWT(decodeJwt(token)).encode(),
    // A MAC whose key is the client's secret, or what everybody knows: the public key.
    mac_of_secret: async (token, { clientSecret }) => signed(token, { alg: "HS256" }, Buffer.from(clientSecret)),
    mac_of_public_key: async (token, { key }) => {
        const pem = createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
        return signed(token, { alg: "HS256", kid: key.kid }, Buffer.from(pem));
    },
    foreign_key: async (token) => {
        const { privateKey } = await generateKeyPair("RS256");
        return signed(token, decodeProtectedHeader(token), privateKey);
    },
    unknown_key: async (token, { key }) => signed(token, { alg: "RS256", kid: randomUUID() }, await importJWK(key, "RS256")),
};

// What an endpoint answers instead.
const ANSWERS = {
    discovery_down: { on: "discovery", status: 503, body: { error: "temporarily_unavailable" } },
    discovery_of_another: { on: "discovery", change: (body) => ({ ...body, issuer: "https://elsewhere.example" }) },
    keys_down: { on: "jwks", status: 503, body: { error: "temporarily_unavailable" } },
    token_down: { on: "token", status: 503, body: { error: "temporarily_unavailable" } },
    token_refused: { on: "token", status: 400, body: { error: "invalid_grant", error_description: "the code is used" } },
    token_garbage: { on: "token", status: 200, body: "<html>Bad gateway</html>" },
    no_id_token: { on: "token", change: ({ id_token, ...body }) => body },
    userinfo_down: { on: "userinfo", status: 503, body: { error: "temporarily_unavailable" } },
    userinfo_of_another: { on: "userinfo", change: (body) => ({ ...body, sub: "somebody-else" }) },
};

// The redirect back to the client.
const REDIRECTS = {
    wrong_state: (url) => url.searchParams.set("state", randomUUID()),
    no_state: (url) => url.searchParams.delete("state"),
    callback_of_another: (url) => url.searchParams.set("iss", "https://elsewhere.example"),
    wrong_code: (url) => url.searchParams.set("code", randomUUID()),
};

const TOKEN_FAULTS = [...Object.keys(CLAIMS), ...Object.keys(SIGNATURES)];
const KINDS = [...TOKEN_FAULTS, ...Object.keys(ANSWERS), ...Object.keys(REDIRECTS)];

export class Faults {
    constructor() {
        this.times = new Map();
    }

    add({ kind, times = 1 }) {
        if (!KINDS.includes(kind)) throw new RangeError(`kind must be one of ${KINDS.join(", ")}`);
        if (!Number.isInteger(times) || times < 1 || times > 1_000_000) throw new RangeError("times must be a count");
        this.times.set(kind, times);
    }

    clear() {
        this.times.clear();
    }

    take(kinds) {
        const kind = kinds.find((candidate) => this.times.has(candidate));
        if (kind === undefined) return undefined;
        const left = this.times.get(kind) - 1;
        if (left > 0) this.times.set(kind, left);
        else this.times.delete(kind);
        return kind;
    }

    /** What an endpoint answers instead of calling the provider, or undefined. */
    answerInstead(endpoint) {
        const kind = this.take(Object.keys(ANSWERS).filter((name) => ANSWERS[name].on === endpoint && ANSWERS[name].status));
        return kind && ANSWERS[kind];
    }

    /** What the provider's answer of an endpoint becomes. */
    async changeAnswer(endpoint, body, issuer) {
        const kind = this.take(Object.keys(ANSWERS).filter((name) => ANSWERS[name].on === endpoint && ANSWERS[name].change));
        const changed = kind ? ANSWERS[kind].change(body) : body;
        if (endpoint !== "token" || !changed.id_token) return changed;
        return { ...changed, id_token: await this.changeToken(changed.id_token, issuer) };
    }

    async changeToken(token, issuer) {
        const kind = this.take(TOKEN_FAULTS);
        if (kind === undefined) return token;
        if (SIGNATURES[kind]) return SIGNATURES[kind](token, issuer);
        const claims = CLAIMS[kind](decodeJwt(token));
        return new SignJWT(claims).setProtectedHeader(decodeProtectedHeader(token)).sign(await importJWK(issuer.key, "RS256"));
    }

    changeRedirect(location) {
        const kind = this.take(Object.keys(REDIRECTS));
        if (kind === undefined) return location;
        const url = new URL(location);
        REDIRECTS[kind](url);
        return url.href;
    }
}

function signed(token, header, key) {
    return new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(key);
}
