//! Transfers become reports.
//!
//! Transfers never change and have their numbers in the order of their commits, so they are summed outside of the transaction
//! that writes the sums: it only makes sure that nobody else has moved the cursor.

use std::collections::HashMap;

use billing::ledger::{self, Metered};
use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record as _, Store, StoreError, Tx, sql};

use super::{State, Tier, UsageReport};

/// Transfers that are summed at once.
const CHUNK: u32 = 10_000;
/// Workspaces that one read looks at.
const SCANNED: u32 = 500;
const HOUR_MILLIS: i64 = 3_600_000;

/// Collects everything that is not yet; how many reports that made.
///
/// # Errors
/// Any [`StoreError`]. What was collected before stays.
pub(super) async fn collect_all(store: &Store) -> Result<usize, StoreError> {
    let (mut after, mut made) = (None, 0);
    loop {
        let found = store.read("usage.scan", move |tx| scan(tx, after)).await?;
        let Some((last, ..)) = found.last() else { return Ok(made) };
        after = Some(*last);
        for (workspace, newest, mut collected_to) in found {
            while collected_to < newest {
                let Some((to, reports)) = collect(store, workspace, collected_to).await? else { break };
                (collected_to, made) = (to, made + reports);
            }
        }
    }
}

/// A page of workspaces, each with its newest transfer and its cursor.
fn scan(tx: &mut Tx<'_>, after: Option<WorkspaceId>) -> Result<Vec<(WorkspaceId, i64, i64)>, StoreError> {
    let found = ledger::list_metered_workspaces(tx, after, SCANNED)?;
    let cursors = tx.query_each(
        &found,
        |(workspace, _)| {
            sql!("SELECT workspace_id, collected_to FROM processor_account WHERE workspace_id = {*workspace}")
        },
        |row| Ok((row.get::<WorkspaceId>(0)?, row.get::<i64>(1)?)),
    )?;
    let cursors: HashMap<_, _> = cursors.into_iter().collect();
    let with_cursor = |(workspace, newest)| (workspace, newest, cursors.get(&workspace).copied().unwrap_or(0));
    Ok(found.into_iter().map(with_cursor).collect())
}

/// Collects the next chunk of a workspace: the cursor and the number of reports. `None` where somebody else did.
async fn collect(store: &Store, workspace: WorkspaceId, from: i64) -> Result<Option<(i64, usize)>, StoreError> {
    let transfers = store.read("usage.load", move |tx| load(tx, workspace, from)).await?;
    let Some(to) = transfers.last().map(|(transfer, _)| transfer.sequence) else { return Ok(None) };
    let sums = sum(&transfers);
    let reports = sums.len();
    let write = move |tx: &mut Tx<'_>| write(tx, workspace, (from, to), &sums);
    let is_written = store.claim("usage.collect", write).await?;
    Ok(is_written.then_some((to, reports)))
}

fn load(tx: &mut Tx<'_>, workspace: WorkspaceId, after: i64) -> Result<Vec<(Metered, Tier)>, StoreError> {
    let transfers = ledger::list_metered(tx, workspace, after, CHUNK)?;
    let tiers = tx.query_each(
        &transfers,
        |transfer| sql!("SELECT id, tier FROM evaluation WHERE id = {transfer.subject_id}"),
        |row| Ok((row.get::<SubjectId>(0)?, row.get::<String>(1)?)),
    )?;
    let tiers: HashMap<_, _> = tiers.into_iter().collect();
    let tier = |transfer: &Metered| {
        tiers.get(&transfer.subject_id).and_then(|word| Tier::from_word(word)).unwrap_or(Tier::Other)
    };
    Ok(transfers.into_iter().map(|transfer| (transfer, tier(&transfer))).collect())
}

/// Transfers of one tier and one hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    tier: Tier,
    first: i64,
    last: i64,
    quantity: u64,
    amount: MicroUsd,
    used_at: Timestamp,
}

/// Sums transfers by tier and hour. A billing period that ends with an hour has all of its own usage and nobody else's.
fn sum(transfers: &[(Metered, Tier)]) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::new();
    let mut open: HashMap<(Tier, i64), usize> = HashMap::new();
    for (transfer, tier) in transfers {
        let key = (*tier, transfer.created_at.as_millis().div_euclid(HOUR_MILLIS));
        let earlier = open.get(&key).map(|at| &mut sums[*at]);
        // A sum that is too large for an amount is two.
        let total = earlier.and_then(|sum| Some((sum.amount.checked_add(transfer.amount)?, sum)));
        if let Some((amount, sum)) = total {
            (sum.amount, sum.last, sum.quantity) = (amount, transfer.sequence, sum.quantity + 1);
            sum.used_at = sum.used_at.max(transfer.created_at);
        } else {
            open.insert(key, sums.len());
            let Metered { sequence, amount, created_at, .. } = *transfer;
            sums.push(Sum { tier: *tier, first: sequence, last: sequence, quantity: 1, amount, used_at: created_at });
        }
    }
    sums
}

/// Moves the cursor and writes the sums, unless somebody else has moved it.
fn write(tx: &mut Tx<'_>, workspace: WorkspaceId, (from, to): (i64, i64), sums: &[Sum]) -> Result<bool, StoreError> {
    let now = tx.now();
    sql!(
        "INSERT INTO processor_account (workspace_id, turns, collected_to) VALUES ({workspace}, 0, 0)
         ON CONFLICT (workspace_id) DO NOTHING"
    )
    .execute(tx)?;
    let moved = sql!(
        "UPDATE processor_account SET collected_to = {to} WHERE workspace_id = {workspace} AND collected_to = {from}"
    )
    .execute(tx)?;
    if moved == 0 {
        return Ok(false);
    }
    for sum in sums {
        let report = UsageReport {
            id: tx.ambient().id(),
            workspace_id: workspace,
            tier: sum.tier,
            first_sequence: sum.first,
            last_sequence: sum.last,
            quantity: sum.quantity,
            amount: sum.amount,
            used_at: sum.used_at,
            state: State::Due,
            target_kind: None,
            target_id: None,
            attempts: 0,
            refusals: 0,
            next_attempt_at: now,
            lease_token: None,
            first_unanswered_at: None,
            last_error: None,
            created_at: now,
            sent_at: None,
        };
        report.insert(tx)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;

    use super::*;

    #[test]
    fn transfers_are_summed_by_tier_and_hour_and_no_amount_overflows() {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let transfer = |sequence: i64, tier: Tier, micros: i64, millis: i64| {
            let amount = MicroUsd::from_micros(micros).unwrap();
            let created_at = Timestamp::from_millis(millis);
            (Metered { sequence, subject_id: ambient.id(), amount, created_at }, tier)
        };
        let sums = sum(&[
            transfer(2, Tier::Fast, 10_000, HOUR_MILLIS - 2),
            transfer(3, Tier::Advanced, 50_000, HOUR_MILLIS - 2),
            transfer(5, Tier::Fast, 10_000, HOUR_MILLIS - 1),
            transfer(6, Tier::Fast, 10_000, HOUR_MILLIS),
            transfer(7, Tier::Other, MicroUsd::MAX.micros(), 0),
            transfer(9, Tier::Other, 1, 0),
        ]);
        let shown: Vec<_> =
            sums.iter().map(|sum| (sum.tier, sum.first, sum.last, sum.quantity, sum.amount.micros())).collect();
        assert_eq!(
            shown,
            [
                (Tier::Fast, 2, 5, 2, 20_000),
                (Tier::Advanced, 3, 3, 1, 50_000),
                (Tier::Fast, 6, 6, 1, 10_000),
                (Tier::Other, 7, 7, 1, MicroUsd::MAX.micros()),
                (Tier::Other, 9, 9, 1, 1),
            ]
        );
        assert_eq!(sums[0].used_at.as_millis(), HOUR_MILLIS - 1);
    }
}
