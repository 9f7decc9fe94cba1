//! What is known of one request while it is carried out, and what is said of it when it is done: the
//! request id, the rate-limit headers, the problem's envelope, one log line and one measurement.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{self, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use http::header::{ACCEPT, RETRY_AFTER};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use http_body_util::BodyExt as _;
use hyper::body::Body as _;
use kernel::ambient::Ambient;
use kernel::id::{AuditEntryId, EventId};
use metrics::Histogram;
use tower::{Layer, Service};
use tracing::Level;

use crate::door::Door;
use crate::operations;
use crate::problem::{self, Problem};
use crate::rate::RateStatus;
use crate::responses::{Address, Holder, Responses, SMALL_BYTES};

static X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST_REQUEST_ID: usize = 128;

/// Filled while a request is carried out; read when its answer leaves.
#[derive(Debug)]
pub struct RequestContext {
    /// The client's request id when it sent a sane one, else a new one.
    pub request_id: HeaderValue,
    /// Set when the caller's rate limit was consulted.
    pub rate: OnceLock<RateStatus>,
    /// Who calls, for the log: a key's visible prefix or an admin's id.
    pub caller: OnceLock<String>,
    /// Whom the response is charged to: an organization, a workspace, or an admin.
    pub tenant: OnceLock<Arc<str>>,
    /// Where the client is, where that is known.
    pub address: Option<Address>,
    /// The entry of the audit log that tells of the request.
    pub(crate) audit_entry: OnceLock<AuditEntryId>,
}

impl RequestContext {
    /// A context for a request with this id.
    pub fn new(request_id: HeaderValue) -> Self {
        Self {
            request_id,
            rate: OnceLock::new(),
            caller: OnceLock::new(),
            tenant: OnceLock::new(),
            address: None,
            audit_entry: OnceLock::new(),
        }
    }

    /// Whom the response is charged to, as far as that is known by now.
    pub fn holder(&self) -> Holder {
        Holder { tenant: self.tenant.get().cloned(), address: self.address }
    }
}

/// The request's context, for handlers and gates.
#[derive(Clone)]
pub struct Context(pub Arc<RequestContext>);

impl<S: Send + Sync> FromRequestParts<S> for Context {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self(of(parts)))
    }
}

pub(crate) fn of(parts: &Parts) -> Arc<RequestContext> {
    let context = parts.extensions.get::<Arc<RequestContext>>();
    context.cloned().unwrap_or_else(|| Arc::new(RequestContext::new(HeaderValue::from_static("untracked"))))
}

/// The outermost layer of every route: makes request ids, charges what responses hold, renders problems in the
/// surface's envelope, logs and measures.
#[derive(Clone)]
pub struct Tracking(Door);

impl Tracking {
    /// Tracks the requests that go through a door.
    pub fn new(door: Door) -> Self {
        Self(door)
    }
}

/// Marks a response whose body costs nothing to hold: all such responses share it, or it is read as it is sent.
#[derive(Clone, Copy, Debug)]
pub struct FreeToHold;

impl<S> Layer<S> for Tracking {
    type Service = Tracked<S>;

    fn layer(&self, inner: S) -> Tracked<S> {
        Tracked { inner, door: self.0.clone() }
    }
}

/// A route inside [`Tracking`]. A service of its own: what axum makes of a function boxes and clones the route
/// several times for each request.
#[derive(Clone)]
pub struct Tracked<S> {
    inner: S,
    door: Door,
}

impl<S> Service<Request> for Tracked<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let started = Instant::now();
        let mut context = RequestContext::new(request_id(&request, &self.door.ambient));
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        context.address = peer.map(|ConnectInfo(peer)| peer.ip().into());
        let context = Arc::new(context);
        request.extensions_mut().insert(context.clone());
        let asked = Asked {
            started,
            method: request.method().clone(),
            uri: request.uri().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
        };
        let answer = self.inner.call(request);
        let responses = self.door.responses.clone();
        Box::pin(async move {
            let outcome = AssertUnwindSafe(answer).catch_unwind().await;
            let answer = outcome.unwrap_or_else(|_| Ok(crashed()))?;
            let is_read = asked.method.is_safe();
            let answer = if is_large(&answer) { held(answer, &responses, &context, is_read).await } else { answer };
            Ok(asked.answer(answer, &context))
        })
    }
}

/// Whether the body is charged while it is read.
fn is_large(response: &Response) -> bool {
    let size = response.body().size_hint().lower();
    size > SMALL_BYTES as u64 && response.extensions().get::<FreeToHold>().is_none()
}

/// The response with its body charged to whoever asked. What was only read is refused where there is no room for it.
async fn held(response: Response, responses: &Responses, context: &RequestContext, is_read: bool) -> Response {
    let (parts, body) = response.into_parts();
    let body = match body.collect().await {
        Ok(body) if is_read => responses.hold(body.to_bytes(), context.holder()).await,
        Ok(body) => Ok(responses.hold_beyond(body.to_bytes(), context.holder()).await),
        Err(error) => Err(Problem::unexpected(error)),
    };
    body.map_or_else(Problem::into_response, |body: Body| Response::from_parts(parts, body))
}

/// One line of the access log. A macro, because the level of an event is a constant.
macro_rules! log_request {
    ($level:expr, $asked:ident, $context:ident, $status:ident, $elapsed:ident) => {
        tracing::event!(
            target: "http",
            $level,
            method = $asked.method.as_str(),
            path = &*loggable($asked.uri.path()),
            status = $status.as_u16(),
            duration_us = u64::try_from($elapsed.as_micros()).unwrap_or(u64::MAX),
            request_id = $context.request_id.to_str().unwrap_or_default(),
            caller = $context.caller.get().map_or("", String::as_str),
        )
    };
}

/// What the log says of a request.
struct Asked {
    started: Instant,
    method: Method,
    uri: Uri,
    route: Option<MatchedPath>,
}

impl Asked {
    /// Completes an answer, logs and measures it.
    fn answer(self, mut response: Response, context: &RequestContext) -> Response {
        if let Some(ShownProblem(problem)) = response.extensions_mut().remove() {
            log_cause(&problem, context);
        }
        if let Some(problem) = problem_of(&mut response) {
            log_cause(&problem, context);
            let mut rendered = problem::render(self.uri.path(), &problem);
            problem::keep_allow(&response, &mut rendered);
            response = rendered;
        }
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID.clone(), context.request_id.clone());
        if let Some(rate) = context.rate.get() {
            rate.write_headers(headers);
        }

        let elapsed = self.started.elapsed();
        let status = response.status();
        let route = self.route.as_ref().map_or("unmatched", MatchedPath::as_str);
        if operations::is_probe(route) && status.is_success() {
            log_request!(Level::DEBUG, self, context, status, elapsed);
        } else {
            log_request!(Level::INFO, self, context, status, elapsed);
        }
        measure(method_label(&self.method), route, status, elapsed);
        response
    }
}

const LEARNERS: &str = "/v1/platform/learners/";

/// What a log holds without the part of the path that follows it: who a learner is would outlast the learner's erasure, and the
/// token of an edit link lets whoever reads it edit.
const HIDDEN_BEHIND: [&str; 3] = [LEARNERS, "/v1/platform/videos/edit/", "/videos/edit/"];

/// A path as far as a log may hold it: the token of a preview link, too, opens the page for whoever reads it.
fn loggable(path: &str) -> Cow<'_, str> {
    let hidden = HIDDEN_BEHIND.into_iter().find_map(|prefix| Some((prefix, path.strip_prefix(prefix)?)));
    if let Some((prefix, hidden)) = hidden {
        let rest = hidden.find('/').map_or("", |end| &hidden[end..]);
        return format!("{prefix}-{rest}").into();
    }
    let after_id = || path.strip_prefix("/preview/")?.match_indices('/').nth(1);
    after_id().map_or(path, |(index, _)| &path[.."/preview/".len() + index]).into()
}

/// The answer of a handler that panicked: what it was doing in the store was rolled back.
fn crashed() -> Response {
    Problem::unexpected(std::io::Error::other("the handler panicked")).into_response()
}

/// Records how long a request took. The handles are looked up once per thread: naming one anew costs several
/// allocations, and every request needs one. The program's routes are few, so the table stays small.
fn measure(method: &'static str, route: &str, status: StatusCode, elapsed: Duration) {
    type Handles = HashMap<String, HashMap<(&'static str, &'static str), Histogram>>;
    thread_local! {
        static HANDLES: RefCell<Handles> = RefCell::default();
    }
    HANDLES.with_borrow_mut(|handles| {
        let of_route = match handles.get_mut(route) {
            Some(of_route) => of_route,
            None => handles.entry(route.to_owned()).or_default(),
        };
        let class = status_class(status);
        let handle = || {
            metrics::histogram!(
                "lectern_http_request_duration_seconds",
                "method" => method, "route" => route.to_owned(), "status" => class,
            )
        };
        of_route.entry((method, class)).or_insert_with(handle).record(elapsed.as_secs_f64());
    });
}

/// A method as a label. A client can make methods up, and each label is a series that is kept.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn status_class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        5 => "5xx",
        _ => "other",
    }
}

/// A problem that the response tells in its own words, such as a page. The log tells its cause.
#[derive(Clone, Debug)]
pub struct ShownProblem(pub Problem);

impl ShownProblem {
    /// Answers a problem with a page: with its status and, where another try may help, `Retry-After`.
    pub fn on(problem: Problem, mut page: Response) -> Response {
        *page.status_mut() = problem.status();
        page.headers_mut().extend(problem.retry_after_header().map(|wait| (RETRY_AFTER, wait)));
        page.extensions_mut().insert(Self(problem));
        page
    }
}

/// Whether the client accepts HTML, as browsers do.
pub fn takes_pages(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn problem_of(response: &mut Response) -> Option<Problem> {
    match response.extensions_mut().remove::<Problem>() {
        None if response.status() == StatusCode::METHOD_NOT_ALLOWED => Some(Problem::MethodNotAllowed),
        found => found,
    }
}

fn request_id(request: &Request, ambient: &Ambient) -> HeaderValue {
    let sent = request.headers().get(&X_REQUEST_ID);
    match sent.filter(|value| is_sane(value.as_bytes())) {
        Some(sane) => sane.clone(),
        None => HeaderValue::from_str(&ambient.id::<EventId>().to_string()).expect("a UUID is a header value"),
    }
}

/// Letters, digits and a few signs: nothing that a log line or a shell would stumble over.
fn is_sane(id: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    (1..=LONGEST_REQUEST_ID).contains(&id.len()) && id.iter().all(is_plain)
}

fn log_cause(problem: &Problem, context: &RequestContext) {
    let Some(cause) = problem.cause() else { return };
    let mut chain = cause.to_string();
    let mut source = cause.source();
    while let Some(deeper) = source {
        chain.push_str(": ");
        chain.push_str(&deeper.to_string());
        source = deeper.source();
    }
    let request_id = context.request_id.to_str().unwrap_or_default();
    match problem {
        Problem::Unavailable(_) => tracing::warn!(request_id, cause = chain, "a request found the service unavailable"),
        _ => tracing::error!(request_id, cause = chain, "a request failed unexpectedly"),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::Edge;

    #[test]
    fn request_ids_are_taken_only_when_sane() {
        assert!(is_sane(b"0192aee1-5a3b-7c2d/8:x"));
        for wrong in ["", "a b", "a\"b", "a;b", "ä", &"x".repeat(129)] {
            assert!(!is_sane(wrong.as_bytes()), "{wrong}");
        }
    }

    #[test]
    fn a_method_that_a_client_made_up_is_no_label_of_its_own() {
        let labels = ["GET", "DELETE", "PROPFIND", "X-9", "get"].map(|name| method_label(&name.parse().unwrap()));
        assert_eq!(labels, ["GET", "DELETE", "other", "other", "other"]);
    }

    #[test]
    fn the_token_of_a_preview_link_is_not_logged() {
        let logged = ["/preview/tests/7/secret", "/preview/courses/7/secret/8", "/preview/tests/7/"].map(loggable);
        assert_eq!(logged, ["/preview/tests/7", "/preview/courses/7", "/preview/tests/7"]);
        let whole = ["/preview/tests/7", "/public/tests/7/x", "/preview/", "/v1/preview/a/b/c"];
        assert_eq!(whole.map(loggable), whole);
    }

    #[test]
    fn the_token_of_an_edit_link_is_not_logged() {
        let logged = ["/videos/edit/7.secret", "/v1/platform/videos/edit/7.secret/files/video.mp4"].map(loggable);
        assert_eq!(logged, ["/videos/edit/-", "/v1/platform/videos/edit/-/files/video.mp4"]);
    }

    #[test]
    fn who_a_learner_is_is_not_logged() {
        let logged =
            ["Ada%20L/mastery", "Ada", "", "Ada/x/y"].map(|rest| loggable(&format!("{LEARNERS}{rest}")).into_owned());
        assert_eq!(logged, ["-/mastery", "-", "-", "-/x/y"].map(|rest| format!("{LEARNERS}{rest}")));
    }

    #[both_stores]
    async fn a_sane_request_id_is_echoed_and_another_is_replaced_on_every_answer(test: TestStore) {
        let edge = Edge::new(test).await;
        let sent = |path: &str, id: &str| Request::get(path).header("x-request-id", id).body(Body::empty()).unwrap();
        for path in ["/healthz", "/nowhere", "/auth/login"] {
            assert_eq!(edge.send(sent(path, "order-7/a")).await.header("x-request-id"), "order-7/a");
            for unfit in ["a b", "x;y", &"x".repeat(129)] {
                let made = edge.send(sent(path, unfit)).await.header("x-request-id").to_owned();
                assert!(made.parse::<EventId>().is_ok(), "{made}");
            }
        }
        let (one, other) = (edge.get("/healthz").await, edge.get("/healthz").await);
        assert_ne!(one.header("x-request-id"), other.header("x-request-id"));
    }

    #[both_stores]
    async fn a_handler_that_panics_answers_500_in_the_envelope(test: TestStore) {
        let reply = Edge::new(test).await.get("/panic").await;
        assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
        let message = "An unexpected error happened.";
        let body = serde_json::json!({ "statusCode": 500, "message": message, "error": "Internal Server Error" });
        assert_eq!(reply.json(), body);
        assert!(reply.headers.contains_key("x-request-id"));
    }
}
