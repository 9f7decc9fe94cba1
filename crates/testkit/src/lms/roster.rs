//! The platform's roster: who takes part in the course, page by page, unless a test wants it to fail.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Query, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::header::{ACCEPT, CONTENT_TYPE, LINK};
use lti::nrps::{MEMBERSHIPS_TYPE, SCOPE};
use serde_json::{Value, json};

use super::{Lms, Shown};

/// How the roster fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RosterFailure {
    /// Every page is answered with a status.
    Status(StatusCode),
    /// Every page is answered with a text.
    Body(String),
    /// The first page leads to this address.
    NextPage(String),
    /// Every page leads to itself.
    EndlessPages,
}

/// A request for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterRequest {
    /// The types that are wanted.
    pub accept: String,
    /// The query of the address; empty where there is none.
    pub query: String,
}

/// Who takes part, and how the platform is to behave.
#[derive(Default)]
pub(super) struct Roster(Mutex<Course>);

#[derive(Default)]
struct Course {
    members: Vec<Value>,
    /// Who can open a link, where not everybody can.
    openers: HashMap<String, Vec<String>>,
    page_size: Option<usize>,
    failure: Option<RosterFailure>,
    requests: Vec<RosterRequest>,
}

impl Roster {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lms {
    /// The claim of a launch that offers the roster: a test puts it under `claims::NRPS_SERVICE`.
    pub fn roster_service(&self) -> Value {
        json!({
            "context_memberships_url": format!("{}/memberships", self.shown.url),
            "service_versions": ["2.0"],
        })
    }

    /// Makes these the members of the course, and no others.
    pub fn enrol(&self, members: &[Value]) {
        self.shown.roster.course().members = members.to_vec();
    }

    /// Lets only these members open a link.
    pub fn restrict_link(&self, resource_link_id: &str, user_ids: &[&str]) {
        let user_ids = user_ids.iter().map(|&id| id.to_owned()).collect();
        self.shown.roster.course().openers.insert(resource_link_id.to_owned(), user_ids);
    }

    /// Gives so many members in a page from now on. At first one page has all of them.
    pub fn page_roster(&self, page_size: usize) {
        self.shown.roster.course().page_size = Some(page_size);
    }

    /// Lets the roster fail, or work again.
    pub fn fail_roster(&self, failure: Option<RosterFailure>) {
        self.shown.roster.course().failure = failure;
    }

    /// The requests for pages, in their order.
    pub fn roster_requests(&self) -> Vec<RosterRequest> {
        self.shown.roster.course().requests.clone()
    }
}

pub(super) fn routes() -> Router<Arc<Shown>> {
    Router::new().route("/memberships", get(list_members))
}

async fn list_members(
    State(shown): State<Arc<Shown>>,
    headers: HeaderMap,
    RawQuery(raw): RawQuery,
    Query(wanted): Query<HashMap<String, String>>,
) -> Response {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default().to_owned();
    let mut course = shown.roster.course();
    course.requests.push(RosterRequest { accept, query: raw.unwrap_or_default() });
    match shown.gradebook.scopes_of(&headers) {
        None => return StatusCode::UNAUTHORIZED.into_response(),
        Some(scopes) if !scopes.split(' ').any(|scope| scope == SCOPE) => return StatusCode::FORBIDDEN.into_response(),
        Some(_) => {}
    }
    let from: usize = wanted.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let members: Vec<&Value> = course.members_of(wanted.get("rlid")).collect();
    let until = course.page_size.map_or(members.len(), |size| members.len().min(from + size));
    let address = |from: usize| format!("{}/memberships?from={from}", shown.url);
    let next = match &course.failure {
        Some(RosterFailure::Status(status)) => return status.into_response(),
        Some(RosterFailure::Body(body)) => return ([(CONTENT_TYPE, MEMBERSHIPS_TYPE)], body.clone()).into_response(),
        Some(RosterFailure::NextPage(address)) => Some(address.clone()),
        Some(RosterFailure::EndlessPages) => Some(address(members.len())),
        None => (until < members.len()).then(|| address(until)),
    };
    let page = json!({
        "id": format!("{}/memberships", shown.url), "context": { "id": "course-1" },
        "members": members.get(from..until).unwrap_or_default(),
    });
    let mut response = Json(page).into_response();
    response.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static(MEMBERSHIPS_TYPE));
    if let Some(next) = next {
        let link = format!("<{next}>; rel=\"next\"").parse().expect("an address goes into a header");
        response.headers_mut().insert(LINK, link);
    }
    response
}

impl Course {
    fn members_of(&self, link: Option<&String>) -> impl Iterator<Item = &Value> {
        let openers = link.and_then(|link| self.openers.get(link));
        self.members
            .iter()
            .filter(move |member| openers.is_none_or(|openers| openers.iter().any(|id| member["user_id"] == **id)))
    }
}
