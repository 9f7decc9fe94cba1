//! `GET /v1/platform/videos/edit/{editToken}/files/{name}`: what was rendered of a video.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use content::videos::renderings::VideoFile;
use edge::context::{Context, FreeToHold, RequestContext};
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use edge::ranges::{self, FileHead};
use edge::responses::{Holder, Responses};
use files::RenderingKey;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};
use serde::Deserialize;

use super::Edited;
use crate::Platform;
use crate::stored_files::{StoredBytes, storage_problem};

/// A file of a rendered video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub enum FileName {
    /// MP4.
    #[word("video.mp4")]
    Video,
    /// PNG.
    #[word("poster.png")]
    Poster,
    /// WebVTT.
    #[word("captions.vtt")]
    Captions,
    /// Plain text.
    #[word("transcript.txt")]
    Transcript,
}

impl FileName {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Video => "video/mp4",
            Self::Poster => "image/png",
            Self::Captions => "text/vtt; charset=utf-8",
            Self::Transcript => "text/plain; charset=utf-8",
        }
    }

    /// The file that a path names.
    pub fn of(name: &str) -> Option<Self> {
        Self::from_word(name)
    }
}

/// What the path names beside the video.
#[derive(Deserialize)]
pub struct Named {
    name: String,
}

/// A file of the video as it was rendered last: `video.mp4`, `poster.png`, `captions.vtt` or `transcript.txt`.
///
/// Anybody who has the edit link may call it: the token is the credential.
#[utoipa::path(
    get, path = "/v1/platform/videos/edit/{editToken}/files/{name}", tag = "Videos", operation_id = "getRenderedFile",
    security(()),
    params(
        ("Range" = Option<String>, Header, description = "One range of bytes: `bytes=0-1023`"),
        ("If-Range" = Option<String>, Header, description = "The `ETag` of the file that the range is to be a part of"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the file that the client has"),
    ),
    responses(
        (
            status = 200, description = "The file", content_type = "application/octet-stream",
            headers(("ETag" = String, description = "The file's content"), ("Accept-Ranges" = String, description = "`bytes`"))
        ),
        (
            status = 206, description = "The range of the file that `Range` names", content_type = "application/octet-stream",
            headers(
                ("ETag" = String, description = "The file's content"),
                ("Content-Range" = String, description = "Which bytes these are, and the file's length")
            )
        ),
        (
            status = 304, description = "The client has the file",
            headers(("ETag" = String, description = "The file's content"))
        ),
        (status = 404, description = "Nothing was rendered, there is no such file or video, or the token is not its own",
            body = PlatformErrorBody),
        (
            status = 416, description = "The file does not have the range", body = PlatformErrorBody,
            headers(("Content-Range" = String, description = "The file's length"))
        ),
    )
)]
pub async fn get(
    State(platform): State<Platform>,
    Edited(id): Edited,
    Params(Named { name }): Params<Named>,
    Context(context): Context,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let name = FileName::of(&name).ok_or(NOT_FOUND)?;
    let found = platform.door.store.read("videos.find_file", move |tx| VideoFile::find(tx, id)).await;
    let file = found.map_err(Problem::from)?.ok_or(NOT_FOUND)?;
    respond(&platform, &file, name, &headers, &context).await
}

const NOT_FOUND: Problem = Problem::NotFound("File");

/// Answers with a file of a rendered video.
///
/// # Errors
/// 404 when the object is gone, 416 for a range that it does not have, 503 when the object store is away.
pub async fn respond(
    platform: &Platform,
    file: &VideoFile,
    name: FileName,
    headers: &HeaderMap,
    context: &RequestContext,
) -> Result<Response, Problem> {
    let holder = (&platform.door.responses, context.holder());
    let mut response = match name {
        FileName::Captions => kept(headers, file, file.captions.clone(), holder)?,
        FileName::Transcript => kept(headers, file, file.transcript.clone(), holder)?,
        FileName::Video => stored(headers, platform, file.key(), holder).await?,
        FileName::Poster => stored(headers, platform, file.poster_key(), holder).await?,
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(name.media_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'; media-src 'self'"));
    Ok(response)
}

type Holding<'a> = (&'a Responses, Holder);

/// A file of the object store, read as the client takes it. One that is gone is a 404 instead of a response that breaks off.
async fn stored(
    headers: &HeaderMap,
    platform: &Platform,
    key: RenderingKey,
    holder: Holding<'_>,
) -> Result<Response, Problem> {
    let store = platform.files.store.clone();
    let length = store.size_bytes(key).await.map_err(storage_problem)?;
    let head = FileHead { tag: key.file.to_string(), length };
    let mut response = ranges::respond(headers, &head, StoredBytes { store, key }, holder)?;
    response.extensions_mut().insert(FreeToHold);
    Ok(response)
}

/// A short file that the database keeps.
fn kept(headers: &HeaderMap, file: &VideoFile, text: String, holder: Holding<'_>) -> Result<Response, Problem> {
    let head = FileHead { tag: file.key().file.to_string(), length: text.len() as u64 };
    ranges::respond(headers, &head, Bytes::from(text), holder)
}
