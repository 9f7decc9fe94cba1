//! The guard around every page: refuses forms of other sites, makes pages of problems, keeps forms whose session has ended, and
//! tells browsers what pages may do.
//!
//! A session cookie travels by itself, so a write needs a proof that a page of this origin sent it.

use std::error::Error as _;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::LengthLimitError;

use crate::pages;
use crate::pages::kept_form::KeptForm;
use crate::problem::ApiProblem;
use crate::routes::{Console, LONGEST_FORM_BYTES};
use crate::visit::Visit;

/// The longest form of most pages, as the framework reads it without other limits.
const USUAL_FORM_BYTES: usize = 2 * 1024 * 1024;
static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// No inline script or style runs, nothing is loaded from elsewhere, no form leaves, nobody frames a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'";

/// Runs a request inside the guard.
pub(crate) async fn guard(State(console): State<Console>, mut request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    request.extensions_mut().insert(console.clone());
    let (parts, body) = request.into_parts();
    let visit = Visit::of(&console, &parts);
    let (mut response, form) = if is_read {
        (next.run(Request::from_parts(parts, body)).await, None)
    } else if is_same_origin(&console, &parts.headers) {
        write(&visit, parts, body, next).await
    } else {
        let message = "The form came from another site, or the browser does not say where from. Open the page here and send it again.";
        (ApiProblem::new(StatusCode::FORBIDDEN, message).into_response(), None)
    };
    if let Some(problem) = response.extensions_mut().remove::<ApiProblem>() {
        response = match form {
            Some(form) if problem.status == StatusCode::UNAUTHORIZED => form.show(&visit),
            _ => pages::problem::show(&visit, &problem, is_read).await,
        };
    } else if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        response = pages::problem::show(&visit, &ApiProblem::not_found(), is_read).await;
    }
    complete(&mut response);
    response
}

/// Runs a write. Its form comes back where the write was refused because nobody is signed in. A form without a session is read
/// as far as a usual one goes.
async fn write(visit: &Visit, parts: Parts, body: Body, next: Next) -> (Response, Option<KeptForm>) {
    let limit_bytes = if visit.has_session() { LONGEST_FORM_BYTES } else { USUAL_FORM_BYTES };
    let body = match to_bytes(body, limit_bytes).await {
        Ok(body) => body,
        Err(error) if error.source().is_some_and(|source| source.is::<LengthLimitError>()) => {
            return (ApiProblem::form_too_large().into_response(), None);
        }
        Err(_) => return (ApiProblem::form_unreadable().into_response(), None),
    };
    let response = next.run(Request::from_parts(parts.clone(), Body::from(body.clone()))).await;
    let is_refused =
        response.extensions().get::<ApiProblem>().is_some_and(|problem| problem.status == StatusCode::UNAUTHORIZED);
    let form = if is_refused { KeptForm::of(&parts, body).await } else { None };
    (response, form)
}

/// Whether a page of this origin sent the request.
fn is_same_origin(console: &Console, headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    match (text(&SEC_FETCH_SITE), text(&ORIGIN)) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => origin == console.origin || is_called_by(console, origin, text(&HOST)),
        (None, None) => false,
    }
}

/// Whether the page calls the host that it came from, where the operator has not said what this one is called. Names that a public
/// name server could answer for are not believed.
fn is_called_by(console: &Console, origin: &str, host: Option<&str>) -> bool {
    let name = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let (Some(name), Some(host), false) = (name, host, console.has_base_url) else { return false };
    let bare =
        name.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())).map_or(name, |(n, _)| n);
    let is_local = !bare.contains('.') || bare.ends_with(".local") || bare.parse::<std::net::IpAddr>().is_ok();
    name == host && is_local
}

fn complete(response: &mut Response) {
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Forms name their origin to this one alone.
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;

    use super::*;
    use crate::{ApiClient, ConsoleOptions};

    fn console(has_base_url: bool) -> Console {
        let options =
            ConsoleOptions { base_url: "https://lectern.example/".into(), has_base_url, ambient: Ambient::system() };
        Console::new(ApiClient::new(axum::Router::new()), options)
    }

    fn accepts(console: &Console, pairs: &[(&'static str, &'static str)]) -> bool {
        let headers = pairs.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v))).collect();
        is_same_origin(console, &headers)
    }

    #[test]
    fn a_form_proves_where_it_comes_from() {
        let named = console(true);
        assert!(accepts(&named, &[("sec-fetch-site", "same-origin")]));
        assert!(accepts(&named, &[("origin", "https://lectern.example")]));
        for foreign in ["cross-site", "same-site", "none", ""] {
            let headers = [("sec-fetch-site", foreign), ("origin", "https://lectern.example")];
            assert!(!accepts(&named, &headers), "{foreign}");
        }
        assert!(!accepts(&named, &[]));
        for foreign in ["null", "http://lectern.example", "https://lectern.example.evil.test", "https://evil.test"] {
            assert!(!accepts(&named, &[("origin", foreign)]), "{foreign}");
        }
    }

    #[test]
    fn a_service_that_nobody_named_is_what_the_local_network_calls_it() {
        let guessed = console(false);
        assert!(accepts(&guessed, &[("origin", "http://10.0.0.7:8080"), ("host", "10.0.0.7:8080")]));
        assert!(accepts(&guessed, &[("origin", "http://lectern:8080"), ("host", "lectern:8080")]));
        assert!(!accepts(&guessed, &[("origin", "http://evil.test"), ("host", "evil.test")]));
        assert!(!accepts(&guessed, &[("origin", "http://lectern:9090"), ("host", "lectern:8080")]));
        assert!(!accepts(&console(true), &[("origin", "http://10.0.0.7:8080"), ("host", "10.0.0.7:8080")]));
    }
}
