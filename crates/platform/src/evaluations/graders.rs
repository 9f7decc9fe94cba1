//! Who grades what, and how many at once.

use std::sync::Arc;

use async_trait::async_trait;
use grading::{self, GradedBy, Grader, GradingError, Judged, ReadAnswer, Record, Submission, exact};
use kernel::turns::FairTurns;

use super::grade::Graded;
use super::row::Failure;
use super::{EvaluationType, ProcessingMode};

/// Question, answer and reference together of at most so many bytes are compared where the request is served: that takes
/// less time than handing them over.
const COMPARED_AT_ONCE_BYTES: usize = 4096;

/// The grade of what code can compare at no cost worth a queue; `None` for anything longer.
pub(super) fn compare_at_once(submission: &Submission) -> Option<Result<Graded, Failure>> {
    let reference = submission.reference_answer.as_ref().map_or(0, String::len);
    let length = submission.question.len() + submission.answer.len() + reference;
    (length <= COMPARED_AT_ONCE_BYTES).then(|| {
        let graded = compare(submission).and_then(|judged| Graded::of(judged, submission.max_score));
        graded.map_err(Failure::from)
    })
}

fn compare(submission: &Submission) -> Result<Judged, GradingError> {
    let grade = exact::grade(submission)?;
    Ok(Judged { grade, record: Record::own(GradedBy::Exact, submission) })
}

/// Where graders compute, workspaces in turn: more of them at once than there are processors only makes each later.
/// Cheap to clone, for a [`grading::ModelGrader`] that shares them.
#[derive(Clone)]
pub struct Processors(Arc<FairTurns<String>>);

impl Processors {
    /// So many.
    pub fn new(count: usize) -> Self {
        Self(Arc::new(FairTurns::new(count)))
    }

    /// What `work` makes when it is the workspace's turn; `None` when it panics.
    async fn compute<T: Send + 'static>(
        &self,
        workspace: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let turn = self.0.take(workspace.to_owned()).await;
        let ended = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        ended.await.ok()
    }
}

#[async_trait]
impl grading::model::Processors for Processors {
    async fn run(&self, tenant: &str, work: Box<dyn FnOnce() + Send>) {
        self.compute(tenant, work).await.unwrap_or_default();
    }
}

/// The graders of this process.
pub struct Graders {
    builtin: Arc<dyn Grader>,
    model: Option<Arc<dyn Grader>>,
    processors: Processors,
}

/// Who grades a submission.
enum Chosen<'a> {
    /// Code that compares values.
    Comparison,
    Model(&'a Arc<dyn Grader>),
    Builtin(&'a Arc<dyn Grader>),
    Nobody,
}

impl Graders {
    /// Graders of which the built-in ones compute on these processors.
    pub fn new(builtin: Arc<dyn Grader>, model: Option<Arc<dyn Grader>>, processors: Processors) -> Self {
        Self { builtin, model, processors }
    }

    /// Whether somebody grades in this mode.
    pub(super) fn take(&self, mode: ProcessingMode) -> bool {
        mode != ProcessingMode::Model || self.model.is_some()
    }

    /// Whether there is a grade to be had now, before anything is stored or paid for.
    ///
    /// # Errors
    /// A passing one while it is known that the model does not answer.
    pub(super) fn ready(
        &self,
        mode: ProcessingMode,
        evaluation_type: EvaluationType,
        tier: grading::Tier,
    ) -> Result<(), GradingError> {
        match self.chosen(mode, evaluation_type) {
            Chosen::Model(model) => model.ready(tier),
            Chosen::Comparison | Chosen::Builtin(_) | Chosen::Nobody => Ok(()),
        }
    }

    /// Whether pictures are shown to who grades.
    pub(super) fn sees(&self, mode: ProcessingMode, evaluation_type: EvaluationType) -> bool {
        matches!(self.chosen(mode, evaluation_type), Chosen::Model(_))
    }

    /// Reads an answer for [`Graders::grade`] where its grader does that beforehand: see [`Grader::read_answer`].
    pub(super) fn read_answer(
        &self,
        mode: ProcessingMode,
        evaluation_type: EvaluationType,
        submission: impl FnOnce() -> Submission,
    ) -> Option<ReadAnswer> {
        match self.chosen(mode, evaluation_type) {
            Chosen::Model(model) => model.read_answer(submission()),
            Chosen::Comparison | Chosen::Builtin(_) | Chosen::Nobody => None,
        }
    }

    /// Grades a submission by whoever its mode asks for, in its tenant's turn.
    pub(super) async fn grade(
        &self,
        mode: ProcessingMode,
        evaluation_type: EvaluationType,
        submission: Submission,
        read: Option<ReadAnswer>,
    ) -> Result<Judged, GradingError> {
        let tenant = submission.tenant.clone();
        match (self.chosen(mode, evaluation_type), read) {
            (Chosen::Comparison, _) => self.compute(&tenant, move || compare(&submission)).await,
            (Chosen::Model(model), Some(read)) => model.grade_read(&submission, read).await,
            (Chosen::Model(model), None) => model.grade(&submission).await,
            (Chosen::Builtin(grader), _) => {
                let grader = grader.clone();
                let runtime = tokio::runtime::Handle::current();
                self.compute(&tenant, move || runtime.block_on(grader.grade(&submission))).await
            }
            (Chosen::Nobody, _) => Err(GradingError::lasting("model_unavailable", "No model is configured.")),
        }
    }

    fn chosen(&self, mode: ProcessingMode, evaluation_type: EvaluationType) -> Chosen<'_> {
        match (evaluation_type, mode, &self.model) {
            (EvaluationType::Exact, ..) => Chosen::Comparison,
            (_, ProcessingMode::Auto | ProcessingMode::Model, Some(model)) => Chosen::Model(model),
            (_, ProcessingMode::Model, None) => Chosen::Nobody,
            (_, ProcessingMode::Auto, None) | (_, ProcessingMode::Builtin, _) => Chosen::Builtin(&self.builtin),
        }
    }

    async fn compute(
        &self,
        tenant: &str,
        work: impl FnOnce() -> Result<Judged, GradingError> + Send + 'static,
    ) -> Result<Judged, GradingError> {
        let crashed = || Err(GradingError::lasting("grader_crashed", "The grader failed unexpectedly."));
        self.processors.compute(tenant, work).await.unwrap_or_else(crashed)
    }
}
