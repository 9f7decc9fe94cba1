//! A grade that nobody keeps: for answers on pages that the service's own tests show. No workspace pays for it, nothing is
//! stored, and no event tells of it. Whoever asks bounds how many there are.

use grading::{GradingError, Submission};

use super::grade::Graded;
use super::{EvaluationType, ProcessingMode};
use crate::Platform;

/// A grade of an open answer.
#[derive(Clone, Debug, PartialEq)]
pub struct UnrecordedGrade {
    /// Points, from 0 to the submission's `max_score`.
    pub score: f64,
    /// The feedback in two or three sentences, in the submission's language.
    pub feedback: String,
    /// A person should look at the grade.
    pub needs_review: bool,
}

impl Platform {
    /// Grades an open answer as an evaluation would be: by the model where one is configured, else by the built-in grader.
    ///
    /// # Errors
    /// When there is no sound grade.
    pub async fn grade_unrecorded(&self, submission: Submission) -> Result<UnrecordedGrade, GradingError> {
        let max_score = submission.max_score;
        let judged = self.graders.grade(ProcessingMode::Auto, EvaluationType::OpenEnded, submission, None).await?;
        let Graded { score, feedback, .. } = Graded::of(judged, max_score)?;
        let needs_review = !feedback.review_reasons.is_empty();
        Ok(UnrecordedGrade { score, feedback: feedback.feedback_summary, needs_review })
    }
}
