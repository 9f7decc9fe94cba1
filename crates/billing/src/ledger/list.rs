//! A workspace's transfers, newest first, each with the balance that it left.
//!
//! The balance is exact: it is the present one without what newer transfers changed. A page begins at a [`Place`], which
//! remembers the balance there, so that a page far back costs as much as the first one.

use std::time::Duration;

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx, sql};

use super::transfer::{Account, TransferKind};

/// The most transfers that one page passes over in search of those that its filter keeps.
pub const MOST_PASSED: i64 = 10_000;
/// The most newer transfers that are summed up for a list that begins in the past. With more, its balances are not told.
const MOST_SUMMED: i64 = 100_000;
/// Transfers are in the order of their commits, their times are those of the processes: both may differ by so much.
const CLOCKS_DIFFER_BY: Duration = Duration::from_secs(60);

/// A transfer.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "ledger_transfer")]
pub struct Entry {
    /// Its number, from 1 in each workspace.
    pub sequence: i64,
    /// Why money moved.
    pub kind: TransferKind,
    /// Where it was.
    #[column(name = "debit_account")]
    pub from: Account,
    /// Where it is now.
    #[column(name = "credit_account")]
    pub to: Account,
    /// How much.
    #[column(name = "amount_micros")]
    pub amount: MicroUsd,
    /// The evaluation, the top-up, or for a grant the workspace.
    #[column(name = "subject_id")]
    pub subject: SubjectId,
    /// The note of a top-up, such as an invoice number.
    pub note: Option<String>,
    /// When it was.
    pub created_at: Timestamp,
    /// The balance that it left. `None` for a list that begins too far in the past.
    #[column(skip)]
    pub balance_after: Option<MicroUsd>,
}

/// Which transfers are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntryFilter {
    /// Only those of this kind.
    pub kind: Option<TransferKind>,
    /// Only those after this instant.
    pub after: Option<Timestamp>,
    /// Only those before this instant.
    pub before: Option<Timestamp>,
}

impl EntryFilter {
    fn is_everything(&self) -> bool {
        self.kind.is_none() && self.after.is_none() && self.before.is_none()
    }
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first transfer to look at; then those below it.
    pub sequence: i64,
    /// The balance that that transfer left, where it is known.
    pub balance: Option<MicroUsd>,
}

/// A page of transfers.
#[derive(Debug, Default)]
pub struct EntryPage {
    /// The transfers, newest first.
    pub entries: Vec<Entry>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Place>,
}

/// A page of a workspace's transfers, newest first. It may hold fewer than `limit`, or none, and have a next one, because a
/// page looks at [`MOST_PASSED`] transfers at most.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    filter: &EntryFilter,
    from: Option<Place>,
    limit: u32,
) -> Result<EntryPage, StoreError> {
    let from = match from {
        Some(place) => place,
        None => newest(tx, workspace, filter.before)?,
    };
    let lowest = match filter.after {
        Some(after) => first_since(tx, workspace, after.minus(CLOCKS_DIFFER_BY), from.sequence)?,
        None => 1,
    };
    let looked_at = if filter.is_everything() { i64::from(limit) } else { MOST_PASSED };
    let bottom = (from.sequence - looked_at).max(lowest - 1);
    let mut entries = read(tx, workspace, filter, from, bottom, limit)?;
    let next = if entries.len() > limit as usize {
        entries.truncate(limit as usize);
        entries.last().map(before)
    } else if bottom >= lowest {
        Some(Place { sequence: bottom, balance: balance_at(tx, workspace, from, bottom)? })
    } else {
        None
    };
    Ok(EntryPage { entries, next })
}

/// The newest transfer of a list, and the balance after it.
fn newest(tx: &mut Tx<'_>, workspace: WorkspaceId, before: Option<Timestamp>) -> Result<Place, StoreError> {
    let present =
        sql!("SELECT entries, free_micros + credit_micros FROM ledger_balance WHERE workspace_id = {workspace}")
            .find(tx, |row| Ok(Place { sequence: row.get(0)?, balance: Some(row.get(1)?) }))?;
    let Some(present) = present else { return Ok(Place { sequence: 0, balance: None }) };
    let Some(before) = before else { return Ok(present) };
    let sequence = first_since(tx, workspace, before.plus(CLOCKS_DIFFER_BY), present.sequence)? - 1;
    if present.sequence - sequence > MOST_SUMMED {
        return Ok(Place { sequence, balance: None });
    }
    Ok(Place { sequence, balance: balance_at(tx, workspace, present, sequence)? })
}

/// The number of the first transfer at or after an instant, up to a last one: found by halves, because numbers have an index
/// and times have none.
fn first_since(tx: &mut Tx<'_>, workspace: WorkspaceId, instant: Timestamp, last: i64) -> Result<i64, StoreError> {
    let (mut low, mut high) = (1, last + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let time = sql!(
            "SELECT created_at FROM ledger_transfer WHERE workspace_id = {workspace} AND sequence >= {middle}
             ORDER BY sequence LIMIT 1"
        )
        .find(tx, |row| row.get::<Timestamp>(0))?;
        if time.is_some_and(|time| time < instant) { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}

/// The balance that transfer `sequence` left, where `from` is a newer one.
fn balance_at(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    from: Place,
    sequence: i64,
) -> Result<Option<MicroUsd>, StoreError> {
    let Some(balance) = from.balance else { return Ok(None) };
    let change = sql!(
        "SELECT CAST(coalesce(sum(CASE WHEN credit_account IN ('free', 'credits') THEN amount_micros ELSE 0 END
            - CASE WHEN debit_account IN ('free', 'credits') THEN amount_micros ELSE 0 END), 0) AS BIGINT)
         FROM ledger_transfer
         WHERE workspace_id = {workspace} AND sequence > {sequence} AND sequence <= {from.sequence}"
    )
    .find(tx, |row| row.get::<i64>(0))?;
    Ok(MicroUsd::from_micros(balance.micros() - change.unwrap_or(0)))
}

/// The transfers that a filter keeps, of those above `bottom` and up to `from`; one more than the limit.
fn read(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    filter: &EntryFilter,
    from: Place,
    bottom: i64,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    let EntryFilter { kind, after, before } = *filter;
    let one_more = i64::from(limit) + 1;
    sql!(
        "SELECT {Entry::*}, newer FROM (
            SELECT {Entry::*}, CAST(sum(change) OVER (ORDER BY sequence DESC) - change AS BIGINT) AS newer
            FROM (
                SELECT {Entry::*}, CASE WHEN credit_account IN ('free', 'credits') THEN amount_micros ELSE 0 END
                    - CASE WHEN debit_account IN ('free', 'credits') THEN amount_micros ELSE 0 END AS change
                FROM ledger_transfer
                WHERE workspace_id = {workspace} AND sequence <= {from.sequence} AND sequence > {bottom}
            ) AS changes
         ) AS balances
         WHERE (CAST({kind} AS TEXT) IS NULL OR kind = {kind})
            AND (CAST({after} AS BIGINT) IS NULL OR created_at > {after})
            AND (CAST({before} AS BIGINT) IS NULL OR created_at < {before})
         ORDER BY sequence DESC LIMIT {one_more}"
    )
    .query(tx, |row| {
        let mut entry = Entry::read_at(row, 0)?;
        let newer: i64 = row.get(Entry::COUNT)?;
        entry.balance_after = from.balance.and_then(|balance| MicroUsd::from_micros(balance.micros() - newer));
        Ok(entry)
    })
}

/// The place behind a transfer.
fn before(entry: &Entry) -> Place {
    let is_ours = |account: Account| matches!(account, Account::Free | Account::Credits);
    let change = match (is_ours(entry.from), is_ours(entry.to)) {
        (true, false) => -entry.amount.micros(),
        (false, true) => entry.amount.micros(),
        (true, true) | (false, false) => 0,
    };
    let balance = entry.balance_after.and_then(|balance| MicroUsd::from_micros(balance.micros() - change));
    Place { sequence: entry.sequence - 1, balance }
}
