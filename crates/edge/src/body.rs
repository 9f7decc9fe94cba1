//! Request bodies: JSON read strictly, then member by member, so that one answer names every fault. One struct is the body's
//! type, its reader and its schema in the API's document: see [`Body`].
//!
//! A body is judged only after the caller is known (401 and 429 come before 400): [`JsonBody`] never
//! rejects a request by itself, it carries its verdict to where the operation asks for it.

mod checks;
mod document;
mod fields;

use std::time::Duration;

use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::response::Response;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde_json::Value;

pub use checks::{
    Check, Components, List, Nested, Plain, any_text, id, integer, judged, label, list, nested, number, object, one_of,
    positive, text,
};
pub use document::{Members, Presence, example, schema_of};
pub use edge_macros::Body;
pub(crate) use fields::MOST_DETAILS;
pub use fields::{At, Fields};

use crate::problem::Problem;

/// The longest JSON body, in bytes, unless the operator configured another.
pub const DEFAULT_BODY_LIMIT_BYTES: usize = 1024 * 1024;

/// How long a client may take to send its body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest body in bytes, as a request extension.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimit(pub usize);

/// A JSON object of a request. `derive(Body)` makes one of a struct.
pub trait Body: Sized {
    /// The rules' knowledge besides the object; `()` where there is none.
    type Context: ?Sized;
    /// Whether it is a change, which an object without any member of it is not.
    const HAS_TO_CHANGE: bool = false;
    /// For the document.
    const DESCRIPTION: &'static str;

    /// Reads the object and notes every fault.
    fn read(fields: &mut Fields<'_>, context: &Self::Context) -> Option<Self>;

    /// Describes the members.
    fn describe(members: &mut Members);
}

/// A JSON body, or why there is none.
pub struct JsonBody(Result<Value, Problem>);

impl JsonBody {
    /// Reads a body. Every fault found is in the error. A change of nothing is one.
    pub fn read<B: Body<Context = ()>>(&self) -> Result<B, Problem> {
        self.read_in(&())
    }

    /// Reads a body whose rules know more than the body: [`JsonBody::read`].
    pub fn read_in<B: Body>(&self, context: &B::Context) -> Result<B, Problem> {
        self.read_fields(|fields| {
            let body = B::read(fields, context);
            if B::HAS_TO_CHANGE && fields.has_asked_in_vain() { fields.refuse_as_empty() } else { body }
        })
    }

    /// Reads an object whose members depend on each other.
    pub fn read_fields<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T, Problem> {
        fields::read(self.value()?, read)
    }

    /// The whole body.
    pub fn value(&self) -> Result<&Value, Problem> {
        self.0.as_ref().map_err(Clone::clone)
    }

    /// A request's body. What is wrong with it is found when its fields are asked for.
    pub async fn of_request(request: Request) -> Self {
        Self(parse(request).await)
    }

    /// A request's body where it is shorter than the service's longest, in bytes.
    pub async fn of_short_request(mut request: Request, limit_bytes: usize) -> Self {
        let usual = limit(&request);
        request.extensions_mut().insert(BodyLimit(limit_bytes.min(usual)));
        Self::of_request(request).await
    }

    /// A body that can't be read.
    pub fn refused(problem: Problem) -> Self {
        Self(Err(problem))
    }

    /// A body that is already at hand: a form's, a command's, a test's.
    pub fn of(value: Value) -> Self {
        Self(Ok(value))
    }
}

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = Response;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Response> {
        Ok(Self::of_request(request).await)
    }
}

/// A JSON body that may be left out: then it is an empty object.
pub struct OptionalJsonBody(pub JsonBody);

impl<S: Send + Sync> FromRequest<S> for OptionalJsonBody {
    type Rejection = Response;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Response> {
        let is_absent = request.body().is_end_stream();
        let empty = || JsonBody::of(Value::Object(serde_json::Map::new()));
        Ok(Self(if is_absent { empty() } else { JsonBody(parse(request).await) }))
    }
}

/// What an operation takes as its body.
#[derive(Clone, Copy, Debug)]
pub struct BodyRules {
    /// The longest body.
    pub limit_bytes: usize,
    /// How long the client may take to send it.
    pub timeout: Duration,
    /// Whether a media type is read, by its essence in lower case: `application/json`.
    pub takes: fn(&str) -> bool,
    /// What to answer to another media type.
    pub otherwise: fn() -> Problem,
}

/// Reads a whole body that is sent as it is: UTF-8 where a charset is named, no compression.
///
/// # Errors
/// 413 beyond the limit, 415 for other types, 400 when the body does not arrive in full.
pub async fn read_whole(request: Request, rules: &BodyRules) -> Result<Bytes, Problem> {
    let limit_bytes = rules.limit_bytes;
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit_bytes) {
        return Err(Problem::TooLarge { limit_bytes });
    }
    if !is_taken(request.headers(), rules.takes) {
        return Err((rules.otherwise)());
    }
    let collected = tokio::time::timeout(rules.timeout, Limited::new(request.into_body(), limit_bytes).collect()).await;
    match collected {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::TooLarge { limit_bytes }),
        Ok(Err(_)) | Err(_) => Err(Problem::IncompleteBody),
    }
}

/// The longest body that this request may have.
fn limit(request: &Request) -> usize {
    request.extensions().get::<BodyLimit>().map_or(DEFAULT_BODY_LIMIT_BYTES, |limit| limit.0)
}

async fn parse(request: Request) -> Result<Value, Problem> {
    let rules = BodyRules {
        limit_bytes: limit(&request),
        timeout: BODY_TIMEOUT,
        takes: |essence| essence == "application/json",
        otherwise: || Problem::UnsupportedMediaType,
    };
    let bytes = read_whole(request, &rules).await?;
    kernel::json::parse(&bytes).map_err(|error| Problem::MalformedJson(error.to_string()))
}

fn is_taken(headers: &HeaderMap, takes: fn(&str) -> bool) -> bool {
    let header = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let is_plain = header(CONTENT_ENCODING).is_none_or(|encoding| encoding.eq_ignore_ascii_case("identity"));
    let Some(media_type) = header(CONTENT_TYPE) else { return false };
    let mut parts = media_type.split(';').map(str::trim);
    let is_known = parts.next().is_some_and(|essence| takes(&essence.to_ascii_lowercase()));
    let is_utf8 = |parameter: &str| match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            let charset = value.trim_matches('"');
            ["utf-8", "utf8"].iter().any(|name| charset.eq_ignore_ascii_case(name))
        }
        _ => true,
    };
    is_plain && is_known && parts.all(is_utf8)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    async fn verdict(content_type: Option<&str>, body: &str, limit: usize) -> Result<Value, Problem> {
        let mut request = Request::builder().method("POST").extension(BodyLimit(limit));
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        parse(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    #[tokio::test]
    async fn only_json_is_read() {
        for accepted in ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=UTF8"] {
            assert!(verdict(Some(accepted), "{}", 10).await.is_ok(), "{accepted}");
        }
        for refused in [
            None,
            Some("text/plain"),
            Some("application/jsonp"),
            Some("multipart/form-data"),
            Some("application/json; charset=latin1"),
        ] {
            assert!(matches!(verdict(refused, "{}", 10).await, Err(Problem::UnsupportedMediaType)), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn a_body_that_may_be_left_out_is_read_like_any_other_when_it_is_there() {
        let read = async |content_type: Option<&str>, body: &'static str| {
            let request = Request::builder().method("POST");
            let request = content_type.into_iter().fold(request, |request, one| request.header(CONTENT_TYPE, one));
            let body = OptionalJsonBody::from_request(request.body(Body::from(body)).unwrap(), &()).await.unwrap().0;
            body.value().cloned()
        };
        assert_eq!(read(None, "").await.unwrap(), serde_json::json!({}));
        assert_eq!(read(Some("application/json"), "").await.unwrap(), serde_json::json!({}));
        assert_eq!(read(Some("application/json"), "[1]").await.unwrap(), serde_json::json!([1]));
        assert!(matches!(read(None, "{}").await, Err(Problem::UnsupportedMediaType)));
        assert!(matches!(read(Some("application/json"), "{").await, Err(Problem::MalformedJson(_))));
    }

    #[tokio::test]
    async fn the_limit_holds_to_the_byte() {
        assert!(verdict(Some("application/json"), "[1234]", 6).await.is_ok());
        let over = verdict(Some("application/json"), "[12345]", 6).await;
        assert!(matches!(over, Err(Problem::TooLarge { limit_bytes: 6 })));
    }

    #[tokio::test]
    async fn another_operation_may_take_other_types_and_say_which() {
        let rules = BodyRules {
            limit_bytes: 4,
            timeout: BODY_TIMEOUT,
            takes: |essence| essence == "application/zip",
            otherwise: || Problem::UnsupportedUpload("A package is wanted."),
        };
        let read = async |content_type: &str, body: &'static str| {
            let request = Request::builder().header(CONTENT_TYPE, content_type).body(Body::from(body)).unwrap();
            read_whole(request, &rules).await
        };
        assert_eq!(read("Application/ZIP", "PK..").await.unwrap(), "PK..");
        assert!(matches!(read("application/zip", "PK...").await, Err(Problem::TooLarge { limit_bytes: 4 })));
        let refused = read("application/json", "{}").await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.to_string()), (415, "A package is wanted.".to_owned()));
    }

    #[tokio::test]
    async fn what_is_not_json_is_malformed() {
        for text in ["", "{", "{\"a\":1,\"a\":2}", "\"\\u0000\""] {
            let read = verdict(Some("application/json"), text, 100).await;
            assert!(matches!(read, Err(Problem::MalformedJson(_))), "{text}");
        }
    }
}
