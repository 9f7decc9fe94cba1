"""What was received: the messages, and the attempts that did not become one."""

from __future__ import annotations

import base64
import threading
import time
import typing as t
from collections import Counter, deque
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

# Messages that are kept; the oldest go.
MOST_MESSAGES = 10_000


@dataclass(frozen=True)
class Received:
    """A message as it came: the envelope, the text, and how the sender was connected."""

    sender: str
    recipients: list[str]
    content: bytes
    is_encrypted: bool
    login: str | None

    def as_json(self) -> dict[str, t.Any]:
        message = t.cast(EmailMessage, message_from_bytes(self.content, policy=policy.default))
        return {
            "from": self.sender,
            "to": self.recipients,
            "isEncrypted": self.is_encrypted,
            "login": self.login,
            "subject": message["subject"],
            "headers": [[name, str(value)] for name, value in message.items()],
            "parts": [part_as_json(part) for part in message.walk() if not part.is_multipart()],
            "raw": self.content.decode("utf-8", errors="replace"),
            "rawBase64": base64.b64encode(self.content).decode("ascii"),
        }


def part_as_json(part: EmailMessage) -> dict[str, t.Any]:
    content = part.get_payload(decode=True) or b""
    described = {
        "contentType": part.get_content_type(),
        "charset": part.get_content_charset(),
        "disposition": part.get_content_disposition(),
        "filename": part.get_filename(),
    }
    if part.get_content_maintype() == "text":
        return {**described, "text": content.decode(part.get_content_charset() or "utf-8", errors="replace")}
    return {**described, "base64": base64.b64encode(bytes(content)).decode("ascii")}


@dataclass
class Mailbox:
    """All that was received. It is written by the mail server's thread and read by those of the HTTP server."""

    messages: deque[Received] = field(default_factory=lambda: deque(maxlen=MOST_MESSAGES))
    # By recipient and by answer.
    attempts: Counter[tuple[str, str]] = field(default_factory=Counter)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, message: Received) -> None:
        with self.changed:
            self.messages.append(message)
            self.changed.notify_all()

    def count(self, recipient: str, answer: str) -> None:
        """Notes what an attempt to send to a recipient was answered, by the code, or what was done instead."""
        with self.changed:
            self.attempts[recipient.lower(), answer] += 1
            self.changed.notify_all()

    def answered(self, recipient: str, answer: str) -> int:
        with self.changed:
            return self.attempts[recipient.lower(), answer]

    def to(self, recipient: str | None) -> list[Received]:
        return [
            message
            for message in self.messages
            if recipient is None or recipient.lower() in map(str.lower, message.recipients)
        ]

    def wait_for(self, recipient: str | None, count: int, wait_ms: int) -> list[Received]:
        """The messages to a recipient, as soon as there are so many, or when the time is over."""
        deadline = time.monotonic() + wait_ms / 1000
        with self.changed:
            while len(self.to(recipient)) < count:
                left = deadline - time.monotonic()
                if left <= 0 or not self.changed.wait(left):
                    break
            return self.to(recipient)

    def attempts_to(self, recipient: str) -> dict[str, int]:
        with self.changed:
            return {answer: count for (to, answer), count in self.attempts.items() if to == recipient.lower()}

    def forget(self, recipient: str) -> None:
        with self.changed:
            kept = [message for message in self.messages if recipient.lower() not in map(str.lower, message.recipients)]
            self.messages = deque(kept, maxlen=MOST_MESSAGES)
            for key in [key for key in self.attempts if key[0] == recipient.lower()]:
                del self.attempts[key]
