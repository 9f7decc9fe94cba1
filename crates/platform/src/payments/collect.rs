//! Has a payment settled, and finds out whether it was where nobody says so.

use std::time::Duration;

use kernel::time::Timestamp;
use x402::Fault;
use x402::facilitator::{Receipt, Settlement};

use super::facilitator::Settled;
use super::node::Standing;
use super::row::PaymentRow;
use super::{NONCE_USED, X402};

/// A transfer may still be mined so long after its time is over, for clocks differ and blocks are late.
const GRACE: Duration = Duration::from_secs(120);
/// Longer than that after a payment was stored, nobody is asked about it, however long it may hold.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// A payment to be settled.
pub(crate) struct Collection<'a> {
    pub(crate) payment: &'a PaymentRow,
    /// The facilitator was asked before, and may have settled it.
    pub(crate) was_sent: bool,
    pub(crate) now: Timestamp,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// The money is there.
    Paid(Receipt),
    /// It is not, in the protocol's word for why.
    Unpaid {
        reason: String,
        /// Only the facilitator says so: when to ask the chain, where a node is configured.
        look_again_at: Option<Timestamp>,
    },
    /// Nobody knows yet. `maybe_sent` says whether the facilitator may have been asked.
    Undecided { why: String, maybe_sent: bool },
    /// Nobody will ever say.
    Unresolved,
}

impl X402 {
    /// Has a payment settled. Asking twice for the same one moves the money once: its authorization can be used once.
    pub(crate) async fn collect(&self, collection: &Collection<'_>) -> Collected {
        let payment = collection.payment;
        let is_over = collection.is_over();
        if collection.was_sent && (is_over || collection.is_old()) {
            return self.decide(collection, "its time is over".to_owned()).await;
        }
        if is_over {
            return Collected::unpaid(Fault::Expired.reason());
        }
        match self.0.facilitator.settle(&payment.payload.0, &payment.requirements).await {
            Settled::Said(Settlement::Settled(receipt)) => Collected::Paid(receipt),
            Settled::Said(Settlement::Refused(reason)) if !collection.was_sent => {
                let look_again_at = self.0.node.as_ref().map(|_| collection.look_again_at());
                Collected::Unpaid { reason, look_again_at }
            }
            Settled::Said(Settlement::Refused(reason)) => self.decide(collection, reason).await,
            Settled::Said(Settlement::Doubtful(reason)) => self.decide(collection, reason).await,
            Settled::NotSent(why) if !collection.was_sent => {
                Collected::Undecided { why: why.to_owned(), maybe_sent: false }
            }
            Settled::NotSent(why) => self.decide(collection, why.to_owned()).await,
            Settled::Unknown(why) => self.decide(collection, why).await,
        }
    }

    /// What the chain says of a payment that may have been sent, or time.
    pub(super) async fn decide(&self, collection: &Collection<'_>, why: String) -> Collected {
        match self.stand(collection).await {
            Some(Standing::Paid(receipt)) => Collected::Paid(receipt),
            Some(Standing::Spent) => Collected::unpaid(NONCE_USED),
            Some(Standing::Unused { as_of })
                if i64::try_from(as_of).is_ok_and(|as_of| as_of > collection.payment.valid_before) =>
            {
                Collected::unpaid(Fault::Expired.reason())
            }
            None if collection.is_over() => Collected::Unresolved,
            _ if collection.is_old() => Collected::Unresolved,
            Some(Standing::Unused { .. } | Standing::Unknown) | None => Collected::Undecided { why, maybe_sent: true },
        }
    }

    async fn stand(&self, collection: &Collection<'_>) -> Option<Standing> {
        let payment = collection.payment;
        // A payment of another chain or token is of an earlier configuration: this node knows nothing of it.
        let node = self.0.node.as_ref().filter(|_| {
            i64::try_from(self.0.network.chain_id) == Ok(payment.chain_id)
                && self.0.token.address.to_string() == payment.asset
        })?;
        let age = collection.now.duration_since(payment.created_at);
        Some(node.look_up(&self.0.network, &self.0.token, &payment.payload.0, age).await)
    }
}

impl Collected {
    /// The money is not there and will not come.
    pub(crate) fn unpaid(reason: &str) -> Self {
        Self::Unpaid { reason: reason.to_owned(), look_again_at: None }
    }
}

impl Collection<'_> {
    /// When the chain knows for good whether the payment was settled: no block can settle it any more.
    fn look_again_at(&self) -> Timestamp {
        let over = Timestamp::from_millis(self.payment.valid_before.saturating_mul(1000)).plus(GRACE);
        over.min(self.payment.created_at.plus(PATIENCE)).max(self.now)
    }

    fn is_over(&self) -> bool {
        let grace = i64::try_from(GRACE.as_secs()).unwrap_or(i64::MAX);
        self.now.as_seconds() > self.payment.valid_before.saturating_add(grace)
    }

    /// A payment may say that it holds for ever.
    fn is_old(&self) -> bool {
        self.now.duration_since(self.payment.created_at) > PATIENCE
    }
}
