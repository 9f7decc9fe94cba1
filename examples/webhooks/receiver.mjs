#!/usr/bin/env node
// Receives Lectern's webhooks on this machine and verifies their signatures, of which there are two.
//
//     WEBHOOK_SECRET=whsec_... node receiver.mjs [port]
//
// Needs Node.js 18 or newer and nothing else. `verifyHex` and `verifyStandard` are the code to copy.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET ?? "";
// Standard Webhooks: an older delivery is a replay.
const toleranceSeconds = 300;

// `X-Content-Integration-Signature` and `X-Platform-Signature`: lower-case hex HMAC-SHA-256 of the raw body.
// The key is the whole text of the secret, `whsec_` included. Of an endpoint with `signatureVersion` "hashed" it is the
// lower-case hex SHA-256 of that text.
export function verifyHex(secret, body, given) {
  return equal(createHmac("sha256", secret).update(body).digest("hex"), given);
}

// `webhook-signature` (Standard Webhooks): `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`.
// The header may hold several signatures, separated by spaces, while a secret is being rotated.
export function verifyStandard(secret, headers, body, now) {
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false;
  const key = standardKey(secret);
  const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${timestamp}.`), body]);
  const expected = "v1," + createHmac("sha256", key).update(signed).digest("base64");
  return (headers["webhook-signature"] ?? "").split(" ").some((given) => equal(expected, given));
}

// What the part of the secret after `whsec_` is base64 of. A secret of another form, which you chose, is its own key.
function standardKey(secret) {
  const encoded = secret.startsWith("whsec_") ? secret.slice(6) : "";
  const decoded = Buffer.from(encoded, "base64");
  return encoded && decoded.toString("base64") === encoded ? decoded : Buffer.from(secret);
}

function equal(expected, given) {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const given = request.headers["x-platform-signature"] ?? request.headers["x-content-integration-signature"];
  // One is enough. Standard Webhooks refuses replays too, and knows the former secret while one is being rotated.
  const isGenuine = request.headers["webhook-signature"]
    ? verifyStandard(secret, request.headers, body, Date.now() / 1000)
    : verifyHex(secret, body, given);
  if (isGenuine) {
    const event = request.headers["x-platform-event"] ?? request.headers["x-content-integration-event"];
    console.log(`genuine: ${event} ${request.headers["webhook-id"]}\n${JSON.stringify(JSON.parse(body), null, 2)}`);
  } else {
    console.log("refused: a signature is wrong");
  }
  // Answer at once and do the work later: a slow answer is taken for a failure.
  response.writeHead(isGenuine ? 200 : 401).end();
});

if (!secret) {
  console.error("receiver.mjs: set WEBHOOK_SECRET to the secret that the webhook was created with");
  process.exit(1);
}
server.listen(Number(process.argv[2] ?? 9000), "127.0.0.1", () => {
  console.log(`receiving on http://127.0.0.1:${server.address().port}`);
});
