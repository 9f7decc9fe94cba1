//! Moves what connections have added by themselves to the sums that are kept for good.
//!
//! A part is moved whole and in one transaction, so no sum changes by it: it only takes fewer rows to read.

use std::collections::BTreeMap;

use kernel::id::WorkspaceId;
use kernel::time::Day;
use store::{Store, StoreError, Tx};

use super::statistics::Sums;

/// Parts that one transaction moves at most.
pub const PAGE: i64 = 500;

/// A part, and what it holds.
struct Part {
    workspace: WorkspaceId,
    day: Day,
    service: String,
    shard: String,
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
    let parts = tx.query(
        "SELECT requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens, output_tokens,
            workspace_id, day, service, shard
         FROM usage_day WHERE shard <> '' ORDER BY day LIMIT $1 FOR UPDATE SKIP LOCKED",
        &[&PAGE],
        |row| {
            Ok(Part {
                sums: Sums::from_row(row)?,
                workspace: row.get(6)?,
                day: row.get(7)?,
                service: row.get(8)?,
                shard: row.get(9)?,
            })
        },
    )?;
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

fn add_day(tx: &mut Tx<'_>, workspace: WorkspaceId, day: Day, service: &str, sums: &Sums) -> Result<(), StoreError> {
    let Sums { requests, credit_cost, billable, finalized, input_tokens, output_tokens } = sums;
    tx.execute_later(
        "INSERT INTO usage_day (workspace_id, day, service, shard, requests, credit_cost_micros, billable_micros,
            finalized_micros, input_tokens, output_tokens)
         VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8, $9)
         ON CONFLICT (workspace_id, day, service, shard) DO UPDATE SET
            requests = usage_day.requests + excluded.requests,
            credit_cost_micros = usage_day.credit_cost_micros + excluded.credit_cost_micros,
            billable_micros = usage_day.billable_micros + excluded.billable_micros,
            finalized_micros = usage_day.finalized_micros + excluded.finalized_micros,
            input_tokens = usage_day.input_tokens + excluded.input_tokens,
            output_tokens = usage_day.output_tokens + excluded.output_tokens",
        &[&workspace, &day, &service, requests, credit_cost, billable, finalized, input_tokens, output_tokens],
    )
}

fn add_service_day(tx: &mut Tx<'_>, day: Day, service: &str, sums: &Sums) -> Result<(), StoreError> {
    let Sums { requests, credit_cost, billable, finalized, input_tokens, output_tokens } = sums;
    tx.execute_later(
        "INSERT INTO usage_service_day (day, service, requests, credit_cost_micros, billable_micros, finalized_micros,
            input_tokens, output_tokens)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (day, service) DO UPDATE SET
            requests = usage_service_day.requests + excluded.requests,
            credit_cost_micros = usage_service_day.credit_cost_micros + excluded.credit_cost_micros,
            billable_micros = usage_service_day.billable_micros + excluded.billable_micros,
            finalized_micros = usage_service_day.finalized_micros + excluded.finalized_micros,
            input_tokens = usage_service_day.input_tokens + excluded.input_tokens,
            output_tokens = usage_service_day.output_tokens + excluded.output_tokens",
        &[&day, &service, requests, credit_cost, billable, finalized, input_tokens, output_tokens],
    )
}

fn add_total(tx: &mut Tx<'_>, workspace: WorkspaceId, sums: &Sums) -> Result<(), StoreError> {
    let Sums { requests, credit_cost, billable, finalized, input_tokens, output_tokens } = sums;
    tx.execute_later(
        "INSERT INTO usage_total (workspace_id, requests, credit_cost_micros, billable_micros, finalized_micros,
            input_tokens, output_tokens)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (workspace_id) DO UPDATE SET
            requests = usage_total.requests + excluded.requests,
            credit_cost_micros = usage_total.credit_cost_micros + excluded.credit_cost_micros,
            billable_micros = usage_total.billable_micros + excluded.billable_micros,
            finalized_micros = usage_total.finalized_micros + excluded.finalized_micros,
            input_tokens = usage_total.input_tokens + excluded.input_tokens,
            output_tokens = usage_total.output_tokens + excluded.output_tokens",
        &[&workspace, requests, credit_cost, billable, finalized, input_tokens, output_tokens],
    )
}
