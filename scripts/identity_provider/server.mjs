// The HTTP server of `scripts/oidc`: issuers, as many as tests name, and what tests control and ask.
//
//   GET  /control                   the clients with their secret, and an issuer to begin with
//   /NAME/…                         the issuer of that name; it is there as soon as somebody asks for it
//   GET  /NAME/auth?…&login_hint=L  signs the account L in and redirects to the client at once: no page, no cookies.
//                                   Without `login_hint`, a page asks for the login name
//   POST /NAME/control/accounts     {login, claims}: adds or replaces an account, see accounts.mjs
//   POST /NAME/control/faults       {kind, times}: what goes wrong next, see faults.mjs; DELETE removes all
//   POST /NAME/control/keys         {forgotten}: signs with a new key; `forgotten` unpublishes the earlier ones
//   PUT  /NAME/control/settings     {claimsInIdToken}: whether the ID token has the claims that userinfo has, or only `sub`
//   GET  /NAME/control/calls        how often each endpoint was called, and with what
//
// Tests that run at once each take an issuer by a name of its own.
import { createServer } from "node:http";
import { DENYING } from "./accounts.mjs";
import { CLIENTS, CLIENT_SECRET, Issuer } from "./issuer.mjs";

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ISSUERS = 10_000;
const MAX_REDIRECTS = 10;
const NAME = /^[a-z0-9-]{1,64}$/;
const ENDPOINTS = {
    "/.well-known/openid-configuration": "discovery", "/auth": "authorization", "/jwks": "jwks", "/token": "token",
    "/me": "userinfo",
};

const issuers = new Map();
let base;

async function serve(request, response) {
    const url = new URL(request.url, base);
    const [, name, ...rest] = url.pathname.split("/");
    if (name === "control" && request.method === "GET") {
        sendJson(response, 200, {
            issuer: `${base}/main`, clients: CLIENTS, clientId: "lectern", clientSecret: CLIENT_SECRET,
        });
        return;
    }
    const issuer = find(name);
    if (rest[0] === "control") {
        const text = (await readBody(request)).toString("utf8");
        sendJson(response, 200, control(issuer, `${request.method} ${rest[1]}`, text === "" ? {} : JSON.parse(text)));
    } else if (rest[0] === "login" && rest.length === 2) {
        await login(issuer, request, response);
    } else {
        await callIssuer(issuer, request, response, url);
    }
}

function find(name) {
    if (!NAME.test(name)) throw new RangeError("the name of an issuer has small letters, digits and -");
    if (!issuers.has(name)) {
        if (issuers.size >= MAX_ISSUERS) throw new RangeError("there are enough issuers");
        issuers.set(name, new Issuer(base, name));
    }
    return issuers.get(name);
}

function control(issuer, call, body) {
    switch (call) {
    case "POST accounts":
        issuer.accounts.add(body.login, body.claims);
        return {};
    case "POST faults":
        issuer.faults.add(body);
        return {};
    case "DELETE faults":
        issuer.faults.clear();
        return {};
    case "POST keys":
        issuer.rotateKey(body);
        return { kid: issuer.key.kid };
    case "PUT settings":
        issuer.change(body);
        return {};
    case "GET calls":
        return { counts: issuer.counts, calls: issuer.calls };
    default:
        throw new RangeError("an issuer has control/accounts, faults, keys, settings and calls");
    }
}

/** Passes a request on to the library, and lets what a test wants go wrong before and behind it. */
async function callIssuer(issuer, request, response, url) {
    const path = url.pathname.slice(issuer.name.length + 1);
    const endpoint = ENDPOINTS[path];
    const isInner = request.headers["x-inner"] === INNER;
    const body = await readBody(request);
    if (endpoint && !isInner) {
        const text = request.method === "POST" ? body.toString("utf8") : url.search;
        issuer.record(endpoint, new URLSearchParams(text));
    }
    const instead = endpoint && issuer.faults.answerInstead(endpoint);
    if (instead) {
        sendJson(response, instead.status, instead.body);
    } else if (endpoint === "authorization" && request.method === "GET" && url.searchParams.has("login_hint") && !isInner) {
        await signInAtOnce(issuer, response, url);
    } else {
        if (endpoint && endpoint !== "authorization") changeOnTheWay(issuer, endpoint, response);
        // The library takes what comes before its routes from these.
        request.originalUrl = request.url;
        request.url = path + url.search;
        request.body = request.method === "POST" ? Object.fromEntries(new URLSearchParams(body.toString("utf8"))) : undefined;
        issuer.handle(request, response);
    }
}

/** Holds the answer back until it is whole, and sends what the faults make of it. */
function changeOnTheWay(issuer, endpoint, response) {
    const end = response.end.bind(response);
    response.end = (text) => {
        if (response.statusCode !== 200 || !text) return end(text);
        void issuer.faults.changeAnswer(endpoint, JSON.parse(text), issuer).then((changed) => {
            const whole = JSON.stringify(changed);
            response.setHeader("content-length", Buffer.byteLength(whole));
            end(whole);
        });
        return response;
    };
}

// Marks requests of this server to itself.
const INNER = String(Math.random());

/** Goes through the redirects of signing in, as a browser would, up to the one that leads to the client. */
async function signInAtOnce(issuer, response, url) {
    const cookies = new Map();
    let location = url.href;
    for (let hops = 0; hops < MAX_REDIRECTS; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(location, { redirect: "manual", headers: { "x-inner": INNER, cookie } });
        for (const line of answer.headers.getSetCookie()) {
            const [name, value] = line.split(";")[0].split(/=(.*)/s);
            cookies.set(name, value);
        }
        const next = answer.headers.get("location");
        if (next === null) {
            response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
            response.end(await answer.text());
            return;
        }
        location = new URL(next, location).href;
        if (!location.startsWith(`${issuer.url}/`)) {
            response.writeHead(303, { location: issuer.faults.changeRedirect(location) }).end();
            return;
        }
    }
    sendJson(response, 500, { error: "too many redirects" });
}

/** The page that asks for a login name, and what signs in with one. */
async function login(issuer, request, response) {
    const { params } = await issuer.provider.interactionDetails(request, response);
    const form = new URLSearchParams((await readBody(request)).toString("utf8"));
    const name = request.method === "POST" ? form.get("login") : params.login_hint;
    if (!name) {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
        response.end(`<!doctype html><title>Sign in</title><form method="post">
<label>Login <input name="login" required autofocus></label> <button>Sign in</button></form>`);
        return;
    }
    const result = name === DENYING
        ? { error: "access_denied", error_description: "the user said no" }
        : { login: { accountId: issuer.accounts.signIn(name).sub } };
    await issuer.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function readBody(request) {
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
        length += chunk.length;
        if (length > MAX_BODY_BYTES) throw new RangeError("the body is too long");
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}

function sendJson(response, status, body) {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const listener = createServer((request, response) => {
    serve(request, response).catch((error) => {
        console.error(`${request.method} ${request.url}: ${error.message}`);
        sendJson(response, 400, { error: error.message });
    });
});
listener.listen(0, "127.0.0.1", () => {
    base = `http://127.0.0.1:${listener.address().port}`;
    console.log(`Listening on ${base}`);
});
