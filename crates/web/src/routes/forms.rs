//! Reads the fields of a form that a page of ours sent.

use std::time::Duration;

use axum::body::Body;
use edge::body::{BodyLimit, DEFAULT_BODY_LIMIT_BYTES};
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use url::form_urlencoded;

use crate::answers::Answers;
use crate::pages::error::Missing;

/// How long a client may take to send its answers.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The answers of a form.
pub(super) async fn read(parts: &Parts, body: Body) -> Result<Answers, Missing> {
    let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(Missing::NoForm);
    }
    let limit_bytes = parts.extensions.get::<BodyLimit>().map_or(DEFAULT_BODY_LIMIT_BYTES, |limit| limit.0);
    let collected = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, limit_bytes).collect()).await;
    let bytes = match collected {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(Missing::TooLarge),
        Ok(Err(_)) | Err(_) => return Err(Missing::NoForm),
    };
    let fields = form_urlencoded::parse(&bytes);
    Ok(Answers::from_fields(fields.map(|(name, value)| (name.into_owned(), value.into_owned()))))
}
