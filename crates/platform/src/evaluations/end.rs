//! Writes how an evaluation ended: its grade or failure, what was paid, what was used, what the learner now masters, and
//! the event, all in the caller's transaction. What a person says afterwards is written by [`super::reviews`].

use billing::ledger::{self, EndError, Funding, Reservation};
use billing::usage::{self, NewUsage, Service};
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::id::SubjectId;
use kernel::money::MicroUsd;
use serde_json::{Map, Value, json};
use store::{StoreError, Tx, sql};

use super::grade::{Graded, hundredths};
use super::index;
use super::records::KeptRecord;
use super::row::{EvaluationRow, Failure};
use super::{Mode, Status};
use crate::learners::mastery;
use crate::lti::sync;
use crate::{payments, submissions};

/// How it ended.
#[derive(Clone, Debug)]
pub(super) enum Ending {
    Graded(Box<Graded>),
    /// With what came of asking for a grade, where anybody was asked.
    Failed(Failure, Option<Box<KeptRecord>>),
}

impl From<Failure> for Ending {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure, None)
    }
}

/// An evaluation that ends in this transaction.
pub(super) struct Ended(EvaluationRow);

impl EvaluationRow {
    /// The row as it is when it has ended so.
    pub(super) fn ended(mut self, tx: &Tx<'_>, ending: Ending) -> Ended {
        self.completed_at = Some(tx.now());
        match ending {
            Ending::Graded(graded) => {
                self.status = Status::Completed;
                (self.score, self.confidence) = (Some(graded.score), Some(graded.confidence));
                self.feedback = Some(graded.feedback);
                self.graded_by = Some(graded.record.graded_by());
                self.record = Some(graded.record);
            }
            Ending::Failed(failure, asked) => {
                self.status = Status::Failed;
                self.failure = Some(failure);
                self.record = asked.map(|asked| *asked);
            }
        }
        Ended(self)
    }
}

impl Ended {
    /// Adds the row of what ends as it begins, and tells it.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn insert(self, tx: &mut Tx<'_>, paid: Option<&Reservation>) -> Result<EvaluationRow, StoreError> {
        self.0.add(tx)?;
        self.tell(tx, paid)?;
        Ok(self.0)
    }

    /// Writes the row over the one that was running, pays for it or gives its price back, and tells it. `None`, and nothing is
    /// written, where it has ended before or its learner was erased meanwhile: the row at hand is not the row that there is.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn save(self, tx: &mut Tx<'_>) -> Result<Option<EvaluationRow>, StoreError> {
        let row = &self.0;
        let (feedback, record) = (store::Value::json(&row.feedback)?, store::Value::json(&row.record)?);
        let (code, message) = row.failure.as_ref().map(|failure| (&failure.code, &failure.message)).unzip();
        let is_asked = row.asked.is_some();
        let updated = sql!(
            "UPDATE evaluation SET status = {row.status}, score = {row.score}, confidence = {row.confidence},
                feedback = {feedback}, error_code = {code}, error_message = {message}, completed_at = {row.completed_at},
                graded_by = {row.graded_by}, record = {record}
             WHERE id = {row.id} AND status IN ('PENDING', 'PROCESSING')
                AND CAST(CASE WHEN request <> 'null' THEN 1 ELSE 0 END AS BIGINT) = {is_asked}"
        )
        .execute(tx)?;
        if updated == 0 {
            return Ok(None);
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
        if row.status == Status::Failed && reservation.funding == Funding::X402 {
            payments::end::give_up(tx, row)?;
        }
        self.tell(tx, Some(&reservation))?;
        Ok(Some(self.0))
    }

    /// Counts what was graded, lets the learner's mastery follow, and announces it.
    fn tell(&self, tx: &mut Tx<'_>, paid: Option<&Reservation>) -> Result<(), StoreError> {
        let row = &self.0;
        if row.status == Status::Completed {
            let price = row.price.amount;
            let tokens = row.record.as_ref().map(KeptRecord::tokens).unwrap_or_default();
            usage::record(
                tx,
                &NewUsage {
                    workspace: row.workspace,
                    organization: None,
                    service: Service::Evaluation,
                    subject: SubjectId::of(row.id),
                    credit_cost: paid
                        .map_or(MicroUsd::ZERO, |paid| paid.free.checked_add(paid.credits).unwrap_or(price)),
                    billable: price,
                    finalized: price,
                    input_tokens: u32::try_from(tokens.input_tokens).unwrap_or(u32::MAX),
                    output_tokens: u32::try_from(tokens.output_tokens).unwrap_or(u32::MAX),
                },
            )?;
            mastery::follow(tx, row)?;
            index::open_review(tx, row)?;
        }
        announce(tx, row)
    }
}

/// Tells the systems around this one how an evaluation stands. Every grade passes here, the first one and each that a
/// person gives later: what follows grades hangs here.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn announce(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    record_for_workspace(tx, &row.workspace.to_string(), &fact(row))?;
    sync::follow(tx, row)?;
    submissions::follow(tx, row)
}

/// The event's documented fields (platform-api section 6), the question, and whether a person should look. Of a review there is the
/// version, too: receivers see by it that this is no duplicate, and which of two that arrive in another order counts.
fn fact(row: &EvaluationRow) -> PlatformFact {
    let mut fields = Map::new();
    let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    field("evaluationId", row.id.to_string().into());
    field("questionId", json!(row.question));
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
            if row.version > 1 {
                field("version", row.version.into());
            }
            PlatformEvent::EvaluationCompleted
        }
    };
    field("needsReview", (!row.review_reasons().is_empty()).into());
    field("reviewReasons", json!(row.review_reasons()));
    PlatformFact { event, subject_id: row.id.to_string(), fields }
}

fn plain(number: f64) -> Value {
    kernel::json::plain_number(&number, serde_json::value::Serializer).unwrap_or_else(|_| json!(number))
}
