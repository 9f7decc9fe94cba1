//! A successful answer, built from what was committed.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

use crate::context::FreeToHold;
use crate::responses::Held;

/// Marks an answer that an earlier request with the same idempotency key got first.
pub static IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Room for every header of an answer, those that the request's context adds among them: a table that grows is made anew.
const MOST_HEADERS: usize = 12;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Room for most bodies: a text that grows is copied.
const USUAL_BODY_BYTES: usize = 4096;

/// A status with a JSON text, or with no body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The exact JSON text; empty for no body.
    pub body: String,
    /// Whether this is the replay of an earlier answer.
    pub is_replay: bool,
    /// What is said beside the body. A replay has the body alone: these are not kept.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Answer {
    /// An answer with a JSON body.
    pub fn json(status: StatusCode, body: &impl Serialize) -> Self {
        let mut text = Vec::with_capacity(USUAL_BODY_BYTES);
        serde_json::to_writer(&mut text, body).expect("response types always serialize");
        Self::text(status, String::from_utf8(text).expect("JSON is UTF-8"))
    }

    /// 200 with a JSON body.
    pub fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// A status without a body.
    pub fn empty(status: StatusCode) -> Self {
        Self::text(status, String::new())
    }

    /// An answer whose JSON text is at hand.
    pub fn text(status: StatusCode, body: String) -> Self {
        Self { status, body, is_replay: false, headers: Vec::new() }
    }

    /// The same answer with another header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl Answer {
    /// The same answer with a body that is held elsewhere, as it may be too large for memory.
    pub fn into_held(self, body: Held) -> Response {
        let mut response = self.into_response();
        response.headers_mut().insert(CONTENT_TYPE, JSON);
        *response.body_mut() = body.into_body();
        response.extensions_mut().insert(FreeToHold);
        response
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let has_body = !self.body.is_empty();
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.reserve(MOST_HEADERS);
        if has_body {
            headers.insert(CONTENT_TYPE, JSON);
        }
        // Every answer is somebody's own, and some hold a secret.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.is_replay {
            headers.insert(IDEMPOTENT_REPLAYED.clone(), HeaderValue::from_static("true"));
        }
        headers.extend(self.headers);
        response
    }
}
