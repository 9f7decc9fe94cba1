"""The HTTP server: it finds the platform and what is asked of it.

    POST /platforms                       makes a platform for a test; the answer is what to register in the tool
    GET  /{platform}/open?user=…&link=…   a member opens a link, or without `link` picks content; `fault` makes it wrong
    GET  /{platform}/seen                 what the platform has, and what it refused
    POST /{platform}/tool                 tells the platform another address of the tool's `keys`

and beside them what a tool and its users' browsers see: `auth`, `jwks`, `token`, `lineitems…`, `memberships`, `picked`.
"""

from __future__ import annotations

import json
import sys
import threading
import typing as t
from collections import OrderedDict
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from socketserver import BaseServer
from urllib.parse import urlsplit

import jwt
from lti1p3platform.exceptions import LtiException, LtiServiceException
from lti1p3platform.service_connector import BasicService

from . import launches, tool_messages
from .gradebook import Gradebook
from .messages import Call, Reply, ServiceRequest, page, reply_of
from .platforms import Platform
from .roster import Roster

# Platforms that are kept; the oldest go.
MOST_PLATFORMS = 500
LONGEST_BODY = 1024 * 1024
NOT_FOUND = Reply(404, {"error": "there is nothing here"})


class Platforms:
    """All platforms of the process."""

    def __init__(self) -> None:
        self.by_id: OrderedDict[str, Platform] = OrderedDict()
        self.lock = threading.Lock()

    def add(self, platform: Platform) -> None:
        with self.lock:
            self.by_id[platform.id] = platform
            while len(self.by_id) > MOST_PLATFORMS:
                self.by_id.popitem(last=False)

    def answer(self, call: Call, server_url: str) -> Reply:
        _, first, *rest = call.path.split("/")
        if (call.method, first, rest) == ("POST", "platforms", []):
            made = Platform.of(server_url, json.loads(call.body))
            self.add(made)
            return Reply(201, made.registration())
        platform = self.by_id.get(first)
        if platform is None:
            return NOT_FOUND
        reply = answer_of(platform, call, rest)
        if reply.status >= 400:
            refusal = {"request": f"{call.method} /{'/'.join(rest)}", "status": reply.status, "answer": reply.body}
            platform.refused.append(refusal)
        return reply


def answer_of(platform: Platform, call: Call, path: list[str]) -> Reply:
    routes: dict[tuple[str, str], t.Callable[[], Reply]] = {
        ("GET", "open"): lambda: launches.open_link(platform, call.fields()),
        ("GET", "auth"): lambda: launches.authorize(platform, ServiceRequest(call)),
        ("POST", "auth"): lambda: launches.authorize(platform, ServiceRequest(call)),
        ("GET", "jwks"): lambda: Reply(200, platform.configuration().get_jwks()),
        ("POST", "token"): lambda: locked(platform, tool_messages.give_token, call.fields()),
        ("POST", "picked"): lambda: locked(platform, tool_messages.place_links, call.fields()),
        ("GET", "seen"): lambda: Reply(200, platform.seen()),
        ("POST", "tool"): lambda: change_tool(platform, json.loads(call.body)),
        ("GET", "course"): lambda: page("Biology"),
    }
    if path[:1] in (["lineitems"], ["memberships"]):
        return serve_service(platform, call, path)
    act = routes.get((call.method, "/".join(path)))
    return NOT_FOUND if act is None else act()


def locked(platform: Platform, act: t.Callable[[Platform, dict[str, str]], Reply], fields: dict[str, str]) -> Reply:
    """Nobody else changes the platform meanwhile."""
    with platform.lock:
        return act(platform, fields)


def serve_service(platform: Platform, call: Call, path: list[str]) -> Reply:
    """A service of LTI Advantage, one request of a platform at a time."""
    with platform.lock:
        try:
            request = ServiceRequest(call)
            if path == ["memberships"]:
                roster = Roster(request, platform)
                return handled(roster, roster.handle_get_members)
            return serve_gradebook(Gradebook(request, platform), call.method, path[1:])
        except LtiServiceException as error:
            return Reply(error.status_code, {"error": error.message})
        except (LtiException, jwt.PyJWTError) as error:
            return Reply(401, {"error": str(error)})
        except TypeError as error:
            # The library passes on each parameter of the query, known or not.
            return Reply(400, {"error": str(error)})


def serve_gradebook(gradebook: Gradebook, method: str, path: list[str]) -> Reply:
    if not path:
        listing, making = gradebook.handle_get_lineitems, gradebook.handle_create_lineitem
        return handled(gradebook, making if method == "POST" else listing)
    acts: dict[tuple[str, ...], t.Callable[..., t.Any]] = {
        ("GET",): gradebook.handle_get_lineitem,
        ("PUT",): gradebook.handle_update_lineitem,
        ("DELETE",): gradebook.handle_delete_lineitem,
        ("POST", "scores"): gradebook.handle_update_score,
        ("GET", "results"): gradebook.handle_get_results,
    }
    act = acts.get((method, *path[1:]))
    return NOT_FOUND if act is None else handled(gradebook, act, line_item_id=path[0])


def handled(service: BasicService, act: t.Callable[..., t.Any], **arguments: str) -> Reply:
    return reply_of(service.handle_resp(act, **arguments))


def change_tool(platform: Platform, addresses: dict[str, str]) -> Reply:
    platform.tool = replace(platform.tool, **addresses)
    return Reply(204)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body of an answer leave together.
    wbufsize = -1
    platforms = Platforms()

    def serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LONGEST_BODY:
            self.close_connection = True
            self.reply(Reply(413))
            return
        url = urlsplit(self.path)
        call = Call(self.command, url.path, url.query, self.headers, self.rfile.read(length))
        try:
            reply = self.platforms.answer(call, f"http://127.0.0.1:{port_of(self.server)}")
        except Exception as error:  # A test sees what went wrong.
            reply = Reply(500, {"error": repr(error)})
            sys.excepthook(type(error), error, error.__traceback__)
        self.reply(reply)

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def reply(self, reply: Reply) -> None:
        content = reply.content()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if content:
            self.send_header("Content-Type", reply.media_type)
        if reply.status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: t.Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def port_of(server: BaseServer) -> int:
    assert isinstance(server, HTTPServer)
    return server.server_port


def serve() -> None:
    server = Server(("127.0.0.1", 0), Handler)
    print(f"Listening on http://127.0.0.1:{port_of(server)}", flush=True)
    server.serve_forever()
