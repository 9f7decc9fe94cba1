"""The ports of the mail server, and the HTTP server with which tests read what came.

Three SMTP ports: one without encryption that asks for no password, one that wants STARTTLS and then a password, and one
with TLS from the start that wants a password.

    GET    /control                                  the ports as URLs, and the certificate to trust, as PEM
    GET    /messages?to=ADDRESS&count=N&wait_ms=MS   the messages to an address, oldest first; without `to`, all
    DELETE /messages?to=ADDRESS                      forgets an address: its messages and its attempts
    GET    /attempts?to=ADDRESS                      how often an attempt got which answer, such as {"451": 1, "250": 1}

With `wait_ms`, the answer waits until there are `count` messages, or until the time is over.
"""

from __future__ import annotations

import asyncio
import json
import threading
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

from aiosmtpd.smtp import SMTP

from . import certificates
from .mailbox import Mailbox
from .receiver import PASSWORD, USER, Receiver, authenticate

HOST = "127.0.0.1"
LONGEST_MESSAGE = 32 * 1024 * 1024
LONGEST_WAIT_MS = 60_000


async def listen(mailbox: Mailbox) -> dict[str, str]:
    """Opens the SMTP ports, and gives what a test has to know of them."""
    context, root = certificates.make()
    receiver = Receiver(mailbox)
    usual = {"data_size_limit": LONGEST_MESSAGE, "enable_SMTPUTF8": True, "hostname": "localhost"}
    login = {"authenticator": authenticate, "auth_required": True}

    async def port(make: t.Callable[[], SMTP], **options: t.Any) -> int:
        server = await asyncio.get_running_loop().create_server(make, HOST, 0, **options)
        return int(server.sockets[0].getsockname()[1])

    plain = await port(lambda: SMTP(receiver, **usual))
    starttls = await port(lambda: SMTP(receiver, tls_context=context, require_starttls=True, **login, **usual))
    # The library takes a connection for unencrypted when it did not encrypt it itself.
    tls = await port(lambda: SMTP(receiver, auth_require_tls=False, **login, **usual), ssl=context)
    credentials = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}"
    return {
        "smtpUrl": f"smtp://{HOST}:{plain}",
        "starttlsUrl": f"smtp://{credentials}@{HOST}:{starttls}",
        "smtpsUrl": f"smtps://{credentials}@{HOST}:{tls}",
        "caPem": root,
    }


class Reader(BaseHTTPRequestHandler):
    """Answers one request; `mailbox` and `ports` are set on the class before it serves."""

    mailbox: Mailbox
    ports: dict[str, str]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:  # the library's name
        path, to, number = self.parsed()
        if path == "/control":
            self.reply(200, self.ports)
        elif path == "/messages":
            wait_ms = min(number("wait_ms", 0), LONGEST_WAIT_MS)
            messages = self.mailbox.wait_for(to, number("count", 1), wait_ms)
            self.reply(200, [message.as_json() for message in messages])
        elif path == "/attempts" and to is not None:
            self.reply(200, self.mailbox.attempts_to(to))
        else:
            self.reply(404, {"error": "there is nothing here"})

    def do_DELETE(self) -> None:  # the library's name
        path, to, _ = self.parsed()
        if path != "/messages" or to is None:
            self.reply(404, {"error": "only /messages?to=ADDRESS can be forgotten"})
            return
        self.mailbox.forget(to)
        self.reply(200, {})

    def parsed(self) -> tuple[str, str | None, t.Callable[[str, int], int]]:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)

        def number(name: str, otherwise: int) -> int:
            text = query.get(name, [""])[0]
            return int(text) if text.isdecimal() else otherwise

        return parts.path, query.get("to", [None])[0], number

    def reply(self, status: int, body: object) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


def serve() -> None:
    async def run() -> None:
        Reader.mailbox = Mailbox()
        Reader.ports = await listen(Reader.mailbox)
        http = ThreadingHTTPServer((HOST, 0), Reader)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        print(f"Listening on http://{HOST}:{http.server_address[1]}", flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())
