"""A learning platform: the tool that it knows, its keys, and a course with members and links.

Each has an issuer, a client ID and a key pair of its own, so that tests share a process and nothing else.
"""

from __future__ import annotations

import secrets
import threading
import typing as t
from dataclasses import dataclass, field

from jwcrypto.jwk import JWK
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.membership import Status
from lti1p3platform.registration import Registration

MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


class Keys(t.NamedTuple):
    """A key pair in PEM."""

    public: str
    private: str

    @classmethod
    def generate(cls) -> Keys:
        pair = JWK.generate(kty="RSA", size=2048)
        return cls(pair.export_to_pem().decode(), pair.export_to_pem(private_key=True, password=None).decode())


@dataclass(frozen=True)
class Tool:
    """The addresses of the tool, as an administrator enters them."""

    login: str
    launch: str
    keys: str


@dataclass
class Link:
    """A link of the course. Without a target it leads to the tool's launch URL."""

    id: str
    title: str
    target: str | None = None
    custom: dict[str, str] = field(default_factory=dict)
    # The number of its column in the gradebook, where the launch is to name it.
    line_item: str | None = None


@dataclass(frozen=True)
class Member:
    """Somebody in the course."""

    user_id: str
    name: str
    role: str
    status: Status = Status.ACTIVE

    @property
    def roles(self) -> list[str]:
        return [MEMBERSHIP + self.role]

    @property
    def email(self) -> str:
        return f"{self.user_id}@school.example"


MEMBERS = [
    Member("teacher-1", "Tom Ray", "Instructor"),
    Member("learner-1", "Ann Lee", "Learner"),
    Member("learner-2", "Ben Ode", "Learner"),
    Member("learner-3", "Zoë Löwe", "Learner"),
    Member("learner-4", "Cid Past", "Learner", Status.INACTIVE),
]
CONTEXT = {"id": "course-1", "label": "BIO", "title": "Biology"}


class Configuration(LTI1P3PlatformConfAbstract):
    """What the library knows of a platform and its tool."""

    def init_platform_config(self, registration: Registration, **_: t.Any) -> None:
        self._registration = registration

    def get_registration_by_params(self, **_: t.Any) -> Registration:
        assert self._registration is not None
        return self._registration


class Platform:
    """A learning platform with one tool and one course."""

    def __init__(
        self, server_url: str, tool: Tool, page_size: int, honours_filters: bool, names_line_items: bool
    ) -> None:
        self.id = secrets.token_hex(8)
        self.url = f"{server_url}/{self.id}"
        self.tool = tool
        self.client_id = f"client-{secrets.token_hex(4)}"
        self.deployment_id = "deployment-1"
        self.keys = Keys.generate()
        self.members = {member.user_id: member for member in MEMBERS}
        self.links: dict[str, Link] = {}
        # The gradebook: line items by number, and the scores that were taken, in their order.
        self.line_items: dict[str, dict[str, t.Any]] = {}
        self.scores: list[dict[str, t.Any]] = []
        # Line items on a page, and whether lists can be filtered; some platforms can't.
        self.page_size = page_size
        self.honours_filters = honours_filters
        # Whether launches name the line item of their link.
        self.names_line_items = names_line_items
        # What the tool has signed.
        self.assertions: list[dict[str, t.Any]] = []
        self.deep_linking_answers: list[dict[str, t.Any]] = []
        # Requests that were refused, each with the reason.
        self.refused: list[dict[str, t.Any]] = []
        self.lock = threading.RLock()
        for label in ("Attendance", "Homework", "Field trip"):
            self.add_line_item({"label": label, "scoreMaximum": 100})
        self.add_link(Link("quiz", "Photosynthesis"))
        essay = self.add_link(Link("essay", "Cells"))
        essay.line_item = self.add_line_item({"label": "Cells", "scoreMaximum": 20, "resourceLinkId": essay.id})

    @classmethod
    def of(cls, server_url: str, asked: dict[str, t.Any]) -> Platform:
        """The platform that a test wants: the tool's `login`, `launch` and `keys`, and how it differs from others."""
        tool = Tool(asked["login"], asked["launch"], asked["keys"])
        page_size, honours_filters = asked.get("pageSize", 50), asked.get("honoursFilters", True)
        return cls(server_url, tool, page_size, honours_filters, asked.get("namesLineItems", True))

    def add_link(self, link: Link) -> Link:
        self.links[link.id] = link
        return link

    def add_line_item(self, line_item: dict[str, t.Any]) -> str:
        number = str(len(self.line_items) + 1)
        self.line_items[number] = {**line_item, "id": self.line_item_url(number)}
        return number

    @property
    def line_items_url(self) -> str:
        return f"{self.url}/lineitems"

    @property
    def memberships_url(self) -> str:
        return f"{self.url}/memberships"

    @property
    def token_url(self) -> str:
        return f"{self.url}/token"

    def line_item_url(self, number: str) -> str:
        return f"{self.line_items_url}/{number}"

    def configuration(self) -> Configuration:
        """Made for each message: the library keeps the tool's key set for ever, and tools rotate keys."""
        registration = (
            Registration()
            .set_iss(self.url)
            .set_client_id(self.client_id)
            .set_deployment_id(self.deployment_id)
            .set_oidc_login_url(self.tool.login)
            .set_launch_url(self.tool.launch)
            .set_deeplink_launch_url(self.tool.launch)
            .set_tool_key_set_url(self.tool.keys)
            .set_platform_public_key(self.keys.public)
            .set_platform_private_key(self.keys.private)
        )
        return Configuration(registration=registration)

    def registration(self) -> dict[str, str]:
        """What an administrator enters in the tool."""
        return {
            "issuer": self.url,
            "clientId": self.client_id,
            "authorizationEndpoint": f"{self.url}/auth",
            "tokenEndpoint": self.token_url,
            "jwksEndpoint": f"{self.url}/jwks",
        }

    def seen(self) -> dict[str, t.Any]:
        """What a test may look at."""
        return {
            "lineItems": list(self.line_items.values()),
            "scores": self.scores,
            "links": [vars(link) for link in self.links.values()],
            "assertions": self.assertions,
            "deepLinkingAnswers": self.deep_linking_answers,
            "refused": self.refused,
        }
