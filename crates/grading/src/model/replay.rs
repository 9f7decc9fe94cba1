//! Grades once more from a record, without asking anybody: what a model said was stored, so that nobody has to trust that
//! it would say the same again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use kernel::model::{Call, Model, ModelError, Prompt};

use super::{Here, ModelGrader};
use crate::{Builtin, CallRecord, GradedBy, Grader as _, GradingError, Judged, Record, Submission, exact};

/// What came of a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The grade as it is now, and the record of this run.
    pub judged: Judged,
    /// This program would have asked the model the same: prompt and wording are those of the record. True where no model
    /// was asked.
    pub is_same_prompt: bool,
}

/// Why there is nothing to replay.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// Nobody can work out what a person thought.
    #[error("a person gave this grade")]
    ByAPerson,
    /// The stored words of the model are no grade.
    #[error(transparent)]
    Grading(#[from] GradingError),
}

/// Grades a submission from the record of its grade.
///
/// # Errors
/// When a person graded, or when what is stored does not make a grade.
pub async fn replay(submission: &Submission, record: &Record) -> Result<Replay, ReplayError> {
    let judged = match record.graded_by {
        GradedBy::Reviewer => return Err(ReplayError::ByAPerson),
        GradedBy::Exact => {
            let grade = exact::grade(submission)?;
            Judged { grade, record: Record::own(GradedBy::Exact, submission) }
        }
        GradedBy::Builtin => Builtin.grade(submission).await?,
        GradedBy::Model => {
            let model = Arc::new(Recorded::new(&record.calls));
            ModelGrader::new(model, Arc::new(Here)).grade(submission).await?
        }
    };
    let is_same_prompt = judged.record.prompt == record.prompt;
    Ok(Replay { judged, is_same_prompt })
}

/// Says again what a model said, in order, and fails again where it failed.
struct Recorded(Mutex<VecDeque<Call>>);

impl Recorded {
    fn new(calls: &[CallRecord]) -> Self {
        Self(Mutex::new(calls.iter().map(CallRecord::call).collect()))
    }
}

#[async_trait]
impl Model for Recorded {
    async fn answer(&self, _prompt: &Prompt) -> Call {
        let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        // Whoever asks for more than was said then gets nothing.
        let nothing = || Err(ModelError::Unavailable { retry_after: None }.into());
        next.unwrap_or_else(nothing)
    }
}
