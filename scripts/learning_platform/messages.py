"""HTTP messages: what the server hands on and gets back, and the form in which the library reads requests."""

from __future__ import annotations

import json
import typing as t
from email.message import Message
from urllib.parse import parse_qsl

from lti1p3platform.exceptions import LtiServiceException
from lti1p3platform.request import Request, TRequest
from lti1p3platform.response import Response, generate_next_link

FORM = "application/x-www-form-urlencoded"


class Call(t.NamedTuple):
    """A request as the server read it."""

    method: str
    path: str
    query: str
    headers: Message
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get_content_type() if "Content-Type" in self.headers else ""

    @property
    def is_form(self) -> bool:
        return self.method == "POST" and self.media_type == FORM

    def fields(self) -> dict[str, str]:
        """The query, or the form."""
        text = self.body.decode() if self.is_form else self.query
        return dict(parse_qsl(text, keep_blank_values=True))


class Reply(t.NamedTuple):
    """An answer for the server to send."""

    status: int
    body: t.Any = None
    media_type: str = "application/json"
    headers: dict[str, str] = {}

    def content(self) -> bytes:
        if self.body is None:
            return b""
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


def page(content: str, status: int = 200) -> Reply:
    """An HTML page."""
    return Reply(status, f"<!DOCTYPE html><title>Biology</title>{content}", "text/html; charset=utf-8")


class ServiceRequest(Request):
    """A request as the library's services read it."""

    def build_metadata(self, request: Call) -> TRequest:
        is_json = request.media_type.endswith("json")
        return {
            "method": request.method,
            "form_data": request.fields() if request.is_form else {},
            "get_data": self.parameters(request.query),
            "headers": request.headers,
            "content_type": request.media_type,
            "path": request.path,
            "json": self.parsed(request.body) if is_json else None,
        }

    @staticmethod
    def parameters(query: str) -> dict[str, t.Any]:
        """The library counts on with `page` and `limit`."""
        read = dict(parse_qsl(query, keep_blank_values=True))
        return {name: int(value) if name in ("page", "limit") else value for name, value in read.items()}

    @staticmethod
    def parsed(body: bytes) -> t.Any:
        try:
            return json.loads(body)
        except ValueError as error:
            raise LtiServiceException("The body is not JSON", 400) from error


def reply_of(response: Response) -> Reply:
    """The library's answer as the specifications have it sent: the address of the next page goes to the header."""
    body, headers = response.result, {}
    if body is None:
        return Reply(response.code, None if response.code < 400 else {"error": response.message})
    if isinstance(body, dict):
        following = body.pop("next", None)
        if following:
            headers["Link"] = generate_next_link(following)
        if "has_next" in body:
            body = body["content"]
    return Reply(response.code, body, response.media_type, headers)
