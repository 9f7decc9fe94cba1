//! Reads the fields of a form that a page of ours, or a learning platform, sent.

use std::time::Duration;

use axum::body::Body;
use edge::body::{BodyLimit, BodyRules, DEFAULT_BODY_LIMIT_BYTES, read_whole};
use edge::problem::Problem;
use http::Request;
use http::request::Parts;
use url::form_urlencoded;

use crate::answers::AnswerForm;
use crate::pages::error::Missing;

/// How long a client may take to send its answers.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// A form with answers.
pub(super) async fn read(parts: &Parts, body: Body) -> Result<AnswerForm, Missing> {
    fields(parts, body).await.map(AnswerForm::from_fields).map_err(|problem| missing(&problem))
}

/// The fields of a form of the usual length, in their order.
pub(super) async fn fields(parts: &Parts, body: Body) -> Result<Vec<(String, String)>, Problem> {
    let limit_bytes = parts.extensions.get::<BodyLimit>().map_or(DEFAULT_BODY_LIMIT_BYTES, |limit| limit.0);
    fields_within(limit_bytes, parts, body).await
}

/// The fields of a form of so many bytes at most, in their order. No value has a NUL character: nobody types one, and no store
/// takes one.
pub(super) async fn fields_within(
    limit_bytes: usize,
    parts: &Parts,
    body: Body,
) -> Result<Vec<(String, String)>, Problem> {
    let rules = BodyRules {
        limit_bytes,
        timeout: BODY_TIMEOUT,
        takes: |essence| essence == "application/x-www-form-urlencoded",
        otherwise: || Problem::UnsupportedUpload("The Content-Type must be application/x-www-form-urlencoded."),
    };
    let bytes = read_whole(Request::from_parts(parts.clone(), body), &rules).await?;
    let fields = form_urlencoded::parse(&bytes).into_owned();
    Ok(fields.map(|(name, value)| (name, value.replace('\0', ""))).collect())
}

/// The page for a form that can't be read.
pub(super) fn missing(problem: &Problem) -> Missing {
    match problem {
        Problem::TooLarge { .. } => Missing::TooLarge,
        Problem::UnsupportedUpload(_) => Missing::NoForm,
        _ => Missing::CutForm,
    }
}
