"""The gradebook: Assignment and Grade Services 2.0 on the library's service.

The library checks that an access token is the platform's and has any of the scopes of gradebooks. The scope of each
act, media types and the members of line items and scores are checked here, as strictly as the specification allows.
"""

from __future__ import annotations

import re
import time
import typing as t
from datetime import datetime

from lti1p3platform.exceptions import LineItemNotFoundException, LtiServiceException
from lti1p3platform.lineitem import TLineItem
from lti1p3platform.membership import Status
from lti1p3platform.registration import Registration
from lti1p3platform.score import ActivityProgress, GradeProgress, TScore, UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService, TPage

from .messages import ServiceRequest
from .platforms import Platform

SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/"
TO_READ = {SCOPE + "lineitem", SCOPE + "lineitem.readonly"}
TO_WRITE = {SCOPE + "lineitem"}
LINE_ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
# A time with a fraction of a second and a zone.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)")
# How far the tool's clock may be ahead.
LEEWAY_SECONDS = 60
LINE_ITEM_MEMBERS = {"label", "scoreMaximum", "resourceId", "resourceLinkId", "tag", "startDateTime", "endDateTime"}
SCORE_MEMBERS = {
    "userId",
    "timestamp",
    "activityProgress",
    "gradingProgress",
    "scoreGiven",
    "scoreMaximum",
    "comment",
    "submission",
}


class Gradebook(AssignmentsGradesService):
    """The gradebook of a platform's course, for one request."""

    def __init__(self, request: ServiceRequest, platform: Platform) -> None:
        self.platform = platform
        super().__init__(request, platform.configuration(), platform.line_items_url)

    def find_lineitems(
        self,
        page: int = 1,
        limit: int | None = None,
        line_item_id: str | None = None,
        resource_link_id: str | None = None,
        resource_id: str | None = None,
        tag: str | None = None,
    ) -> TPage:
        self.check_scope(TO_READ)
        wanted = {"resourceLinkId": resource_link_id, "resourceId": resource_id, "tag": tag}
        found = list(self.platform.line_items.values())
        if self.platform.honours_filters:
            found = [item for item in found if all(value in (None, item.get(name)) for name, value in wanted.items())]
        size = min(limit or self.platform.page_size, self.platform.page_size)
        return {"content": found[(page - 1) * size : page * size], "has_next": page * size < len(found), "next": None}

    def find_lineitem(self, line_item_id: str) -> TLineItem:
        self.check_scope(TO_READ)
        return self.line_item(line_item_id)

    def create_lineitem(self, creation_data: TLineItem) -> TLineItem:
        self.check_scope(TO_WRITE)
        self.check_media_type(LINE_ITEM_TYPE)
        check_line_item(self.platform, creation_data)
        return self.platform.line_items[self.platform.add_line_item(creation_data)]

    def update_lineitem(self, update_data: TLineItem) -> TLineItem:
        self.check_scope(TO_WRITE)
        raise LtiServiceException("Line items are not changed here", 403)

    def delete_lineitem(self, line_item_id: str) -> None:
        self.check_scope(TO_WRITE)
        raise LtiServiceException("Line items are not deleted here", 403)

    def update_score(self, line_item_id: str, score: TScore) -> UpdateScoreStatus:
        self.check_scope({SCOPE + "score"})
        self.check_media_type(SCORE_TYPE)
        item = self.line_item(line_item_id)
        check_score(self.platform, score)
        former = [taken for taken in self.platform.scores if is_same_cell(taken, item["id"], score["userId"])]
        if former and time_of(former[-1]["timestamp"]) >= time_of(score["timestamp"]):
            return UpdateScoreStatus.OLD_TIMESTAMP
        self.platform.scores.append({**score, "scoreOf": item["id"]})
        return UpdateScoreStatus.SUCCESS if former else UpdateScoreStatus.CREATED

    def get_results(
        self,
        line_item_id: str,
        page: int = 1,
        limit: int | None = None,
        user_id: str | None = None,
    ) -> TPage:
        self.check_scope({SCOPE + "result.readonly"})
        raise LtiServiceException("Results are not given out here", 403)

    def line_item(self, number: str) -> dict[str, t.Any]:
        if number not in self.platform.line_items:
            raise LineItemNotFoundException
        return self.platform.line_items[number]

    def check_scope(self, allowed: set[str]) -> None:
        assert self.request is not None
        token = self.request.headers["Authorization"].split()[1]
        granted = Registration.decode_and_verify(token, self.platform.keys.public)["scopes"].split()
        if not allowed.intersection(granted):
            raise LtiServiceException(f"The access token allows none of {sorted(allowed)}", 403)

    def check_media_type(self, media_type: str) -> None:
        assert self.request is not None
        if self.request.content_type != media_type:
            raise LtiServiceException(f"The body is not {media_type}", 415)


def check_line_item(platform: Platform, item: t.Any) -> None:
    """A new line item that the tool describes."""
    check_members(item, LINE_ITEM_MEMBERS)
    expect(is_text(item.get("label")), "label is no text")
    expect(is_number(item.get("scoreMaximum")) and item["scoreMaximum"] > 0, "scoreMaximum is not more than 0")
    for name in ("resourceId", "resourceLinkId", "tag"):
        expect(name not in item or is_text(item[name]), f"{name} is no text")
    link = item.get("resourceLinkId")
    expect(link is None or link in platform.links, "resourceLinkId is no link of this course")


def check_score(platform: Platform, score: t.Any) -> None:
    """A score for an active member of the course."""
    check_members(score, SCORE_MEMBERS)
    member = platform.members.get(score.get("userId"))
    expect(member is not None and member.status is Status.ACTIVE, "userId names nobody who takes part")
    progress = (score.get("activityProgress"), score.get("gradingProgress"))
    expect(progress[0] in [known.value for known in ActivityProgress], "activityProgress has no such value")
    expect(progress[1] in [known.value for known in GradeProgress], "gradingProgress has no such value")
    given, most = score.get("scoreGiven"), score.get("scoreMaximum")
    expect(given is None or (is_number(given) and given >= 0), "scoreGiven is not 0 or more")
    expect(given is None or most is not None, "scoreGiven has no scoreMaximum")
    expect(most is None or (is_number(most) and most > 0), "scoreMaximum is not more than 0")
    expect("comment" not in score or is_text(score["comment"]), "comment is no text")
    at = time_of(score.get("timestamp"))
    submission = score.get("submission", {})
    check_members(submission, {"startedAt", "submittedAt"})
    for name, moment in submission.items():
        expect(time_of(moment) <= at, f"{name} is later than timestamp")


def check_members(value: t.Any, known: set[str]) -> None:
    expect(isinstance(value, dict), "the body is no object")
    strangers = [name for name in value if name not in known and not name.startswith("https://")]
    expect(not strangers, f"the specification knows no {strangers}")


def time_of(text: t.Any) -> datetime:
    """A time of the tool, which has passed."""
    expect(is_text(text) and TIME.fullmatch(text) is not None, f"{text!r} is no time with fraction and zone")
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    expect(moment.timestamp() <= time.time() + LEEWAY_SECONDS, f"{text} lies ahead")
    return moment


def is_same_cell(score: dict[str, t.Any], line_item: str, user_id: str) -> bool:
    return (score["scoreOf"], score["userId"]) == (line_item, user_id)


def is_text(value: t.Any) -> bool:
    return isinstance(value, str) and value != ""


def is_number(value: t.Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise LtiServiceException(otherwise, 400)
