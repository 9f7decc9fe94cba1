//! Writes how an evaluation ended: its grade or failure, what was paid, what was used, what the learner now masters, and
//! the event, all in the caller's transaction.

use billing::ledger::{self, EndError, Reservation};
use billing::usage::{self, NewUsage, Service};
use edge::problem::Problem;
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::id::SubjectId;
use kernel::money::MicroUsd;
use serde_json::{Map, Value, json};
use store::{StoreError, Tx};

use super::row::{EvaluationRow, Failure, Graded, hundredths, json};
use super::{Mode, Status};

/// How it ended.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    Graded(Graded),
    Failed(Failure),
}

impl EvaluationRow {
    /// The row as it is when it has ended so.
    pub(super) fn ended(mut self, tx: &Tx<'_>, ending: Ending) -> Self {
        self.completed_at = Some(tx.now());
        match ending {
            Ending::Graded(graded) => {
                self.status = Status::Completed;
                (self.score, self.confidence) = (Some(graded.score), Some(graded.confidence));
                self.feedback = Some(graded.feedback);
            }
            Ending::Failed(failure) => {
                self.status = Status::Failed;
                self.failure = Some(failure);
            }
        }
        self
    }
}

/// Writes an ended row over the one that was running, pays for it or gives its price back, and tells it. False, and nothing is
/// written, where it has ended before or its learner was erased meanwhile: the row at hand is not the row that there is.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn save(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<bool, StoreError> {
    let updated = tx.execute(
        "UPDATE evaluation SET status = $2, score = $3, confidence = $4, feedback = $5, error_code = $6, error_message = $7,
            completed_at = $8
         WHERE id = $1 AND status IN ('PENDING', 'PROCESSING') AND CAST(CASE WHEN request <> 'null' THEN 1 ELSE 0 END AS BIGINT) = $9",
        &[
            &row.id,
            &row.status,
            &row.score,
            &row.confidence,
            &row.feedback.as_ref().map(json).transpose()?,
            &row.failure.as_ref().map(|failure| failure.code.as_str()),
            &row.failure.as_ref().map(|failure| failure.message.as_str()),
            &row.completed_at,
            &i64::from(row.asked.is_some()),
        ],
    )?;
    if updated == 0 {
        return Ok(false);
    }
    let subject = SubjectId::of(row.id);
    let ended = match row.status {
        Status::Completed => ledger::settle(tx, subject),
        _ => ledger::release(tx, subject),
    };
    let reservation = ended.map_err(|error| match error {
        EndError::Store(error) => error,
        error @ (EndError::Unknown | EndError::Ended(_)) => StoreError::Unexpected(Box::new(error)),
    })?;
    tell(tx, row, Some(&reservation))?;
    Ok(true)
}

/// Counts an ended evaluation, lets the learner's mastery follow, and records the event.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn tell(tx: &mut Tx<'_>, row: &EvaluationRow, paid: Option<&Reservation>) -> Result<(), StoreError> {
    if row.status == Status::Completed {
        let price = row.price.amount;
        usage::record(
            tx,
            &NewUsage {
                workspace: row.workspace,
                organization: None,
                service: Service::Evaluation,
                subject: SubjectId::of(row.id),
                credit_cost: paid.map_or(MicroUsd::ZERO, |paid| paid.free.checked_add(paid.credits).unwrap_or(price)),
                billable: price,
                finalized: price,
                input_tokens: 0,
                output_tokens: 0,
            },
        )?;
        crate::learners::mastery::follow(tx, row)?;
    }
    let fact = fact(row);
    record_for_workspace(tx, &row.workspace.to_string(), &fact).map(|_| ())
}

/// The event's documented fields (platform-api section 6).
fn fact(row: &EvaluationRow) -> PlatformFact {
    let mut fields = Map::new();
    let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    field("evaluationId", row.id.to_string().into());
    field("status", row.status.as_str().into());
    let event = match (&row.failure, row.score) {
        (Some(failure), _) => {
            if row.mode == Mode::Sync {
                field("evaluationType", row.evaluation_type.as_str().into());
            }
            field("error", failure.message.clone().into());
            PlatformEvent::EvaluationFailed
        }
        (None, score) => {
            let score = score.unwrap_or_default();
            field("evaluationType", row.evaluation_type.as_str().into());
            field("score", plain(score));
            field("maxScore", plain(row.max_score));
            field("normalizedScore", plain(hundredths(score / row.max_score * 100.0)));
            PlatformEvent::EvaluationCompleted
        }
    };
    PlatformFact { event, subject_id: row.id.to_string(), fields }
}

fn plain(number: f64) -> Value {
    kernel::json::plain_number(&number, serde_json::value::Serializer).unwrap_or_else(|_| json!(number))
}

/// What a failed reservation is answered with (decisions, "who pays").
pub(super) fn refusal(error: ledger::SpendError) -> Problem {
    match error {
        ledger::SpendError::Shortage(shortage) if shortage.never_had_credits => Problem::FreeCreditsExhausted,
        ledger::SpendError::Shortage(_) => Problem::InsufficientCredits,
        ledger::SpendError::Unknown => Problem::unexpected(error),
        ledger::SpendError::Store(error) => error.into(),
    }
}
