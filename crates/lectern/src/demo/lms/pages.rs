//! The pages for people.
//!
//! | address | |
//! |---|---|
//! | `/` | who are you? |
//! | `/as/{person}/course` | the links of the course; a teacher can add some |
//! | `/as/{person}/links/{link}` | a link, opened in a frame |
//! | `/as/{person}/links/{link}/launch` | the same, for a window of its own: the tool's login |
//! | `/as/{person}/add`, `/as/{person}/add/launch` | a teacher picks content in the tool |
//! | `/as/{person}/gradebook` | all grades for a teacher, a student's own for a student |

mod views;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use url::form_urlencoded;

pub(super) use self::views::PostBack;
use self::views::{CoursePage, FramePage, GradebookPage, PeoplePage, PickedPage, PostBackPage, RefusedPage};
use super::Shared;
use super::form::Fields;
use super::hints::Purpose;
use super::messages::{self, Errand};
use super::school::{self, Person, Role};

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", get(people))
        .route("/as/{person}/course", get(course))
        .route("/as/{person}/links/{link}", get(open))
        .route("/as/{person}/links/{link}/launch", get(launch))
        .route("/as/{person}/add", get(add))
        .route("/as/{person}/add/launch", get(launch_adding))
        .route("/as/{person}/gradebook", get(gradebook))
        .fallback(async |State(lms): State<Arc<Shared>>| missing(&lms))
}

async fn people(State(lms): State<Arc<Shared>>) -> Response {
    page(&lms, StatusCode::OK, &PeoplePage::new())
}

async fn course(State(lms): State<Arc<Shared>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Response {
    let Some(visitor) = school::person(&id) else { return missing(&lms) };
    let query = Fields::read(query.unwrap_or_default().as_bytes());
    let notice = query.get("notice").and_then(|notice| lms.hints.open::<String>(Purpose::Notice, notice));
    let shown = CoursePage::new(&lms.school(), visitor, notice);
    page(&lms, StatusCode::OK, &shown)
}

async fn gradebook(State(lms): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let Some(visitor) = school::person(&id) else { return missing(&lms) };
    let shown = GradebookPage::new(&lms.school(), visitor);
    page(&lms, StatusCode::OK, &shown)
}

async fn open(State(lms): State<Arc<Shared>>, Path((id, link)): Path<(String, String)>) -> Response {
    let Some((visitor, target)) = errand_to(&lms, &id, &link) else { return missing(&lms) };
    let frame = login_url(&lms, visitor, &Errand::Open(link.clone()), &target, Shown::InFrame);
    let shown = FramePage::link(&lms.school(), visitor, &link, lms.tool.origin(), frame);
    shown.map_or_else(|| missing(&lms), |shown| page(&lms, StatusCode::OK, &shown))
}

async fn launch(State(lms): State<Arc<Shared>>, Path((id, link)): Path<(String, String)>) -> Response {
    let Some((visitor, target)) = errand_to(&lms, &id, &link) else { return missing(&lms) };
    see(&login_url(&lms, visitor, &Errand::Open(link), &target, Shown::InWindow))
}

async fn add(State(lms): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let Some(teacher) = teacher(&id) else { return missing(&lms) };
    let frame = login_url(&lms, teacher, &Errand::Pick, &lms.tool.launch_url(), Shown::InFrame);
    page(&lms, StatusCode::OK, &FramePage::picking(teacher, lms.tool.origin(), frame))
}

async fn launch_adding(State(lms): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let Some(teacher) = teacher(&id) else { return missing(&lms) };
    see(&login_url(&lms, teacher, &Errand::Pick, &lms.tool.launch_url(), Shown::InWindow))
}

fn teacher(id: &str) -> Option<&'static Person> {
    school::person(id).filter(|person| person.role == Role::Teacher)
}

/// Who opens a link, and where it leads.
fn errand_to(lms: &Shared, person: &str, link: &str) -> Option<(&'static Person, String)> {
    Some((school::person(person)?, lms.school().link(link)?.url.to_string()))
}

/// Where the tool is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    InFrame,
    InWindow,
}

/// The tool's login for an errand. The frame's parent keeps texts for the tool (`storage.js`).
fn login_url(lms: &Shared, person: &Person, errand: &Errand, target: &str, shown: Shown) -> String {
    let mut login = messages::login(lms, person, errand, target);
    if shown == Shown::InFrame {
        login.push(("lti_storage_target", "_parent".to_owned()));
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(login).finish();
    format!("{}?{query}", lms.tool.login_url())
}

/// A page that posts a form to the tool.
pub(super) fn post_back(lms: &Shared, back: PostBack) -> Response {
    page(lms, StatusCode::OK, &PostBackPage::new(back))
}

/// A page that leads a teacher who picked back to the course.
pub(super) fn picked(lms: &Shared, teacher: &str, notice: &str) -> Response {
    let sealed = lms.hints.seal(Purpose::Notice, &notice);
    page(lms, StatusCode::OK, &PickedPage::new(notice, format!("/as/{teacher}/course?notice={sealed}")))
}

/// A page that says why something was not done.
pub(super) fn refused(lms: &Shared, why: &str) -> Response {
    page(lms, StatusCode::BAD_REQUEST, &RefusedPage::new("That did not work", why))
}

fn missing(lms: &Shared) -> Response {
    page(lms, StatusCode::NOT_FOUND, &RefusedPage::new("Nothing is here", "The address leads to no page."))
}

/// The browser goes on with GET.
fn see(url: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, url), (CACHE_CONTROL, "no-store")]).into_response()
}

fn page(lms: &Shared, status: StatusCode, shown: &impl Template) -> Response {
    let Ok(html) = shown.render() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let tool = lms.tool.origin();
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
         frame-src 'self' {tool}; form-action 'self' {tool}; base-uri 'none'; frame-ancestors 'self'"
    );
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, html).into_response()
}
