//! Where a document says that the service is.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::routing::get;
use axum::{Extension, Router};
use http::header::CONTENT_TYPE;
use utoipa::openapi::{OpenApi, ServerBuilder};

use crate::context::FreeToHold;

/// Where the service is when nobody has configured anything.
pub const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// Says where the service is.
pub fn set_server(document: &mut OpenApi, base_url: &str, description: &str) {
    let server = ServerBuilder::new().url(base_url.trim_end_matches('/')).description(Some(description));
    document.servers = Some(vec![server.build()]);
}

/// A document as a service serves it: with its own public address. Made when it is first asked for.
#[derive(Debug)]
pub struct ServedDocument {
    make: fn() -> OpenApi,
    base_url: String,
    text: OnceLock<Bytes>,
}

impl ServedDocument {
    /// The document of a service at a public address.
    pub fn new(make: fn() -> OpenApi, base_url: &str) -> Self {
        Self { make, base_url: base_url.to_owned(), text: OnceLock::new() }
    }

    /// Adds the route that serves it.
    pub fn serve<S: Clone + Send + Sync + 'static>(self, router: Router<S>, path: &str) -> Router<S> {
        let document = Arc::new(self);
        let describe = async move || (Extension(FreeToHold), [(CONTENT_TYPE, "application/json")], document.text());
        router.route(path, get(describe))
    }

    /// As JSON.
    pub fn text(&self) -> Bytes {
        let make = || {
            let mut document = (self.make)();
            set_server(&mut document, &self.base_url, "This service");
            document.to_json().expect("an OpenAPI document serializes").into()
        };
        self.text.get_or_init(make).clone()
    }
}
