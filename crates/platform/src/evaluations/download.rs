//! `GET /v1/platform/files/{fileId}`: the bytes of an evaluation's file, for whoever has its signed link.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use edge::params::Params;
use edge::problem::Problem;
use files::FileKey;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use kernel::id::{FileId, WorkspaceId};
use serde::Deserialize;

use crate::Platform;

const NOT_FOUND: Problem = Problem::NotFound("File");

/// The two parameters of a signed link.
#[derive(Debug, Default, Deserialize)]
pub struct Signed {
    #[serde(default)]
    expires: String,
    #[serde(default)]
    signature: String,
}

/// A file, by the signed link that an evaluation gave. The link is its own credential, and it expires.
#[utoipa::path(
    get, path = "/v1/platform/files/{fileId}", tag = "Evaluations", operation_id = "getFile",
    params(
        ("fileId" = String, Path),
        ("expires" = String, Query, description = "As in the link"),
        ("signature" = String, Query, description = "As in the link"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "application/octet-stream"),
        (status = 403, description = "The link was changed, or has expired", body = edge::problem::PlatformErrorBody),
        (status = 404, description = "There is no such file", body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn download(
    State(platform): State<Platform>,
    Params(id): Params<String>,
    signed: Result<Query<Signed>, QueryRejection>,
) -> Result<Response, Problem> {
    let file: FileId = id.parse().map_err(|_| NOT_FOUND)?;
    let found = platform.door.store.read("files.find", move |tx| {
        tx.find("SELECT workspace_id, file_name, mime_type FROM evaluation_file WHERE id = $1", &[&file], |row| {
            Ok((row.get::<WorkspaceId>(0)?, row.get::<String>(1)?, row.get::<String>(2)?))
        })
    });
    let (workspace, name, mime_type) = found.await.map_err(Problem::from)?.ok_or(NOT_FOUND)?;
    let key = FileKey { workspace, file };
    let Query(Signed { expires, signature }) = signed.map_err(|_| REFUSED)?;
    let now = platform.door.ambient.now();
    platform.files.links.check(key, &expires, &signature, now).map_err(|_| REFUSED)?;
    let bytes = platform.files.store.get(key).await.map_err(super::storage_problem)?;
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&mime_type);
    headers.insert(CONTENT_TYPE, media_type.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    headers.insert(CONTENT_DISPOSITION, disposition(&name));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    // What a learner sent is never run on this origin.
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    Ok(response)
}

const REFUSED: Problem = Problem::Forbidden("The link is not valid, or has expired.");

/// The name in the form that takes any characters (RFC 8187).
fn disposition(name: &str) -> HeaderValue {
    let encoded: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{encoded}")).expect("it is ASCII")
}
