//! Proves the books: balances are what the transfers add up to, what is set aside is what open reservations say, and every
//! transfer of a piece of work is what its reservation says. [`usage`] is proved against what was paid, and its sums
//! against its rows; that the work itself agrees, who has it can prove with [`crate::ledger::payments`].
//!
//! It reads and never repairs. No read is long, whatever there is, and each is a snapshot of its own: a balance says how many
//! transfers it counts, and those never change, so they can be added up afterwards while others are written.

pub mod usage;

use std::collections::BTreeMap;

use kernel::id::{UsageId, WorkspaceId};
use kernel::time::Day;
use store::{Group as _, Record, Store, StoreError, Tx, sql};

use crate::ledger::Account;

/// Workspaces in one read.
const WORKSPACES: i64 = 100;
/// Transfers in one read.
const TRANSFERS: i64 = 10_000;
/// Differences that a report spells out.
const SHOWN: usize = 100;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Balances that were checked.
    pub workspaces: u64,
    /// Transfers that were added up.
    pub transfers: u64,
    /// Rows of usage that were compared with what was paid, and added up.
    pub usage: u64,
    /// What is not as it should be.
    pub differences: Differences<Difference>,
}

/// Differences: all are counted, the first are spelled out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences<D> {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub shown: Vec<D>,
}

impl<D> Default for Differences<D> {
    fn default() -> Self {
        Self { count: 0, shown: Vec::new() }
    }
}

impl<D> Differences<D> {
    /// Whether everything is as it should be.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Counts one more.
    pub fn add(&mut self, difference: impl Into<D>) {
        self.extend(Differences { count: 1, shown: vec![difference.into()] });
    }

    /// Counts those that were found elsewhere.
    pub fn extend<E: Into<D>>(&mut self, others: Differences<E>) {
        self.count += others.count;
        let free = SHOWN - self.shown.len();
        self.shown.extend(others.shown.into_iter().take(free).map(Into::into));
    }
}

/// Two things that should be the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A balance is not what its transfers add up to.
    #[error("workspace {workspace}: {} has {balance} micros, its transfers add up to {transfers}", account.as_str())]
    Account {
        /// Whose.
        workspace: WorkspaceId,
        /// Which part of it.
        account: Account,
        /// What the balance says, in micros.
        balance: i64,
        /// What the transfers add up to.
        transfers: i64,
    },
    /// What is set aside is not what the open reservations say.
    #[error("workspace {workspace}: {} has {balance} micros, open reservations {reservations}", account.as_str())]
    Reserved {
        /// Whose.
        workspace: WorkspaceId,
        /// Which part of it.
        account: Account,
        /// What the balance says, in micros.
        balance: i64,
        /// What the open reservations add up to.
        reservations: i64,
    },
    /// Transfers are missing.
    #[error("workspace {workspace}: {found} of {entries} transfers are there")]
    Missing {
        /// Whose.
        workspace: WorkspaceId,
        /// How many there should be.
        entries: i64,
        /// How many there are.
        found: i64,
    },
    /// A transfer is not what the reservation of its subject says, or there is no such reservation.
    #[error("workspace {workspace}: transfer {sequence} is not what its reservation says")]
    Transfer {
        /// Whose.
        workspace: WorkspaceId,
        /// Which transfer.
        sequence: i64,
    },
    /// A row of usage costs something else than what was settled for its subject.
    #[error("workspace {workspace}: usage {usage} costs something else than what was settled")]
    Usage {
        /// Whose.
        workspace: WorkspaceId,
        /// Which row.
        usage: UsageId,
    },
    /// The sums by day of a workspace are not what its rows of usage add up to.
    #[error("workspace {workspace}: its sums by day are not what its usage adds up to")]
    WorkspaceSums {
        /// Whose.
        workspace: WorkspaceId,
    },
    /// The sum of all days of a workspace is not what its sums by day add up to.
    #[error("workspace {workspace}: its sum of all days is not what its sums by day add up to")]
    Total {
        /// Whose.
        workspace: WorkspaceId,
    },
    /// The sum of a day over all workspaces is not what its rows of usage add up to.
    #[error("{day}: the sums of {service} are not what usage adds up to")]
    DaySums {
        /// Which day.
        day: Day,
        /// Of which service.
        service: String,
    },
}

/// Compares balances, transfers and reservations.
///
/// # Errors
/// Any [`StoreError`].
pub async fn reconcile(store: &Store) -> Result<Report, StoreError> {
    let mut report = Report::default();
    let mut after = String::new();
    loop {
        let page = store.read("billing.reconcile_balances", move |tx| balances(tx, &after)).await?;
        let Some(last) = page.last() else {
            return Ok(report);
        };
        after = last.workspace.to_string();
        for stated in page {
            check(store, &stated, &mut report).await?;
        }
    }
}

/// A balance and the open reservations of its workspace at the same instant, in micros.
#[derive(Record)]
struct Stated {
    workspace: WorkspaceId,
    entries: i64,
    free: i64,
    credits: i64,
    reserved_free: i64,
    reserved_credits: i64,
    open_free: i64,
    open_credits: i64,
}

fn balances(tx: &mut Tx<'_>, after: &str) -> Result<Vec<Stated>, StoreError> {
    sql!(
        "SELECT b.workspace_id, b.entries, b.free_micros, b.credit_micros, b.reserved_free_micros,
            b.reserved_credit_micros, coalesce(sum(r.free_micros), 0), coalesce(sum(r.credit_micros), 0)
         FROM (SELECT workspace_id, entries, free_micros, credit_micros, reserved_free_micros, reserved_credit_micros
               FROM ledger_balance WHERE workspace_id > {after} ORDER BY workspace_id LIMIT {WORKSPACES}) AS b
         LEFT JOIN ledger_reservation AS r ON r.workspace_id = b.workspace_id AND r.state = 'open'
         GROUP BY b.workspace_id, b.entries, b.free_micros, b.credit_micros, b.reserved_free_micros,
            b.reserved_credit_micros
         ORDER BY b.workspace_id"
    )
    .query(tx, |row| Stated::read_at(row, 0))
}

async fn check(store: &Store, stated: &Stated, report: &mut Report) -> Result<(), StoreError> {
    let workspace = stated.workspace;
    report.workspaces += 1;
    let mut sums: BTreeMap<Account, i64> = BTreeMap::new();
    let mut found = 0;
    let mut from = 0;
    while from < stated.entries {
        let until = stated.entries.min(from + TRANSFERS);
        let read = move |tx: &mut Tx<'_>| {
            Ok::<_, StoreError>((add_up(tx, workspace, from, until)?, misfits(tx, workspace, from, until)?))
        };
        let (added, misfits) = store.read("billing.reconcile_transfers", read).await?;
        for Added { debit, credit, micros, transfers } in added {
            *sums.entry(debit).or_default() -= micros;
            *sums.entry(credit).or_default() += micros;
            found += transfers;
        }
        for sequence in misfits {
            report.differences.add(Difference::Transfer { workspace, sequence });
        }
        from = until;
    }
    report.transfers += u64::try_from(found).unwrap_or(0);
    if found != stated.entries {
        report.differences.add(Difference::Missing { workspace, entries: stated.entries, found });
    }
    let balances = [
        (Account::Free, stated.free),
        (Account::Credits, stated.credits),
        (Account::ReservedFree, stated.reserved_free),
        (Account::ReservedCredits, stated.reserved_credits),
    ];
    for (account, balance) in balances {
        let transfers = sums.get(&account).copied().unwrap_or(0);
        if transfers != balance {
            report.differences.add(Difference::Account { workspace, account, balance, transfers });
        }
    }
    let reserved = [
        (Account::ReservedFree, stated.reserved_free, stated.open_free),
        (Account::ReservedCredits, stated.reserved_credits, stated.open_credits),
    ];
    for (account, balance, reservations) in reserved {
        if reservations != balance {
            report.differences.add(Difference::Reserved { workspace, account, balance, reservations });
        }
    }
    Ok(())
}

#[derive(Record)]
struct Added {
    debit: Account,
    credit: Account,
    micros: i64,
    transfers: i64,
}

/// The sums of the transfers after one and up to another.
fn add_up(tx: &mut Tx<'_>, workspace: WorkspaceId, from: i64, until: i64) -> Result<Vec<Added>, StoreError> {
    sql!(
        "SELECT debit_account, credit_account, sum(amount_micros), count(*) FROM ledger_transfer
         WHERE workspace_id = {workspace} AND sequence > {from} AND sequence <= {until}
         GROUP BY debit_account, credit_account"
    )
    .query(tx, |row| Added::read_at(row, 0))
}

/// Transfers of work that are not what its reservation says. The reservation may have gone on since the transfer: an open
/// one settled, never back.
fn misfits(tx: &mut Tx<'_>, workspace: WorkspaceId, from: i64, until: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT t.sequence FROM ledger_transfer AS t
         LEFT JOIN ledger_reservation AS r ON r.subject_id = t.subject_id AND r.workspace_id = t.workspace_id
         WHERE t.workspace_id = $1 AND t.sequence > $2 AND t.sequence <= $3
           AND t.kind IN ('reserve', 'settle', 'release', 'charge')
           AND (r.subject_id IS NULL
                OR (t.kind IN ('settle', 'charge') AND r.state <> 'settled')
                OR (t.kind = 'release' AND r.state <> 'released')
                OR t.amount_micros <> CASE
                    WHEN t.debit_account IN ('free', 'reserved_free') THEN r.free_micros
                    WHEN t.debit_account IN ('credits', 'reserved_credits') THEN r.credit_micros
                    WHEN t.debit_account = r.funding THEN r.amount_micros
                    ELSE 0 END)
         ORDER BY t.sequence",
        &[&workspace, &from, &until],
        |row| row.get(0),
    )
}
