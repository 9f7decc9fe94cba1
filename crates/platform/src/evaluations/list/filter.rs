//! Which evaluations a request asks for.

use edge::cursor::CursorQuery;
use edge::query::{Parameters, boolean, number, one_of, text};
use kernel::id::WorkspaceId;

use crate::evaluations::{EvaluationType, Status};
use crate::named::workspace_in_query;

/// As long as a request for an evaluation may make a learner's id.
const LONGEST_LEARNER_ID: usize = 255;
/// As long as a request for an evaluation may make a concept.
const LONGEST_CONCEPT: usize = 200;
const LONGEST_QUESTION_ID: usize = 200;

/// What narrows the list; absent filters keep everything.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    pub(super) page: CursorQuery,
    pub(super) status: Option<Status>,
    pub(super) evaluation_type: Option<EvaluationType>,
    pub(super) learner: Option<String>,
    pub(super) concept: Option<String>,
    pub(super) needs_review: Option<bool>,
    pub(super) min_confidence: Option<f64>,
    pub(super) max_confidence: Option<f64>,
    pub(super) question: Option<String>,
}

/// Reads the filter, and the workspace that the query names.
pub(super) fn read(parameters: &mut Parameters<'_>) -> Option<(Option<WorkspaceId>, Filter)> {
    let page = CursorQuery::read(parameters);
    let status = parameters.optional("status", one_of(Status::WORDS));
    let evaluation_type = parameters.optional("evaluationType", one_of(EvaluationType::WORDS));
    let learner = parameters.optional("learnerId", text(1..=LONGEST_LEARNER_ID));
    let concept = parameters.optional("conceptTag", text(1..=LONGEST_CONCEPT));
    let needs_review = parameters.optional("needsReview", boolean);
    let min_confidence = parameters.optional("minConfidence", number(0.0..=1.0));
    let max_confidence = parameters.optional("maxConfidence", number(0.0..=1.0));
    let question = parameters.optional("questionId", text(1..=LONGEST_QUESTION_ID));
    let named = workspace_in_query(parameters);
    let filter = Filter {
        page: page?,
        status: status?,
        evaluation_type: evaluation_type?,
        learner: learner?,
        concept: concept?,
        needs_review: needs_review?,
        min_confidence: min_confidence?,
        max_confidence: max_confidence?,
        question: question?,
    };
    Some((named?, filter))
}

impl Filter {
    /// How many filters there are that are decided row by row, unless an index leads to their rows.
    pub(super) fn count(&self) -> usize {
        let given = [
            self.status.is_some(),
            self.evaluation_type.is_some(),
            self.learner.is_some(),
            self.concept.is_some(),
            self.needs_review.is_some(),
            self.min_confidence.is_some(),
            self.max_confidence.is_some(),
            self.question.is_some(),
        ];
        given.into_iter().filter(|is_given| *is_given).count()
    }
}
