//! One request and its answer.

use axum::Router;
use axum::body::{Body, Bytes};
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use super::Contract;

/// A request that is being put together.
pub struct Call<'a> {
    router: &'a Router,
    contract: &'a Contract,
    request: Request<Body>,
}

impl<'a> Call<'a> {
    /// A request to a router, whose answer is held against what the surface promises.
    pub fn new(router: &'a Router, contract: &'a Contract, method: Method, path: &str) -> Self {
        Self { router, contract, request: Request::builder().method(method).uri(path).body(Body::empty()).unwrap() }
    }

    /// With a header.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().append(name, value.parse().unwrap());
        self
    }

    /// As the holder of a key.
    pub fn key(self, key: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {key}"))
    }

    /// As a signed-in admin.
    pub fn cookie(self, cookie: &str) -> Self {
        self.header(COOKIE.as_str(), cookie)
    }

    /// With an idempotency key.
    pub fn idempotency(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// With a JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string())
    }

    /// With a body of a type.
    pub fn raw(mut self, content_type: &str, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// Sends it, and leaves the body of the response unread.
    pub async fn response(self) -> Response<Body> {
        self.router.clone().oneshot(self.request).await.unwrap()
    }

    /// Sends it, and checks what holds for every answer.
    pub async fn send(self) -> Reply {
        let (method, path) = (self.request.method().clone(), self.request.uri().path().to_owned());
        let response = self.router.clone().oneshot(self.request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8_lossy(&bytes).into_owned();
        let reply = Reply { status: parts.status, headers: parts.headers, body, bytes };
        let about = format!("{method} {path}: {} {}", reply.status, reply.body);
        assert_ne!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{about}");
        assert!(reply.headers.contains_key("x-request-id"), "{about}");
        self.contract.assert_kept(&method, &path, &reply);
        reply
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// As text, whatever it is.
    pub body: String,
    /// As it is.
    pub bytes: Bytes,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, self.body))
    }

    /// A header's text; empty when it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Whether it says that it is a replay.
    pub fn is_replay(&self) -> bool {
        self.header("idempotent-replayed") == "true"
    }

    /// Fails unless the status is this one; the body as JSON (null when there is none).
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// The paths of a 400's details, in order.
    #[track_caller]
    pub fn faults(&self) -> Vec<String> {
        let body = self.expect(400);
        let details = body.pointer("/details").or_else(|| body.pointer("/error/details")).and_then(Value::as_array);
        let details = details.unwrap_or_else(|| panic!("there are no details in {body}"));
        details.iter().map(|detail| detail["path"].as_str().unwrap().to_owned()).collect()
    }
}
