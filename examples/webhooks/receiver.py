#!/usr/bin/env python3
"""Receives Lectern's webhooks on this machine and verifies their signatures, of which there are two.

    WEBHOOK_SECRET=whsec_... python3 receiver.py [port]

Needs Python 3.9 or newer and nothing else. `verify_hex` and `verify_standard` are the code to copy.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
# Standard Webhooks: an older delivery is a replay.
TOLERANCE_SECONDS = 300


def verify_hex(secret: str, body: bytes, given: str) -> bool:
    """`X-Content-Integration-Signature` and `X-Platform-Signature`: lower-case hex HMAC-SHA-256 of the raw body.

    The key is the whole text of the secret, `whsec_` included. Of an endpoint with `signatureVersion` "hashed" it is the
    lower-case hex SHA-256 of that text: `hashlib.sha256(secret.encode()).hexdigest()`.
    """
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), given.encode())


def standard_key(secret: str) -> bytes:
    """What the part of the secret after `whsec_` is base64 of. A secret of another form, which you chose, is its own key."""
    try:
        decoded = base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else b""
    except ValueError:
        decoded = b""
    return decoded or secret.encode()


def verify_standard(secret: str, headers, body: bytes, now: float) -> bool:
    """`webhook-signature` (Standard Webhooks): `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`.

    The header may hold several signatures, separated by spaces, while a secret is being rotated.
    """
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = standard_key(secret)
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        # One is enough. Standard Webhooks refuses replays too, and knows the former secret while one is being rotated.
        if "webhook-signature" in self.headers:
            is_genuine = verify_standard(SECRET, self.headers, body, time.time())
        else:
            platform = self.headers.get("X-Platform-Signature")
            is_genuine = verify_hex(SECRET, body, platform or self.headers.get("X-Content-Integration-Signature", ""))
        if is_genuine:
            event = self.headers.get("X-Platform-Event") or self.headers.get("X-Content-Integration-Event")
            print(f"genuine: {event} {self.headers['webhook-id']}\n{json.dumps(json.loads(body), indent=2)}", flush=True)
        else:
            print("refused: a signature is wrong", flush=True)
        # Answer at once and do the work later: a slow answer is taken for a failure.
        self.send_response(200 if is_genuine else 401)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not SECRET:
        sys.exit("receiver.py: set WEBHOOK_SECRET to the secret that the webhook was created with")
    server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Receiver)
    print(f"receiving on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
