//! `GET /`: a page for people, JSON for programs; and `/favicon.ico`, which browsers ask for wherever they are.

use askama::Template as _;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use edge::operations::NotReady;
use http::header::{ACCEPT, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::Pages;
use super::respond::html_response;
use crate::assets;
use crate::headers::{Framing, Keeping};
use crate::pages::error::Missing;
use crate::pages::landing::{LandingPage, Service};
use crate::texts::Texts;

/// Both forms are 200 while the process is not ready: they tell of it, and `/readyz` is what probes ask.
pub(super) async fn landing(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    let is_ready = NotReady::find(&pages.0.content.door.store, &pages.0.draining).await.is_none();
    let accepted = headers.get(ACCEPT).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let mut response = if prefers_html(accepted) {
        match LandingPage::new(&pages.0.site, is_ready).render() {
            Ok(html) => html_response(StatusCode::OK, html),
            Err(_) => return pages.missing(Texts::accepted(""), Missing::Broken),
        }
    } else {
        Json(Service::new(&pages.0.base_url, is_ready)).into_response()
    };
    pages.0.headers.apply(&mut response, Keeping::No, Framing::Never, false);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

/// The icon for who asks for it by its old name.
pub(super) async fn favicon(State(pages): State<Pages>) -> Response {
    let mut response = ([(CONTENT_TYPE, "image/x-icon")], assets::FAVICON).into_response();
    pages.0.headers.apply(&mut response, Keeping::Asking, Framing::Never, true);
    response
}

/// Whether an `Accept` header names HTML, and nothing of JSON that it likes better. Browsers name it; what takes anything,
/// as most programs do, gets JSON.
fn prefers_html(accepted: &str) -> bool {
    let quality = |wanted: &str| {
        let qualities = accepted.split(',').filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            parts.next().filter(|media_type| media_type.eq_ignore_ascii_case(wanted))?;
            let given = parts.find_map(|parameter| parameter.strip_prefix("q=")?.parse::<f32>().ok());
            Some(given.unwrap_or(1.0))
        });
        qualities.fold(0.0, f32::max)
    };
    let html = quality("text/html");
    html > 0.0 && html >= quality("application/json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_prefer_html_and_programs_do_not() {
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        for html in [
            browser,
            "text/html",
            "TEXT/HTML;q=0.5",
            "application/json, text/html",
            "application/json;q=0.4,text/html;q=0.5",
        ] {
            assert!(prefers_html(html), "{html}");
        }
        for json in [
            "",
            "*/*",
            "application/json",
            "text/html;q=0",
            "text/html;q=0.5, application/json",
            "text/plain",
            "text/*",
        ] {
            assert!(!prefers_html(json), "{json}");
        }
    }
}
