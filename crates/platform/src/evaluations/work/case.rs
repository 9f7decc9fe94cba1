//! What is known of an evaluation before its answer is graded.

use engine::grading::ReviewedAnswer;
use store::{StoreError, Tx};

use crate::evaluations::calibration;
use crate::evaluations::records::AnswerVersion;
use crate::evaluations::row::EvaluationRow;

/// An evaluation to be graded, and what people made of other answers to its question.
#[derive(Debug)]
pub(in crate::evaluations) struct Case {
    pub(super) row: EvaluationRow,
    pub(super) reviewed: Vec<(AnswerVersion, ReviewedAnswer)>,
}

impl Case {
    /// What is known in this transaction.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(in crate::evaluations) fn of(tx: &mut Tx<'_>, row: EvaluationRow) -> Result<Self, StoreError> {
        let reviewed = match &row.asked {
            Some(asked) if calibration::is_calibrated(row.evaluation_type) => {
                calibration::list(tx, row.workspace, &calibration::question_key(&row, asked))?
            }
            _ => Vec::new(),
        };
        Ok(Self { row, reviewed })
    }
}
