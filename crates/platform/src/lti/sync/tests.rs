//! Grade sync against a platform that does as a test wants.

mod answers;
mod attempts;
mod erasure;
mod line_items;
mod order;
mod resending;
mod scores;
mod tokens;

use std::time::Duration;

use grading::IntegrityFlag;
use http::StatusCode;
use lti::ags::{SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE};
use lti::claims;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{Syncer, SyncerOptions};
use crate::lti::tests::Stage;
use crate::testing::{EVALUATIONS, REGISTRATIONS, exact, open};

const DELAYS: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(120)];
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

/// A change to the claims of a launch.
type Change = fn(&mut Value);

/// A launch with a gradebook, and a syncer that sends scores to it.
struct Course {
    stage: Stage,
    syncer: Syncer,
    session: String,
}

impl Course {
    async fn new(test: TestStore) -> Self {
        Self::with(test, |_| ()).await
    }

    /// The same with a launch that a test changes.
    async fn with(test: TestStore, change: impl FnOnce(&mut Value)) -> Self {
        let stage = Stage::new(test).await;
        let session = launch(&stage, change).await;
        let syncer = syncer(&stage);
        Self { stage, syncer, session }
    }

    /// An evaluation of this launch with full marks, of 10.
    async fn answer(&self) -> Value {
        self.evaluate(exact()).await
    }

    async fn evaluate(&self, mut body: Value) -> Value {
        body["maxScore"] = json!(10);
        body["clientMetadata"] = json!({ "ltiLaunchSessionId": self.session });
        self.stage.app.evaluate(&self.stage.tenant, &body).await
    }

    /// An answer that the grader wants a person to look at.
    async fn doubtful_answer(&self) -> Value {
        self.stage.app.script.flag(&[IntegrityFlag::AddressesGrader]);
        self.evaluate(open()).await
    }

    async fn review(&self, evaluation: &Value, score: u32) {
        let path = format!("{EVALUATIONS}/{}/review", evaluation["id"].as_str().unwrap());
        self.stage
            .app
            .post(&path)
            .key(&self.stage.tenant.key)
            .json(&json!({ "score": score }))
            .send()
            .await
            .expect(200);
    }

    async fn sync(&self) -> usize {
        self.syncer.run_due().await.unwrap()
    }

    async fn answer_state(&self) -> Value {
        let evaluation = self.answer().await;
        self.state(&evaluation).await
    }

    /// What the evaluation says of its score.
    async fn state(&self, evaluation: &Value) -> Value {
        let path = format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap());
        self.stage.app.get(&path).key(&self.stage.tenant.key).send().await.expect(200)["ltiSync"].clone()
    }

    async fn resend(&self, evaluation: &Value) -> Value {
        let path = format!("{EVALUATIONS}/{}/lti-sync", evaluation["id"].as_str().unwrap());
        self.stage.app.post(&path).key(&self.stage.tenant.key).send().await.expect(200)
    }

    /// The bodies of the events about this launch's scores, of one type.
    async fn events(&self, event: &'static str) -> Vec<Value> {
        let sql = "SELECT body FROM event WHERE type = $1 ORDER BY created_at, id";
        let bodies = self.stage.app.read(move |tx| tx.query(sql, &[&event], |row| row.get::<String>(0))).await;
        let bodies = bodies.iter().map(|body| serde_json::from_str(body).unwrap());
        bodies.filter(|body: &Value| body["sessionId"] == self.session).collect()
    }

    async fn synced(&self) -> Vec<Value> {
        self.events("lti.grade_synced").await
    }

    async fn failed(&self) -> Vec<Value> {
        self.events("lti.grade_sync_failed").await
    }

    /// Leases the scores that may be sent now.
    async fn claim(&self) -> Vec<super::claim::ClaimedSync> {
        self.syncer.claim(&mut None).await.unwrap().syncs
    }

    /// Makes an attempt with a score that was claimed, and records it.
    async fn attempt(&self, claimed: super::claim::ClaimedSync) {
        let outcome = self.syncer.sender.attempt(claimed).await;
        super::outcome::record(&self.stage.app.test.store, [outcome].into()).await.unwrap();
    }

    fn advance(&self, seconds: u64) {
        self.stage.app.test.clock.advance(Duration::from_secs(seconds));
    }
}

async fn launch(stage: &Stage, change: impl FnOnce(&mut Value)) -> String {
    let login = stage.login().await;
    let mut claims = stage.claims(&login);
    change(&mut claims);
    stage.launch(&login, &claims).await.unwrap().session.id.to_string()
}

fn syncer(stage: &Stage) -> Syncer {
    Syncer::new(stage.app.platform.clone(), SyncerOptions { retry_delays: DELAYS.to_vec() })
}

fn without_column(claims: &mut Value) {
    claims[claims::AGS_ENDPOINT].as_object_mut().unwrap().shift_remove("lineitem");
}
