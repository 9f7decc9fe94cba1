//! One request of a browser: its session, and the calls of the API that its page makes.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use askama::Template;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::response::{Html, IntoResponse as _, Response};
use http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, HOST, IF_MATCH, LINK, LOCATION, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use kernel::time::Timestamp;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::api::identity::Me;
use crate::client::ApiAnswer;
use crate::problem::ApiProblem;
use crate::routes::Console;
use crate::shell::{Call, Section, Shell};

/// The cookie that holds the session.
const SESSION_COOKIE: &str = "jwt";
/// The organization that an administrator's session acts for.
static ORGANIZATION: HeaderName = HeaderName::from_static("lectern-organization");
static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");
const ME: &str = "/auth/me";
/// The longest path that a sign-in leads back to.
const MAX_NEXT_LENGTH: usize = 500;

/// A visit of a page.
pub(crate) struct Visit {
    pub(crate) console: Console,
    pub(crate) path: String,
    pub(crate) now: Timestamp,
    session: Option<HeaderValue>,
    forwarded: HeaderMap,
    peer: Option<ConnectInfo<SocketAddr>>,
    done: Option<String>,
    calls: Mutex<Vec<Call>>,
}

/// An operation of the API and what it is sent.
#[derive(Default)]
pub(crate) struct Operation<'a> {
    /// The operation's id in the API document.
    pub(crate) id: &'static str,
    pub(crate) method: Method,
    pub(crate) path: &'a str,
    pub(crate) body: Option<Value>,
    pub(crate) idempotency_key: Option<&'a str>,
    /// The organization that the session acts for, where the operation is one of content keys.
    pub(crate) organization: Option<&'a str>,
    /// The version that a change is meant for; another one refuses it.
    pub(crate) version: Option<i64>,
}

impl<S: Send + Sync> FromRequestParts<S> for Visit {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiProblem> {
        let console = parts.extensions.get::<Console>().cloned();
        Ok(Self::of(&console.ok_or_else(ApiProblem::unreadable)?, parts))
    }
}

impl Visit {
    /// The visit that a request makes.
    pub(crate) fn of(console: &Console, parts: &Parts) -> Self {
        let headers = &parts.headers;
        let mut forwarded = HeaderMap::new();
        for name in [&ACCEPT_LANGUAGE, &REQUEST_ID, &HOST] {
            forwarded.extend(headers.get(name).map(|value| (name.clone(), value.clone())));
        }
        let stated = headers.get(ORIGIN).filter(|_| parts.method != Method::GET);
        let own = HeaderValue::from_str(&console.origin).ok();
        forwarded.extend(stated.cloned().or(own).map(|origin| (ORIGIN, origin)));
        let query = parts.uri.query().unwrap_or_default();
        let done = query.split('&').find_map(|pair| pair.strip_prefix("done=")).map(str::to_owned);
        Self {
            console: console.clone(),
            path: parts.uri.path_and_query().map_or_else(|| "/console".to_owned(), ToString::to_string),
            now: console.ambient.now(),
            session: session_of(headers),
            forwarded,
            peer: parts.extensions.get::<ConnectInfo<SocketAddr>>().cloned(),
            done,
            calls: Mutex::new(Vec::new()),
        }
    }

    /// Whether the browser has a session cookie, valid or not.
    pub(crate) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// The same visit without its session, for calls that begin one.
    pub(crate) fn without_session(mut self) -> Self {
        self.session = None;
        self
    }

    /// Reads what an operation gives.
    pub(crate) async fn read<T: DeserializeOwned>(&self, id: &'static str, path: &str) -> Result<T, ApiProblem> {
        self.send(Operation { id, path, ..Operation::default() }).await
    }

    /// Reads what an operation of content keys gives, for an organization.
    pub(crate) async fn read_for<T: DeserializeOwned>(
        &self,
        organization: &str,
        id: &'static str,
        path: &str,
    ) -> Result<T, ApiProblem> {
        self.send(Operation { id, path, organization: Some(organization), ..Operation::default() }).await
    }

    /// Calls an operation, notes the call for the page, and reads the answer.
    pub(crate) async fn send<T: DeserializeOwned>(&self, operation: Operation<'_>) -> Result<T, ApiProblem> {
        self.note(&operation);
        let answer = self.answer(operation).await?;
        let body: &[u8] = if answer.body.is_empty() { b"null" } else { &answer.body };
        serde_json::from_slice(body).map_err(|error| {
            tracing::error!(%error, page = self.path, "an answer of the API is not what a page reads");
            ApiProblem::unreadable()
        })
    }

    /// Reads a list for an organization, and the cursor of its next page, which the header `Link` names.
    pub(crate) async fn read_linked<T: DeserializeOwned>(
        &self,
        organization: &str,
        id: &'static str,
        path: &str,
    ) -> Result<(Vec<T>, Option<String>), ApiProblem> {
        let operation = Operation { id, path, organization: Some(organization), ..Operation::default() };
        self.note(&operation);
        let answer = self.answer(operation).await?;
        let items = serde_json::from_slice(&answer.body).map_err(|_| ApiProblem::unreadable())?;
        let link = answer.headers.get(LINK).and_then(|link| link.to_str().ok()).unwrap_or_default();
        Ok((items, next_cursor(link)))
    }

    /// Reads a page of a list, and how many things the whole list has.
    pub(crate) async fn read_counted<T: DeserializeOwned>(
        &self,
        id: &'static str,
        path: &str,
    ) -> Result<(Vec<T>, u64), ApiProblem> {
        let operation = Operation { id, path, ..Operation::default() };
        self.note(&operation);
        let answer = self.answer(operation).await?;
        let items: Vec<T> = serde_json::from_slice(&answer.body).map_err(|_| ApiProblem::unreadable())?;
        let stated = answer.headers.get(&TOTAL_COUNT).and_then(|total| total.to_str().ok()?.parse().ok());
        let total = stated.unwrap_or(items.len() as u64);
        Ok((items, total))
    }

    /// Calls an operation whose answer the page does not need.
    pub(crate) async fn act(&self, operation: Operation<'_>) -> Result<(), ApiProblem> {
        self.send::<IgnoredAny>(operation).await.map(|_| ())
    }

    /// The call that a form of the page would make, for the page's list of calls.
    pub(crate) fn note(&self, operation: &Operation<'_>) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(Call::of(operation));
    }

    /// The answer to an operation, if it succeeded.
    pub(crate) async fn answer(&self, operation: Operation<'_>) -> Result<ApiAnswer, ApiProblem> {
        let request = self.request(operation).ok_or_else(ApiProblem::not_found)?;
        let answer = self.console.api.call(request).await.ok_or_else(ApiProblem::unreadable)?;
        if answer.status.is_success() { Ok(answer) } else { Err(ApiProblem::of(&answer)) }
    }

    fn request(&self, operation: Operation<'_>) -> Option<Request<Body>> {
        let mut request = Request::builder().method(operation.method).uri(operation.path);
        let headers = request.headers_mut()?;
        headers.extend(self.forwarded.clone());
        headers.extend(self.session.clone().map(|session| (COOKIE, session)));
        for (name, value) in [(&IDEMPOTENCY_KEY, operation.idempotency_key), (&ORGANIZATION, operation.organization)] {
            if let Some(value) = value {
                headers.insert(name, HeaderValue::from_str(value).ok()?);
            }
        }
        if let Some(version) = operation.version {
            headers.insert(IF_MATCH, HeaderValue::from_str(&format!("\"{version}\"")).ok()?);
        }
        if operation.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let body = operation.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let mut request = request.body(body).ok()?;
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(peer);
        }
        Some(request)
    }

    /// Who is signed in.
    pub(crate) async fn me(&self) -> Result<Me, ApiProblem> {
        let answer = self.answer(Operation { path: ME, ..Operation::default() }).await?;
        serde_json::from_slice(&answer.body).map_err(|_| ApiProblem::unreadable())
    }

    /// What surrounds the page, with the calls that were made so far.
    pub(crate) async fn shell(&self, title: &str, section: Section) -> Result<Shell, ApiProblem> {
        let me = self.me().await?;
        Ok(self.bare_shell(title, section).signed_in(me))
    }

    /// What surrounds a page that needs no session.
    pub(crate) fn bare_shell(&self, title: &str, section: Section) -> Shell {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Shell::new(&self.console, title, section, self.now, calls).noticing(self.done.as_deref())
    }

    /// A redirect to another page of the console.
    pub(crate) fn redirect(&self, path: &str) -> Response {
        let location = HeaderValue::from_str(&format!("{}{path}", self.console.root));
        match location {
            Ok(location) => (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response(),
            Err(_) => ApiProblem::not_found().into_response(),
        }
    }

    /// A redirect after a write, with the code of what was done.
    pub(crate) fn done(&self, path: &str, code: &str) -> Response {
        let join = if path.contains('?') { '&' } else { '?' };
        self.redirect(&format!("{path}{join}done={code}"))
    }

    /// A key that makes a form's request one, however often it is sent.
    pub(crate) fn idempotency_key(&self) -> String {
        self.console.ambient.id::<uuid::Uuid>().to_string()
    }
}

/// The page that a template makes.
pub(crate) fn page(template: &impl Template) -> Response {
    page_with(StatusCode::OK, template)
}

/// The page that a template makes, with a status.
pub(crate) fn page_with(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// A path of the console, and nothing else, however browsers read it.
pub(crate) fn own_path(text: &str) -> Option<&str> {
    let is_plain = text.len() <= MAX_NEXT_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let rest = text.strip_prefix("/console")?;
    let is_own = rest.is_empty() || rest.starts_with(['/', '?']);
    let path = rest.split('?').next().unwrap_or_default().to_ascii_lowercase();
    let is_literal = !["%2e", "%2f", "%5c"].iter().any(|sign| path.contains(sign));
    (is_plain && is_own && is_literal && !text.contains("//") && !text.contains("/.")).then_some(text)
}

/// The cursor in the link to the next page.
fn next_cursor(link: &str) -> Option<String> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let query = next.split_once('<')?.1.split_once('>')?.0.split_once('?')?.1;
    query.split('&').find_map(|pair| pair.strip_prefix("cursor=")).map(str::to_owned)
}

/// The session cookie as the API is sent it: this cookie and no other.
fn session_of(headers: &HeaderMap) -> Option<HeaderValue> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let token = cookies.flat_map(|value| value.split(';')).find_map(|pair| {
        let (name, token) = pair.trim().split_once('=')?;
        (name == SESSION_COOKIE && !token.is_empty()).then_some(token)
    })?;
    HeaderValue::from_str(&format!("{SESSION_COOKIE}={token}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_console_are_led_back_to() {
        for own in ["/console", "/console/workspaces", "/console?done=x", "/console/evaluations?limit=5&x=%2F"] {
            assert_eq!(own_path(own), Some(own));
        }
        for foreign in [
            "",
            "/",
            "//evil.test",
            "https://evil.test",
            "/consolex",
            "/console//evil.test",
            "/console/../auth/logout",
            "/console/\\evil.test",
            "/console/%2e%2e/evil",
            "/console/.%2E/evil",
            "/console/%5cevil.test",
            "/console\r\nx: y",
            "/console@evil.test",
            "javascript:alert(1)",
            "/\\evil.test",
        ] {
            assert_eq!(own_path(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn the_next_page_is_found_in_the_link() {
        let link = "<http://x/v1/jobs?cursor=a>; rel=\"prev\", <http://x/v1/jobs?limit=5&cursor=b.c-d>; rel=\"next\"";
        assert_eq!(next_cursor(link).as_deref(), Some("b.c-d"));
        assert_eq!(next_cursor("<http://x/?cursor=a>; rel=\"first\""), None);
        assert_eq!(next_cursor(""), None);
    }

    #[test]
    fn only_the_session_cookie_is_passed_on() {
        let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_static("a=b; jwt=token; xjwt=other"))]);
        assert_eq!(session_of(&headers).unwrap(), "jwt=token");
        assert_eq!(session_of(&HeaderMap::new()), None);
    }
}
