"""What the tool signs: assertions for access tokens, and answers to requests for deep linking.

The library checks the signature by the tool's key set, and the type of the message. It looks neither at the issuer nor
at the audience, nor whether a message comes twice. That is done here.
"""

from __future__ import annotations

import time
import typing as t

import jwt
from lti1p3platform.exceptions import (
    LtiDeepLinkingResponseException,
    LtiException,
    MissingRequiredClaim,
    UnsupportedGrantType,
)

from .gradebook import is_number, is_text
from .launches import CLAIM, PICKER_DATA
from .messages import Reply, page
from .platforms import Link, Platform

ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
# The longest life of what a tool signs, in seconds.
LONGEST_LIFE_SECONDS = 3600
# How far the tool's clock may be ahead.
LEEWAY_SECONDS = 60


def give_token(platform: Platform, form: dict[str, str]) -> Reply:
    """Gives an access token for a signed assertion (Security Framework, section 4.1)."""
    try:
        token = platform.configuration().get_access_token(form)
        if form["client_assertion_type"] != ASSERTION_TYPE:
            raise LtiException("client_assertion_type is another")
        assertion = checked(platform, form["client_assertion"], platform.token_url, "jti", platform.assertions)
        if assertion.get("sub") != platform.client_id:
            raise LtiException("sub is not the client ID")
    except MissingRequiredClaim as error:
        return refused("invalid_request", error)
    except UnsupportedGrantType as error:
        return refused("unsupported_grant_type", error)
    except (LtiException, jwt.PyJWTError) as error:
        return refused("invalid_client", error)
    if not token["scope"]:
        return refused("invalid_scope", ValueError(form["scope"]))
    platform.assertions.append(assertion)
    return Reply(200, token)


def place_links(platform: Platform, form: dict[str, str]) -> Reply:
    """Places what a teacher picked in the course (Deep Linking, section 4.5)."""
    try:
        items = platform.configuration().validate_deeplinking_resp(form)
        seen = platform.deep_linking_answers
        answer = checked(platform, form["JWT"], platform.url, "nonce", seen)
        check_answer(platform, answer)
        for item in items:
            check_item(item)
    except (KeyError, LtiException, LtiDeepLinkingResponseException, jwt.PyJWTError) as error:
        return page(f"Refused: {error!r}", 400)
    seen.append(answer)
    for item in items:
        place(platform, item)
    return page(f"{len(items)} links were added.")


def checked(platform: Platform, token: str, audience: str, once: str, seen: list[dict[str, t.Any]]) -> dict[str, t.Any]:
    """The claims of a token whose signature the library has checked. The claim `once` tells it from all others."""
    claims: dict[str, t.Any] = jwt.decode(token, options={"verify_signature": False})
    audiences = claims.get("aud")
    now = time.time()
    for holds, otherwise in (
        (claims.get("iss") == platform.client_id, "iss is not the client ID"),
        (audience in (audiences if isinstance(audiences, list) else [audiences]), f"aud is not {audience}"),
        (isinstance(claims.get("iat"), int) and claims["iat"] <= now + LEEWAY_SECONDS, "iat is no time, or ahead"),
        (isinstance(claims.get("exp"), int) and claims["exp"] > now, "exp is no time, or has passed"),
        (claims.get("exp", 0) - claims.get("iat", 0) <= LONGEST_LIFE_SECONDS, "the life is too long"),
        (isinstance(claims.get(once), str) and claims[once] != "", f"{once} is missing"),
        (all(claims.get(once) != other[once] for other in seen), f"{once} was used before"),
    ):
        if not holds:
            raise LtiException(otherwise)
    return claims


def check_answer(platform: Platform, answer: dict[str, t.Any]) -> None:
    for claim, value in (
        (CLAIM + "version", "1.3.0"),
        (CLAIM + "deployment_id", platform.deployment_id),
        (DEEP_LINKING + "data", PICKER_DATA),
    ):
        if answer.get(claim) != value:
            raise LtiException(f"{claim} is not {value!r}")


def check_item(item: dict[str, t.Any]) -> None:
    """A link of Deep Linking, section 3.2, with a line item where it has one."""
    line_item = item.get("lineItem")
    texts = [item.get("url"), item.get("title"), item.get("text"), *item.get("custom", {}).values()]
    if line_item is not None:
        texts += [line_item.get(name) for name in ("label", "resourceId", "tag")]
        most = line_item.get("scoreMaximum")
        if not is_number(most) or most <= 0:
            raise LtiException("the scoreMaximum of lineItem is not more than 0")
    for text in texts:
        if text is not None and not is_text(text):
            raise LtiException(f"{text!r} is no text")


def place(platform: Platform, item: dict[str, t.Any]) -> None:
    link = platform.add_link(
        Link(f"placed-{len(platform.links)}", item.get("title", ""), item.get("url"), item.get("custom", {}))
    )
    if "lineItem" in item:
        line_item = {"label": link.title, **item["lineItem"], "resourceLinkId": link.id}
        link.line_item = platform.add_line_item(line_item)


def refused(code: str, error: Exception) -> Reply:
    return Reply(400, {"error": code, "error_description": str(error)})
