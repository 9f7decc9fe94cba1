"""What the library asks when a message comes: whether the recipient is good, and what happens to the text."""

from __future__ import annotations

import asyncio

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from .conduct import Conduct
from .mailbox import Mailbox, Received

USER = "lectern"
PASSWORD = "pass word/1"
# Longer than any sender waits.
NEVER_SECONDS = 86_400

DEFERRED = "451 4.7.1 try again later"
REJECTED = "550 5.1.1 no such mailbox"
REJECTED_TEXT = "550 5.7.1 the message is refused"
ACCEPTED = "250 2.0.0 message accepted"


class Receiver:
    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox

    async def handle_RCPT(  # the library's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        conduct = Conduct.towards(address)
        if conduct.word == "reject":
            return self.answer([address], REJECTED)
        if conduct.word == "defer" and self.mailbox.answered(address, "451") < conduct.number:
            return self.answer([address], DEFERRED)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 recipient accepted"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # the library's name
        addresses = envelope.rcpt_tos
        conducts = {conduct.word: conduct for conduct in map(Conduct.towards, addresses)}
        if "rejecttext" in conducts:
            return self.answer(addresses, REJECTED_TEXT)
        if "defertext" in conducts:
            deferred = max(self.mailbox.answered(address, "451") for address in addresses)
            if deferred < conducts["defertext"].number:
                return self.answer(addresses, DEFERRED)
        if "hang" in conducts:
            self.note(addresses, "hang")
            await asyncio.sleep(NEVER_SECONDS)
        if "slow" in conducts:
            await asyncio.sleep(conducts["slow"].number / 1000)
        self.mailbox.add(received(server, session, envelope))
        if "drop" in conducts:
            self.note(addresses, "drop")
            server.transport.abort()
            return ACCEPTED
        return self.answer(addresses, ACCEPTED)

    def note(self, addresses: list[str], answer: str) -> None:
        for address in addresses:
            self.mailbox.count(address, answer)

    def answer(self, addresses: list[str], text: str) -> str:
        self.note(addresses, text[:3])
        return text


def received(server: SMTP, session: Session, envelope: Envelope) -> Received:
    content = envelope.content
    return Received(
        sender=envelope.mail_from or "",
        recipients=list(envelope.rcpt_tos),
        content=content if isinstance(content, bytes) else (content or "").encode(),
        is_encrypted=session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None,
        login=session.auth_data.login.decode() if isinstance(session.auth_data, LoginPassword) else None,
    )


def authenticate(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: object) -> AuthResult:
    is_known = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_known, handled=False, auth_data=data)
