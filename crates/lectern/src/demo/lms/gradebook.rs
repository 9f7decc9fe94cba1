//! The gradebook for the tool (Assignment and Grade Services 2.0): columns are found and made, scores written.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderMap, StatusCode};
use kernel::time::Timestamp;
use lti::ags::{
    GradingProgress, LINE_ITEM_TYPE, LINE_ITEMS_TYPE, LineItem, SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE,
    SCORE_TYPE,
};
use serde::Deserialize;
use serde_json::json;

use super::Shared;
use super::access::NotAdmitted;
use super::form::Fields;
use super::school::{NewScore, NotKept};

/// Columns of one answer.
const PAGE: usize = 50;
/// The longest label or comment, in bytes.
const LONGEST_TEXT: usize = 2000;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/lineitems", get(list).post(make))
        .route("/lineitems/{number}", get(read))
        .route("/lineitems/{number}/scores", post(write))
}

/// Why the gradebook does not do what was asked.
enum Refused {
    NotAdmitted(NotAdmitted),
    NotKept(NotKept),
    MediaType(&'static str),
    Body(String),
}

impl From<NotAdmitted> for Refused {
    fn from(not: NotAdmitted) -> Self {
        Self::NotAdmitted(not)
    }
}

impl From<NotKept> for Refused {
    fn from(not: NotKept) -> Self {
        Self::NotKept(not)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, words) = match self {
            Self::NotAdmitted(not) => return not.into_response(),
            Self::NotKept(not) => (status(not), not.to_string()),
            Self::MediaType(expected) => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("Content-Type must be {expected}"))
            }
            Self::Body(words) => (StatusCode::BAD_REQUEST, words),
        };
        (status, Json(json!({ "error": words }))).into_response()
    }
}

const fn status(not: NotKept) -> StatusCode {
    match not {
        NotKept::NoColumn => StatusCode::NOT_FOUND,
        NotKept::NotLater => StatusCode::CONFLICT,
        NotKept::Full | NotKept::NoLink | NotKept::NoStudent => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

async fn list(
    State(lms): State<Arc<Shared>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, NotAdmitted> {
    lms.admit(&headers, &[SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY])?;
    let asked = Fields::read(query.unwrap_or_default().as_bytes());
    let is_wanted = |item: &LineItem| {
        let filters =
            [("resource_id", &item.resource_id), ("resource_link_id", &item.resource_link_id), ("tag", &item.tag)];
        filters.into_iter().all(|(name, own)| asked.get(name).is_none_or(|wanted| own.as_deref() == Some(wanted)))
    };
    let school = lms.school();
    let mut wanted = school.columns().iter().map(|column| &column.item).filter(|item| is_wanted(item));
    let limit = asked.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(PAGE).clamp(1, PAGE);
    let passed = asked.get("offset").and_then(|offset| offset.parse::<usize>().ok()).unwrap_or(0);
    let items: Vec<_> = wanted.by_ref().skip(passed).take(limit).collect();
    let mut response = ([(CONTENT_TYPE, LINE_ITEMS_TYPE)], Json(&items).into_response().into_body()).into_response();
    if wanted.next().is_some() {
        let mut next = url::form_urlencoded::Serializer::new(String::new());
        for name in ["resource_id", "resource_link_id", "tag"] {
            if let Some(value) = asked.get(name) {
                next.append_pair(name, value);
            }
        }
        next.append_pair("limit", &limit.to_string()).append_pair("offset", &(passed + limit).to_string());
        let link = format!("<{}/lineitems?{}>; rel=\"next\"", lms.url, next.finish());
        response.headers_mut().extend(link.parse().ok().map(|link| (LINK, link)));
    }
    Ok(response)
}

async fn read(
    State(lms): State<Arc<Shared>>,
    Path(number): Path<usize>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    lms.admit(&headers, &[SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY])?;
    let school = lms.school();
    Ok(column(StatusCode::OK, &school.column(number).ok_or(NotKept::NoColumn)?.item))
}

async fn make(State(lms): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Result<Response, Refused> {
    lms.admit(&headers, &[SCOPE_LINE_ITEM])?;
    check_type(&headers, LINE_ITEM_TYPE)?;
    let item: LineItem = serde_json::from_slice(&body).map_err(|error| Refused::Body(error.to_string()))?;
    let texts = [Some(&item.label), item.resource_id.as_ref(), item.resource_link_id.as_ref(), item.tag.as_ref()];
    if item.label.trim().is_empty() || texts.into_iter().flatten().any(|text| text.len() > LONGEST_TEXT) {
        return Err(Refused::Body(format!("a column needs a label, and its texts have {LONGEST_TEXT} bytes at most")));
    }
    if !item.score_maximum.is_finite() || item.score_maximum <= 0.0 {
        return Err(Refused::Body("scoreMaximum must be more than 0".to_owned()));
    }
    let mut school = lms.school();
    Ok(column(StatusCode::CREATED, school.add_column(item)?))
}

fn column(status: StatusCode, item: &LineItem) -> Response {
    (status, [(CONTENT_TYPE, LINE_ITEM_TYPE)], Json(item).into_response().into_body()).into_response()
}

/// A score, as a tool posts it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Score {
    score_given: Option<f64>,
    score_maximum: Option<f64>,
    activity_progress: lti::ags::ActivityProgress,
    grading_progress: GradingProgress,
    user_id: String,
    timestamp: String,
    comment: Option<String>,
}

async fn write(
    State(lms): State<Arc<Shared>>,
    Path(number): Path<usize>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Refused> {
    lms.admit(&headers, &[SCOPE_SCORE])?;
    check_type(&headers, SCORE_TYPE)?;
    let score: Score = serde_json::from_slice(&body).map_err(|error| Refused::Body(error.to_string()))?;
    let score = score.judged(lms.ambient.now())?;
    lms.school().write(number, score)?;
    lms.scores.send_modify(|count| *count += 1);
    Ok(StatusCode::NO_CONTENT)
}

impl Score {
    fn judged(self, now: Timestamp) -> Result<NewScore, Refused> {
        let refused = |words: &str| Refused::Body(words.to_owned());
        let given_at = Timestamp::parse_rfc3339(&self.timestamp)
            .ok_or_else(|| refused("timestamp must be a date and time of RFC 3339, with a time zone"))?;
        let points = match (self.score_given, self.score_maximum) {
            (None, _) => None,
            (Some(given), Some(maximum))
                if given.is_finite() && given >= 0.0 && maximum.is_finite() && maximum > 0.0 =>
            {
                Some((given, maximum))
            }
            _ => return Err(refused("scoreGiven must not be negative and needs a scoreMaximum that is more than 0")),
        };
        if self.comment.as_ref().is_some_and(|comment| comment.len() > LONGEST_TEXT) {
            return Err(Refused::Body(format!("comment has more than {LONGEST_TEXT} bytes")));
        }
        let is_final = self.grading_progress == GradingProgress::FullyGraded;
        Ok(NewScore {
            subject: self.user_id,
            points: points.filter(|_| is_final),
            progress: in_words(self.grading_progress, self.activity_progress),
            comment: self.comment.filter(|comment| !comment.trim().is_empty()),
            given_at,
            arrived_at: now,
        })
    }
}

const fn in_words(grading: GradingProgress, activity: lti::ags::ActivityProgress) -> &'static str {
    use lti::ags::ActivityProgress as Activity;
    match (grading, activity) {
        (GradingProgress::FullyGraded, _) => "Graded",
        (GradingProgress::Pending, _) => "Being graded",
        (GradingProgress::PendingManual, _) => "Waits for a person",
        (GradingProgress::Failed, _) => "Could not be graded",
        (GradingProgress::NotReady, Activity::Submitted | Activity::Completed) => "Handed in",
        (GradingProgress::NotReady, _) => "Begun",
    }
}

fn check_type(headers: &HeaderMap, expected: &'static str) -> Result<(), Refused> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(expected) { Ok(()) } else { Err(Refused::MediaType(expected)) }
}
