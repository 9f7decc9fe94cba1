"""How the server treats a message, by how the local part of the recipient's address begins.

    defer…      451 to the first attempts to name the recipient
    reject…     550 to each of them
    defertext…  451 to the first messages, when their text has come
    rejecttext… 550 to each of them
    slow…       answers after a while, when the text has come
    hang…       never answers to the text
    drop…       keeps the message and closes the connection without an answer
    all others  250

A number behind the word and before a `-`, `+`, `.` or the `@` says how many attempts are deferred (1 without it) or how
many milliseconds an answer takes (2000 without it): `defer3-ann@example.com`, `slow500-ann@example.com`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ADDRESS = re.compile(
    r"(?P<word>defertext|rejecttext|defer|reject|slow|hang|drop)(?:(?P<number>\d{1,6})(?=[-+.@]|$))?", re.IGNORECASE
)
USUAL_NUMBERS = {"defer": 1, "defertext": 1, "slow": 2000}


@dataclass(frozen=True)
class Conduct:
    word: str
    number: int

    @staticmethod
    def towards(address: str) -> Conduct:
        found = ADDRESS.match(address)
        if found is None:
            return Conduct("accept", 0)
        word = found["word"].lower()
        return Conduct(word, int(found["number"]) if found["number"] else USUAL_NUMBERS.get(word, 0))
