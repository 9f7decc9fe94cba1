// `scripts/x402 pay URL`: calls a route that has a price with an official client, which pays what it is asked for, and
// prints what was sent and answered as JSON.
//
//   --v1, --v2         x402-fetch, which knows version 1, or @x402/fetch, which knows both (the default)
//   --payer KEY        who pays, by a private key; by default the first payer of the running chain
//   --key KEY          sent as the bearer of `Authorization`
//   --header 'N: V'    another header; may be repeated
//   --method M         POST by default, and GET without a body
//   --body JSON        the body; `@FILE` reads it from a file
//   --form NAME=VALUE  a field of a multipart body, in its place; `@FILE` attaches a file; may be repeated
//   --max-usd N        the most that is paid, by default what the client allows
//
// The exit code is 0 when the last answer is a success, 1 when it is not, and 2 when the client did not get that far.
//
// Both clients sign for the asset, network and domain that the 402 names and never ask a node. They need no set-up for
// the local chain, because its token has the address of the real one: @x402/fetch pays no other token unless it is told to.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { wrapFetchWithPayment as wrapFetchOfVersionOne } from "x402-fetch";
import { privateKeyToAccount } from "viem/accounts";

const PAYMENT_HEADERS = ["payment-required", "payment-response", "payment-signature", "x-payment", "x-payment-response"];

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        v1: { type: "boolean" },
        v2: { type: "boolean" },
        payer: { type: "string" },
        key: { type: "string" },
        header: { type: "string", multiple: true, default: [] },
        method: { type: "string" },
        body: { type: "string" },
        form: { type: "string", multiple: true, default: [] },
        "max-usd": { type: "string" },
    },
});

/** Calls as `fetch` does and notes each request and answer. */
function listen(exchanges) {
    return async (input, init) => {
        const request = new Request(input, init);
        const response = await fetch(request);
        exchanges.push({
            request: { method: request.method, url: request.url, headers: decoded(request.headers) },
            response: { status: response.status, headers: decoded(response.headers), body: parsed(await response.clone().text()) },
        });
        return response;
    };
}

function decoded(headers) {
    const entries = [...headers].map(([name, value]) => [
        name,
        PAYMENT_HEADERS.includes(name) ? { text: value, decoded: parsed(Buffer.from(value, "base64").toString("utf8")) } : value,
    ]);
    return Object.fromEntries(entries);
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

function form() {
    const fields = new FormData();
    for (const field of values.form) {
        const [name, value] = field.split(/=(.*)/s);
        if (value?.startsWith("@")) fields.append(name, new Blob([readFileSync(value.slice(1))]), basename(value.slice(1)));
        else fields.append(name, value ?? "");
    }
    return fields;
}

function requestBody() {
    if (values.form.length > 0) return form();
    return values.body?.startsWith("@") ? readFileSync(values.body.slice(1), "utf8") : values.body;
}

function requestInit() {
    const body = requestBody();
    // The client of version 1 copies plain objects only.
    const headers = {};
    if (typeof body === "string") headers["Content-Type"] = "application/json";
    if (values.key) headers.Authorization = `Bearer ${values.key}`;
    for (const header of values.header) {
        const [name, ...rest] = header.split(":");
        headers[name.trim()] = rest.join(":").trim();
    }
    return { method: values.method ?? (body === undefined ? "GET" : "POST"), headers, body };
}

function wrap(listening, account) {
    if (values.v1) {
        const most = values["max-usd"] && BigInt(Math.round(Number(values["max-usd"]) * 1e6));
        return wrapFetchOfVersionOne(listening, account, most || undefined);
    }
    const client = registerExactEvmScheme(new x402Client(), { signer: account });
    if (values["max-usd"]) client.setSpendControls({ maxAmountPerPayment: `$${values["max-usd"]}` });
    return wrapFetchWithPayment(listening, client);
}

/** The key of the first payer of the running chain. */
async function firstPayer() {
    const { payers } = await (await fetch(`${process.env.X402_URL}/control`)).json();
    return payers[0].privateKey;
}

if (positionals.length !== 1 || (values.v1 && values.v2)) {
    console.error("usage: scripts/x402 pay URL [OPTIONS]; scripts/x402_peer/pay.mjs lists them");
    process.exit(2);
}
const payer = values.payer ?? (await firstPayer());
const exchanges = [];
let error;
try {
    await wrap(listen(exchanges), privateKeyToAccount(payer))(positionals[0], requestInit());
} catch (caught) {
    error = caught.message;
}
const last = exchanges.at(-1)?.response;
const receipt = last?.headers["payment-response"] ?? last?.headers["x-payment-response"];
console.log(JSON.stringify(
    { status: last?.status, body: last?.body, paymentResponse: receipt?.decoded, error, exchanges }, null, 2,
));
process.exitCode = error !== undefined ? 2 : last.status < 300 ? 0 : 1;
