//! Takes due reports for an attempt, and fixes where they go.
//!
//! From here on the processor may have a report: that is written before it is sent, and taken back when the processor is known
//! not to have it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::id::WorkspaceId;
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx, sql};

use super::{TargetKind, Tier, UsageReport};

/// How long processors tell a repeated report from a new one: a day. An attempt has to end before.
pub(in crate::billing) const DEDUPLICATED: Duration = Duration::from_secs(23 * 3600);
/// How long an attempt may take, its outcome noted.
const LEASE: Duration = Duration::from_secs(60);
/// When a workspace that the processor does not know is looked at again.
const WITHOUT_TARGET: Duration = Duration::from_secs(600);
const NO_TARGET: &str = "the workspace has no customer at the processor";

/// A report that is ours until the lease ends.
#[derive(Clone, Debug)]
pub(super) struct ClaimedReport {
    pub(super) report: UsageReport,
    pub(super) token: Arc<str>,
    pub(super) target: Target,
    /// When it was claimed.
    pub(super) at: Timestamp,
}

/// Where a report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) kind: TargetKind,
    pub(super) id: String,
}

/// Where a workspace's usage goes.
#[derive(Record)]
struct Targets {
    id: WorkspaceId,
    processor_customer_id: Option<String>,
    processor_subscription_item_id_fast: Option<String>,
    processor_subscription_item_id_standard: Option<String>,
    processor_subscription_item_id_advanced: Option<String>,
}

impl Targets {
    /// The item of the tier where there is one, else the customer's meter.
    fn of(&self, tier: Tier) -> Option<Target> {
        let item = match tier {
            Tier::Fast => &self.processor_subscription_item_id_fast,
            Tier::Standard => &self.processor_subscription_item_id_standard,
            Tier::Advanced => &self.processor_subscription_item_id_advanced,
            Tier::Other => &None,
        };
        match (item, &self.processor_customer_id) {
            (Some(item), _) => Some(Target { kind: TargetKind::Item, id: item.clone() }),
            (None, Some(customer)) => Some(Target { kind: TargetKind::Meter, id: customer.clone() }),
            (None, None) => None,
        }
    }
}

/// Leases up to so many due reports.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn claim(tx: &mut Tx<'_>, token: &Arc<str>, limit: usize) -> Result<Vec<ClaimedReport>, StoreError> {
    let now = tx.now();
    set_aside(tx, now)?;
    let (limit, until) = (i64::try_from(limit).unwrap_or(i64::MAX), now.plus(LEASE));
    let reports = sql!(
        "WITH due AS MATERIALIZED (
             SELECT id FROM usage_report WHERE state = 'due' AND next_attempt_at <= {now}
             ORDER BY next_attempt_at, id LIMIT {limit} FOR UPDATE SKIP LOCKED
         )
         UPDATE usage_report SET lease_token = {token}, next_attempt_at = {until},
            first_unanswered_at = coalesce(first_unanswered_at, {now})
         WHERE id IN (SELECT id FROM due) RETURNING {UsageReport::*}"
    )
    .query(tx, UsageReport::from_row)?;
    let targets = targets(tx, &reports)?;
    let mut claimed = Vec::with_capacity(reports.len());
    for report in reports {
        let fixed = report.target_kind.zip(report.target_id.clone()).map(|(kind, id)| Target { kind, id });
        let target = fixed.or_else(|| targets.get(&report.workspace_id)?.of(report.tier));
        match target {
            Some(target) => {
                fix(tx, &report, &target)?;
                claimed.push(ClaimedReport { report, token: token.clone(), target, at: now });
            }
            None => put_off(tx, &report, now)?,
        }
    }
    Ok(claimed)
}

/// Leaves to the operator what the processor may have and may have forgotten.
fn set_aside(tx: &mut Tx<'_>, now: Timestamp) -> Result<(), StoreError> {
    let before = now.minus(DEDUPLICATED);
    let aside = sql!(
        "UPDATE usage_report SET state = 'uncertain', lease_token = NULL
         WHERE state = 'due' AND next_attempt_at <= {now} AND first_unanswered_at <= {before}"
    )
    .execute(tx)?;
    if aside > 0 {
        tracing::error!(
            reports = aside,
            "nobody knows whether the payment processor has some usage: see lectern processor reconcile"
        );
    }
    Ok(())
}

fn targets(tx: &mut Tx<'_>, reports: &[UsageReport]) -> Result<HashMap<WorkspaceId, Targets>, StoreError> {
    let mut workspaces: Vec<_> =
        reports.iter().filter(|report| report.target_id.is_none()).map(|report| report.workspace_id).collect();
    workspaces.sort_unstable();
    workspaces.dedup();
    let found = tx.query_each(
        &workspaces,
        |workspace| {
            sql!(
                "SELECT id, processor_customer_id, processor_subscription_item_id_fast,
                    processor_subscription_item_id_standard, processor_subscription_item_id_advanced
                 FROM workspace WHERE id = {*workspace}"
            )
        },
        |row| Targets::read_at(row, 0),
    )?;
    Ok(found.into_iter().map(|targets| (targets.id, targets)).collect())
}

fn fix(tx: &mut Tx<'_>, report: &UsageReport, target: &Target) -> Result<(), StoreError> {
    if report.target_id.is_some() {
        return Ok(());
    }
    let Target { kind, id } = target;
    sql!("UPDATE usage_report SET target_kind = {*kind}, target_id = {id} WHERE id = {report.id}").execute_later(tx)
}

fn put_off(tx: &mut Tx<'_>, report: &UsageReport, now: Timestamp) -> Result<(), StoreError> {
    let again = now.plus(WITHOUT_TARGET);
    sql!(
        "UPDATE usage_report SET lease_token = NULL, next_attempt_at = {again}, first_unanswered_at = NULL,
            last_error = {NO_TARGET}
         WHERE id = {report.id}"
    )
    .execute_later(tx)
}

/// Lets every lease lapse at once: for a process that knows that the holders are gone, such as the only one of an embedded
/// database when it starts.
///
/// # Errors
/// Any [`StoreError`].
pub fn lapse_all(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE usage_report SET next_attempt_at = {now}
         WHERE state = 'due' AND lease_token IS NOT NULL AND next_attempt_at > {now}"
    )
    .execute_later(tx)
}
