//! `GET /`: a page for people, or the way to the first account where nobody has one; JSON for programs; and `/favicon.ico`, which browsers ask for wherever they are.

use askama::Template as _;
use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use edge::admins;
use edge::operations::NotReady;
use edge::sessions::PresentedSession;
use http::header::{ACCEPT, CONTENT_TYPE, LOCATION, VARY};
use http::request::Parts;
use http::{HeaderValue, StatusCode};

use super::Pages;
use super::respond::html_response;
use crate::assets;
use crate::headers::{Framing, Keeping};
use crate::pages::error::Missing;
use crate::pages::landing::{LandingPage, Service};
use crate::texts::Texts;

/// Both forms are 200 while the process is not ready: they tell of it, and `/readyz` is what probes ask.
pub(super) async fn landing(State(pages): State<Pages>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let is_ready = NotReady::find(&pages.0.content.door.store, &pages.0.draining).await.is_none();
    let accepted = parts.headers.get(ACCEPT).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let mut response = if prefers_html(accepted) {
        match visitor(&pages, &parts).await {
            Visitor::Founder => (StatusCode::SEE_OTHER, [(LOCATION, pages.setup())]).into_response(),
            other => match LandingPage::new(&pages.0.site, is_ready, other == Visitor::Administrator).render() {
                Ok(html) => html_response(StatusCode::OK, html),
                Err(_) => return pages.missing(Texts::accepted(""), Missing::Broken),
            },
        }
    } else {
        Json(Service::new(&pages.0.base_url, is_ready)).into_response()
    };
    pages.0.headers.apply(&mut response, Keeping::No, Framing::Never, false);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

/// Who opens the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visitor {
    /// Nobody has an account yet: the first is made now.
    Founder,
    /// Somebody with a session of the console.
    Administrator,
    /// Anybody else.
    Stranger,
}

/// A store that is away knows nobody; the page says that the service is not ready.
async fn visitor(pages: &Pages, parts: &Parts) -> Visitor {
    let door = &pages.0.content.door;
    if let Ok(Some(session)) = PresentedSession::find(parts, door).await
        && door.read_by_admin(session, "landing.session", |_, _| Ok(())).await.is_ok()
    {
        return Visitor::Administrator;
    }
    match door.store.read("landing.accounts", admins::is_anybody).await {
        Ok(false) => Visitor::Founder,
        Ok(true) | Err(_) => Visitor::Stranger,
    }
}

impl Pages {
    /// Where the first account is made.
    fn setup(&self) -> String {
        format!("{}/console/setup", self.0.site.root)
    }
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
