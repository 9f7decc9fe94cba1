//! Responses: a page, a file, or the page that says that there is none.

use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use edge::context::FreeToHold;
use http::header::{ALLOW, CONTENT_TYPE, ETAG, RETRY_AFTER, VARY};
use http::{HeaderValue, StatusCode};
use kernel::secret::sha256_hex;

use super::Pages;
use crate::assets;
use crate::headers::{Framing, Keeping};
use crate::pages::error::{ErrorPage, Missing};
use crate::texts::Texts;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
/// When it is worth trying again, in seconds.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("5");

/// A page ready to be sent, and its digest where it may be kept.
#[derive(Clone)]
pub(super) struct RenderedPage {
    html: Bytes,
    tag: Option<HeaderValue>,
}

impl RenderedPage {
    /// A page that everybody may keep as long as its digest, taken here, is the same.
    pub(super) fn open(html: String) -> Self {
        let tag = format!("\"{}\"", &sha256_hex(html.as_bytes())[..32]);
        Self { html: html.into(), tag: Some(HeaderValue::from_str(&tag).expect("a digest is ASCII")) }
    }

    /// A page that nobody may keep.
    pub(super) fn closed(html: String) -> Self {
        Self { html: html.into(), tag: None }
    }
}

impl Pages {
    /// A page, or that it is still the one that the client has.
    pub(super) fn page(&self, page: RenderedPage, known: Option<&HeaderValue>, framing: Framing) -> Response {
        let Some(tag) = page.tag else {
            let mut response = html_response(StatusCode::OK, page.html);
            self.0.headers.apply(&mut response, Keeping::No, framing, false);
            return response;
        };
        let mut response = if known.is_some_and(|known| names(known, &tag)) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            html_response(StatusCode::OK, page.html)
        };
        response.headers_mut().insert(ETAG, tag);
        self.0.headers.apply(&mut response, Keeping::Asking, framing, true);
        response
    }

    /// The page that says why there is none. A frame that was to show a learner's page shows it too.
    pub(super) fn missing(&self, texts: &'static Texts, missing: Missing) -> Response {
        let html = ErrorPage::new(&self.0.site, texts, missing).render().unwrap_or_else(|_| texts.broken.to_owned());
        let mut response = html_response(missing.status(), html);
        self.0.headers.apply(&mut response, Keeping::No, Framing::ByNamedOrigins, false);
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept-language"));
        worth_a_retry(missing, response)
    }

    /// A page that nobody keeps and learning platforms may show in frames.
    pub(super) fn framed(&self, status: StatusCode, page: &impl Template, framing: Framing) -> Response {
        let Ok(html) = page.render() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
        let mut response = html_response(status, html);
        self.0.headers.apply(&mut response, Keeping::No, framing, false);
        response
    }

    /// [`Pages::missing`] in a frame of a learning platform.
    pub(super) fn missing_framed(&self, texts: &'static Texts, missing: Missing) -> Response {
        let page = ErrorPage::new(&self.0.site, texts, missing);
        worth_a_retry(missing, self.framed(missing.status(), &page, Framing::ByPlatforms))
    }
}

/// The response, with the time after which it is worth asking again where it is.
fn worth_a_retry(missing: Missing, mut response: Response) -> Response {
    if missing == Missing::Unavailable {
        response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    response
}

/// A page without a form takes no answers; the envelope is made further out.
pub(super) fn only_get() -> Response {
    (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET,HEAD")]).into_response()
}

/// A file. While servers of two releases run side by side, a page of the one may ask the other: it gets the file that there
/// is, but may not keep it.
pub(super) async fn asset(State(pages): State<Pages>, request: Request) -> Response {
    let mut parts = request.uri().path().trim_start_matches("/assets/").split('/');
    let (version, name, more) = (parts.next(), parts.next(), parts.next());
    let found = assets::ASSETS.find(version.unwrap_or_default(), name.unwrap_or_default()).filter(|_| more.is_none());
    let Some((asset, is_current)) = found else { return pages.missing(super::texts_of(&request), Missing::NotFound) };
    let keeping = if is_current { Keeping::ForEver } else { Keeping::No };
    let mut response = (Extension(FreeToHold), [(CONTENT_TYPE, asset.media_type)], asset.bytes).into_response();
    pages.0.headers.apply(&mut response, keeping, Framing::Never, true);
    response
}

pub(super) fn html_response(status: StatusCode, html: impl Into<Bytes>) -> Response {
    let mut response = (status, html.into()).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HTML);
    response
}

/// Whether an `If-None-Match` header names the tag (RFC 9110, weak comparison).
fn names(header: &HeaderValue, tag: &HeaderValue) -> bool {
    let Ok(text) = header.to_str() else { return false };
    text.trim() == "*" || text.split(',').any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
}
