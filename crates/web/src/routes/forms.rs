//! Reads the fields of a form that a page of ours sent.

use std::time::Duration;

use axum::body::Body;
use edge::body::{BodyLimit, BodyRules, DEFAULT_BODY_LIMIT_BYTES, read_whole};
use edge::problem::Problem;
use http::Request;
use http::request::Parts;
use url::form_urlencoded;

use crate::answers::Answers;
use crate::pages::error::Missing;

/// How long a client may take to send its answers.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The answers of a form.
pub(super) async fn read(parts: &Parts, body: Body) -> Result<Answers, Missing> {
    let rules = BodyRules {
        limit_bytes: parts.extensions.get::<BodyLimit>().map_or(DEFAULT_BODY_LIMIT_BYTES, |limit| limit.0),
        timeout: BODY_TIMEOUT,
        takes: |essence| essence == "application/x-www-form-urlencoded",
        otherwise: || Problem::UnsupportedMediaType,
    };
    let read = read_whole(Request::from_parts(parts.clone(), body), &rules).await;
    let bytes = read.map_err(|problem| match problem {
        Problem::TooLarge { .. } => Missing::TooLarge,
        _ => Missing::NoForm,
    })?;
    let fields = form_urlencoded::parse(&bytes);
    Ok(Answers::from_fields(fields.map(|(name, value)| (name.into_owned(), value.into_owned()))))
}
