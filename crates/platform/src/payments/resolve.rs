//! The job that finds out what became of a payment whose evaluation ended while it may have been sent, or whose settlement the
//! facilitator refused. It never has it settled: there is no grade to pay for. What was paid nevertheless becomes credits.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::EvaluationId;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Job, LeaseError, Outcome};
use store::{Store, StoreError, Tx, jobs};
use x402::facilitator::Receipt;

use super::row::{PaymentRow, PaymentState};
use super::{Collected, Collection, X402, end};

/// The wait between two looks at the chain.
const WAIT: Duration = Duration::from_secs(60);

/// Finds out about the payment of one evaluation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolvePayment {
    evaluation_id: EvaluationId,
}

impl ResolvePayment {
    pub(crate) fn new(evaluation_id: EvaluationId) -> Self {
        Self { evaluation_id }
    }

    /// The operator has cancelled the job: an operator it is who finds out.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        end::leave_unresolved(tx, self.evaluation_id)
    }
}

/// What an operator has found out about a payment of unknown outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was settled, by this transaction: its amount becomes credits of the workspace.
    Settled {
        /// The transaction's hash.
        transaction: String,
    },
    /// It was not.
    NotSettled,
}

/// Writes down what an operator has found out; `false` where the payment for this evaluation is not of unknown outcome. One that
/// seemed refused may turn out to be settled.
///
/// # Errors
/// Any [`StoreError`].
pub fn resolve_by_hand(tx: &mut Tx<'_>, id: EvaluationId, finding: &Finding) -> Result<bool, StoreError> {
    let Some(payment) = PaymentRow::find(tx, id)? else { return Ok(false) };
    match (payment.state, finding) {
        (PaymentState::Unresolved, _) | (PaymentState::Refused, Finding::Settled { .. }) => {}
        _ => return Ok(false),
    }
    match finding {
        Finding::Settled { transaction } => {
            let network = payment.requirements["network"].as_str().unwrap_or_default().to_owned();
            let (transaction, payer) = (transaction.clone(), payment.payer.clone());
            end::settle(tx, &payment, &Receipt { transaction, payer, network })?;
            end::credit_without_grade(tx, id)?;
        }
        Finding::NotSettled => end::refuse(tx, id, "not_settled")?,
    }
    Ok(true)
}

/// Looks at the chain.
pub struct Resolver {
    store: Store,
    ambient: Ambient,
    x402: Option<X402>,
}

impl Resolver {
    pub(crate) fn new(store: Store, ambient: Ambient, x402: Option<X402>) -> Self {
        Self { store, ambient, x402 }
    }

    /// Who has no node, or takes no payments any more, learns nothing by waiting.
    async fn find_out(&self, payment: &PaymentRow) -> Collected {
        let now = self.ambient.now();
        match &self.x402 {
            Some(x402) => x402.decide(&Collection { payment, was_sent: true, now }, "unused".to_owned()).await,
            None => Collected::Unresolved,
        }
    }
}

impl Job for ResolvePayment {
    const KIND: &'static str = "ResolvePayment";
    type Context = Resolver;

    async fn run(&self, resolver: &Resolver, claimed: &ClaimedJob) -> Outcome {
        let id = self.evaluation_id;
        let found = resolver.store.read("payments.resolve", move |tx| PaymentRow::find(tx, id)).await;
        let retry = |why: String| Outcome::Retry { at: resolver.ambient.now().plus(WAIT), why };
        let payment = match found {
            Ok(Some(payment)) if matches!(payment.state, PaymentState::Open | PaymentState::Refused) => payment,
            Ok(_) => return Outcome::Done,
            Err(error) => return retry(error.to_string()),
        };
        let found = match resolver.find_out(&payment).await {
            Collected::Undecided { why, .. } => return retry(why),
            found => found,
        };
        if matches!(found, Collected::Paid(_)) && payment.state == PaymentState::Refused {
            tracing::warn!(evaluation = %id, "an x402 payment was settled that its facilitator had refused: it becomes credits");
        }
        let lease = claimed.lease.clone();
        let written = resolver.store.claim("payments.resolved", move |tx| {
            lease.hold(tx)?;
            match &found {
                Collected::Paid(receipt) => {
                    end::settle(tx, &payment, receipt)?;
                    end::credit_without_grade(tx, id)?;
                }
                Collected::Unpaid { reason, .. } => end::refuse(tx, id, reason)?,
                Collected::Unresolved | Collected::Undecided { .. } => end::leave_unresolved(tx, id)?,
            }
            jobs::finish(tx, &lease)
        });
        match written.await {
            Ok(()) | Err(LeaseError::Lost) => Outcome::Settled,
            Err(LeaseError::Store(error)) => retry(error.to_string()),
        }
    }

    /// However often its worker vanished: somebody may have paid.
    async fn gave_up(&self, resolver: &Resolver, claimed: &ClaimedJob) -> Outcome {
        self.run(resolver, claimed).await
    }
}
