//! What is known of an evaluation before its answer is graded.

use grading::{ReadAnswer, ReviewedAnswer};
use store::{StoreError, Tx};

use crate::evaluations::calibration::{is_calibrated, list, question_key};
use crate::evaluations::records::AnswerVersion;
use crate::evaluations::row::EvaluationRow;
use crate::payments::row::PaymentRow;

/// An evaluation to be graded, and what people made of other answers to its question.
#[derive(Debug)]
pub(in crate::evaluations) struct Case {
    pub(in crate::evaluations) row: EvaluationRow,
    pub(in crate::evaluations) reviewed: Vec<(AnswerVersion, ReviewedAnswer)>,
    /// Its answer, where that was read while it was stored.
    pub(in crate::evaluations) read_answer: Option<ReadAnswer>,
    /// The payment that has to be settled before there is a grade.
    pub(in crate::evaluations) payment: Option<Box<PaymentRow>>,
}

impl Case {
    /// An evaluation that has begun before, with what is known in this transaction.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn of(tx: &mut Tx<'_>, row: EvaluationRow) -> Result<Self, StoreError> {
        let reviewed = match &row.asked {
            Some(asked) if is_calibrated(row.evaluation_type) => {
                list(tx, row.workspace, &question_key(row.evaluation_type, asked, &row.files))?
            }
            _ => Vec::new(),
        };
        let payment = PaymentRow::find(tx, row.id)?.map(Box::new);
        Ok(Self { row, reviewed, read_answer: None, payment })
    }
}
