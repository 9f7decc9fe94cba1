//! Usage that the processor bills: the transfers of the ledger that it pays for, reported to it.
//!
//! [`collect`] sums transfers of one tier and one hour in a row of `usage_report`, and moves the workspace's cursor in the same
//! transaction. [`claim`] leases due rows and fixes where they go; [`send`] makes the calls, with no transaction open;
//! [`outcome`] notes what became of them, under the lease. [`reporter`] is the loop.
//!
//! Each row has one identifier, which the processor takes once. So nothing is reported twice, wherever the process dies. After
//! [`claim::DEDUPLICATED`] the processor may forget an identifier: a row whose outcome nobody knows by then is left to the
//! operator ([`resolve`]).

pub(super) mod claim;
mod collect;
mod outcome;
pub mod reporter;
pub mod resolve;
pub(super) mod send;

use kernel::id::{UsageReportId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::Record;

pub use claim::lapse_all;
pub use reporter::Reporter;

/// A row of `usage_report`.
#[derive(Clone, Debug, Record)]
#[record(table = "usage_report")]
pub(super) struct UsageReport {
    /// Its id.
    #[column(key)]
    pub(super) id: UsageReportId,
    /// Whose usage it is.
    pub(super) workspace_id: WorkspaceId,
    /// The tier of all of its work.
    pub(super) tier: Tier,
    /// The first of its transfers.
    pub(super) first_sequence: i64,
    /// The last of its transfers; those between them may be of other reports.
    pub(super) last_sequence: i64,
    /// Pieces of work.
    pub(super) quantity: u64,
    /// Their price.
    #[column(name = "amount_micros")]
    pub(super) amount: MicroUsd,
    /// The time of the last transfer.
    pub(super) used_at: Timestamp,
    /// How far it is.
    pub(super) state: State,
    /// Where it goes, once that is fixed.
    pub(super) target_kind: Option<TargetKind>,
    /// The processor's customer, or the item of its subscription.
    pub(super) target_id: Option<String>,
    /// Attempts whose outcome was noted.
    pub(super) attempts: u32,
    /// Attempts that the processor has refused.
    pub(super) refusals: u32,
    /// When the next attempt is due, or the lease of this one ends.
    pub(super) next_attempt_at: Timestamp,
    /// Who attempts it now.
    pub(super) lease_token: Option<String>,
    /// Since when the processor may have it.
    pub(super) first_unanswered_at: Option<Timestamp>,
    /// Why the last attempt came to nothing.
    pub(super) last_error: Option<String>,
    /// When it was collected.
    pub(super) created_at: Timestamp,
    /// When the processor took it.
    pub(super) sent_at: Option<Timestamp>,
}

impl UsageReport {
    /// What tells it from every other one, at the processor too.
    pub(super) fn identifier(&self) -> String {
        let Self { workspace_id, tier, first_sequence, last_sequence, .. } = self;
        format!("{workspace_id}:{}:{first_sequence}-{last_sequence}", tier.as_str())
    }

    /// What tells a repeated attempt from a new one. A refusal is over: the next attempt may say something else.
    fn idempotency_key(&self) -> String {
        format!("{}:{}", self.identifier(), self.refusals)
    }
}

/// What work was done by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub(super) enum Tier {
    /// `fast`.
    Fast,
    /// `standard`.
    Standard,
    /// `advanced`.
    Advanced,
    /// Work without a tier.
    Other,
}

/// How far a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub(super) enum State {
    /// It is to be sent.
    Due,
    /// The processor has it.
    Sent,
    /// The processor may have it, and may have forgotten its identifier: the operator decides.
    Uncertain,
}

/// What usage is reported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub(super) enum TargetKind {
    /// A meter, for a customer.
    Meter,
    /// An item of a subscription.
    Item,
}

#[cfg(test)]
pub(super) mod tests;
