//! A model's faults, from its server to the books: whatever it does, there is a grade that is right and paid for once, or a
//! failure with a code and nothing paid.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use grading::{Grader, GradingError, Judged, ModelGrader, ReadAnswer, Submission};
use models::{ModelNames, Models, Pacing, Protocol, Provider, Settings};
use serde_json::{Value, json};
use testkit::model::{FakeModel, Line};
use testkit::{TestStore, both_stores};

use crate::evaluations::{Graders, Processors};
use crate::reconcile::reconcile;
use crate::testing::{App, EVALUATIONS, Tenant, open};

/// Long enough for a busy machine.
const LONG: Duration = Duration::from_secs(30);
/// For those who are waited for.
const SHORT: Duration = Duration::from_secs(2);

/// A place for one model's grader after the other.
#[derive(Clone, Default)]
struct Seat {
    taken_by: Arc<Mutex<Option<ModelGrader>>>,
    /// How many answers were graded as they had been read.
    graded_read: Arc<AtomicUsize>,
}

impl Seat {
    fn grader(&self) -> ModelGrader {
        self.taken_by.lock().unwrap().clone().expect("somebody grades")
    }
}

#[async_trait]
impl Grader for Seat {
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        let grader = self.grader();
        grader.grade(submission).await
    }

    fn read_answer(&self, submission: Submission) -> Option<ReadAnswer> {
        self.grader().read_answer(submission)
    }

    async fn grade_read(&self, submission: &Submission, read: ReadAnswer) -> Result<Judged, GradingError> {
        self.graded_read.fetch_add(1, Ordering::SeqCst);
        let grader = self.grader();
        grader.grade_read(submission, read).await
    }
}

/// A workspace whose answers are graded by whatever model sits in the seat.
struct School {
    app: App,
    tenant: Tenant,
    seat: Seat,
}

impl School {
    async fn open(test: TestStore) -> Self {
        let seat = Seat::default();
        let grader: Arc<dyn Grader> = Arc::new(seat.clone());
        let app = App::with_graders(test, |script| Graders::new(script, Some(grader), Processors::new(2)));
        let tenant = app.tenant("riverside").await;
        Self { app, tenant, seat }
    }

    /// From now on a model grades that says these lines, the last one again and again, and is asked again so often.
    async fn seat(&self, lines: impl IntoIterator<Item = Line>, timeout: Duration, retries: u32) -> FakeModel {
        let server = FakeModel::saying(lines).await;
        let first = Provider {
            name: "local".to_owned(),
            protocol: Protocol::Chat,
            base_url: server.url().parse().unwrap(),
            api_key: None,
            models: ModelNames::all("small-1"),
        };
        let (short, long) = (Duration::from_millis(1), Duration::from_millis(4));
        let pacing = Pacing { first_delay: short, longest_delay: long, ..Pacing::default() };
        let (others, extra_ca_pem, concurrency) = (Vec::new(), None, 4);
        let settings = Settings { first, others, timeout, retries, concurrency, extra_ca_pem, pacing };
        let models = Arc::new(Models::open(settings, &self.app.test.ambient).unwrap());
        *self.seat.taken_by.lock().unwrap() = Some(ModelGrader::new(models, Arc::new(Processors::new(2))));
        server
    }

    /// Grades an answer while somebody waits, and is sure that it ends.
    async fn evaluate(&self) -> Value {
        let ended = tokio::time::timeout(LONG, self.app.evaluate(&self.tenant, &open())).await;
        ended.expect("it ends within its time")
    }

    /// Queues an answer; the evaluation's path.
    async fn queue(&self) -> String {
        let mut body = open();
        body["mode"] = json!("async");
        format!("{EVALUATIONS}/{}", self.app.evaluate(&self.tenant, &body).await["id"].as_str().unwrap())
    }

    async fn shown(&self, path: &str) -> Value {
        self.app.get(path).key(&self.tenant.key).send().await.expect(200)
    }

    /// Usage rows, and the tokens that they count.
    async fn usage(&self) -> [i64; 3] {
        self.app
            .read(|tx| {
                let sum = "SELECT count(*), CAST(coalesce(sum(input_tokens), 0) AS BIGINT),
                    CAST(coalesce(sum(output_tokens), 0) AS BIGINT) FROM usage";
                tx.find(sum, &[], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))
            })
            .await
            .unwrap()
    }

    /// Fails unless so many evaluations were paid for, and their tokens are those that their records name.
    async fn assert_paid(&self, paid: &[Value], about: &str) {
        let (mut input, mut output) = (0, 0);
        for evaluation in paid {
            let path = format!("{EVALUATIONS}/{}/record", evaluation["id"].as_str().unwrap());
            let record = self.shown(&path).await;
            for call in record["versions"][0]["record"]["calls"].as_array().unwrap() {
                input += call["usage"]["inputTokens"].as_i64().unwrap();
                output += call["usage"]["outputTokens"].as_i64().unwrap();
            }
        }
        let count = i64::try_from(paid.len()).unwrap();
        assert_eq!(self.usage().await, [count, input, output], "{about}");
        assert!(count == 0 || (input > count && output > count), "{about}");
        assert_eq!(self.app.balance(&self.tenant).await, (json!(0), json!(100 - 5 * count)), "{about}");
    }

    async fn close(self) {
        let report = reconcile(&self.app.test.store).await.unwrap();
        assert!(report.differences.is_empty(), "{report:?}");
        self.app.finish().await;
    }
}

/// A grade of 8 of 10 for what [`open`] answers.
fn right() -> Line {
    let criterion = json!({ "id": "whole", "evidence": ["air scatters blue light"], "reason": "So.", "points": 80 });
    let said = json!({
        "talksToGrader": [], "criteria": [criterion], "strengths": ["You name the air."], "mistakes": [],
        "suggestions": [], "summary": "Good.", "nextStep": "Say why.",
    });
    Line::say(said.to_string())
}

/// What a server may do once and then be well again.
fn passing() -> Vec<(Line, &'static str)> {
    vec![
        (Line::error(429, "slow down"), "model_busy"),
        (Line::error(500, "oops"), "model_unavailable"),
        (Line::raw(502, "text/html", "<html>Bad Gateway</html>"), "model_unavailable"),
        (right().reset_after(3), "model_unavailable"),
        (right().cut_after(3), "model_unavailable"),
        (right().failed_after(3), "model_unavailable"),
        (Line::raw(200, "application/json", "{\"choices\": ["), "model_output_invalid"),
        (Line::raw(200, "text/event-stream", b"data: \xff\xfe\n\n".to_vec()), "model_output_invalid"),
        (Line::say("I would give it an 8."), "model_output_invalid"),
        (Line::say("{\"score\": 8}"), "model_output_invalid"),
    ]
}

/// What asking again is no help against.
fn lasting() -> Vec<(Line, &'static str)> {
    vec![
        (Line::error(429, "come back tomorrow").with_header("retry-after", "86400"), "model_busy"),
        (Line::refuse("I can't help with that."), "model_declined"),
        (Line::filtered(), "model_declined"),
        (Line::cut_off("{\"talksToGrader\": ["), "model_output_cut"),
        (Line::error(401, "Incorrect API key"), "model_misconfigured"),
        (Line::error(413, "too large"), "model_input_too_long"),
    ]
}

#[both_stores]
async fn every_fault_of_a_model_is_a_failure_with_its_code_and_nothing_is_paid(test: TestStore) {
    let school = School::open(test).await;
    let cases = passing().into_iter().chain(lasting()).map(|(line, code)| (line, code, LONG));
    let slow = [Line::silence(), right().stalled_after(3)].map(|line| (line, "model_timeout", SHORT));
    for (line, code, timeout) in cases.chain(slow) {
        let about = format!("{line:?}");
        let _server = school.seat([line], timeout, 1).await;
        let failed = school.evaluate().await;
        assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("FAILED"), &json!(code)), "{about}");
        for none in ["score", "normalizedScore", "confidence", "feedbackSummary"] {
            assert_eq!(failed[none], Value::Null, "{none} {about}");
        }
        let record = school.shown(&format!("{EVALUATIONS}/{}/record", failed["id"].as_str().unwrap())).await;
        let last = &record["versions"][0]["record"]["calls"].as_array().unwrap().last().unwrap();
        assert!(last["failure"] == code || last["output"].is_string(), "{last} {about}");
        assert_eq!(record["isReplayable"], false, "there is no grade to work out again: {about}");
        school.assert_paid(&[], &about).await;
    }
    school.close().await;
}

#[both_stores]
async fn a_right_answer_after_a_fault_is_a_grade_and_is_paid_once(test: TestStore) {
    let school = School::open(test).await;
    let mut paid = Vec::new();
    for (line, _) in passing() {
        let about = format!("{line:?}");
        let server = school.seat([line, right()], LONG, 1).await;
        let graded = school.evaluate().await;
        assert_eq!((&graded["status"], &graded["score"]), (&json!("COMPLETED"), &json!(8)), "{about}");
        assert_eq!(server.times(), 2, "{about}");
        paid.push(graded);
        school.assert_paid(&paid, &about).await;
    }
    school.close().await;
}

#[both_stores]
async fn an_answer_that_somebody_waits_for_is_graded_as_it_was_read_and_a_queued_one_is_read_by_its_worker(
    test: TestStore,
) {
    let school = School::open(test).await;
    let server = school.seat([right()], LONG, 0).await;
    school.evaluate().await;
    assert_eq!(school.seat.graded_read.load(Ordering::SeqCst), 1);
    school.queue().await;
    school.app.run_jobs().await;
    assert_eq!((server.times(), school.seat.graded_read.load(Ordering::SeqCst)), (2, 1));
    school.close().await;
}

#[both_stores]
async fn what_is_queued_is_graded_when_the_model_is_back_and_paid_once(test: TestStore) {
    let school = School::open(test).await;
    let busy = Line::error(429, "slow down").with_header("retry-after", "90");
    for (line, timeout, wait) in [(Line::error(503, "x"), LONG, 5), (Line::silence(), SHORT, 5), (busy, LONG, 90)] {
        let before = school.usage().await[0];
        let about = format!("{line:?}");
        let server = school.seat([line, right()], timeout, 0).await;
        let path = school.queue().await;
        for (wait, runs) in [(0, 1), (wait - 1, 0)] {
            school.app.test.clock.advance(Duration::from_secs(wait));
            assert_eq!(school.app.run_jobs().await, runs, "{about}");
            let shown = school.shown(&path).await;
            assert_eq!((&shown["status"], &shown["score"]), (&json!("PROCESSING"), &Value::Null), "{about}");
            assert_eq!(school.usage().await[0], before, "{about}");
        }
        // The answer is there within the short time, or the next run gets it.
        let mut runs = 0;
        while school.shown(&path).await["isTerminal"] == false {
            school.app.test.clock.advance(Duration::from_secs(if runs == 0 { 1 } else { 30 }));
            runs += school.app.run_jobs().await;
            assert!(runs <= 2, "{about}");
        }
        let graded = school.shown(&path).await;
        assert_eq!((&graded["status"], &graded["score"]), (&json!("COMPLETED"), &json!(8)), "{about}");
        assert_eq!(school.usage().await[0], before + 1, "{about}");
        drop(server);
    }
    assert_eq!(school.app.balance(&school.tenant).await.1, json!(85));
    school.close().await;
}
