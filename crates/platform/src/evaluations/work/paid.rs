//! The end of an evaluation that a payment pays for: first the money, then the grade. The grade is kept while nobody knows whether the
//! money came, and shown to nobody.

use std::time::Duration;

use kernel::time::Timestamp;
use store::jobs::{ClaimedJob, LeaseError, Outcome};
use store::{StoreError, Tx, jobs, sql};
use x402::facilitator::Receipt;

use super::{GradeAnswer, Shared};
use crate::evaluations::Status;
use crate::evaluations::end::Ending;
use crate::evaluations::grade::Graded;
use crate::evaluations::row::{EvaluationRow, Failure};
use crate::payments::resolve::ResolvePayment;
use crate::payments::row::{PaymentRow, PaymentState};
use crate::payments::{Collected, Collection, PAYMENT_FAILED, PAYMENT_UNRESOLVED, X402, end};

/// The first wait for a settlement of unknown outcome. Each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A payment that is due because there is a grade.
pub(super) struct Due {
    pub(super) payment: Box<PaymentRow>,
    /// An earlier run may have sent it. A payment that its own request has stored as perhaps sent is not sent yet.
    pub(super) was_sent: bool,
    /// A worker of the queue has it settled; otherwise a task of the request that waits.
    pub(super) is_queued: bool,
}

/// Whether a payment that was not sent can't be settled any more: work on it would be for nothing.
pub(super) fn is_too_late(payment: &PaymentRow, now: Timestamp) -> bool {
    payment.state == PaymentState::Open && !payment.maybe_sent && now.as_seconds() >= payment.valid_before
}

impl Shared {
    /// Has the payment settled and ends the evaluation accordingly.
    pub(super) async fn collect(
        &self,
        claimed: &ClaimedJob,
        job: GradeAnswer,
        row: &EvaluationRow,
        due: Due,
        graded: Box<Graded>,
    ) -> Outcome {
        if due.payment.state == PaymentState::Settled {
            return self.end(claimed, row, Ending::Graded(graded)).await;
        }
        let collected = match &self.x402 {
            Some(x402) => match self.settle(x402, claimed, row, &due, &graded).await {
                Ok(collected) => collected,
                Err(outcome) => return outcome,
            },
            // The operator takes payments no more.
            None if due.payment.maybe_sent => Collected::Unresolved,
            None => Collected::unpaid("unsupported_scheme"),
        };
        match collected {
            Collected::Paid(receipt) => self.end_paid(claimed, row, *due.payment, receipt, graded).await,
            Collected::Unpaid { reason, look_again_at } => self.end_unpaid(claimed, row, reason, look_again_at).await,
            Collected::Unresolved => self.end_unresolved(claimed, row).await,
            Collected::Undecided { why, maybe_sent: true } => self.collect_later(claimed, job, row, &why, None).await,
            Collected::Undecided { why, maybe_sent: false } => {
                self.collect_later(claimed, job, row, &why, Some(*graded)).await
            }
        }
    }

    /// Asks the facilitator. While it keeps too many queued evaluations waiting, the next ones wait in the queue instead, so that the
    /// workers have time for other jobs.
    async fn settle(
        &self,
        x402: &X402,
        claimed: &ClaimedJob,
        row: &EvaluationRow,
        due: &Due,
        graded: &Graded,
    ) -> Result<Collected, Outcome> {
        let Due { payment, was_sent, is_queued } = due;
        let place = is_queued.then(|| x402.place());
        if matches!(place, Some(None)) {
            let why = "too many settlements wait for the facilitator".to_owned();
            return Ok(Collected::Undecided { why, maybe_sent: payment.maybe_sent });
        }
        if !payment.maybe_sent {
            self.note_sending(claimed, row, graded).await?;
        }
        let (was_sent, now) = (*was_sent, self.ambient.now());
        Ok(x402.collect(&Collection { payment, was_sent, now }).await)
    }

    /// Before the facilitator is asked: whoever comes after a crash must know that it may have been.
    async fn note_sending(&self, claimed: &ClaimedJob, row: &EvaluationRow, graded: &Graded) -> Result<(), Outcome> {
        let (lease, id, graded) = (claimed.lease.clone(), row.id, graded.clone());
        let noted = self.store.claim("evaluations.collect", move |tx| {
            lease.hold(tx)?;
            Ok::<_, LeaseError>(end::note_sending(tx, id, &graded)?)
        });
        match noted.await {
            Ok(true) => Ok(()),
            // Its learner was erased meanwhile.
            Ok(false) => Err(self.end(claimed, row, super::erased()).await),
            Err(LeaseError::Lost) => Err(Outcome::Settled),
            Err(LeaseError::Store(error)) => Err(self.after(claimed, &error)),
        }
    }

    /// The money is there: that is written whoever else has ended the evaluation meanwhile, and what came for no grade
    /// becomes credits.
    async fn end_paid(
        &self,
        claimed: &ClaimedJob,
        row: &EvaluationRow,
        payment: PaymentRow,
        receipt: Receipt,
        graded: Box<Graded>,
    ) -> Outcome {
        let (lease, row, told) = (claimed.lease.clone(), row.clone(), payment.receipt(&receipt));
        let written = self.store.claim("evaluations.end_paid", move |tx| {
            end::settle(tx, &payment, &receipt)?;
            let is_held = match lease.hold(tx) {
                Ok(()) => true,
                Err(LeaseError::Lost) => false,
                Err(LeaseError::Store(error)) => return Err(LeaseError::Store(error)),
            };
            let ended = match is_held {
                true => end_here(tx, &row, Ending::Graded(graded.clone()))?,
                false => None,
            };
            if !ended.as_ref().is_some_and(|ended| ended.status == Status::Completed) {
                end::credit_without_grade(tx, row.id)?;
            }
            if is_held {
                jobs::finish(tx, &lease)?;
            }
            Ok(ended)
        });
        let with_receipt = |row| EvaluationRow { receipt: Some(told), ..row };
        self.told(claimed, written.await.map(|ended| ended.map(with_receipt)))
    }

    /// There is no money and no grade. The idempotency key is free for a request that pays. The chain is asked later whether it agrees.
    pub(super) async fn end_unpaid(
        &self,
        claimed: &ClaimedJob,
        row: &EvaluationRow,
        reason: String,
        look_again_at: Option<Timestamp>,
    ) -> Outcome {
        let message = format!("The payment was not settled: {reason}. Nothing was paid.");
        let failure = Failure { code: PAYMENT_FAILED.to_owned(), message };
        let (lease, row) = (claimed.lease.clone(), row.clone());
        let written = self.store.claim("evaluations.end_unpaid", move |tx| {
            lease.hold(tx)?;
            end::refuse(tx, row.id, &reason)?;
            if let Some(at) = look_again_at {
                jobs::enqueue_at(tx, row.workspace, &ResolvePayment::new(row.id), at)?;
            }
            sql!("UPDATE evaluation SET idempotency_key = NULL WHERE id = {row.id}").execute(tx)?;
            let ended = end_here(tx, &row, failure.clone().into())?;
            jobs::finish(tx, &lease)?;
            Ok(ended)
        });
        self.told(claimed, written.await)
    }

    async fn end_unresolved(&self, claimed: &ClaimedJob, row: &EvaluationRow) -> Outcome {
        let message = "Nobody could find out whether the payment was settled. The operator of the service looks into it; a payment \
            that was made becomes credits."
            .to_owned();
        let failure = Failure { code: PAYMENT_UNRESOLVED.to_owned(), message };
        tracing::error!(evaluation = %row.id, "the outcome of an x402 payment is unknown: see `lectern x402 doctor`");
        let (lease, row) = (claimed.lease.clone(), row.clone());
        let written = self.store.claim("evaluations.end_unresolved", move |tx| {
            lease.hold(tx)?;
            end::leave_unresolved(tx, row.id)?;
            let ended = end_here(tx, &row, failure.clone().into())?;
            jobs::finish(tx, &lease)?;
            Ok(ended)
        });
        self.told(claimed, written.await)
    }

    /// Another run finds out more. Where nothing has reached the facilitator, `unsent` is the grade that is kept until then.
    async fn collect_later(
        &self,
        claimed: &ClaimedJob,
        job: GradeAnswer,
        row: &EvaluationRow,
        why: &str,
        unsent: Option<Graded>,
    ) -> Outcome {
        tracing::warn!(evaluation = %row.id, why, "an x402 payment is not settled yet");
        let (lease, id, why) = (claimed.lease.clone(), row.id, format!("the payment: {why}"));
        let doubled = FIRST_WAIT.saturating_mul(1 << claimed.attempt.saturating_sub(1).min(5));
        let at = self.ambient.now().plus(doubled.min(LONGEST_WAIT));
        let written = self.store.claim("evaluations.collect_later", move |tx| {
            if let Some(graded) = &unsent {
                end::note_unsent(tx, id, graded)?;
            }
            jobs::retry_with(tx, &lease, &job, at, &why)
        });
        match written.await {
            Ok(()) | Err(LeaseError::Lost) => Outcome::Settled,
            Err(LeaseError::Store(error)) => self.after(claimed, &error),
        }
    }

    /// Tells who waits for an evaluation how it ended.
    pub(super) fn told(&self, claimed: &ClaimedJob, written: Result<Option<EvaluationRow>, LeaseError>) -> Outcome {
        match written {
            Ok(Some(row)) => {
                self.waiters.tell(row);
                Outcome::Settled
            }
            Ok(None) | Err(LeaseError::Lost) => Outcome::Settled,
            Err(LeaseError::Store(error)) => self.after(claimed, &error),
        }
    }
}

/// Ends the evaluation so, or as erased where its learner was erased meanwhile.
pub(super) fn end_here(
    tx: &mut Tx<'_>,
    row: &EvaluationRow,
    ending: Ending,
) -> Result<Option<EvaluationRow>, StoreError> {
    match row.clone().ended(tx, ending).save(tx)? {
        Some(ended) => Ok(Some(ended)),
        None => super::end_erased(tx, row.id),
    }
}
