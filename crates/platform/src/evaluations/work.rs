//! Grades with no transaction open, and writes the end under the job's lease: whoever was taken for dead can't write
//! over its successor, and a crash anywhere leaves an evaluation that the next worker grades.

mod case;
mod job;
mod paid;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use edge::problem::Problem;
use grading::{Attachment, AttachmentText, GradingError, ReadAnswer, ReviewedAnswer, Submission};
use kernel::ambient::Ambient;
use kernel::id::EvaluationId;
use store::jobs::{ClaimedJob, Handler, Job, LeaseError, Outcome, Worker, WorkerOptions};
use store::{Store, StoreError, Tx, jobs};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use x402::Fault;

use super::end::Ending;
use super::grade::Graded;
use super::graders::Graders;
use super::records::{AnswerVersion, KeptRecord, attach};
use super::row::{EvaluationRow, Failure};
use super::wait::{Awaited, Waiters};
use super::{Mode, ProcessingMode, Status, files};
use crate::Files;
use crate::payments::X402;
pub(super) use case::Case;
pub use job::GradeAnswer;

/// How long the work of a process that died stays out of reach of the others.
pub(super) const LEASE: Duration = Duration::from_secs(15);
/// The longest wait that a grader may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// Runs of a job that the database fails without being away.
const MOST_RUNS: u32 = 16;
/// The wait when the database is away.
const STORE_RETRY: Duration = Duration::from_secs(5);
/// Requests of this process that wait for their grade, at most.
const MOST_WAITING: usize = 4096;
/// What others are told to wait.
const BUSY: Duration = Duration::from_secs(5);
/// How long a request waits for its grade.
const PATIENCE: Duration = Duration::from_secs(60);

/// The grading of this process. Cheap to clone.
#[derive(Clone)]
pub struct Grading(Arc<Shared>);

struct Shared {
    store: Store,
    ambient: Ambient,
    graders: Arc<Graders>,
    files: Arc<Files>,
    waiters: Waiters,
    /// How long a queued evaluation waits each time for a model or files that are away.
    outage_delays: Vec<Duration>,
    /// Has payments settled, where they are taken.
    x402: Option<X402>,
    /// For requests that wait for their grade.
    places: Arc<Semaphore>,
}

/// A worker's part in the grading of this process.
pub struct GradingWorker {
    shared: Arc<Shared>,
    /// The evaluation, where the request that made it hands over its job.
    begun: Mutex<Option<Case>>,
}

/// What came of grading an answer.
enum Judgement {
    /// The evaluation ends so.
    Ends(Ending),
    /// The files can't be fetched or read now.
    NoFiles(String),
    /// The grader failed in a way that passes, and whom it had asked.
    NoGrade(GradingError, Option<Box<KeptRecord>>),
}

impl Grading {
    /// Grading on a store.
    pub fn new(
        store: Store,
        ambient: Ambient,
        graders: Arc<Graders>,
        files: Arc<Files>,
        outage_delays: Vec<Duration>,
        x402: Option<X402>,
    ) -> Self {
        let (waiters, places) = (Waiters::default(), Arc::new(Semaphore::new(MOST_WAITING)));
        Self(Arc::new(Shared { store, ambient, graders, files, waiters, outage_delays, x402, places }))
    }

    /// The handler for a worker of the queue.
    pub(crate) fn handler(&self) -> Handler {
        self.0.handler(None)
    }

    /// A place for a request that will wait for its grade.
    ///
    /// # Errors
    /// 429 at once when too many wait already: more would all be too late.
    pub(crate) fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let place = self.0.places.clone().try_acquire_owned();
        let message = "Too many answers are being graded. Ask for them with mode async.";
        place.map_err(|_| Problem::TooManyRequests { message, retry_after: BUSY })
    }

    /// Carries out what a request of this process has begun, whether or not the client waits for it.
    pub(super) async fn carry_out(&self, begun: Case, job: ClaimedJob) -> Result<Awaited, Problem> {
        let waiting = self.0.waiters.join(begun.row.id);
        let (store, ambient) = (self.0.store.clone(), self.0.ambient.clone());
        let options = WorkerOptions { lease: LEASE, ..WorkerOptions::default() };
        let worker = Worker::new(store, ambient, [self.0.handler(Some(begun))], options);
        tokio::spawn(async move { worker.run_claimed(job).await });
        waiting.for_the_end(&self.0.store, PATIENCE).await
    }

    /// Waits for the end of what another request has begun.
    pub(super) async fn wait(&self, id: EvaluationId) -> Result<Awaited, Problem> {
        let waiting = self.0.waiters.join(id);
        match waiting.look(&self.0.store).await? {
            row if row.status.is_terminal() => Ok(Awaited::Ended(row)),
            _ => waiting.for_the_end(&self.0.store, PATIENCE).await,
        }
    }
}

impl Job for GradeAnswer {
    const KIND: &'static str = "GradeAnswer";
    /// Before the generation of content, which nobody waits for at a screen.
    const PRIORITY: i64 = -1;
    type Context = GradingWorker;

    async fn run(&self, worker: &GradingWorker, claimed: &ClaimedJob) -> Outcome {
        let begun = worker.begun.lock().unwrap_or_else(PoisonError::into_inner).take();
        worker.shared.grade(claimed, *self, begun).await
    }

    async fn gave_up(&self, worker: &GradingWorker, claimed: &ClaimedJob) -> Outcome {
        let row = match worker.shared.running(claimed, self.evaluation_id).await {
            Ok(Some(case)) => case.row,
            Ok(None) => return Outcome::Done,
            Err(outcome) => return outcome,
        };
        worker.shared.end(claimed, &row, interrupted().into()).await
    }
}

impl GradeAnswer {
    /// The operator has cancelled the job.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        match EvaluationRow::find(tx, self.evaluation_id)? {
            Some(row) if !row.status.is_terminal() => row.ended(tx, cancelled().into()).save(tx).map(|_| ()),
            _ => Ok(()),
        }
    }
}

fn interrupted() -> Failure {
    Failure { code: "grading_interrupted".to_owned(), message: "Grading was interrupted too often.".to_owned() }
}

fn cancelled() -> Failure {
    let message = "The operator of the service cancelled the evaluation.".to_owned();
    Failure { code: "cancelled".to_owned(), message }
}

/// Whether there are files and nothing of the answer can be read or seen: that earns neither points nor a bill.
fn is_unreadable(submission: &Submission) -> bool {
    let is_unread = |file: &Attachment| matches!(file.text, AttachmentText::Unread(_)) && file.picture.is_none();
    let files = &submission.answer_files;
    !files.is_empty() && submission.answer.trim().is_empty() && files.iter().all(is_unread)
}

fn unreadable() -> Ending {
    let message = "None of the answer's files could be read, and there is no other answer.".to_owned();
    Failure { code: "answer_unreadable".to_owned(), message }.into()
}

fn erased() -> Ending {
    let message = "The learner's data was erased before it was graded.".to_owned();
    Failure { code: "erased".to_owned(), message }.into()
}

/// Ends what was erased since its row was read; `None` for what has ended.
fn end_erased(tx: &mut Tx<'_>, id: EvaluationId) -> Result<Option<EvaluationRow>, StoreError> {
    let Some(row) = EvaluationRow::hold(tx, id)?.filter(|row| !row.status.is_terminal()) else { return Ok(None) };
    row.ended(tx, erased()).save(tx)
}

impl Shared {
    fn handler(self: &Arc<Self>, begun: Option<Case>) -> Handler {
        Handler::new::<GradeAnswer>(GradingWorker { shared: self.clone(), begun: Mutex::new(begun) })
    }

    async fn grade(&self, claimed: &ClaimedJob, job: GradeAnswer, begun: Option<Case>) -> Outcome {
        let is_handed_over = begun.is_some();
        let Case { row, reviewed, read_answer, payment } = match begun {
            Some(case) => case,
            None => match self.begin(claimed, job.evaluation_id).await {
                Ok(Some(case)) => case,
                Ok(None) => return Outcome::Done,
                Err(outcome) => return outcome,
            },
        };
        if let Some(payment) = &payment
            && paid::is_too_late(payment, self.ambient.now())
        {
            return self.end_unpaid(claimed, &row, Fault::Expired.reason().to_owned(), None).await;
        }
        let judgement = match payment.as_ref().and_then(|payment| payment.graded.clone()) {
            // Graded before it was stored, or in an earlier run, which waited for the money; its learner may have been erased since.
            Some(graded) if row.asked.is_some() => Judgement::Ends(Ending::Graded(Box::new(graded))),
            _ => self.judge(&row, reviewed, read_answer).await,
        };
        match (judgement, payment) {
            (Judgement::Ends(Ending::Graded(graded)), Some(payment)) => {
                let was_sent = payment.maybe_sent && !is_handed_over;
                let due = paid::Due { payment, was_sent, is_queued: !is_handed_over };
                self.collect(claimed, job, &row, due, graded).await
            }
            (Judgement::Ends(ending), _) => self.end(claimed, &row, ending).await,
            (Judgement::NoFiles(why), _) => self.without_files(claimed, job, &row, &why).await,
            (Judgement::NoGrade(error, asked), _) => self.without_grade(claimed, job, &row, error, asked).await,
        }
    }

    /// Grades the answer of an evaluation. Nothing is written.
    async fn judge(
        &self,
        row: &EvaluationRow,
        reviewed: Vec<(AnswerVersion, ReviewedAnswer)>,
        read_answer: Option<ReadAnswer>,
    ) -> Judgement {
        let Some(asked) = &row.asked else { return Judgement::Ends(erased()) };
        let (mode, evaluation_type): (ProcessingMode, _) = (asked.processing_mode, row.evaluation_type);
        let sees = self.graders.sees(mode, evaluation_type);
        let _shown = match sees && files::have_pictures(&row.files) {
            true => Some(self.files.shown.take(row.workspace).await),
            false => None,
        };
        let read = match files::read(&self.files, row.workspace, &row.files, sees).await {
            Ok(read) => read,
            Err(why) => return Judgement::NoFiles(why),
        };
        let (calibrated_by, reviewed) = reviewed.into_iter().unzip();
        let mut submission = asked.submission(evaluation_type, row.max_score, row.tier());
        attach(&mut submission, &read);
        submission.reviewed = reviewed;
        submission.tenant = row.workspace.to_string();
        if is_unreadable(&submission) {
            return Judgement::Ends(unreadable());
        }
        let judged = self.graders.grade(mode, evaluation_type, submission, read_answer).await;
        let mut error = match judged.and_then(|judged| Graded::of(judged, row.max_score)) {
            Ok(mut graded) => {
                (graded.record.files, graded.record.calibrated_by) = (read, calibrated_by);
                return Judgement::Ends(Ending::Graded(Box::new(graded)));
            }
            Err(error) => error,
        };
        let asked =
            error.record.take().map(|record| Box::new(KeptRecord { record: *record, files: read, calibrated_by }));
        match row.mode {
            Mode::Async if error.retryable => Judgement::NoGrade(error, asked),
            // Who waits is told at once: the grader has tried what was worth trying.
            Mode::Async | Mode::Sync => Judgement::Ends(Ending::Failed(error.into(), asked)),
        }
    }

    /// Files that can't be fetched or read now may be later; not for ever, as somebody waits and has money set aside.
    async fn without_files(
        &self,
        claimed: &ClaimedJob,
        mut job: GradeAnswer,
        row: &EvaluationRow,
        why: &str,
    ) -> Outcome {
        if let Some(wait) = job.after_outage(&self.outage_delays) {
            return self.again(claimed, job, wait, why).await;
        }
        let message = "The files could not be read.".to_owned();
        self.end(claimed, row, Failure { code: "files_unavailable".to_owned(), message }.into()).await
    }

    /// A grader that failed in passing may do better: soon, or where it was away, as long as files may be. Not before it
    /// says that it is worth it, within reason.
    async fn without_grade(
        &self,
        claimed: &ClaimedJob,
        mut job: GradeAnswer,
        row: &EvaluationRow,
        error: GradingError,
        asked: Option<Box<KeptRecord>>,
    ) -> Outcome {
        let wait = if error.is_outage() { job.after_outage(&self.outage_delays) } else { job.after_hiccup() };
        let asked_for = error.retry_after.unwrap_or_default().min(LONGEST_WAIT);
        match wait {
            Some(wait) => self.again(claimed, job, wait.max(asked_for), &error.to_string()).await,
            None => self.end(claimed, row, Ending::Failed(error.into(), asked)).await,
        }
    }

    /// Another run, which knows what came of those before.
    async fn again(&self, claimed: &ClaimedJob, job: GradeAnswer, wait: Duration, why: &str) -> Outcome {
        let (lease, why) = (claimed.lease.clone(), why.to_owned());
        let at = self.ambient.now().plus(wait);
        let written =
            self.store.claim("evaluations.again", move |tx| jobs::retry_with(tx, &lease, &job, at, &why)).await;
        match written {
            Ok(()) | Err(LeaseError::Lost) => Outcome::Settled,
            Err(LeaseError::Store(error)) => self.after(claimed, &error),
        }
    }

    /// The evaluation, where it has not ended.
    async fn running(&self, claimed: &ClaimedJob, id: EvaluationId) -> Result<Option<Case>, Outcome> {
        let found = self.store.read("evaluations.load", move |tx| match EvaluationRow::find(tx, id)? {
            Some(row) if !row.status.is_terminal() => Case::of(tx, row).map(Some),
            _ => Ok(None),
        });
        found.await.map_err(|error| self.after(claimed, &error))
    }

    /// The evaluation, from now on being graded; `None` when there is nothing left to do.
    async fn begin(&self, claimed: &ClaimedJob, id: EvaluationId) -> Result<Option<Case>, Outcome> {
        let Some(case) = self.running(claimed, id).await? else { return Ok(None) };
        if case.row.status == Status::Pending {
            let lease = claimed.lease.clone();
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
                Err(LeaseError::Store(error)) => return Err(self.after(claimed, &error)),
            }
        }
        Ok(Some(case))
    }

    /// Ends the evaluation and its job in one transaction. What was erased while it was graded keeps no grade.
    async fn end(&self, claimed: &ClaimedJob, row: &EvaluationRow, ending: Ending) -> Outcome {
        let (lease, row) = (claimed.lease.clone(), row.clone());
        let written = self.store.claim("evaluations.end", move |tx| {
            lease.hold(tx)?;
            let ended = paid::end_here(tx, &row, ending.clone())?;
            jobs::finish(tx, &lease)?;
            Ok(ended)
        });
        self.told(claimed, written.await)
    }

    /// A database that is away comes back; anything else is a defect, which running again for ever would hide.
    fn after(&self, claimed: &ClaimedJob, error: &StoreError) -> Outcome {
        let why = format!("the database: {error}");
        if claimed.attempt >= MOST_RUNS && !matches!(error, StoreError::Unavailable) {
            return Outcome::Fail { why };
        }
        Outcome::Retry { at: self.ambient.now().plus(STORE_RETRY), why }
    }
}
