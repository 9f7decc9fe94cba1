// The HTTP server of `scripts/x402`: facilitators, as many as tests name, and what tests control and ask.
//
//   GET  /control                                 the addresses of all parts, and payers with money
//   POST /control/payers                          {kind: "account"|"contract", balance}: a new payer and its key
//   GET  /control/balances/ADDRESS                what an account has of the token
//   GET  /control/authorizations/ADDRESS/NONCE    whether an authorization is used or cancelled
//   POST /control/cancellations                   {privateKey, nonce}: cancels an authorization
//   POST /control/chains                          {chainId}: another chain, for a node that is the wrong one
//
//   POST /NAME/verify, POST /NAME/settle, GET /NAME/supported     a facilitator; /NAME may be left out
//   POST /NAME/control/faults, DELETE …           {on, kind, times, ms, reason}: what goes wrong next, see faults.mjs
//   PUT  /NAME/control/packages                   {v1: "x402"|"@x402/evm"}: which package judges version 1
//   GET  /NAME/control/calls                      how often it was called, and the calls with their answers
//
// Tests that run at once each take a facilitator by a name of its own, so that faults and counts are theirs alone.
import { createServer } from "node:http";
import { getAddress, isAddress, isHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { CHAIN_ID, TOKEN, startChain } from "./chain.mjs";
import { Facilitator, NETWORKS } from "./facilitator.mjs";
import { Faults, misbehave } from "./faults.mjs";

const NAMED_CONTROLS = ["faults", "packages", "calls"];
const MAX_BODY_BYTES = 1024 * 1024;
// The calls whose texts are kept, of each facilitator.
const MAX_CALLS = 1000;
const MAX_OTHER_CHAINS = 16;

class Named {
    constructor() {
        this.faults = new Faults();
        this.counts = { verify: 0, settle: 0, settled: 0 };
        this.calls = [];
        this.isNewerForAll = false;
        this.previous = {};
    }

    /** Notes a call, and gives what notes the answers that the facilitator's work led to. */
    record(path, request) {
        const call = { path, request, answers: [] };
        this.counts[path] += 1;
        this.calls.push(call);
        if (this.calls.length > MAX_CALLS) this.calls.shift();
        return (answer) => {
            if (path === "settle" && answer.body.success) this.counts.settled += 1;
            this.previous[path] = answer;
            call.answers.push(answer);
        };
    }
}

class Server {
    constructor(chain) {
        this.chain = chain;
        this.facilitator = new Facilitator(chain);
        this.named = new Map();
        this.others = [];
    }

    async handle(request, response) {
        const { pathname } = new URL(request.url, "http://127.0.0.1");
        const parts = pathname.split("/").filter((part) => part !== "");
        const send = (status, body) => {
            response.writeHead(status, { "content-type": "application/json" });
            response.end(typeof body === "string" ? body : JSON.stringify(body));
        };
        try {
            const body = request.method === "GET" ? {} : await readJson(request);
            if (parts[0] === "control" && !NAMED_CONTROLS.includes(parts[1])) {
                send(200, await this.control(request.method, parts.slice(1), body));
                return;
            }
            const name = ["verify", "settle", "supported", "control"].includes(parts[0]) ? "" : parts.shift() ?? "";
            if (!this.named.has(name)) this.named.set(name, new Named());
            const named = this.named.get(name);
            const call = `${request.method} ${parts.join("/")}`;
            if (call === "POST verify" || call === "POST settle") await this.judge(named, parts[0], body, response, send);
            else if (call === "GET supported") send(200, this.facilitator.supported());
            else send(200, controlNamed(named, call, body));
        } catch (error) {
            send(error instanceof NotFound ? 404 : 400, { error: error.message });
        }
    }

    async judge(named, path, body, response, send) {
        const note = named.record(path, body);
        await misbehave(named.faults.take(path), {
            path,
            body,
            previous: named.previous[path],
            work: async () => {
                const answer = await this.facilitator.answer(path, body, named.isNewerForAll);
                note(answer);
                return answer;
            },
            answer: ({ status, body: text }) => send(status, text),
            answerTwice: ({ status, body: text }) => sendTwice(response, status, JSON.stringify(text)),
            disconnect: () => response.destroy(),
        });
    }

    async control(method, [noun, ...rest], body) {
        const { chain } = this;
        switch (`${method} ${noun ?? ""}`) {
        case "GET ":
            return {
                facilitatorUrl: this.url,
                rpcUrl: chain.rpcUrl,
                chainId: chain.chainId,
                networks: NETWORKS,
                asset: { address: TOKEN, name: "USDC", version: "2", decimals: 6 },
                payTo: chain.payTo,
                payers: chain.payers,
            };
        case "POST payers": {
            const { kind = "account", balance = "1000000000" } = body;
            if (!["account", "contract"].includes(kind)) throw new RangeError("kind must be account or contract");
            return chain.makePayer(kind, BigInt(balance));
        }
        case "GET balances":
            return { balance: String(await chain.read("balanceOf", [address(rest[0])])) };
        case "GET authorizations":
            return { isUsed: await chain.read("authorizationState", [address(rest[0]), nonce(rest[1])]) };
        case "POST cancellations":
            return this.cancel(body);
        case "POST chains":
            return this.addChain(body.chainId);
        default:
            throw new NotFound("no such control");
        }
    }

    async addChain(chainId) {
        if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError("chainId must be a positive number");
        if (this.others.length >= MAX_OTHER_CHAINS) throw new RangeError("there are enough chains");
        const chain = await startChain(chainId);
        this.others.push(chain);
        return { rpcUrl: chain.rpcUrl, chainId };
    }

    async close() {
        await Promise.all([this.chain, ...this.others].map((chain) => chain.close()));
    }

    async cancel(body) {
        const owner = privateKeyToAccount(body.privateKey);
        const signature = await owner.signTypedData({
            domain: { name: "USDC", version: "2", chainId: this.chain.chainId, verifyingContract: TOKEN },
            types: { CancelAuthorization: [{ name: "authorizer", type: "address" }, { name: "nonce", type: "bytes32" }] },
            primaryType: "CancelAuthorization",
            message: { authorizer: owner.address, nonce: nonce(body.nonce) },
        });
        const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)];
        const receipt = await this.chain.write("cancelAuthorization", [owner.address, body.nonce, v, r, s]);
        return { transaction: receipt.transactionHash };
    }
}

class NotFound extends Error {}

function controlNamed(named, call, body) {
    switch (call) {
    case "POST control/faults":
        named.faults.add(body);
        return {};
    case "DELETE control/faults":
        named.faults.clear();
        return {};
    case "PUT control/packages":
        if (!["x402", "@x402/evm"].includes(body.v1)) throw new RangeError("v1 must be x402 or @x402/evm");
        named.isNewerForAll = body.v1 === "@x402/evm";
        return {};
    case "GET control/calls":
        return { ...named.counts, calls: named.calls };
    default:
        throw new NotFound("a facilitator has verify, settle, supported, control/faults, control/packages and control/calls");
    }
}

function address(text) {
    if (!isAddress(text ?? "", { strict: false })) throw new RangeError("an address has 0x and 40 hexadecimal digits");
    return getAddress(text);
}

function nonce(text) {
    if (!isHex(text ?? "") || text.length !== 66) throw new RangeError("a nonce has 0x and 64 hexadecimal digits");
    return text;
}

async function readJson(request) {
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
        length += chunk.length;
        if (length > MAX_BODY_BYTES) throw new RangeError("the body is too long");
        chunks.push(chunk);
    }
    return length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

// It writes to the socket, because the HTTP layer sends one answer only.
function sendTwice(response, status, text) {
    const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
    const answer = `${head}\r\n\r\n${text}`;
    response.socket.write(answer + answer);
}

const server = new Server(await startChain(CHAIN_ID));
const listener = createServer((request, response) => void server.handle(request, response));
listener.listen(0, "127.0.0.1", () => {
    server.url = `http://127.0.0.1:${listener.address().port}`;
    console.log(`Listening on ${server.url}`);
});
process.on("SIGTERM", async () => {
    listener.closeAllConnections();
    listener.close();
    await server.close();
    process.exit(0);
});
