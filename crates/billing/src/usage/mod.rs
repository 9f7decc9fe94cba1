//! What was done for whom: one row a piece of work, and sums by day that statistics read instead.
//!
//! The database itself adds each new row to `usage_day`, in the same transaction, into a part that is the writing connection's
//! own. [`roll_up`] moves those parts together and on to the sums over all workspaces and over all days, so
//! that [`statistics`] read few rows however much there is. A read adds both halves, so it is exact at any time,
//! whenever maintenance last ran. Rows are never changed or removed.

mod roll_up;
pub mod statistics;

use kernel::id::{OrganizationId, SubjectId, UsageId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{StoreError, Tx, sql};

pub use roll_up::{PAGE, roll_up, roll_up_all};

/// What kind of work was done, as the statistics name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, store::Words)]
pub enum Service {
    /// An answer was graded.
    Evaluation,
    /// A module was generated.
    Module,
    /// A course was generated.
    Course,
    /// A video was generated.
    Video,
    /// A slide was generated.
    Slide,
    /// A test was generated.
    Test,
}

/// A piece of work that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewUsage {
    /// For whom.
    pub workspace: WorkspaceId,
    /// The content-side organization, where it was done for one.
    pub organization: Option<OrganizationId>,
    /// What kind.
    pub service: Service,
    /// The evaluation or the resource.
    pub subject: SubjectId,
    /// What it cost the workspace's balance.
    pub credit_cost: MicroUsd,
    /// Its price.
    pub billable: MicroUsd,
    /// What of the price was settled.
    pub finalized: MicroUsd,
    /// Tokens that a model read.
    pub input_tokens: u32,
    /// Tokens that a model wrote.
    pub output_tokens: u32,
}

/// Records work of this instant.
///
/// # Errors
/// Any [`StoreError`].
pub fn record(tx: &mut Tx<'_>, usage: &NewUsage) -> Result<(), StoreError> {
    let id: UsageId = tx.ambient().id();
    let now = tx.now();
    sql!(
        "INSERT INTO usage (id, workspace_id, organization_id, service, subject_id, credit_cost_micros, billable_micros,
            finalized_micros, input_tokens, output_tokens, occurred_at)
         VALUES ({id}, {usage.workspace}, {usage.organization}, {usage.service}, {usage.subject}, {usage.credit_cost},
            {usage.billable}, {usage.finalized}, {usage.input_tokens}, {usage.output_tokens}, {now})"
    )
    .execute_later(tx)
}
