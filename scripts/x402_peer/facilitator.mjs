// The official facilitators on the local chain: the package x402 judges payments of version 1, @x402/core with @x402/evm
// those of version 2 and, where a test asks for it, of version 1 too.
//
// The answers to what they can't read are those of the servers in their repository's examples: 400 of the older one,
// 500 of the newer one.
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/facilitator";
import { settle, verify } from "x402/facilitator";
import { PaymentPayloadSchema, PaymentRequirementsSchema } from "x402/types";

export const NETWORKS = { 1: "base-sepolia", 2: "eip155:84532" };

export class Facilitator {
    constructor(chain) {
        this.chain = chain;
        const signer = chain.settler;
        const evmSigner = toFacilitatorEvmSigner({
            address: signer.account.address,
            getCode: (query) => signer.getCode(query),
            readContract: (query) => signer.readContract({ ...query, args: query.args ?? [] }),
            sendTransaction: (transaction) => signer.sendTransaction(transaction),
            verifyTypedData: (query) => signer.verifyTypedData(query),
            waitForTransactionReceipt: (query) => signer.waitForTransactionReceipt(query),
            writeContract: (call) => signer.writeContract({ ...call, args: call.args ?? [] }),
        });
        this.newer = new x402Facilitator()
            .register(NETWORKS[2], new ExactEvmScheme(evmSigner))
            .registerV1(NETWORKS[1], new ExactEvmSchemeV1(evmSigner));
    }

    supported() {
        return this.newer.getSupported();
    }

    /** The answer to a call of `verify` or `settle`, as status and body. */
    async answer(path, { paymentPayload, paymentRequirements }, isNewerForAll) {
        if (!paymentPayload || !paymentRequirements) {
            return { status: 400, body: { error: "Missing paymentPayload or paymentRequirements" } };
        }
        await this.chain.refresh();
        const isOlder = paymentPayload.x402Version === 1 && !isNewerForAll;
        const judge = () => isOlder
            ? this.judgeByOlder(path, paymentPayload, paymentRequirements)
            : this.newer[path](paymentPayload, paymentRequirements);
        try {
            return { status: 200, body: await (path === "settle" ? this.chain.inTurn(judge) : judge()) };
        } catch (error) {
            console.error(`${path}: ${error.message}`);
            return isOlder
                ? { status: 400, body: { error: "Invalid request" } }
                : { status: 500, body: { error: error.message } };
        }
    }

    judgeByOlder(path, paymentPayload, paymentRequirements) {
        const judge = path === "settle" ? settle : verify;
        return judge(
            this.chain.settler,
            PaymentPayloadSchema.parse(paymentPayload),
            PaymentRequirementsSchema.parse(paymentRequirements),
        );
    }
}
