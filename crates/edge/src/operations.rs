//! What an operator's tools ask: is it alive, is it ready, how does it do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Extension;
use axum::extract::{ConnectInfo, FromRef, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::header::{CONTENT_TYPE, FORWARDED, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::json;
use store::Store;

use crate::context::FreeToHold;
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

/// Why a process should get no requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// It is shutting down.
    Draining,
    /// A part of it is being restarted, or has failed.
    Part(&'static str),
    /// The database does not answer.
    Database,
}

impl NotReady {
    /// Why the process of this store should get no requests; `None` when it should.
    pub async fn find(store: &Store, draining: &Draining) -> Option<Self> {
        if draining.has_begun() {
            return Some(Self::Draining);
        }
        if let Some(part) = store.supervision().down() {
            return Some(Self::Part(part));
        }
        store.ping().await.is_err().then_some(Self::Database)
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

const HEALTHZ: &str = "/healthz";
const READYZ: &str = "/readyz";
const METRICS: &str = "/metrics";

/// Whether tools ask for a route every few seconds: what they get is news only when it is no success.
pub(crate) fn is_probe(route: &str) -> bool {
    [HEALTHZ, READYZ, METRICS].contains(&route)
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn routes(operations: Operations) -> Router {
    Router::new()
        .route(HEALTHZ, get(healthz))
        .route(READYZ, get(readyz))
        .route(METRICS, get(metrics))
        .with_state(operations)
}

async fn healthz() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok" }))
}

async fn readyz(State(operations): State<Operations>) -> Response {
    let body = match NotReady::find(&operations.door.store, &operations.draining).await {
        None => return Json(json!({ "status": "ready" })).into_response(),
        Some(NotReady::Draining) => json!({ "status": "not ready", "reason": "draining" }),
        Some(NotReady::Part(part)) => json!({ "status": "not ready", "reason": "part", "part": part }),
        Some(NotReady::Database) => json!({ "status": "not ready", "reason": "database" }),
    };
    (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "5")], Json(body)).into_response()
}

/// For loopback and for operators: route names and load tell a stranger too much. What a proxy on this machine
/// passes on is not from here.
async fn metrics(
    State(operations): State<Operations>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    session: Result<PresentedSession, Problem>,
) -> Result<Response, Problem> {
    let is_loopback = address.is_some_and(|Extension(ConnectInfo(address))| address.ip().to_canonical().is_loopback());
    let is_passed_on = headers.contains_key(FORWARDED) || headers.contains_key("x-forwarded-for");
    if !is_loopback || is_passed_on {
        let require_operator = |_: &mut store::Tx<'_>, admin: &crate::admins::Admin| {
            admin.is_operator.then_some(()).ok_or(Problem::Forbidden("Only operators can read the metrics."))
        };
        operations.door.read_by_admin(session?, "operations.metrics", require_operator).await?;
    }
    Ok((Extension(FreeToHold), [(CONTENT_TYPE, "text/plain; version=0.0.4")], operations.metrics.render())
        .into_response())
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{EMAIL, Edge, PASSWORD};

    #[both_stores]
    async fn readiness_ends_with_the_database_and_life_does_not(test: TestStore) {
        let edge = Edge::new(test).await;
        assert_eq!(edge.get("/readyz").await.json(), json!({ "status": "ready" }));
        edge.test.store.close().await;
        let reply = edge.get("/readyz").await;
        assert_eq!((reply.status, reply.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "5"));
        assert_eq!(reply.json()["reason"], "database");
        assert_eq!(edge.get("/healthz").await.status, StatusCode::OK);
    }

    #[both_stores]
    async fn a_draining_process_is_not_ready(test: TestStore) {
        let edge = Edge::new(test).await;
        edge.draining.begin();
        let reply = edge.get("/readyz").await;
        assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reply.json(), json!({ "status": "not ready", "reason": "draining" }));
    }

    #[both_stores]
    async fn a_process_with_a_part_that_is_down_is_not_ready(test: TestStore) {
        let edge = Edge::new(test).await;
        edge.test.store.supervision().fail("worker", "it ended");
        let reply = edge.get("/readyz").await;
        assert_eq!((reply.status, reply.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "5"));
        assert_eq!(reply.json(), json!({ "status": "not ready", "reason": "part", "part": "worker" }));
        assert_eq!(edge.get("/healthz").await.status, StatusCode::OK);
    }

    #[both_stores]
    async fn metrics_are_for_loopback_and_operators(test: TestStore) {
        let edge = Edge::new(test).await;
        let cookie = edge.sign_in(EMAIL, PASSWORD).await.cookie();
        for local in ["127.0.0.1:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            assert_eq!(edge.get_from(local, "", "/metrics").await.status, StatusCode::OK, "{local}");
        }
        assert_eq!(edge.get("/metrics").await.status, StatusCode::UNAUTHORIZED, "no address is no loopback");
        assert_eq!(edge.get_from("192.0.2.1:1", "", "/metrics").await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(edge.get_from("192.0.2.1:1", &cookie, "/metrics").await.status, StatusCode::FORBIDDEN);
        let promote = |tx: &mut store::Tx<'_>| tx.execute("UPDATE admin_user SET is_operator = 1", &[]);
        edge.test.store.write("test", promote).await.unwrap();
        let reply = edge.get_from("192.0.2.1:1", &cookie, "/metrics").await;
        assert_eq!((reply.status, reply.header("content-type")), (StatusCode::OK, "text/plain; version=0.0.4"));
    }

    #[both_stores]
    async fn unknown_routes_and_methods_get_the_envelope(test: TestStore) {
        let edge = Edge::new(test).await;
        let unknown = edge.get("/nowhere").await;
        assert_eq!(
            unknown.json(),
            json!({ "statusCode": 404, "message": "There is no such route.", "error": "Not Found" })
        );
        let wrong = edge.get("/auth/login").await;
        assert_eq!((wrong.status, wrong.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "POST"));
        assert_eq!(wrong.json()["error"], "Method Not Allowed");
    }
}
