// How a facilitator misbehaves for a test: what goes wrong in a call of `verify` or `settle`, by a name.
//
// `call.work()` does what a facilitator does and gives its answer; `call.answer()` sends one.
import { randomBytes } from "node:crypto";
import { NETWORKS } from "./facilitator.mjs";

const OVERSIZED_BYTES = 16 * 1024 * 1024;
const MAX_DELAY_MS = 600_000;

const KINDS = {
    // Nothing goes wrong; with `ms`, the call is slow.
    none: async (call) => call.answer(await call.work()),

    // Nothing is done.
    unavailable: (call) => call.answer({ status: 503, body: { error: "temporarily unavailable" } }),
    refused: (call) => call.disconnect(),
    hanging: () => {},
    lie: (call) => call.answer({ status: 200, body: denial(call, "") }),
    garbage: (call) => call.answer({ status: 200, body: "<html>Bad gateway</html>" }),
    oversized: (call) => call.answer({ status: 200, body: { padding: "x".repeat(OVERSIZED_BYTES) } }),
    // Nothing is done either, but the answer says that all is well. With it on both paths, the facilitator takes no time.
    invented: (call) => call.answer({ status: 200, body: consent(call) }),

    // All is done, but the caller does not learn it.
    dropped: async (call) => {
        await call.work();
        call.disconnect();
    },
    unanswered: async (call) => void (await call.work()),
    failed: async (call) => {
        await call.work();
        call.answer({ status: 500, body: { error: "Internal Server Error" } });
    },
    denied: async (call) => {
        await call.work();
        call.answer({ status: 200, body: denial(call, "") });
    },
    pending: async (call) => {
        const { body } = await call.work();
        call.answer({ status: 200, body: { ...denial(call, body.transaction ?? ""), errorReason: "settlement_pending" } });
    },

    // Twice, and out of order.
    repeated: async (call) => {
        await call.work();
        call.answer(await call.work());
    },
    doubled: async (call) => call.answerTwice(await call.work()),
    previous: async (call) => {
        const answer = await call.work();
        call.answer(call.previous ?? answer);
    },
};

function payer(call) {
    return call.body.paymentPayload?.payload?.authorization?.from ?? "";
}

function network(call) {
    return call.body.paymentRequirements?.network ?? NETWORKS[1];
}

function denial(call, transaction) {
    return call.path === "verify"
        ? { isValid: false, invalidReason: call.reason ?? "unexpected_verify_error", payer: payer(call) }
        : {
            success: false, errorReason: call.reason ?? "unexpected_settle_error", transaction,
            network: network(call), payer: payer(call),
        };
}

function consent(call) {
    return call.path === "verify"
        ? { isValid: true, payer: payer(call) }
        : { success: true, transaction: `0x${randomBytes(32).toString("hex")}`, network: network(call), payer: payer(call) };
}

/** The faults of one facilitator, in the order in which they come up. */
export class Faults {
    constructor() {
        this.waiting = [];
    }

    /** Adds one: `on` a path, of a `kind`, for so many `times`, after so many `ms`, with a `reason` in what it says. */
    add({ on, kind, times = null, ms = 0, reason = null }) {
        const isCount = (value, max) => Number.isInteger(value) && value >= 0 && value <= max;
        if (!["verify", "settle"].includes(on)) throw new RangeError("on must be verify or settle");
        if (!Object.hasOwn(KINDS, kind)) throw new RangeError(`kind must be one of ${Object.keys(KINDS).join(", ")}`);
        if (times !== null && !isCount(times, 1_000_000)) throw new RangeError("times must be a count");
        if (!isCount(ms, MAX_DELAY_MS)) throw new RangeError(`ms must be at most ${MAX_DELAY_MS}`);
        this.waiting.push({ on, kind, times: times ?? Infinity, ms, reason });
    }

    clear() {
        this.waiting = [];
    }

    take(path) {
        const fault = this.waiting.find((candidate) => candidate.on === path);
        if (!fault) return { kind: "none", ms: 0, reason: null };
        fault.times -= 1;
        if (fault.times <= 0) this.waiting.splice(this.waiting.indexOf(fault), 1);
        return fault;
    }
}

export async function misbehave(fault, call) {
    if (fault.ms > 0) await new Promise((resolve) => setTimeout(resolve, fault.ms));
    call.reason = fault.reason ?? undefined;
    await KINDS[fault.kind](call);
}
