//! Has graded evaluations of launches, then sends their scores to gradebooks.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use clap::Args;
use edge::operations::Draining;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, StatusCode};
use kernel::id::LaunchId;
use lectern::app::Role;
use serde_json::{Value, json};
use store::{Store, sql};
use tower::ServiceExt as _;

use super::{Worked, service};
use crate::database::Place;
use crate::machine::Usage;
use crate::seed;

const SCORE_SCOPE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
const POLL: Duration = Duration::from_millis(10);
const ANSWER_BYTES: usize = 1024 * 1024;

/// What to send.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// How many scores, each of another learner.
    #[arg(long)]
    scores: usize,
    /// How many more to a platform that never answers.
    #[arg(long)]
    hanging: usize,
    /// The address of both platforms.
    #[arg(long)]
    platform: String,
}

/// The surface with a key.
struct Caller {
    router: Router,
    key: String,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let service = service::open(&arguments.place).await?;
    let app = service.app;
    let store = app.door.store.clone();
    let key = seed::workspace(&store, &app.ambient).await?;
    let caller = Caller { router: app.router(Role::Api, Draining::default(), service.metrics), key };
    for (platform, scores) in [("hangs", arguments.hanging), ("answers", arguments.scores)] {
        caller.prepare(&store, &arguments.platform, platform, scores).await?;
    }
    let (before, started) = (Usage::own()?, Instant::now());
    let syncing = tokio::spawn(app.syncer().run(std::future::pending()));
    while synced(&store).await? < arguments.scores {
        ensure!(!syncing.is_finished(), "the syncer ended");
        tokio::time::sleep(POLL).await;
    }
    let worked = Worked::since(arguments.scores, started.elapsed(), before)?;
    syncing.abort();
    super::say(&worked)
}

impl Caller {
    /// Registers a platform, stores a launch of each learner, and has an answer of each graded.
    async fn prepare(&self, store: &Store, address: &str, platform: &str, scores: usize) -> anyhow::Result<()> {
        let registration = json!({
            "name": platform, "issuer": address, "clientId": platform, "authorizationEndpoint": format!("{address}/auth"),
            "tokenEndpoint": format!("{address}/token"), "jwksEndpoint": format!("{address}/jwks"),
        });
        let made = self.post("/v1/platform/lti/registrations", &registration).await?;
        let id = made["id"].as_str().context("an id")?.to_owned();
        let grades = json!({ "scope": [SCORE_SCOPE], "lineitem": format!("{address}/{platform}/1") }).to_string();
        for learner in 0..scores {
            let session = launch(store, id.clone(), grades.clone(), learner).await?;
            let evaluation = json!({
                "evaluationType": "exact", "questionText": "6 * 7?", "learnerAnswer": "42", "referenceAnswer": "42",
                "clientMetadata": { "ltiLaunchSessionId": session },
            });
            self.post("/v1/platform/evaluations", &evaluation).await?;
        }
        Ok(())
    }

    async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = Request::post(path)
            .header(AUTHORIZATION, format!("Bearer {}", self.key))
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))?;
        let answer = self.router.clone().oneshot(request).await?;
        let status = answer.status();
        let body = to_bytes(answer.into_body(), ANSWER_BYTES).await?;
        ensure!(status == StatusCode::CREATED, "{status}: {}", String::from_utf8_lossy(&body));
        Ok(serde_json::from_slice(&body)?)
    }
}

/// Stores a launch as if a learner had come, and gives the session.
async fn launch(store: &Store, registration: String, grades: String, learner: usize) -> anyhow::Result<String> {
    let stored = store.write("bench.launch", move |tx| {
        let (id, now): (LaunchId, _) = (tx.ambient().id(), tx.now());
        let (user, nonce, none) = (format!("learner-{learner}"), format!("nonce-{learner}"), "{}");
        sql!(
            "INSERT INTO lti_launch (id, registration_id, workspace_id, nonce, message_type, deployment_id, target_link_uri,
                user_id, roles, resource_link_id, custom, grades, created_at)
             SELECT {id}, r.id, r.workspace_id, {nonce}, 'LtiResourceLinkRequest', 'd', 'https://lectern.example/', {user},
                '[]', 'link-1', {none}, {grades}, {now}
             FROM lti_registration r WHERE r.id = {registration}"
        )
        .execute(tx)?;
        Ok::<_, store::StoreError>(id.to_string())
    });
    Ok(stored.await?)
}

async fn synced(store: &Store) -> anyhow::Result<usize> {
    let count = "SELECT count(*) FROM lti_sync WHERE status = 'synced'";
    let found = store.read("bench.synced", move |tx| tx.find(count, &[], |row| row.get::<i64>(0))).await?;
    Ok(usize::try_from(found.unwrap_or(0))?)
}
