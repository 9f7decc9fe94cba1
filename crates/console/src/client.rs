//! The way from a page to the API: a service that is called in process.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt as _};

/// The longest answer that a page reads.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// The API as the console calls it. Cheap to clone.
#[derive(Clone)]
pub struct ApiClient {
    service: BoxCloneSyncService<Request<Body>, Response, Infallible>,
}

/// An answer of the API, read whole.
pub(crate) struct ApiAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl ApiClient {
    /// A client of a service, such as the program's own router.
    pub fn new<S>(service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
    {
        Self { service: BoxCloneSyncService::new(service) }
    }

    /// Calls the API. `None` when the answer breaks off or is too long.
    pub(crate) async fn call(&self, request: Request<Body>) -> Option<ApiAnswer> {
        let Ok(response) = self.service.clone().oneshot(request).await;
        let (parts, body) = response.into_parts();
        match Limited::new(body, MAX_ANSWER_BYTES).collect().await {
            Ok(body) => Some(ApiAnswer { status: parts.status, headers: parts.headers, body: body.to_bytes() }),
            Err(error) => {
                tracing::error!(%error, "an answer of the API could not be read for a page");
                None
            }
        }
    }
}
