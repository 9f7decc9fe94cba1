// A service with one route that has a price, for trying out the facilitator and the clients without the program:
// `POST /coffee` costs USD 0.03. It answers 402 as the program does, for both versions at once.
import { createServer } from "node:http";

const AMOUNT = "30000";
const MAX_TIMEOUT_SECONDS = 120;

/** Starts the service and gives its URL and what ends it. */
export async function startShop({ facilitatorUrl, networks, asset, payTo }) {
    const listener = createServer((request, response) => void serve(request, response).catch((error) => {
        response.writeHead(500).end(error.message);
    }));
    await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${listener.address().port}`;
    const description = "A coffee";
    const common = {
        scheme: "exact", payTo, asset: asset.address, maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
        extra: { name: asset.name, version: asset.version },
    };
    const resource = `${url}/coffee`;
    const older = {
        ...common, network: networks[1], maxAmountRequired: AMOUNT, resource, description, mimeType: "application/json",
    };
    const newer = { ...common, network: networks[2], amount: AMOUNT };

    async function serve(request, response) {
        for await (const _ of request);
        const [version, header] = request.headers["payment-signature"]
            ? [2, request.headers["payment-signature"]]
            : [1, request.headers["x-payment"]];
        if (!header) return demand(response, "payment_required", "Payment is required.");
        const requirements = version === 2 ? newer : older;
        const payload = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
        const verified = await ask("verify", version, payload, requirements);
        if (!verified.isValid) return demand(response, "x402_payment_failed", verified.invalidReason ?? "refused");
        const settled = await ask("settle", version, payload, requirements);
        if (!settled.success) return demand(response, "x402_payment_failed", settled.errorReason ?? "refused");
        const name = version === 2 ? "PAYMENT-RESPONSE" : "X-PAYMENT-RESPONSE";
        response.writeHead(200, { "content-type": "application/json", [name]: encode(settled) });
        response.end(JSON.stringify({ coffee: "hot" }));
    }

    async function ask(path, x402Version, paymentPayload, paymentRequirements) {
        const answer = await fetch(`${facilitatorUrl}/${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ x402Version, paymentPayload, paymentRequirements }),
        });
        return answer.json();
    }

    function demand(response, code, message) {
        const required = {
            x402Version: 2, error: message, resource: { url: resource, description, mimeType: "application/json" },
            accepts: [newer],
        };
        response.writeHead(402, {
            "content-type": "application/json", "cache-control": "no-store", "PAYMENT-REQUIRED": encode(required),
        });
        response.end(JSON.stringify({
            error: { code, message, requestId: "req_coffee" },
            x402: {
                scheme: "exact", network: networks[1], price: "0.03", payTo, description, mimeType: "application/json", resource,
            },
            billingSessionUrl: `${url}/billing`,
            x402Version: 1,
            accepts: [older],
        }));
    }

    return { url, close: () => (listener.closeAllConnections(), listener.close()) };
}

function encode(value) {
    return Buffer.from(JSON.stringify(value)).toString("base64");
}
