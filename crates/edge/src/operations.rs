//! What an operator's tools ask: is it alive, is it ready, how does it do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Extension;
use axum::extract::{ConnectInfo, FromRef, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;

use crate::door::Door;
use crate::problem::Problem;
use crate::sessions::PresentedSession;

/// Whether the server is shutting down. Cheap to clone.
#[derive(Clone, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// From now on the process is not ready.
    pub fn begin(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it has begun.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// What these routes need.
#[derive(Clone)]
pub struct Operations {
    /// The store whose reachability is readiness.
    pub door: Door,
    /// Whether the process drains.
    pub draining: Draining,
    /// Renders the metrics.
    pub metrics: PrometheusHandle,
}

impl FromRef<Operations> for Door {
    fn from_ref(operations: &Operations) -> Self {
        operations.door.clone()
    }
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn routes(operations: Operations) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .with_state(operations)
}

async fn healthz() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

async fn readyz(State(operations): State<Operations>) -> Response {
    let reason = if operations.draining.has_begun() {
        Some("draining")
    } else if operations.door.store.ping().await.is_err() {
        Some("database")
    } else {
        None
    };
    match reason {
        None => Json(json!({ "status": "ready" })).into_response(),
        Some(reason) => {
            let body = Json(json!({ "status": "not ready", "reason": reason }));
            (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "5")], body).into_response()
        }
    }
}

/// For loopback and for operators: route names and load tell a stranger too much.
async fn metrics(
    State(operations): State<Operations>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    session: Result<PresentedSession, Problem>,
) -> Result<Response, Problem> {
    let is_loopback = address.is_some_and(|Extension(ConnectInfo(address))| address.ip().to_canonical().is_loopback());
    if !is_loopback {
        let require_operator = |_: &mut store::Tx<'_>, admin: &crate::admins::Admin| {
            admin.is_operator.then_some(()).ok_or(Problem::Forbidden("Only operators can read the metrics."))
        };
        operations.door.read_by_admin(session?, "operations.metrics", require_operator).await?;
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], operations.metrics.render()).into_response())
}
