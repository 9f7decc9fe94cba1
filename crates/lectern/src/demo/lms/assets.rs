//! Style sheet, scripts and icon.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, StatusCode};

use super::Shared;

macro_rules! asset {
    ($name:literal, $media_type:literal) => {
        ($name, $media_type, include_str!(concat!("../../../assets/lms/", $name)))
    };
}

/// Name, media type and text of each file.
const ASSETS: [(&str, &str, &str); 6] = [
    asset!("lms.css", "text/css; charset=utf-8"),
    asset!("icon.svg", "image/svg+xml"),
    asset!("post.js", "text/javascript; charset=utf-8"),
    asset!("return.js", "text/javascript; charset=utf-8"),
    asset!("storage.js", "text/javascript; charset=utf-8"),
    asset!("live.js", "text/javascript; charset=utf-8"),
];

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/assets/{name}", get(file))
}

async fn file(Path(name): Path<String>) -> Response {
    const NOSNIFF: (HeaderName, &str) = (http::header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    match ASSETS.iter().find(|(own, ..)| *own == name) {
        Some((_, media_type, text)) => {
            ([(CONTENT_TYPE, *media_type), (CACHE_CONTROL, "no-cache"), NOSNIFF], *text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
