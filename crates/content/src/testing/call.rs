//! One request and its answer.

use axum::Router;
use axum::body::{Body, Bytes};
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use super::documented;

/// A request that is being put together.
pub(crate) struct Call<'a> {
    router: &'a Router,
    request: Request<Body>,
}

impl<'a> Call<'a> {
    pub(super) fn new(router: &'a Router, method: Method, path: &str) -> Self {
        Self { router, request: Request::builder().method(method).uri(path).body(Body::empty()).unwrap() }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().append(name, value.parse().unwrap());
        self
    }

    /// As the holder of a content key.
    pub(crate) fn key(self, key: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {key}"))
    }

    /// As a signed-in admin.
    pub(crate) fn cookie(self, cookie: &str) -> Self {
        self.header(COOKIE.as_str(), cookie)
    }

    pub(crate) fn idempotency(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string())
    }

    pub(crate) fn raw(mut self, content_type: &str, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// Sends it, and checks what holds for every answer.
    pub(crate) async fn send(self) -> Reply {
        let (method, path) = (self.request.method().clone(), self.request.uri().path().to_owned());
        let response = self.router.clone().oneshot(self.request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8_lossy(&bytes).into_owned();
        let reply = Reply { status: parts.status, headers: parts.headers, body, bytes };
        let about = format!("{method} {path}: {} {}", reply.status, reply.body);
        assert_ne!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{about}");
        assert!(reply.headers.contains_key("x-request-id"), "{about}");
        if reply.status.is_client_error() || reply.status.is_server_error() {
            reply.assert_envelope(&about);
        }
        documented::assert_tells(&method, &path, &reply);
        reply
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// As text, whatever it is.
    pub(crate) body: String,
    pub(crate) bytes: Bytes,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, self.body))
    }

    /// A header's text; empty when it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn is_replay(&self) -> bool {
        self.header("idempotent-replayed") == "true"
    }

    /// Fails unless the status is this one; the body as JSON (null when there is none).
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// The paths of a 400's details, in order.
    #[track_caller]
    pub(crate) fn faults(&self) -> Vec<String> {
        let body = self.expect(400);
        let details = body["details"].as_array().unwrap();
        details.iter().map(|detail| detail["path"].as_str().unwrap().to_owned()).collect()
    }

    /// Exactly `statusCode`, `message`, `error`, and `details` on a 400 only (content-api section 7).
    fn assert_envelope(&self, about: &str) {
        assert_eq!(self.header("content-type"), "application/json", "{about}");
        let body = self.json();
        let names: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        let expected: &[&str] = match self.status {
            StatusCode::BAD_REQUEST => &["statusCode", "message", "error", "details"],
            _ => &["statusCode", "message", "error"],
        };
        assert_eq!(names, expected, "{about}");
        assert_eq!(body["statusCode"], self.status.as_u16(), "{about}");
        assert_eq!(body["error"].as_str(), self.status.canonical_reason(), "{about}");
        assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{about}");
        for detail in body["details"].as_array().into_iter().flatten() {
            let names: Vec<_> = detail.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names, ["path", "message"], "{about}");
        }
        let must_wait = matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let wait = self.header("retry-after").parse::<u64>().unwrap_or(0);
        assert_eq!(must_wait, wait > 0, "{about}");
    }
}
