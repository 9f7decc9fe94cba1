//! A browser without a screen: sends requests as browsers do, and reads pages.

use axum::Router;
use axum::body::{Body, to_bytes};
use http::header::{CONTENT_TYPE, COOKIE, LOCATION};
use http::{HeaderMap, Request, StatusCode};
use scraper::{Html, Selector};
use tower::ServiceExt as _;

/// An answer of the console.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Page {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn location(&self) -> &str {
        self.header(LOCATION.as_str())
    }

    pub(crate) fn html(&self) -> Html {
        Html::parse_document(&self.body)
    }

    /// An attribute of all elements that a selector finds.
    pub(crate) fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        let (html, selector) = (self.html(), Selector::parse(selector).unwrap());
        html.select(&selector).filter_map(|element| element.attr(name)).map(str::to_owned).collect()
    }

    /// The text of all elements that a selector finds.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let (html, selector) = (self.html(), Selector::parse(selector).unwrap());
        html.select(&selector).map(|element| element.text().collect::<String>().trim().to_owned()).collect()
    }
}

/// Opens a page with a session.
pub(crate) async fn open(console: &Router, path: &str) -> Page {
    send(console, Request::get(path).header(COOKIE, "jwt=good").body(Body::empty()).unwrap()).await
}

/// Sends a form from a page of the console.
pub(crate) async fn submit(console: &Router, path: &str, form: &str) -> Page {
    let request = Request::post(path).header(COOKIE, "jwt=good").header("sec-fetch-site", "same-origin");
    send(console, form_request(request, form)).await
}

/// A form in a request that has some headers already.
pub(crate) fn form_request(request: http::request::Builder, form: &str) -> Request<Body> {
    request.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Body::from(form.to_owned())).unwrap()
}

/// Sends a request.
pub(crate) async fn send(console: &Router, request: Request<Body>) -> Page {
    let response = console.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap_or_default();
    Page { status: parts.status, headers: parts.headers, body }
}
