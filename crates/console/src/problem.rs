//! A refusal of the API, read from the envelope of either surface.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;

use crate::client::ApiAnswer;
use crate::format;

/// Why the API did not do what a page asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiProblem {
    pub(crate) status: StatusCode,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) details: Vec<FieldProblem>,
}

/// A field of a request that the API refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct FieldProblem {
    pub(crate) path: String,
    pub(crate) message: String,
}

impl FieldProblem {
    /// Whether the problem is that of a field, or of a part of it.
    pub(crate) fn is_about(&self, field: &str) -> bool {
        let rest = self.path.strip_prefix(field).filter(|_| !field.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    }

    /// The problem as a sentence that names the field.
    pub(crate) fn sentence(&self) -> String {
        format::sentence(&format!("{} {}", format::path_label(&self.path), self.message))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ContentEnvelope {
    message: String,
    code: Option<String>,
    details: Vec<FieldProblem>,
}

#[derive(Deserialize)]
struct PlatformEnvelope {
    error: PlatformFault,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlatformFault {
    code: String,
    message: String,
    details: Vec<FieldProblem>,
}

impl ApiProblem {
    /// A problem of the console's own, with a fixed sentence.
    pub(crate) fn new(status: StatusCode, message: &str) -> Self {
        Self { status, code: String::new(), message: message.to_owned(), details: Vec::new() }
    }

    /// A page or thing that does not exist.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "There is nothing at this address.")
    }

    /// A form that is longer than its page takes.
    pub(crate) fn form_too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "The form is longer than this page takes.")
    }

    /// A form that did not arrive whole, or is none.
    pub(crate) fn form_unreadable() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "The form could not be read. Go back and send it again.")
    }

    /// An answer of the API that the console can't read.
    pub(crate) fn unreadable() -> Self {
        Self::new(StatusCode::BAD_GATEWAY, "The answer of the API could not be read.")
    }

    /// The problem that an answer describes.
    pub(crate) fn of(answer: &ApiAnswer) -> Self {
        let status = answer.status;
        if let Ok(PlatformEnvelope { error }) = serde_json::from_slice(&answer.body) {
            return Self { status, code: error.code, message: error.message, details: error.details };
        }
        let read: ContentEnvelope = serde_json::from_slice(&answer.body).unwrap_or_default();
        Self { status, code: read.code.unwrap_or_default(), message: read.message, details: read.details }
    }

    /// Whether a form is shown again with the problem beside its fields.
    pub(crate) fn is_correctable(&self) -> bool {
        let correctable = [400, 402, 409, 412, 413, 415, 422, 429];
        correctable.contains(&self.status.as_u16())
    }
}

/// The problem travels in the response's extensions, and [`crate::pages::problem`] makes a page of it.
impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use http::HeaderMap;

    use super::*;

    fn problem(body: &'static str) -> ApiProblem {
        let body = Bytes::from_static(body.as_bytes());
        ApiProblem::of(&ApiAnswer { status: StatusCode::BAD_REQUEST, headers: HeaderMap::new(), body })
    }

    #[test]
    fn both_envelopes_are_read_and_no_json_is_no_panic() {
        let content = problem(
            r#"{"statusCode":400,"message":"No.","error":"Bad Request","details":[{"path":"a","message":"b"}]}"#,
        );
        assert_eq!((content.message.as_str(), content.details.len()), ("No.", 1));
        let platform = problem(r#"{"error":{"code":"platform_x","message":"No.","status":400,"details":[]}}"#);
        assert_eq!((platform.code.as_str(), platform.message.as_str()), ("platform_x", "No."));
        assert_eq!(problem("<html>").message, "");
    }
}
