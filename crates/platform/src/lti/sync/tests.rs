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

/// What is wrong with the claims of a launch.
type Change = fn(&mut Value);

/// A launch with a gradebook, and what sends scores to it.
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

#[both_stores]
async fn a_completed_evaluation_of_a_launch_posts_its_score_and_tells_so(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    assert_eq!(course.state(&evaluation).await["status"], "pending");
    assert_eq!(course.sync().await, 1);
    let scores = course.stage.lms.scores();
    let expected = json!({
        "scoreGiven": 10, "scoreMaximum": 10, "activityProgress": "Completed", "gradingProgress": "FullyGraded",
        "userId": "learner-7", "timestamp": evaluation["completedAt"], "column": "1",
        "submission": { "submittedAt": evaluation["createdAt"] },
    });
    assert_eq!(scores, [expected]);
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["error"], &state["attempts"]), (&json!("synced"), &Value::Null, &json!(0)));
    let synced = course.synced().await.remove(0);
    for (member, value) in [
        ("event", json!("lti.grade_synced")),
        ("sessionId", json!(course.session)),
        ("resourceLinkId", json!("link-1")),
        ("evaluationId", evaluation["id"].clone()),
        ("ltiRegistrationId", json!(course.stage.registration)),
        ("scoreGiven", json!(10)),
        ("scoreMaximum", json!(10)),
        ("userId", json!("learner-7")),
        ("syncedAt", state["syncedAt"].clone()),
    ] {
        assert_eq!(synced[member], value, "{member}");
    }
    assert_eq!(course.sync().await, 0, "once is enough");
}

#[both_stores]
async fn evaluations_without_a_launch_or_without_a_score_sync_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let plain = course.stage.app.evaluate(&course.stage.tenant, &exact()).await;
    course.stage.app.script.fail("model_unavailable", false);
    let failed = course.evaluate(open()).await;
    assert_eq!((course.sync().await, failed["status"].as_str()), (0, Some("FAILED")));
    assert_eq!((course.state(&plain).await, course.state(&failed).await), (Value::Null, Value::Null));
    assert_eq!((course.stage.lms.score_posts(), course.failed().await), (0, Vec::new()));
}

#[both_stores]
async fn a_failed_post_is_repeated_after_5_30_and_120_seconds_and_then_given_up(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_scores(&[UNAVAILABLE; 4]);
    let evaluation = course.answer().await;
    assert_eq!(course.sync().await, 1);
    for (index, delay) in [5, 30, 120].into_iter().enumerate() {
        course.advance(delay - 1);
        assert_eq!(course.sync().await, 0, "not before {delay} seconds");
        assert_eq!(course.state(&evaluation).await["attempts"], index + 1);
        course.advance(1);
        assert_eq!((course.failed().await, course.sync().await), (Vec::new(), 1), "after {delay} seconds");
    }
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"]), (&json!("failed"), &json!(4)));
    let failed = course.failed().await;
    assert_eq!((failed.len(), &failed[0]["sessionId"]), (1, &json!(course.session)));
    assert_eq!(failed[0]["error"], "the scores of the line item: the answer was 503 Service Unavailable");
    course.advance(3600);
    assert_eq!((course.sync().await, course.stage.lms.score_posts()), (0, 4));
    let path = format!("{EVALUATIONS}/{}", evaluation["id"].as_str().unwrap());
    let shown = course.stage.app.get(&path).key(&course.stage.tenant.key).send().await.expect(200);
    assert_eq!(shown["status"], "COMPLETED");
}

#[both_stores]
async fn every_attempt_of_a_score_says_the_same_time_and_a_repeat_counts_as_taken(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.stage.lms.answer_scores(&[UNAVAILABLE]);
    course.sync().await;
    course.advance(5);
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[0]["timestamp"], evaluation["completedAt"]);
    // A process that died after the platform took the score.
    let lapse = |tx: &mut store::Tx<'_>| {
        tx.execute("UPDATE lti_sync SET status = 'pending', lease_token = 'gone', synced_at = NULL", &[])?;
        crate::lti::sync::lapse_all(tx)
    };
    course.stage.app.test.store.write("test", lapse).await.unwrap();
    assert_eq!(course.sync().await, 1);
    assert_eq!(course.state(&evaluation).await["status"], "synced", "409 says that the platform has it");
    assert_eq!(course.stage.lms.scores().len(), 1);
}

#[both_stores]
async fn scores_of_one_learner_and_link_are_a_second_apart(test: TestStore) {
    let course = Course::new(test).await;
    for _ in 0..3 {
        course.answer().await;
        course.sync().await;
    }
    let times: Vec<_> = course.stage.lms.scores().iter().map(|score| score["timestamp"].clone()).collect();
    assert_eq!(times.len(), 3, "the platform counts seconds and ignores what is not later: {times:?}");
}

#[both_stores]
async fn a_review_syncs_the_new_version(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.sync().await;
    course.review(&evaluation, 4).await;
    assert_eq!(course.state(&evaluation).await["version"], 2);
    course.sync().await;
    let given: Vec<_> = course.stage.lms.scores().iter().map(|score| score["scoreGiven"].clone()).collect();
    assert_eq!(given, [10.0, 4.0]);
    assert_eq!(course.synced().await.len(), 2);
}

#[both_stores]
async fn what_a_review_replaces_on_its_way_is_not_recorded_as_sent(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    let old = course.syncer.claim(&mut None).await.unwrap().syncs.remove(0);
    course.review(&evaluation, 4).await;
    let outcome = course.syncer.sender.attempt(old).await;
    crate::lti::sync::outcome::record(&course.stage.app.test.store, [outcome].into()).await.unwrap();
    assert_eq!(course.state(&evaluation).await["status"], "pending", "the newer version goes on waiting");
    course.sync().await;
    assert_eq!(course.stage.lms.scores().last().unwrap()["scoreGiven"], 4.0);
    assert_eq!(course.synced().await.len(), 1);
}

#[both_stores]
async fn a_score_that_needs_review_is_sent_with_a_comment(test: TestStore) {
    let course = Course::new(test).await;
    course.doubtful_answer().await;
    course.sync().await;
    assert!(course.stage.lms.scores()[0]["comment"].as_str().unwrap().contains("provisional"));
    course.stage.change(&json!({ "metadata": { "gradeSync": { "comment": "Vorläufig." } } })).await;
    let evaluation = course.doubtful_answer().await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[1]["comment"], "Vorläufig.");
    course.review(&evaluation, 9).await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores()[2]["comment"], Value::Null, "a person has looked");
}

#[both_stores]
async fn a_registration_may_hold_scores_until_the_review(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "metadata": { "gradeSync": { "onReview": "hold" } } })).await;
    let evaluation = course.doubtful_answer().await;
    assert_eq!((course.state(&evaluation).await["status"].as_str(), course.sync().await), (Some("waiting"), 0));
    course.review(&evaluation, 9).await;
    assert_eq!((course.sync().await, course.stage.lms.scores()[0]["scoreGiven"].as_f64()), (1, Some(9.0)));
    let other = course.doubtful_answer().await;
    assert_eq!(course.resend(&other).await["status"], "pending", "a person need not wait");
}

#[both_stores]
async fn what_can_never_arrive_fails_at_once_and_says_why(test: TestStore) {
    let mut course = Course::new(test).await;
    let cases: [(Change, &str); 4] = [
        (|claims| drop(claims.as_object_mut().unwrap().shift_remove("sub")), "anonymous"),
        (|claims| drop(claims.as_object_mut().unwrap().shift_remove(claims::AGS_ENDPOINT)), "no gradebook"),
        (|claims| claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_LINE_ITEM]), SCOPE_SCORE),
        (
            |claims| {
                without_column(claims);
                claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_SCORE]);
            },
            SCOPE_LINE_ITEM,
        ),
    ];
    for (change, reason) in cases {
        course.session = launch(&course.stage, change).await;
        let state = course.answer_state().await;
        assert_eq!(state["status"], "failed", "{reason}");
        assert!(state["error"].as_str().unwrap().contains(reason), "{state}");
        assert_eq!(course.failed().await[0]["error"], state["error"]);
    }
    for unknown in ["no-session".to_owned(), course.session.replace(char::is_alphanumeric, "0")] {
        course.session = unknown;
        assert!(course.answer_state().await["error"].as_str().unwrap().contains("no launch session"));
        assert_eq!(course.failed().await.len(), 1);
    }
    assert_eq!((course.sync().await, course.stage.lms.given_tokens()), (0, 0), "the platform is not asked");
}

#[both_stores]
async fn a_launch_of_another_workspace_is_unknown(test: TestStore) {
    let course = Course::new(test).await;
    let other = course.stage.app.tenant("lakeside").await;
    let mut body = exact();
    body["clientMetadata"] = json!({ "ltiLaunchSessionId": course.session });
    course.stage.app.evaluate(&other, &body).await;
    assert_eq!((course.sync().await, course.stage.lms.score_posts()), (0, 0));
}

#[both_stores]
async fn a_platform_that_grants_fewer_scopes_is_not_asked_again(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.grant(SCOPE_LINE_ITEM);
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!(state["status"], "failed");
    assert!(state["error"].as_str().unwrap().contains(SCOPE_SCORE), "{state}");
}

#[both_stores]
async fn one_token_serves_many_scores_and_is_asked_for_anew_when_it_is_refused(test: TestStore) {
    let course = Course::new(test).await;
    for _ in 0..5 {
        course.answer().await;
    }
    assert_eq!((course.sync().await, course.stage.lms.given_tokens()), (5, 1));
    course.stage.lms.revoke_tokens();
    let evaluation = course.answer().await;
    course.sync().await;
    let state = course.state(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"]), (&json!("synced"), &json!(0)));
    assert_eq!(course.stage.lms.given_tokens(), 2);
    course.advance(3600);
    course.answer().await;
    course.sync().await;
    assert_eq!(course.stage.lms.given_tokens(), 3, "it had lapsed");
}

#[both_stores]
async fn a_token_endpoint_that_is_away_is_asked_again_later(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_token_requests(&[UNAVAILABLE]);
    let evaluation = course.answer().await;
    course.sync().await;
    let error = course.state(&evaluation).await["error"].clone();
    assert!(error.as_str().unwrap().starts_with("the token endpoint: the answer was 503"), "{error}");
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
}

#[both_stores]
async fn a_line_item_is_made_once_for_a_link_whoever_needs_it(test: TestStore) {
    let mut course = Course::with(test, without_column).await;
    let sessions = [
        course.session.clone(),
        launch(&course.stage, |claims| {
            without_column(claims);
            claims["sub"] = json!("learner-8");
        })
        .await,
    ];
    for session in sessions.iter().cycle().take(6) {
        course.session.clone_from(session);
        course.answer().await;
    }
    // Two processes.
    let other = syncer(&course.stage);
    for _ in 0..8 {
        let (one, two) = tokio::join!(course.syncer.run_due(), other.run_due());
        one.unwrap();
        two.unwrap();
        course.advance(1);
    }
    let columns = course.stage.lms.columns();
    assert_eq!(columns.len(), 1);
    let column = &columns[0];
    assert_eq!(
        (&column["label"], &column["scoreMaximum"], &column["resourceId"], &column["resourceLinkId"]),
        (&json!("Photosynthesis"), &json!(10), &json!("link-1"), &json!("link-1"))
    );
    let pending = "SELECT count(*) FROM lti_sync WHERE status <> 'synced'";
    assert_eq!(course.stage.app.count(pending).await, 0);
}

#[both_stores]
async fn a_line_item_that_a_process_made_before_it_died_is_found(test: TestStore) {
    let course = Course::with(test, without_column).await;
    course.answer().await;
    course.sync().await;
    course
        .stage
        .app
        .test
        .store
        .write("test", |tx| tx.execute("UPDATE lti_line_item SET url = NULL", &[]))
        .await
        .unwrap();
    course.answer().await;
    course.sync().await;
    assert_eq!((course.stage.lms.columns().len(), course.stage.lms.scores().len()), (1, 2));
}

#[both_stores]
async fn a_line_item_that_the_platform_lost_is_made_anew_by_the_next_attempt(test: TestStore) {
    let course = Course::with(test, without_column).await;
    course.answer().await;
    course.sync().await;
    course.stage.lms.lose_columns();
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["attempts"], 1);
    course.advance(5);
    course.sync().await;
    assert_eq!(course.state(&evaluation).await["status"], "synced");
    assert_eq!(course.stage.lms.columns().len(), 1);
}

#[both_stores]
async fn a_tool_that_may_only_read_line_items_makes_none(test: TestStore) {
    let course = Course::with(test, |claims| {
        without_column(claims);
        claims[claims::AGS_ENDPOINT]["scope"] = json!([SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE]);
    })
    .await;
    let evaluation = course.answer().await;
    course.sync().await;
    assert_eq!(
        (course.state(&evaluation).await["status"].as_str(), course.stage.lms.columns().len()),
        (Some("failed"), 0)
    );
}

#[both_stores]
async fn a_failed_score_can_be_sent_again_by_hand(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.lms.answer_scores(&[UNAVAILABLE; 4]);
    let evaluation = course.answer().await;
    for delay in [0, 5, 30, 120] {
        course.advance(delay);
        course.sync().await;
    }
    assert_eq!(course.state(&evaluation).await["status"], "failed");
    let state = course.resend(&evaluation).await;
    assert_eq!((&state["status"], &state["attempts"], &state["error"]), (&json!("pending"), &json!(0), &Value::Null));
    course.sync().await;
    assert_eq!(course.stage.lms.scores().len(), 1);
    course.resend(&evaluation).await;
    course.sync().await;
    assert_eq!(course.stage.lms.scores().len(), 2, "it is a new score for the platform: somebody wants it so");
}

#[both_stores]
async fn an_evaluation_without_a_launch_or_a_score_has_nothing_to_send_again(test: TestStore) {
    let course = Course::new(test).await;
    let app = &course.stage.app;
    let plain = app.evaluate(&course.stage.tenant, &exact()).await;
    let path = format!("{EVALUATIONS}/{}/lti-sync", plain["id"].as_str().unwrap());
    let refused = app.post(&path).key(&course.stage.tenant.key).send().await.expect(409);
    assert_eq!(refused["error"]["code"], "platform_conflict");
    let other = app.tenant("lakeside").await;
    app.post(&path).key(&other.key).send().await.expect(404);
}

#[both_stores]
async fn a_whole_link_is_sent_again_with_the_newest_score_of_each_learner(test: TestStore) {
    let mut course = Course::new(test).await;
    let first = course.session.clone();
    course.answer().await;
    course.advance(10);
    let newest = course.answer().await;
    course.review(&newest, 6).await;
    course.session = launch(&course.stage, |claims| claims["sub"] = json!("learner-8")).await;
    course.answer().await;
    course.sync().await;
    let before = course.stage.lms.scores().len();
    course.advance(60);
    let path = format!("{REGISTRATIONS}/{}/lti-sync", course.stage.registration);
    let send = |link: &'static str| {
        course.stage.app.post(&path).key(&course.stage.tenant.key).json(&json!({ "resourceLinkId": link })).send()
    };
    assert_eq!(send("link-1").await.expect(200), json!({ "scores": 2 }));
    assert_eq!(send("another").await.expect(200), json!({ "scores": 0 }));
    course.sync().await;
    let mut sent: Vec<_> = course.stage.lms.scores()[before..]
        .iter()
        .map(|score| (score["userId"].as_str().unwrap().to_owned(), score["scoreGiven"].as_f64().unwrap()))
        .collect();
    sent.sort_by(|one, two| one.0.cmp(&two.0));
    assert_eq!(sent, [("learner-7".to_owned(), 6.0), ("learner-8".to_owned(), 10.0)]);
    assert!(!first.is_empty());
}

#[both_stores]
async fn a_deleted_registration_ends_its_syncs_and_an_inactive_one_sends_nothing(test: TestStore) {
    let course = Course::new(test).await;
    let evaluation = course.answer().await;
    course.stage.change(&json!({ "status": "inactive" })).await;
    course.sync().await;
    assert!(course.state(&evaluation).await["error"].as_str().unwrap().contains("inactive"));
    course.stage.change(&json!({ "status": "active" })).await;
    let other = course.answer().await;
    let path = format!("{REGISTRATIONS}/{}", course.stage.registration);
    course.stage.app.delete(&path).key(&course.stage.tenant.key).send().await.expect(200);
    let state = course.state(&other).await;
    assert_eq!((&state["status"], &state["ltiRegistrationId"]), (&json!("failed"), &Value::Null));
    assert_eq!((course.sync().await, course.stage.lms.score_posts(), course.failed().await.len()), (0, 0, 2));
}

#[both_stores]
async fn an_erased_learner_is_gone_from_syncs_launches_and_events(test: TestStore) {
    let course = Course::new(test).await;
    let mut body = exact();
    body["submitter"] = json!({ "learnerId": "ann" });
    let evaluation = course.evaluate(body.clone()).await;
    course.sync().await;
    let app = &course.stage.app;
    app.delete("/v1/platform/learners/ann").key(&course.stage.tenant.key).send().await.expect(204);
    let left = "SELECT (SELECT count(*) FROM lti_sync) + (SELECT count(*) FROM lti_launch)";
    assert_eq!((app.count(left).await, course.state(&evaluation).await), (0, Value::Null));
    let told = course.synced().await.remove(0);
    assert_eq!((&told["scoreGiven"], &told["userId"]), (&Value::Null, &Value::Null));
}

#[both_stores]
async fn an_erasure_leaves_the_launches_of_other_workspaces_alone(test: TestStore) {
    let course = Course::new(test).await;
    let other = course.stage.app.tenant("lakeside").await;
    let mut body = exact();
    body["submitter"] = json!({ "learnerId": "ann" });
    body["clientMetadata"] = json!({ "ltiLaunchSessionId": course.session });
    course.stage.app.evaluate(&other, &body).await;
    course.stage.app.delete("/v1/platform/learners/ann").key(&other.key).send().await.expect(204);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_launch").await, 1);
}
