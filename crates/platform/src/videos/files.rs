//! `GET /v1/platform/videos/edit/{editToken}/files/{name}`: what was rendered of a video.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use content::videos::renderings::VideoFile;
use edge::context::{Context, FreeToHold, RequestContext};
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use edge::ranges::{self, FileHead};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use store::Tx;

use crate::Platform;
use crate::evaluations::download::StoredBytes;
use crate::evaluations::storage_problem;

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

/// A file of the video as it was rendered last: `video.mp4`, `poster.png`, `captions.vtt` or `transcript.txt`. Ranges of the
/// first two can be asked for.
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
    Params((token, name)): Params<(String, String)>,
    Context(context): Context,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (parts, links) = (platform.clone(), token);
    let read = move |tx: &mut Tx<'_>| {
        let video = super::load(tx, &parts, &links)?;
        VideoFile::find(tx, video.id)?.ok_or(NOT_FOUND)
    };
    let file = platform.door.store.read("videos.find_file", read).await?;
    let name = FileName::of(&name).ok_or(NOT_FOUND)?;
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
    let mut response = match name {
        FileName::Captions => text(file.captions.clone(), &file.key().file.to_string(), headers),
        FileName::Transcript => text(file.transcript.clone(), &file.key().file.to_string(), headers),
        FileName::Video | FileName::Poster => {
            let key = if name == FileName::Video { file.key() } else { file.poster_key() };
            let store = platform.files.store.clone();
            // A file that is gone is a 404 instead of a response that breaks off.
            let length = store.size_bytes(key).await.map_err(storage_problem)?;
            let head = FileHead { tag: key.file.to_string(), length };
            let holder = (&platform.door.responses, context.holder());
            ranges::respond(headers, &head, StoredBytes { store, key }, holder)?
        }
    };
    if matches!(name, FileName::Video | FileName::Poster) {
        response.extensions_mut().insert(FreeToHold);
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(name.media_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'; media-src 'self'"));
    Ok(response)
}

/// A short file that the database keeps, of a rendering that this tag names.
fn text(body: String, tag: &str, headers: &HeaderMap) -> Response {
    let tag = HeaderValue::try_from(format!("\"{tag}\"")).expect("an id is ASCII");
    let mut response = match headers.get(IF_NONE_MATCH) {
        Some(known) if *known == tag => StatusCode::NOT_MODIFIED.into_response(),
        _ => Bytes::from(body).into_response(),
    };
    response.headers_mut().insert(ETAG, tag);
    response
}
