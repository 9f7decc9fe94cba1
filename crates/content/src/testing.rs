//! The surface in a test: all of its routes on a store of their own, in process, no sockets, with the clock,
//! the generator and the workers in the test's hands.
//!
//! Each answer is held against what is promised for all of them: no 500, the error envelope to the letter, a
//! request id, and a status, headers and members that the OpenAPI document lists for the operation.

mod model;
mod renderer;
mod script;
mod tenant;
mod things;

use std::sync::{Arc, LazyLock};

use axum::{Extension, Router};
use edge::body::BodyLimit;
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::origin::OwnOrigin;
use edge::problem::unknown_route;
use edge::rate::Sharing;
use edge::responses::Responses;
use files::FileStore;
use files::storage::StorageOptions;
use http::{Method, StatusCode};
use kernel::id::OrganizationId;
use kernel::secret::MasterKey;
use kernel::turns::FairTurns;
use net::{OutboundClient, OutboundPolicy};
use store::jobs::{Worker, WorkerOptions};
use store::{StoreError, Tx};
use testkit::http::Contract;
use testkit::{Engine, TestStore};
use tokio::sync::Semaphore;
use url::Url;

pub(crate) use model::Scripted;
pub(crate) use renderer::{RenderStep, ScriptedRenderer};
pub(crate) use script::{Pause, Script, Step, Wanted};
pub(crate) use tenant::{EXPANSIONS, PASSWORD, SIGN_IN_PAGE, Tenant};
pub(crate) use testkit::http::{Call, Reply, schema};
pub(crate) use things::Things;

use crate::generation::{Drafter, Generation};
use crate::links::Links;
use crate::videos::renderings::work::RenderContext;
use crate::{Content, jobs};

/// What the surface promises of every answer.
pub(crate) static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let document = serde_json::to_value(crate::api::openapi()).expect("an OpenAPI document serializes");
    Contract { document, assert_envelope }
});

/// Bodies longer than this many bytes are too large here.
pub(crate) const BODY_LIMIT_BYTES: usize = 64 * 1024;

const RULES: KeyRules = KeyRules { requires_verified_email: true };

/// The tables that a refused request must leave alone.
const TABLES: &str = "
    SELECT 'admin_session' AS name, count(*) FROM admin_session UNION ALL
    SELECT 'api_key', count(*) FROM api_key UNION ALL
    SELECT 'active api_key', count(*) FROM api_key WHERE revoked_at IS NULL UNION ALL
    SELECT 'course', count(*) FROM course UNION ALL
    SELECT 'course version', coalesce(sum(version), 0) FROM course UNION ALL
    SELECT 'delivery', count(*) FROM delivery UNION ALL
    SELECT 'event', count(*) FROM event UNION ALL
    SELECT 'expansion', count(*) FROM expansion UNION ALL
    SELECT 'expansion_output', count(*) FROM expansion_output UNION ALL
    SELECT 'generation_part', count(*) FROM generation_part UNION ALL
    SELECT 'idempotency', count(*) FROM idempotency UNION ALL
    SELECT 'job', count(*) FROM job UNION ALL
    SELECT 'module', count(*) FROM module UNION ALL
    SELECT 'module version', coalesce(sum(version), 0) FROM module UNION ALL
    SELECT 'resource_total', coalesce(sum(total), 0) FROM resource_total UNION ALL
    SELECT 'scene', count(*) FROM scene UNION ALL
    SELECT 'slide', count(*) FROM slide UNION ALL
    SELECT 'slide version', coalesce(sum(version), 0) FROM slide UNION ALL
    SELECT 'test', count(*) FROM test UNION ALL
    SELECT 'test version', coalesce(sum(version), 0) FROM test UNION ALL
    SELECT 'video', count(*) FROM video UNION ALL
    SELECT 'video_file', count(*) FROM video_file UNION ALL
    SELECT 'video_rendering', count(*) FROM video_rendering UNION ALL
    SELECT 'video version', coalesce(sum(version), 0) FROM video UNION ALL
    SELECT 'webhook_endpoint', count(*) FROM webhook_endpoint UNION ALL
    SELECT 'webhook_subscription', count(*) FROM webhook_subscription
    ORDER BY name";

/// The service in a test.
pub(crate) struct App {
    pub(crate) test: TestStore,
    pub(crate) door: Door,
    /// What the generator will do.
    pub(crate) script: Arc<Script>,
    /// What the renderer will do.
    pub(crate) renderer: Arc<ScriptedRenderer>,
    /// Where rendered files are, and scenes that wait for others.
    pub(crate) folder: tempfile::TempDir,
    links: Links,
    router: Router,
}

impl App {
    /// The surface at `https://lectern.example`, on a database without rows.
    pub(crate) fn new(test: TestStore) -> Self {
        Self::with_limits(test, Responses::default(), BODY_LIMIT_BYTES)
    }

    /// The same with other limits of responses in flight.
    pub(crate) fn with_responses(test: TestStore, responses: Responses) -> Self {
        Self::with_limits(test, responses, BODY_LIMIT_BYTES)
    }

    /// The same with another limit of bodies.
    pub(crate) fn with_body_limit(test: TestStore, limit_bytes: usize) -> Self {
        Self::with_limits(test, Responses::default(), limit_bytes)
    }

    fn with_limits(test: TestStore, responses: Responses, limit_bytes: usize) -> Self {
        let script: Arc<Script> = Arc::default();
        let drafter = Drafter::new(script.clone(), "builtin");
        Self { script, ..Self::with_drafter(test, drafter, responses, limit_bytes) }
    }

    /// The same, where requests that wait for a draft have it by this drafter, and the script makes none of them.
    pub(crate) fn drafting_by(test: TestStore, drafter: Drafter) -> Self {
        Self::with_drafter(test, drafter, Responses::default(), BODY_LIMIT_BYTES)
    }

    fn with_drafter(test: TestStore, drafter: Drafter, responses: Responses, limit_bytes: usize) -> Self {
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let base_url = Url::parse("https://lectern.example").unwrap();
        let origin = OwnOrigin::of(&base_url);
        let sharing = match test.engine {
            Engine::Sqlite => Sharing::OneProcess,
            Engine::Postgres => Sharing::ManyProcesses,
        };
        let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, sharing, RULES)
            .with_responses(responses);
        let outbound = OutboundClient::new(OutboundPolicy::default()).unwrap();
        let content = Content::new(door.clone(), outbound, &master, &base_url).drafting_by(drafter);
        let links = content.links.clone();
        let tracking = Tracking::new(door.clone());
        let router =
            crate::api::router(content).fallback(unknown_route).layer((Extension(BodyLimit(limit_bytes)), tracking));
        let folder = tempfile::tempdir().unwrap();
        Self { test, door, script: Arc::default(), renderer: Arc::default(), folder, links, router }
    }

    pub(crate) fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &str) -> Call<'_> {
        self.call(Method::POST, path)
    }

    pub(crate) fn patch(&self, path: &str) -> Call<'_> {
        self.call(Method::PATCH, path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::DELETE, path)
    }

    pub(crate) fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, method, path)
    }

    /// Runs the jobs that are due, one after the other; how many there were.
    pub(crate) async fn run_jobs(&self) -> usize {
        self.run_jobs_by(Drafter::new(self.script.clone(), "builtin")).await
    }

    /// As [`App::run_jobs`], with another generator.
    pub(crate) async fn run_jobs_by(&self, drafter: Drafter) -> usize {
        let (store, ambient) = (self.test.store.clone(), self.test.ambient.clone());
        let links = self.links.clone();
        let generation =
            Generation { store: store.clone(), ambient: ambient.clone(), drafter, links, linked_workspaces };
        let handlers = jobs::handlers(generation, self.context());
        let worker = Worker::new(store, ambient, handlers, WorkerOptions::default());
        worker.run_queued().await.unwrap()
    }

    /// Where videos are rendered, by the renderer.
    pub(crate) fn context(&self) -> RenderContext {
        RenderContext {
            store: self.test.store.clone(),
            ambient: self.test.ambient.clone(),
            links: self.links.clone(),
            files: self.files(),
            renderer: self.renderer.clone(),
            turns: Arc::new(FairTurns::new(1)),
            places: Arc::new(Semaphore::new(1)),
            folder: self.folder.path().join("scenes"),
        }
    }

    /// Where rendered files are kept.
    pub(crate) fn files(&self) -> FileStore {
        FileStore::open(&StorageOptions::Folder(self.folder.path().join("files"))).unwrap()
    }

    /// Cancels every job, as the operator does.
    pub(crate) async fn cancel_jobs(&self) {
        self.write(|tx| {
            let ids = tx.query("SELECT id FROM job", &[], |row| row.get(0))?;
            for id in ids {
                assert!(store::jobs::cancel(tx, id, &jobs::types(linked_workspaces))?, "it waits");
            }
            Ok(())
        })
        .await;
    }

    /// What is stored, as a count for each table.
    pub(crate) async fn stored(&self) -> Vec<(String, i64)> {
        self.read(|tx| tx.query(TABLES, &[], |row| Ok((row.get(0)?, row.get(1)?)))).await
    }

    /// The one number that a statement without parameters gives.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        self.read(move |tx| tx.find(sql, &[], |row| row.get(0))).await.unwrap_or(0)
    }

    /// The teardown of a test that leaves nothing to do: no job waits, runs or has failed.
    pub(crate) async fn finish(self) {
        assert_eq!(self.count("SELECT count(*) FROM job").await, 0, "the queue is not empty");
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> T {
        self.test.store.read("test", read).await.unwrap()
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        write: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> T {
        self.test.store.write("test", write).await.unwrap()
    }
}

/// In the place of the platform surface's own.
fn linked_workspaces(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Vec<String>, StoreError> {
    tx.query("SELECT id FROM workspace WHERE organization_id = $1 ORDER BY id", &[&organization], |row| row.get(0))
}

/// Exactly `statusCode`, `message`, `error`, and `details` on a 400 only (content-api section 7).
fn assert_envelope(reply: &Reply, about: &str) {
    assert_eq!(reply.header("content-type"), "application/json", "{about}");
    let body = reply.json();
    let names: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    let expected: &[&str] = match reply.status {
        StatusCode::BAD_REQUEST => &["statusCode", "message", "error", "details"],
        // A generator that made nothing says by a code why.
        StatusCode::CONFLICT | StatusCode::SERVICE_UNAVAILABLE if names.contains(&"code") => {
            &["statusCode", "message", "error", "code"]
        }
        _ => &["statusCode", "message", "error"],
    };
    assert_eq!(names, expected, "{about}");
    assert_eq!(body["statusCode"], reply.status.as_u16(), "{about}");
    assert_eq!(body["error"].as_str(), reply.status.canonical_reason(), "{about}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{about}");
    for detail in body["details"].as_array().into_iter().flatten() {
        let names: Vec<_> = detail.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["path", "message"], "{about}");
    }
}
