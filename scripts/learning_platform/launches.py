"""Logins and launches: the library makes and signs them, a test may want one to be wrong."""

from __future__ import annotations

import html
import json
import typing as t

import jwt
from lti1p3platform.exceptions import PreflightRequestValidationException
from lti1p3platform.jwt_helper import jwt_encode
from lti1p3platform.message_launch import LaunchData, LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration

from .messages import Reply, ServiceRequest, page
from .platforms import CONTEXT, Keys, Platform

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
# The data of a request for deep linking; the answer has to bring it back.
PICKER_DATA = {"csrf": "7f3a", "course": CONTEXT["id"]}


class Login(OIDCLoginAbstract):
    """Sends the browser to the tool, with what is to be launched in the hint: JSON, as some platforms have it."""

    def set_lti_message_hint(self, **kwargs: t.Any) -> None:
        self._lti_message_hint = json.dumps(kwargs)

    def get_redirect(self, url: str) -> Reply:
        return Reply(302, headers={"Location": url})


def open_link(platform: Platform, asked: dict[str, str]) -> Reply:
    """A member follows a link of the course, `link`, or picks content, without one."""
    login = Login(None, platform.configuration())
    link = platform.links[asked["link"]] if "link" in asked else None
    login.set_lti_message_hint(**{name: asked[name] for name in ("link", "fault") if name in asked})
    if link is None:
        login.set_deeplinking_launch_url()
    elif link.target:
        login.set_launch_url(link.target)
    redirect: Reply = login.initiate_login(asked["user"])
    return redirect


class Launch(LTIAdvantageMessageLaunchAbstract):
    """The message that answers an authentication request."""

    def __init__(self, request: ServiceRequest, platform: Platform) -> None:
        super().__init__(request, platform.configuration())
        self.platform = platform
        self.fault: str | None = None

    def prepare_launch(self, preflight_response: dict[str, t.Any]) -> None:
        hint = json.loads(preflight_response["lti_message_hint"])
        member = self.platform.members[preflight_response["login_hint"]]
        self.set_user_data(member.user_id, member.roles, member.name, member.email)
        self.set_launch_context_claim(
            CONTEXT["id"],
            ["http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering"],
            CONTEXT["title"],
            CONTEXT["label"],
        )
        self.set_launch_presentation_claim("window", f"{self.platform.url}/course")
        self.set_nrps(self.platform.memberships_url)
        if "link" in hint:
            self.prepare_link(hint["link"])
        else:
            self.set_dl(f"{self.platform.url}/picked", "Pick", "For week 3", {"ltiResourceLink"}, PICKER_DATA)
        self.fault = hint.get("fault")
        if self.fault is not None and self.fault not in FAULTS_OF_TOKENS:
            assert self._registration is not None
            FAULTS_OF_CLAIMS[self.fault](self, self._registration)

    def prepare_link(self, link_id: str) -> None:
        link = self.platform.links[link_id]
        self.set_resource_link_claim(link.id, None, link.title)
        if link.target:
            self.set_launch_url(link.target)
        if link.custom:
            self.set_custom_parameters_claim(link.custom)
        is_named = link.line_item is not None and self.platform.names_line_items
        line_item = self.platform.line_item_url(str(link.line_item)) if is_named else None
        self.set_ags(self.platform.line_items_url, line_item)

    def generate_launch_request(self) -> LaunchData:
        data = super().generate_launch_request()
        if self.fault in FAULTS_OF_TOKENS:
            token = data["id_token"]
            right = jwt.decode(token, options={"verify_signature": False})
            header = {"kid": jwt.get_unverified_header(token)["kid"]}
            data["id_token"] = FAULTS_OF_TOKENS[self.fault](right, header, self.platform.keys)
        return data

    def render_launch_form(self, launch_data: dict[str, t.Any], **_: t.Any) -> Reply:
        fields = {"state": launch_data["state"], "id_token": launch_data["id_token"]}
        return posting_page(launch_data["launch_url"], fields)


def authorize(platform: Platform, request: ServiceRequest) -> Reply:
    """Answers an authentication request: with a launch, or with an error where the tool can be told."""
    asked = request.get_data or request.form_data
    if asked.get("redirect_uri") != platform.tool.launch:
        return page("The tool's redirect URI is not known here.", 400)
    try:
        check_authentication(platform, asked)
        launched: Reply = Launch(request, platform).lti_launch()
        return launched
    except (PreflightRequestValidationException, ValueError) as error:
        fields = {"error": "invalid_request", "error_description": str(error) or type(error).__name__}
        return posting_page(platform.tool.launch, {**fields, "state": asked.get("state", "")})


def check_authentication(platform: Platform, asked: dict[str, t.Any]) -> None:
    """What the Security Framework (section 5.1.1.2) wants and the library does not look at."""
    wanted = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
    for name, value in wanted.items():
        if asked.get(name) != value:
            raise ValueError(f"{name} is not {value}")
    if asked.get("login_hint") not in platform.members:
        raise ValueError("login_hint names nobody who is signed in")
    if not asked.get("lti_message_hint"):
        raise ValueError("lti_message_hint did not come back")


def posting_page(url: str, fields: dict[str, str]) -> Reply:
    """A page that posts a form as soon as it is shown."""
    inputs = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in fields.items()
    )
    form = f'<form method="post" action="{html.escape(url)}">{inputs}</form><script>document.forms[0].submit()</script>'
    return page(form)


def claims(**wrong: t.Any) -> t.Callable[[Launch, Registration], t.Any]:
    """Claims of LTI that replace the right ones."""
    return lambda launch, _: launch.set_extra_claims({CLAIM + name: value for name, value in wrong.items()})


# Wrong launches that the library makes when it is told wrong things.
FAULTS_OF_CLAIMS: dict[str, t.Callable[[Launch, Registration], t.Any]] = {
    "audience": lambda _, registration: registration.set_client_id("another-tool"),
    "second audience": lambda launch, registration: launch.set_extra_claims(
        {"aud": [registration.get_client_id(), "another-tool"]}
    ),
    "authorized party": lambda launch, _: launch.set_extra_claims({"azp": "another-tool"}),
    "issuer": lambda _, registration: registration.set_iss("https://elsewhere.example"),
    "expired": lambda launch, _: launch.set_id_token_expiration(-3600),
    "no life": lambda launch, _: launch.set_id_token_expiration(0),
    "deployment": lambda _, registration: registration.set_deployment_id("deployment-2"),
    "target": lambda launch, _: launch.set_launch_url("https://elsewhere.example/"),
    "user": lambda launch, _: launch.set_user_data("löwe", []),
    "unknown key": lambda _, registration: registration.set_platform_private_key(Keys.generate().private),
    "resource link": lambda launch, _: launch.set_resource_link_claim("x" * 256),
    "gradebook": lambda launch, _: launch.set_ags("/lineitems"),
    "roster": lambda launch, _: launch.set_nrps("/memberships"),
    "no return": lambda launch, _: launch.set_dl("", accept_types={"ltiResourceLink"}),
    "no links": lambda launch, _: launch.set_dl(f"{launch.platform.url}/picked", accept_types={"html"}),
    "version": claims(version="1.1"),
    "message type": claims(message_type="ContentItemSelectionRequest"),
    "roles": claims(roles="Learner"),
}

# Tokens that differ from the right one in what the library has no setter for.
FAULTS_OF_TOKENS: dict[str, t.Callable[[dict[str, t.Any], dict[str, str], Keys], str]] = {
    "unsigned": lambda right, header, _: jwt_encode(right, "", "none", header),
    "mac": lambda right, header, _: jwt_encode(right, "a secret that both could have shared", "HS256", header),
    "signature": lambda right, header, _: Registration.encode_and_sign(right, Keys.generate().private, header),
    "no key": lambda right, _, keys: Registration.encode_and_sign(right, keys.private),
    "nonce": lambda right, header, keys: Registration.encode_and_sign({**right, "nonce": "x"}, keys.private, header),
    "future": lambda right, header, keys: Registration.encode_and_sign(
        {**right, "iat": right["iat"] + 3600}, keys.private, header
    ),
}
