mod courses;
mod races;

use std::time::Duration;

use ::lti::claims;
use grading::IntegrityFlag;
use kernel::id::LinkId;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::SubmittedItem;
use super::hand_in::{AnsweredTest, NotHandedIn, hand_in, standing};
use crate::lti::deep_linking::{NotPlaced, Pick, place};
use crate::lti::links::CUSTOM_PARAMETER;
use crate::lti::sessions::LaunchSession;
use crate::lti::sync::{Syncer, SyncerOptions};
use crate::lti::tests::Stage;
use crate::testing::EVALUATIONS;

const SUBMISSIONS: &str = "/v1/platform/submissions";
const TEST: &str = crate::testing::TRACED_TEST;
const OTHER_TEST: &str = "0192aee1-5a3b-7c2d-8e4f-123456789abd";

/// A learner's launch of a link that a teacher picked.
pub(crate) struct Course {
    pub(crate) stage: Stage,
    syncer: Syncer,
    pub(crate) link: LinkId,
    pub(crate) session: LaunchSession,
}

impl Course {
    pub(crate) async fn new(test: TestStore) -> Self {
        let stage = Stage::new(test).await;
        let link = pick(&stage).await;
        let session = launch(&stage, link, "learner-7").await;
        let delays = vec![Duration::from_secs(5)];
        let syncer = Syncer::new(stage.app.platform.clone(), SyncerOptions { retry_delays: delays });
        Self { stage, syncer, link, session }
    }

    pub(crate) async fn hand_in(&self, test: AnsweredTest) -> Result<Value, NotHandedIn> {
        let id = hand_in(&self.stage.app.platform, &self.session, self.link, test).await?;
        Ok(self.read(&id.to_string()).await)
    }

    async fn read(&self, id: &str) -> Value {
        self.stage.app.get(&format!("{SUBMISSIONS}/{id}")).key(&self.stage.tenant.key).send().await.expect(200)
    }

    async fn review(&self, item: &Value, score: f64) {
        let path = format!("{EVALUATIONS}/{}/review", item["evaluationId"].as_str().unwrap());
        let body = json!({ "score": score });
        self.stage.app.post(&path).key(&self.stage.tenant.key).json(&body).send().await.expect(200);
    }

    async fn suspend(&self) {
        let path = format!("/v1/platform/workspaces/{}/suspend", self.stage.tenant.workspace);
        let operator = self.stage.app.operator("o@example.com").await;
        self.stage.app.post(&path).cookie(&operator).send().await.expect(200);
    }

    /// The scores that the gradebook took, oldest first.
    pub(crate) async fn synced(&self) -> Vec<f64> {
        self.syncer.run_due().await.unwrap();
        self.stage.lms.scores().iter().map(|score| score["scoreGiven"].as_f64().unwrap()).collect()
    }
}

async fn launch(stage: &Stage, link: LinkId, learner: &str) -> LaunchSession {
    let login = stage.login().await;
    let mut claims = stage.claims(&login);
    claims[claims::CUSTOM] = json!({ CUSTOM_PARAMETER: link });
    claims["sub"] = json!(learner);
    stage.launch(&login, &claims).await.unwrap().session
}

/// A teacher's request for links.
async fn teacher(stage: &Stage) -> LaunchSession {
    let login = stage.login().await;
    let mut claims = stage.claims(&login);
    claims[claims::MESSAGE_TYPE] = json!(claims::DEEP_LINKING_REQUEST);
    claims[claims::DEEP_LINKING_SETTINGS] =
        json!({ "deep_link_return_url": "https://lms.example/dl", "accept_types": ["ltiResourceLink"] });
    claims[claims::ROLES] = json!(["Instructor"]);
    stage.launch(&login, &claims).await.unwrap().session
}

fn pick_of(test: &str) -> Pick {
    Pick {
        kind: "test",
        resource_id: test.to_owned(),
        title: "Cells".to_owned(),
        description: String::new(),
        trace_id: "expansion-1".to_owned(),
        points: Some(10.0),
    }
}

/// A teacher picks a test.
async fn pick(stage: &Stage) -> LinkId {
    let session = teacher(stage).await;
    place(&stage.app.platform, &session, vec![pick_of(TEST)]).await.unwrap();
    let find = |tx: &mut store::Tx<'_>| tx.find("SELECT id FROM lti_link", &[], |row| row.get(0));
    stage.app.read(find).await.unwrap()
}

fn item(id: &str, score: Option<f64>) -> SubmittedItem {
    SubmittedItem {
        item_id: id.to_owned(),
        kind: if score.is_some() { "select" } else { "open-ended" }.to_owned(),
        question: "What is a cell?".to_owned(),
        options: Vec::new(),
        correct_answers: vec!["The unit of life.".to_owned()],
        explanation: String::new(),
        answers: vec!["A unit of life.".to_owned()],
        score,
        max_score: 4.0,
    }
}

fn test(attempt: &str, items: Vec<SubmittedItem>) -> AnsweredTest {
    AnsweredTest {
        attempt_id: attempt.to_owned(),
        test_id: TEST.to_owned(),
        test_version: 3,
        title: "Cells".to_owned(),
        language: "en".to_owned(),
        subject: "Biology".to_owned(),
        passing_score: 5.0,
        items,
        course: None,
    }
}

fn closed(attempt: &str) -> AnsweredTest {
    test(attempt, vec![item("q1", Some(4.0)), item("q2", Some(0.0))])
}

pub(crate) fn open(attempt: &str) -> AnsweredTest {
    test(attempt, vec![item("q1", Some(4.0)), item("q2", None)])
}

#[both_stores]
async fn a_test_with_keys_is_graded_at_once_and_its_score_sent(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(closed("a")).await.unwrap();
    assert_eq!((&made["status"], &made["score"], &made["maxScore"]), (&json!("GRADED"), &json!(4), &json!(8)));
    assert_eq!((&made["passed"], &made["testVersion"], &made["attemptNumber"]), (&json!(false), &json!(3), &json!(1)));
    assert_eq!(made["items"][1]["answers"], json!(["A unit of life."]));
    assert_eq!((&made["traceId"], &made["ltiSync"]["status"]), (&json!("expansion-1"), &json!("pending")));
    let learner = format!("{}:learner-7", course.stage.registration);
    assert_eq!(made["learnerId"], learner);
    assert_eq!(course.synced().await, [4.0]);
    let score = course.stage.lms.scores().remove(0);
    assert_eq!((&score["scoreMaximum"], &score["userId"]), (&json!(8), &json!("learner-7")));
    assert_eq!(score["submission"]["submittedAt"], made["submittedAt"]);
    let after = course.read(made["id"].as_str().unwrap()).await;
    assert_eq!(after["ltiSync"]["status"], "synced");
    let events = "SELECT body FROM event WHERE type = 'lti.grade_synced'";
    let told = course.stage.app.read(|tx| tx.query(events, &[], |row| row.get::<String>(0))).await;
    let told: Value = serde_json::from_str(&told[0]).unwrap();
    assert_eq!((&told["submissionId"], &told["evaluationId"]), (&made["id"], &Value::Null));
    assert_eq!((&told["traceId"], &told["sessionId"]), (&json!("expansion-1"), &json!(course.session.id)));
    course.stage.app.finish().await;
}

#[both_stores]
async fn open_answers_become_evaluations_and_the_score_waits_for_all_of_them(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(open("a")).await.unwrap();
    assert_eq!((&made["status"], &made["score"]), (&json!("GRADING"), &Value::Null));
    assert!(course.synced().await.is_empty());
    course.stage.app.run_jobs().await;
    let graded = course.read(made["id"].as_str().unwrap()).await;
    assert_eq!((&graded["status"], &graded["score"], &graded["passed"]), (&json!("GRADED"), &json!(6), &json!(true)));
    assert_eq!(course.synced().await, [6.0]);
    let path = format!("{EVALUATIONS}/{}", graded["items"][1]["evaluationId"].as_str().unwrap());
    let key = &course.stage.tenant.key;
    let evaluation = course.stage.app.get(&path).key(key).send().await.expect(200);
    assert_eq!((&evaluation["status"], &evaluation["maxScore"]), (&json!("COMPLETED"), &json!(4)));
    assert_eq!(evaluation["clientMetadata"]["submissionId"], made["id"]);
    course.stage.app.get(&format!("{path}/record")).key(key).send().await.expect(200);
    assert_eq!(course.stage.app.balance(&course.stage.tenant).await.1, json!(95), "an advanced evaluation");
    // A review gives the submission another score, which is sent, too.
    course.stage.app.test.clock.advance(Duration::from_secs(2));
    course.review(&graded["items"][1], 4.0).await;
    assert_eq!(course.synced().await, [6.0, 8.0]);
    assert_eq!(course.read(made["id"].as_str().unwrap()).await["version"], 2);
    course.stage.app.finish().await;
}

#[both_stores]
async fn an_answer_that_nobody_can_pay_for_waits_for_a_person(test: TestStore) {
    let course = Course::new(test).await;
    let empty = "UPDATE ledger_balance SET free_micros = 0";
    course.stage.app.test.store.write("test", move |tx| tx.execute(empty, &[])).await.unwrap();
    let made = course.hand_in(open("a")).await.unwrap();
    assert_eq!((&made["status"], &made["score"]), (&json!("INCOMPLETE"), &Value::Null));
    let path = format!("{EVALUATIONS}/{}", made["items"][1]["evaluationId"].as_str().unwrap());
    let evaluation = course.stage.app.get(&path).key(&course.stage.tenant.key).send().await.expect(200);
    assert_eq!(
        (&evaluation["status"], &evaluation["error"]["code"]),
        (&json!("FAILED"), &json!("insufficient_credits"))
    );
    assert!(course.synced().await.is_empty(), "never a zero");
    course.review(&made["items"][1], 3.0).await;
    assert_eq!(course.synced().await, [7.0]);
    course.stage.app.finish().await;
}

#[both_stores]
async fn an_answer_that_cannot_be_graded_waits_for_a_person(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.app.script.fail("model_refused", false);
    let made = course.hand_in(open("a")).await.unwrap();
    course.stage.app.run_jobs().await;
    let id = made["id"].as_str().unwrap();
    assert_eq!(course.read(id).await["status"], "INCOMPLETE");
    assert!(course.synced().await.is_empty());
    course.review(&made["items"][1], 1.0).await;
    assert_eq!((course.read(id).await["score"].clone(), course.synced().await), (json!(5), vec![5.0]));
    course.stage.app.finish().await;
}

#[both_stores]
async fn work_that_is_handed_in_elsewhere_waits_for_a_person(test: TestStore) {
    let course = Course::new(test).await;
    let elsewhere = SubmittedItem { kind: "submission".to_owned(), answers: Vec::new(), ..item("q1", None) };
    let made = course.hand_in(self::test("a", vec![elsewhere])).await.unwrap();
    assert_eq!(made["status"], "INCOMPLETE");
    course.review(&made["items"][0], 4.0).await;
    assert_eq!(course.synced().await, [4.0]);
    course.stage.app.finish().await;
}

#[both_stores]
async fn a_doubtful_answer_is_sent_with_a_comment_or_held_as_the_registration_says(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.app.script.flag(&[IntegrityFlag::AddressesGrader]);
    let sent = course.hand_in(open("a")).await.unwrap();
    course.stage.app.run_jobs().await;
    assert_eq!(course.synced().await.len(), 1);
    assert!(course.stage.lms.scores()[0]["comment"].as_str().unwrap().contains("provisional"));
    assert_eq!(course.read(sent["id"].as_str().unwrap()).await["needsReview"], true);
    course.stage.change(&json!({ "metadata": { "gradeSync": { "onReview": "hold" } } })).await;
    course.stage.app.test.clock.advance(Duration::from_secs(2));
    let held = course.hand_in(open("b")).await.unwrap();
    course.stage.app.run_jobs().await;
    let id = held["id"].as_str().unwrap();
    assert_eq!(
        (course.read(id).await["ltiSync"]["status"].clone(), course.synced().await.len()),
        (json!("waiting"), 1)
    );
    course.review(&held["items"][1], 4.0).await;
    assert_eq!(course.synced().await.last(), Some(&8.0));
    course.stage.app.finish().await;
}

#[both_stores]
async fn a_form_that_is_sent_twice_is_one_submission(test: TestStore) {
    let course = Course::new(test).await;
    let first = course.hand_in(open("a")).await.unwrap();
    let again = course.hand_in(closed("a")).await.unwrap();
    assert_eq!(again, first);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM submission").await, 1);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM evaluation").await, 1);
}

#[both_stores]
async fn of_forms_that_are_sent_at_once_each_is_one_submission(test: TestStore) {
    let course = Course::new(test).await;
    let forms = (0..6).map(|form| course.hand_in(closed(&(form / 2).to_string())));
    for made in futures_util::future::join_all(forms).await {
        made.unwrap();
    }
    assert_eq!(course.stage.app.count("SELECT count(*) FROM submission").await, 3);
    assert_eq!(course.stage.app.count("SELECT max(attempt_number) FROM submission").await, 3);
}

#[both_stores]
async fn a_learner_hands_in_as_often_as_the_registration_says(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "metadata": { "tests": { "attempts": 2 } } })).await;
    let left = async || standing(&course.stage.app.platform, &course.session, TEST).await.unwrap().attempts_left;
    assert_eq!(left().await, Some(2));
    for (attempt, expected) in [("a", 1), ("b", 0)] {
        course.hand_in(closed(attempt)).await.unwrap();
        assert_eq!(left().await, Some(expected));
    }
    assert!(matches!(course.hand_in(closed("c")).await, Err(NotHandedIn::NoAttemptLeft)));
    course.hand_in(closed("b")).await.unwrap();
    // Another launch of the same learner is no way around it; another learner has attempts of their own.
    let relaunched = launch(&course.stage, course.link, "learner-7").await;
    let again = hand_in(&course.stage.app.platform, &relaunched, course.link, closed("d")).await;
    assert!(matches!(again, Err(NotHandedIn::NoAttemptLeft)));
    let other = launch(&course.stage, course.link, "learner-8").await;
    hand_in(&course.stage.app.platform, &other, course.link, closed("d")).await.unwrap();
}

#[both_stores]
async fn the_newest_attempt_is_the_one_in_the_gradebook(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(closed("a")).await.unwrap();
    course.hand_in(self::test("b", vec![item("q1", Some(4.0)), item("q2", Some(4.0))])).await.unwrap();
    // Where both are sent at once, the platform refuses the older one that comes later.
    assert_eq!(course.synced().await.last(), Some(&8.0));
    let newest = standing(&course.stage.app.platform, &course.session, TEST).await.unwrap().newest.unwrap();
    assert_eq!((newest.summary.attempt_number, newest.summary.score), (2, Some(8.0)));
}

#[both_stores]
async fn nobody_hands_in_to_a_platform_that_ended(test: TestStore) {
    let course = Course::new(test).await;
    course.stage.change(&json!({ "status": "inactive" })).await;
    assert!(matches!(course.hand_in(closed("a")).await, Err(NotHandedIn::Ended)));
    course.stage.change(&json!({ "status": "active" })).await;
    let path = format!("{}/{}", crate::testing::REGISTRATIONS, course.stage.registration);
    course.stage.app.delete(&path).key(&course.stage.tenant.key).send().await.expect(200);
    assert!(matches!(course.hand_in(closed("b")).await, Err(NotHandedIn::Ended)));
    assert_eq!(course.stage.app.count("SELECT count(*) FROM submission").await, 0);
}

#[both_stores]
async fn nobody_hands_in_to_a_suspended_workspace(test: TestStore) {
    let course = Course::new(test).await;
    course.suspend().await;
    assert!(matches!(course.hand_in(open("a")).await, Err(NotHandedIn::Ended)));
    assert_eq!(course.stage.app.count("SELECT count(*) FROM submission").await, 0);
    assert_eq!(course.stage.app.count("SELECT count(*) FROM evaluation").await, 0);
}

#[both_stores]
async fn nothing_is_linked_for_a_suspended_workspace(test: TestStore) {
    let course = Course::new(test).await;
    let session = teacher(&course.stage).await;
    course.suspend().await;
    let placed = place(&course.stage.app.platform, &session, vec![pick_of(TEST)]).await;
    assert!(matches!(placed, Err(NotPlaced::Ended)), "{placed:?}");
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_link").await, 1, "the one of before");
}

#[both_stores]
async fn submissions_are_listed_newest_first_by_learner_and_test_to_their_workspace(test: TestStore) {
    let course = Course::new(test).await;
    let key = &course.stage.tenant.key;
    for attempt in ["a", "b", "c"] {
        course.hand_in(closed(attempt)).await.unwrap();
        course.stage.app.test.clock.advance(Duration::from_secs(1));
    }
    let get =
        async |query: &str| course.stage.app.get(&format!("{SUBMISSIONS}?{query}")).key(key).send().await.expect(200);
    let attempts = |page: &Value| -> Vec<i64> {
        page["items"].as_array().unwrap().iter().map(|item| item["attemptNumber"].as_i64().unwrap()).collect()
    };
    let first = get("limit=2").await;
    assert_eq!(attempts(&first), [3, 2]);
    let rest = get(&format!("limit=2&cursor={}", first["nextCursor"].as_str().unwrap())).await;
    assert_eq!((attempts(&rest), &rest["nextCursor"]), (vec![1], &Value::Null));
    let learner = format!("learnerId={}:learner-7", course.stage.registration);
    assert_eq!(attempts(&get(&format!("{learner}&testId={TEST}")).await), [3, 2, 1]);
    assert!(attempts(&get(&format!("{learner}&testId={OTHER_TEST}")).await).is_empty());
    assert!(attempts(&get("learnerId=learner-7").await).is_empty());
    assert_eq!(attempts(&get(&format!("testId={TEST}")).await).len(), 3);
    let other = course.stage.app.tenant("hillside").await;
    let theirs = course.stage.app.get(SUBMISSIONS).key(&other.key).send().await.expect(200);
    assert!(attempts(&theirs).is_empty());
    let path = format!("{SUBMISSIONS}/{}", first["items"][0]["id"].as_str().unwrap());
    course.stage.app.get(&path).key(&other.key).send().await.expect(404);
}

#[both_stores]
async fn a_score_is_sent_again_when_somebody_asks(test: TestStore) {
    let course = Course::new(test).await;
    let made = course.hand_in(open("a")).await.unwrap();
    let path = format!("{SUBMISSIONS}/{}/lti-sync", made["id"].as_str().unwrap());
    let resend = || course.stage.app.post(&path).key(&course.stage.tenant.key).send();
    resend().await.expect(409);
    course.stage.app.run_jobs().await;
    assert_eq!(course.synced().await.len(), 1);
    course.stage.app.test.clock.advance(Duration::from_secs(2));
    assert_eq!(resend().await.expect(200)["status"], "pending");
    assert_eq!(course.synced().await, [6.0, 6.0]);
}

#[both_stores]
async fn an_erased_learner_leaves_no_submission_score_or_launch(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(open("a")).await.unwrap();
    course.stage.app.run_jobs().await;
    course.synced().await;
    let other = launch(&course.stage, course.link, "learner-8").await;
    hand_in(&course.stage.app.platform, &other, course.link, closed("b")).await.unwrap();
    let learner = format!("/v1/platform/learners/{}:learner-7", course.stage.registration);
    course.stage.app.delete(&learner).key(&course.stage.tenant.key).send().await.expect(204);
    for (sql, left) in [
        ("SELECT count(*) FROM submission", 1),
        ("SELECT count(*) FROM lti_sync", 1),
        ("SELECT count(*) FROM lti_launch WHERE user_id = 'learner-7'", 0),
        ("SELECT count(*) FROM lti_launch WHERE user_id = 'learner-8'", 1),
        ("SELECT count(*) FROM evaluation WHERE request <> 'null'", 0),
    ] {
        assert_eq!(course.stage.app.count(sql).await, left, "{sql}");
    }
    let bodies = "SELECT body FROM event WHERE type = 'lti.grade_synced'";
    let told = course.stage.app.read(|tx| tx.query(bodies, &[], |row| row.get::<String>(0))).await;
    assert_eq!(told.len(), 1);
    assert!(!told[0].contains("learner-7") && told[0].contains("\"scoreGiven\":null"), "{told:?}");
}

#[both_stores]
async fn an_earlier_attempt_that_is_graded_or_reviewed_later_changes_no_gradebook(test: TestStore) {
    let course = Course::new(test).await;
    let first = course.hand_in(open("a")).await.unwrap();
    course.hand_in(self::test("b", vec![item("q1", Some(4.0)), item("q2", Some(4.0))])).await.unwrap();
    course.stage.app.run_jobs().await;
    assert_eq!(course.synced().await, [8.0], "the second attempt was graded first");
    course.stage.app.test.clock.advance(Duration::from_secs(2));
    course.review(&first["items"][1], 1.0).await;
    assert_eq!(course.synced().await, [8.0]);
    let path = format!("{SUBMISSIONS}/{}/lti-sync", first["id"].as_str().unwrap());
    course.stage.app.post(&path).key(&course.stage.tenant.key).send().await.expect(409);
}

#[both_stores]
async fn a_newer_score_supersedes_an_older_one_that_was_not_sent(test: TestStore) {
    let course = Course::new(test).await;
    course.hand_in(closed("a")).await.unwrap();
    course.hand_in(self::test("b", vec![item("q1", Some(0.0)), item("q2", Some(0.0))])).await.unwrap();
    assert_eq!(course.synced().await, [0.0], "the newest counts, not the best");
    assert_eq!(course.stage.app.count("SELECT count(*) FROM lti_sync WHERE status = 'superseded'").await, 1);
}

#[both_stores]
async fn an_anonymous_learner_has_answers_with_keys_graded_and_no_others(test: TestStore) {
    let course = Course::new(test).await;
    let login = course.stage.login().await;
    let mut claims = course.stage.claims(&login);
    claims[claims::CUSTOM] = json!({ CUSTOM_PARAMETER: course.link });
    claims.as_object_mut().unwrap().shift_remove("sub");
    let session = course.stage.launch(&login, &claims).await.unwrap().session;
    let id = hand_in(&course.stage.app.platform, &session, course.link, open("a")).await.unwrap();
    let made = course.read(&id.to_string()).await;
    assert_eq!((&made["learnerId"], &made["status"]), (&Value::Null, &json!("INCOMPLETE")));
    assert_eq!(course.stage.app.run_jobs().await, 0);
    course.review(&made["items"][1], 4.0).await;
    let graded = course.read(&id.to_string()).await;
    assert_eq!((&graded["score"], &graded["ltiSync"]["status"]), (&json!(8), &json!("failed")));
    assert!(graded["ltiSync"]["error"].as_str().unwrap().contains("anonymous"), "{graded}");
}
