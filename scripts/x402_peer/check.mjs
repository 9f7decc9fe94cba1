// `scripts/x402 check`: the official clients pay the small service of shop.mjs through the facilitator, and the faults
// that tests ask for come up. It ends with an error where something is not so.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { wrapFetchWithPayment as wrapFetchOfVersionOne } from "x402-fetch";
import { privateKeyToAccount } from "viem/accounts";
import { startShop } from "./shop.mjs";

const base = process.env.X402_URL;
const PRICE = 30000n;

async function ask(method, path, body) {
    const answer = await fetch(base + path, {
        method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body),
    });
    assert.equal(answer.status, 200, `${method} ${path}`);
    return answer.json();
}

const balance = async (address) => BigInt((await ask("GET", `/control/balances/${address}`)).balance);

const clients = {
    "x402-fetch, version 1": (account) => wrapFetchOfVersionOne(fetch, account),
    "@x402/fetch, version 2": (account) =>
        wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer: account })),
};

const info = await ask("GET", "/control");
const name = `check-${randomBytes(4).toString("hex")}`;
const shop = await startShop({ ...info, facilitatorUrl: `${base}/${name}` });
try {
    for (const [client, wrap] of Object.entries(clients)) {
        const payer = await ask("POST", "/control/payers", { balance: "100000" });
        const buy = () => wrap(privateKeyToAccount(payer.privateKey))(`${shop.url}/coffee`, { method: "POST", body: "{}" });

        assert.equal((await buy()).status, 200, `${client} pays`);
        assert.equal(await balance(payer.address), 100_000n - PRICE, `${client} paid the price`);

        await ask("POST", `/${name}/control/faults`, { on: "settle", kind: "lie", times: 1, reason: "unexpected_settle_error" });
        assert.equal((await buy()).status, 402, `${client} learns that settling failed`);
        assert.equal(await balance(payer.address), 100_000n - PRICE, `${client} paid nothing for it`);

        await ask("POST", `/${name}/control/faults`, { on: "settle", kind: "dropped", times: 1 });
        assert.equal((await buy()).status, 500, `${client} hears of a broken service`);
        assert.equal(await balance(payer.address), 100_000n - 2n * PRICE, `${client} paid although nobody was told`);
        console.log(`${client}: ok`);
    }
    const calls = await ask("GET", `/${name}/control/calls`);
    assert.deepEqual([calls.verify, calls.settle, calls.settled], [6, 6, 4]);
} finally {
    shop.close();
}
