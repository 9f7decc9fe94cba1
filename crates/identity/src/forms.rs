//! Bodies that programs send as JSON and pages as a form, and the rule that sign-in pages are the service's own.

use std::time::Duration;

use axum::extract::Request;
use edge::body::{BodyRules, JsonBody, read_whole};
use edge::door::Door;
use edge::problem::Problem;
use edge::query::Query;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};
use url::form_urlencoded;

/// Anybody may send these bodies.
pub(crate) const LONGEST_BODY_BYTES: usize = 8 * 1024;
/// How long a page may take to send a form.
const FORM_TIMEOUT: Duration = Duration::from_secs(30);

/// A body, and whether a page sent it.
pub(crate) struct Sent {
    pub(crate) body: JsonBody,
    pub(crate) is_form: bool,
    pub(crate) headers: HeaderMap,
}

impl Sent {
    /// Reads a body that a page of this service, or a program that says so, sent.
    ///
    /// # Errors
    /// 403 for one that comes from elsewhere.
    pub(crate) async fn of(door: &Door, request: Request) -> Result<Self, Problem> {
        refuse_foreign(door, request.headers())?;
        let headers = request.headers().clone();
        let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/x-www-form-urlencoded") {
            let body = JsonBody::of_short_request(request, LONGEST_BODY_BYTES).await;
            return Ok(Self { body, is_form: false, headers });
        }
        let rules = BodyRules {
            limit_bytes: LONGEST_BODY_BYTES,
            timeout: FORM_TIMEOUT,
            takes: |essence| essence == "application/x-www-form-urlencoded",
            otherwise: || Problem::UnsupportedMediaType,
        };
        let text = read_whole(request, &rules).await;
        let body = text.map_or_else(JsonBody::refused, |text| JsonBody::of(fields(&text)));
        Ok(Self { body, is_form: true, headers })
    }

    /// The token of a mail's link; empty where there is none.
    pub(crate) fn token(&self) -> &str {
        let body = self.body.value().ok();
        body.and_then(|body| body.get("token")?.as_str()).unwrap_or_default()
    }
}

/// The token in the address that a mail's link leads to.
///
/// # Errors
/// 400 without one.
pub(crate) fn token_of(query: &Query) -> Result<String, Problem> {
    let token = query.read_known(|parameters| parameters.optional("token", |token| Ok(token.to_owned())))?;
    token.filter(|token| !token.is_empty()).ok_or_else(|| Problem::field("token", "is required"))
}

/// The fields of a form as JSON; an empty one is absent.
fn fields(text: &[u8]) -> Value {
    let pairs = form_urlencoded::parse(text).filter(|(_, value)| !value.is_empty());
    Value::Object(pairs.map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect::<Map<_, _>>())
}

/// # Errors
/// 403 unless a page of this service sent the request.
pub(crate) fn refuse_foreign(door: &Door, headers: &HeaderMap) -> Result<(), Problem> {
    if door.own_origin.is_proven_by(headers) {
        Ok(())
    } else {
        Err(Problem::Forbidden("This is only possible from this service's own pages."))
    }
}
