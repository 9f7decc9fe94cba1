//! Grades with no transaction open, and writes the end under the job's lease: whoever was taken for dead can't write
//! over its successor, and a crash anywhere leaves an evaluation that the next worker grades.

use std::sync::Arc;
use std::time::Duration;

use edge::problem::Problem;
use engine::BoxFuture;
use engine::grading::{Attachment, AttachmentText, GradingError, Submission};
use kernel::ambient::Ambient;
use kernel::id::EvaluationId;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Handler, LeaseError, Outcome, Worker, WorkerOptions};
use store::{Store, StoreError, Tx, jobs};

use super::end::{Ending, save};
use super::files;
use super::graders::Graders;
use super::row::{EvaluationRow, Failure, Graded};
use super::wait::{Awaited, Waiters};
use super::{ProcessingMode, Role, Status};
use crate::Files;

/// The kind of these jobs.
pub const KIND: &str = "GradeAnswer";
/// Before the generation of content, which nobody waits for at a screen.
pub(super) const PRIORITY: i64 = -1;
/// How long the work of a process that died stays out of reach of the others.
pub(super) const LEASE: Duration = Duration::from_secs(15);
/// Runs of a job whose grader might do better the next time.
const MOST_ATTEMPTS: u32 = 3;
/// The waits between them.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];
/// The wait when the database is away.
const STORE_RETRY: Duration = Duration::from_secs(5);
/// How long a request waits for its grade.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a job is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JobPayload {
    version: u32,
    evaluation_id: EvaluationId,
}

impl JobPayload {
    pub(super) fn new(evaluation_id: EvaluationId) -> Self {
        Self { version: 1, evaluation_id }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a payload serializes")
    }
}

/// The grading of this process. Cheap to clone.
#[derive(Clone)]
pub struct Grading {
    shared: Arc<Shared>,
    /// Runs what this process's own requests have begun.
    adopted: Arc<Worker>,
}

struct Shared {
    store: Store,
    ambient: Ambient,
    graders: Arc<Graders>,
    files: Arc<Files>,
    waiters: Waiters,
}

/// The handler of these jobs.
struct GradeAnswer(Arc<Shared>);

impl Grading {
    /// Grading on a store.
    pub fn new(store: Store, ambient: Ambient, graders: Arc<Graders>, files: Arc<Files>) -> Self {
        let waiters = Waiters::default();
        let shared = Arc::new(Shared { store: store.clone(), ambient: ambient.clone(), graders, files, waiters });
        let handler: Arc<dyn Handler> = Arc::new(GradeAnswer(shared.clone()));
        let options = WorkerOptions { lease: LEASE, ..WorkerOptions::default() };
        let adopted = Arc::new(Worker::new(store, ambient, vec![handler], options));
        Self { shared, adopted }
    }

    /// The handler for a worker of the queue.
    pub fn handler(&self) -> Arc<dyn Handler> {
        Arc::new(GradeAnswer(self.shared.clone()))
    }

    /// Carries out a job that a request of this process has begun, whether or not the client waits.
    pub(super) fn adopt(&self, job: ClaimedJob) {
        let worker = self.adopted.clone();
        tokio::spawn(async move { worker.run_claimed(job).await });
    }

    pub(super) async fn wait(&self, id: EvaluationId) -> Result<Awaited, Problem> {
        self.shared.waiters.wait(&self.shared.store, id, PATIENCE).await
    }
}

impl Handler for GradeAnswer {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn run<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let Some(id) = evaluation_of(job) else {
                return Outcome::Fail { why: "the payload can't be read".to_owned() };
            };
            self.0.grade(job, id).await
        })
    }

    fn gave_up<'a>(&'a self, job: &'a ClaimedJob) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let Some(id) = evaluation_of(job) else {
                return Outcome::Fail { why: "the payload can't be read".to_owned() };
            };
            self.0.end(job, id, Ending::Failed(interrupted())).await
        })
    }
}

fn evaluation_of(job: &ClaimedJob) -> Option<EvaluationId> {
    serde_json::from_str::<JobPayload>(&job.payload).ok().map(|payload| payload.evaluation_id)
}

fn interrupted() -> Failure {
    Failure { code: "grading_interrupted".to_owned(), message: "Grading was interrupted too often.".to_owned() }
}

/// Fails what a cancelled job was to grade, in the transaction that removed it.
///
/// # Errors
/// Any [`StoreError`].
pub fn cancel(tx: &mut Tx<'_>, payload: &str) -> Result<(), StoreError> {
    let Ok(JobPayload { evaluation_id, .. }) = serde_json::from_str(payload) else { return Ok(()) };
    let failure = Failure {
        code: "cancelled".to_owned(),
        message: "The operator of the service cancelled the evaluation.".to_owned(),
    };
    match EvaluationRow::find(tx, evaluation_id)? {
        Some(row) if !row.status.is_terminal() => {
            let row = row.ended(tx, Ending::Failed(failure));
            save(tx, &row)
        }
        _ => Ok(()),
    }
}

/// What code compares is one text: the answer's files are read as its continuation.
fn attach(submission: &mut Submission, read: Vec<(Role, Attachment)>) {
    for (role, attachment) in read {
        match role {
            Role::Rubric => submission.rubric_files.push(attachment),
            Role::Answer if submission.evaluation_type == engine::grading::EvaluationType::Exact => {
                if let AttachmentText::Whole(text) | AttachmentText::Cut { text, .. } = attachment.text {
                    submission.answer = [submission.answer.trim(), text.trim()].join("\n").trim().to_owned();
                }
            }
            Role::Answer => submission.answer_files.push(attachment),
        }
    }
}

fn erased() -> Ending {
    let message = "The learner's data was erased before it was graded.".to_owned();
    Ending::Failed(Failure { code: "erased".to_owned(), message })
}

impl Shared {
    async fn grade(&self, job: &ClaimedJob, id: EvaluationId) -> Outcome {
        let row = match self.begin(job, id).await {
            Ok(Some(row)) => row,
            Ok(None) => return Outcome::Done,
            Err(outcome) => return outcome,
        };
        let Some(asked) = &row.asked else { return self.end(job, id, erased()).await };
        let mut submission = asked.submission(row.evaluation_type, row.max_score);
        match files::read(&self.files, row.workspace, &row.files).await {
            Ok(read) => attach(&mut submission, read),
            Err(why) => return Outcome::Retry { at: self.ambient.now().plus(STORE_RETRY), why },
        }
        let mode: ProcessingMode = asked.processing_mode;
        let grade = self.graders.grade(row.workspace, mode, row.evaluation_type, submission).await;
        match grade {
            Ok(grade) => self.end(job, id, Ending::Graded(Graded::of(grade, row.max_score))).await,
            Err(error) if error.retryable && job.attempt < MOST_ATTEMPTS => self.retry(job, &error),
            Err(error) => {
                let failure = Failure { code: error.code.to_owned(), message: error.message };
                self.end(job, id, Ending::Failed(failure)).await
            }
        }
    }

    /// The evaluation, from now on being graded; `None` when there is nothing left to do.
    async fn begin(&self, job: &ClaimedJob, id: EvaluationId) -> Result<Option<EvaluationRow>, Outcome> {
        let found = self.store.read("evaluations.load", move |tx| EvaluationRow::find(tx, id)).await;
        let row = match found {
            Ok(Some(row)) if !row.status.is_terminal() => row,
            Ok(_) => return Ok(None),
            Err(error) => return Err(self.after(&error)),
        };
        if row.status == Status::Pending {
            let lease = job.lease.clone();
            let begun = self.store.claim("evaluations.begin", move |tx| {
                lease.hold(tx)?;
                tx.execute_later(
                    "UPDATE evaluation SET status = 'PROCESSING' WHERE id = $1 AND status = 'PENDING'",
                    &[&id],
                )?;
                Ok::<_, LeaseError>(())
            });
            match begun.await {
                Ok(()) => {}
                Err(LeaseError::Lost) => return Err(Outcome::Settled),
                Err(LeaseError::Store(error)) => return Err(self.after(&error)),
            }
        }
        Ok(Some(row))
    }

    /// Ends the evaluation and its job in one transaction. What was erased while it was graded keeps no grade.
    async fn end(&self, job: &ClaimedJob, id: EvaluationId, ending: Ending) -> Outcome {
        let lease = job.lease.clone();
        let written = self.store.claim("evaluations.end", move |tx| {
            lease.hold(tx)?;
            // An erasure at the same moment comes before this or after it.
            tx.execute("UPDATE evaluation SET files = files WHERE id = $1", &[&id])?;
            if let Some(row) = EvaluationRow::find(tx, id)?
                && !row.status.is_terminal()
            {
                let ending = if row.asked.is_some() { ending.clone() } else { erased() };
                let row = row.ended(tx, ending);
                save(tx, &row)?;
            }
            jobs::finish(tx, &lease)
        });
        let outcome = match written.await {
            Ok(()) | Err(LeaseError::Lost) => Outcome::Settled,
            Err(LeaseError::Store(error)) => self.after(&error),
        };
        self.waiters.wake(id);
        outcome
    }

    fn retry(&self, job: &ClaimedJob, error: &GradingError) -> Outcome {
        let index = usize::try_from(job.attempt.max(1) - 1).unwrap_or(usize::MAX).min(RETRY_DELAYS.len() - 1);
        Outcome::Retry { at: self.ambient.now().plus(RETRY_DELAYS[index]), why: error.to_string() }
    }

    fn after(&self, error: &StoreError) -> Outcome {
        let why = format!("the database: {error}");
        Outcome::Retry { at: self.ambient.now().plus(STORE_RETRY), why }
    }
}
