//! Moves what connections have added by themselves to the sums that are kept for good.
//!
//! A part is moved whole and in one transaction, so no sum changes by it: it only takes fewer rows to read.

use std::collections::BTreeMap;

use kernel::id::WorkspaceId;
use kernel::time::Day;
use store::{Group as _, Record, Store, StoreError, Tx, sql};

use super::statistics::Sums;

/// Parts that one transaction moves at most.
pub const PAGE: i64 = 500;

/// A part, and what it holds.
#[derive(Record)]
struct Part {
    workspace: WorkspaceId,
    day: Day,
    service: String,
    shard: String,
    #[column(group)]
    sums: Sums,
}

/// Moves all parts, in short transactions. For maintenance, every few minutes: what connections have added meanwhile is
/// what statistics of all workspaces read on top of the sums.
///
/// # Errors
/// Any [`StoreError`].
pub async fn roll_up_all(store: &Store) -> Result<(), StoreError> {
    while store.claim("usage.roll_up", roll_up).await? == PAGE {}
    Ok(())
}

/// Moves up to [`PAGE`] parts and says how many. It runs by `Store::claim`; parts that are being written to are left for
/// the next time.
///
/// # Errors
/// Any [`StoreError`].
pub fn roll_up(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    let parts = sql!(
        "SELECT workspace_id, day, service, shard, {Sums::*} FROM usage_day
         WHERE shard <> '' ORDER BY day LIMIT {PAGE} FOR UPDATE SKIP LOCKED"
    )
    .query(tx, |row| Part::read_at(row, 0))?;
    let mut days: BTreeMap<(WorkspaceId, Day, &str), Sums> = BTreeMap::new();
    let mut service_days: BTreeMap<(Day, &str), Sums> = BTreeMap::new();
    let mut totals: BTreeMap<WorkspaceId, Sums> = BTreeMap::new();
    for Part { workspace, day, service, shard, sums } in &parts {
        tx.execute_later(
            "DELETE FROM usage_day WHERE workspace_id = $1 AND day = $2 AND service = $3 AND shard = $4",
            &[workspace, day, service, shard],
        )?;
        days.entry((*workspace, *day, service)).or_default().add(sums)?;
        service_days.entry((*day, service)).or_default().add(sums)?;
        totals.entry(*workspace).or_default().add(sums)?;
    }
    // In the order of their keys: two of this kind at once then wait for each other and never in a ring.
    days.iter().try_for_each(|((workspace, day, service), sums)| add_day(tx, *workspace, *day, service, sums))?;
    service_days.iter().try_for_each(|((day, service), sums)| add_service_day(tx, *day, service, sums))?;
    totals.iter().try_for_each(|(workspace, sums)| add_total(tx, *workspace, sums))?;
    Ok(parts.len() as i64)
}

/// The end of an `INSERT INTO … AS kept` that adds to the row where there is one.
const ADD: &str = "DO UPDATE SET
    requests = kept.requests + excluded.requests,
    credit_cost_micros = kept.credit_cost_micros + excluded.credit_cost_micros,
    billable_micros = kept.billable_micros + excluded.billable_micros,
    finalized_micros = kept.finalized_micros + excluded.finalized_micros,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens";

fn add_day(tx: &mut Tx<'_>, workspace: WorkspaceId, day: Day, service: &str, sums: &Sums) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO usage_day AS kept (workspace_id, day, service, shard, {Sums::*})
         VALUES ({workspace}, {day}, {service}, '', {sums.requests}, {sums.credit_cost}, {sums.billable},
            {sums.finalized}, {sums.input_tokens}, {sums.output_tokens})
         ON CONFLICT (workspace_id, day, service, shard) {const ADD}"
    )
    .execute_later(tx)
}

fn add_service_day(tx: &mut Tx<'_>, day: Day, service: &str, sums: &Sums) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO usage_service_day AS kept (day, service, {Sums::*})
         VALUES ({day}, {service}, {sums.requests}, {sums.credit_cost}, {sums.billable}, {sums.finalized},
            {sums.input_tokens}, {sums.output_tokens})
         ON CONFLICT (day, service) {const ADD}"
    )
    .execute_later(tx)
}

fn add_total(tx: &mut Tx<'_>, workspace: WorkspaceId, sums: &Sums) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO usage_total AS kept (workspace_id, {Sums::*})
         VALUES ({workspace}, {sums.requests}, {sums.credit_cost}, {sums.billable}, {sums.finalized},
            {sums.input_tokens}, {sums.output_tokens})
         ON CONFLICT (workspace_id) {const ADD}"
    )
    .execute_later(tx)
}
