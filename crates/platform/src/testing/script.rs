//! A grader that does what the test says.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use grading::{
    CallRecord, CriterionGrade, FailureRecord, Grade, GradedBy, Grader, GradingError, IntegrityFlag, Judged, Outcome,
    PromptRecord, ReadAnswer, Record, Submission, Tier,
};
use kernel::model::Usage;
use tokio::sync::Semaphore;

/// What the grader will do; it grades everything with half of the points when nothing else was said.
pub(crate) struct Script {
    outcomes: Mutex<VecDeque<Result<f64, GradingError>>>,
    seen: Mutex<Vec<Submission>>,
    /// What it was given to read beforehand.
    read: Mutex<Vec<Submission>>,
    gate: Semaphore,
    /// What it says that it was told by a model.
    calls: Mutex<Vec<CallRecord>>,
    /// What it says of every answer besides its grade.
    flags: Mutex<Vec<IntegrityFlag>>,
    panics_when_reading: AtomicBool,
    /// Whether it says that the built-in grader graded, and not a model.
    is_builtin: AtomicBool,
    /// How sure it is of its grades.
    confidence: Mutex<f64>,
    /// Why it is not worth asking.
    down: Mutex<Option<GradingError>>,
}

impl Default for Script {
    fn default() -> Self {
        let gate = Semaphore::new(Semaphore::MAX_PERMITS);
        let (outcomes, seen, read, panics_when_reading, is_builtin, calls, flags, down) = Default::default();
        let confidence = Mutex::new(0.75);
        Self { outcomes, seen, read, gate, calls, flags, panics_when_reading, is_builtin, confidence, down }
    }
}

impl Script {
    /// The next submission gets this share of its points.
    pub(crate) fn grade(&self, share: f64) {
        self.then(Ok(share));
    }

    /// The next submission can't be graded.
    pub(crate) fn fail(&self, code: &'static str, retryable: bool) {
        self.then(Err(GradingError { retryable, ..GradingError::lasting(code, "The grader failed.") }));
    }

    /// The next submission can't be graded before so much time has passed.
    pub(crate) fn fail_for(&self, retry_after: Duration) {
        let unavailable = GradingError::lasting("model_unavailable", "The grader failed.");
        self.then(Err(GradingError { retryable: true, retry_after: Some(retry_after), ..unavailable }));
    }

    /// From now on it grades in the name of the built-in grader.
    pub(crate) fn be_builtin(&self) {
        self.is_builtin.store(true, Ordering::SeqCst);
    }

    /// From now on it is so sure of its grades.
    pub(crate) fn be_sure(&self, confidence: f64) {
        *self.confidence.lock().unwrap_or_else(PoisonError::into_inner) = confidence;
    }

    /// From now on every answer has these flags.
    pub(crate) fn flag(&self, flags: &[IntegrityFlag]) {
        *self.flags.lock().unwrap_or_else(PoisonError::into_inner) = flags.to_vec();
    }

    /// Whether the grader is known to be down, and for how long.
    pub(crate) fn set_down(&self, retry_after: Option<Duration>) {
        let unavailable = GradingError::lasting("model_unavailable", "The grader is down.");
        let down = retry_after.map(|_| GradingError { retryable: true, retry_after, ..unavailable });
        *self.down.lock().unwrap_or_else(PoisonError::into_inner) = down;
    }

    /// Whether it did all that it was told to do.
    pub(crate) fn is_through(&self) -> bool {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Nothing goes wrong any more.
    pub(crate) fn forget(&self) {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// From now on every grade comes of a model's call with this output.
    pub(crate) fn say(&self, output: &str) {
        let call = CallRecord {
            outcome: Outcome::Answered {
                provider: "local".to_owned(),
                model: "a-model".to_owned(),
                output: output.to_owned(),
                usage: Usage { input_tokens: 700, output_tokens: 90, cached_tokens: 600 },
            },
            latency_ms: 1234,
            tries: 2,
            failures: vec![FailureRecord {
                provider: "busy".to_owned(),
                model: "b-model".to_owned(),
                failure: "model_busy".to_owned(),
                latency_ms: 1000,
                tries: 1,
            }],
        };
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }

    /// From now on the grader waits until it is let go on.
    pub(crate) fn hold(&self) {
        self.gate.forget_permits(Semaphore::MAX_PERMITS);
    }

    /// Lets so many waiting submissions be graded.
    pub(crate) fn let_go(&self, count: usize) {
        self.gate.add_permits(count);
    }

    /// What was graded.
    pub(crate) fn seen(&self) -> Vec<Submission> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on it panics when it is given something to read.
    pub(crate) fn panic_when_reading(&self) {
        self.panics_when_reading.store(true, Ordering::SeqCst);
    }

    /// What it was given to read before it was to grade.
    pub(crate) fn read_before(&self) -> Vec<Submission> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn then(&self, outcome: Result<f64, GradingError>) {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).push_back(outcome);
    }
}

#[async_trait]
impl Grader for Script {
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(submission.clone());
        self.gate.acquire().await.expect("the gate is never closed").forget();
        let outcome = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let share = outcome.unwrap_or(Ok(0.5))?;
        let part = |criterion: &grading::Criterion| CriterionGrade {
            criterion: criterion.name.clone(),
            score: criterion.max_score * share,
            max_score: criterion.max_score,
            feedback: "As the script says.".to_owned(),
        };
        let parts: Vec<_> = submission.criteria.iter().map(part).collect();
        let grade = Grade {
            score: submission.max_score * share,
            confidence: *self.confidence.lock().unwrap_or_else(PoisonError::into_inner),
            rubric_breakdown: (!parts.is_empty()).then_some(parts),
            strengths: vec!["It is an answer.".to_owned()],
            mistakes: vec!["It is short.".to_owned()],
            suggestions: vec!["Say more.".to_owned()],
            feedback_summary: "A short answer.".to_owned(),
            next_step: "Read the chapter again.".to_owned(),
            review_reasons: Vec::new(),
            integrity: self.flags.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let prompt = PromptRecord { version: "1".to_owned(), sha256: "ab".repeat(32) };
        if self.is_builtin.load(Ordering::SeqCst) {
            return Ok(Judged { grade, record: Record::own(GradedBy::Builtin, submission) });
        }
        let own = Record::own(GradedBy::Model, submission);
        Ok(Judged { grade, record: Record { calls, prompt: Some(prompt), votes: vec![share], ..own } })
    }

    fn read_answer(&self, submission: Submission) -> Option<ReadAnswer> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).push(submission);
        assert!(!self.panics_when_reading.load(Ordering::SeqCst), "as the script says");
        None
    }

    fn ready(&self, _: Tier) -> Result<(), GradingError> {
        self.down.lock().unwrap_or_else(PoisonError::into_inner).clone().map_or(Ok(()), Err)
    }
}
