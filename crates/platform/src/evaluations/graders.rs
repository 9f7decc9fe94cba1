//! Who grades what, and how many at once.

use std::sync::Arc;

use engine::grading::{GradedBy, Grader, GradingError, Judged, Record, Submission, exact};
use kernel::id::WorkspaceId;
use kernel::turns::FairTurns;

use super::row::{Failure, Graded};
use super::{EvaluationType, ProcessingMode};

/// Question, answer and reference together of at most so many bytes are compared where the request is served: that takes
/// less time than handing them over.
const COMPARED_AT_ONCE_BYTES: usize = 4096;

/// The grade of what code can compare at no cost worth a queue; `None` for anything longer.
pub(super) fn compare_at_once(submission: &Submission) -> Option<Result<Graded, Failure>> {
    let reference = submission.reference_answer.as_ref().map_or(0, String::len);
    let length = submission.question.len() + submission.answer.len() + reference;
    (length <= COMPARED_AT_ONCE_BYTES).then(|| {
        let grade = exact::grade(submission).and_then(|grade| Graded::of(grade, submission.max_score));
        grade.map_err(Failure::from)
    })
}

/// The graders of this process.
pub struct Graders {
    builtin: Arc<dyn Grader>,
    model: Option<Arc<dyn Grader>>,
    /// The built-in graders compute: more of them at once than there are processors only makes each later.
    processors: FairTurns<WorkspaceId>,
}

impl Graders {
    /// Graders of which the built-in ones have so many processors.
    pub fn new(builtin: Arc<dyn Grader>, model: Option<Arc<dyn Grader>>, processors: usize) -> Self {
        Self { builtin, model, processors: FairTurns::new(processors) }
    }

    /// Whether somebody grades in this mode.
    pub(super) fn take(&self, mode: ProcessingMode) -> bool {
        mode != ProcessingMode::Model || self.model.is_some()
    }

    /// Grades a submission by whoever its mode asks for.
    pub(super) async fn grade(
        &self,
        workspace: WorkspaceId,
        mode: ProcessingMode,
        evaluation_type: EvaluationType,
        submission: Submission,
    ) -> Result<Judged, GradingError> {
        if evaluation_type == EvaluationType::Exact {
            let compare = move || {
                let record = Record::own(GradedBy::Exact, &submission);
                exact::grade(&submission).map(|grade| Judged { grade, record })
            };
            return self.compute(workspace, compare).await;
        }
        match (&self.model, mode) {
            (Some(model), ProcessingMode::Auto | ProcessingMode::Model) => model.grade(&submission).await,
            (None, ProcessingMode::Model) => Err(GradingError::lasting("model_unavailable", "No model is configured.")),
            (None, ProcessingMode::Auto) | (_, ProcessingMode::Builtin) => {
                let grader = self.builtin.clone();
                let runtime = tokio::runtime::Handle::current();
                self.compute(workspace, move || runtime.block_on(grader.grade(&submission))).await
            }
        }
    }

    async fn compute(
        &self,
        workspace: WorkspaceId,
        work: impl FnOnce() -> Result<Judged, GradingError> + Send + 'static,
    ) -> Result<Judged, GradingError> {
        let turn = self.processors.take(workspace).await;
        let ended = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        ended.await.unwrap_or_else(|_| Err(GradingError::lasting("grader_crashed", "The grader failed unexpectedly.")))
    }
}
