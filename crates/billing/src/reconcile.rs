//! Proves the books: balances are what the transfers add up to, what is set aside is what open reservations say, and every
//! transfer of a piece of work is what its reservation says.
//!
//! It reads and never repairs. No read is long, whatever there is, and each is a snapshot of its own: a balance says how many
//! transfers it counts, and those never change, so they can be added up afterwards while others are written.

use std::collections::BTreeMap;

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{Store, StoreError, Tx};

use crate::ledger::{Account, ReservationState};

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
    /// How many differences there are.
    pub differences: u64,
    /// The first of them.
    pub shown: Vec<Difference>,
}

impl Report {
    /// Whether everything is as it should be.
    pub fn is_clean(&self) -> bool {
        self.differences == 0
    }

    fn add(&mut self, difference: Difference) {
        self.differences += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(difference);
        }
    }
}

/// Two things that should be the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A balance is not what its transfers add up to.
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
    Missing {
        /// Whose.
        workspace: WorkspaceId,
        /// How many there should be.
        entries: i64,
        /// How many there are.
        found: i64,
    },
    /// A transfer is not what the reservation of its subject says, or there is no such reservation.
    Transfer {
        /// Whose.
        workspace: WorkspaceId,
        /// Which transfer.
        sequence: i64,
    },
}

/// Compares everything.
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

/// What a balance row said at one instant, and the reservations at the same one.
struct Stated {
    workspace: WorkspaceId,
    entries: i64,
    /// In the order of [`OWN_ACCOUNTS`].
    micros: [i64; 4],
    open: [i64; 2],
}

const OWN_ACCOUNTS: [Account; 4] = [Account::Free, Account::Credits, Account::ReservedFree, Account::ReservedCredits];

fn balances(tx: &mut Tx<'_>, after: &str) -> Result<Vec<Stated>, StoreError> {
    tx.query(
        "SELECT b.workspace_id, b.entries, b.free_micros, b.credit_micros, b.reserved_free_micros,
            b.reserved_credit_micros, coalesce(sum(r.free_micros), 0), coalesce(sum(r.credit_micros), 0)
         FROM (SELECT workspace_id, entries, free_micros, credit_micros, reserved_free_micros, reserved_credit_micros
               FROM ledger_balance WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2) AS b
         LEFT JOIN ledger_reservation AS r ON r.workspace_id = b.workspace_id AND r.state = 'open'
         GROUP BY b.workspace_id, b.entries, b.free_micros, b.credit_micros, b.reserved_free_micros,
            b.reserved_credit_micros
         ORDER BY b.workspace_id",
        &[&after, &WORKSPACES],
        |row| {
            Ok(Stated {
                workspace: row.get(0)?,
                entries: row.get(1)?,
                micros: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?],
                open: [row.get(6)?, row.get(7)?],
            })
        },
    )
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
            report.add(Difference::Transfer { workspace, sequence });
        }
        from = until;
    }
    report.transfers += u64::try_from(found).unwrap_or(0);
    if found != stated.entries {
        report.add(Difference::Missing { workspace, entries: stated.entries, found });
    }
    for (account, balance) in OWN_ACCOUNTS.into_iter().zip(stated.micros) {
        let transfers = sums.get(&account).copied().unwrap_or(0);
        if transfers != balance {
            report.add(Difference::Account { workspace, account, balance, transfers });
        }
    }
    let reserved = OWN_ACCOUNTS.into_iter().zip(stated.micros).skip(2);
    for ((account, balance), reservations) in reserved.zip(stated.open) {
        if reservations != balance {
            report.add(Difference::Reserved { workspace, account, balance, reservations });
        }
    }
    Ok(())
}

struct Added {
    debit: Account,
    credit: Account,
    micros: i64,
    transfers: i64,
}

/// The sums of the transfers after one and up to another.
fn add_up(tx: &mut Tx<'_>, workspace: WorkspaceId, from: i64, until: i64) -> Result<Vec<Added>, StoreError> {
    tx.query(
        "SELECT debit_account, credit_account, sum(amount_micros), count(*) FROM ledger_transfer
         WHERE workspace_id = $1 AND sequence > $2 AND sequence <= $3
         GROUP BY debit_account, credit_account",
        &[&workspace, &from, &until],
        |row| Ok(Added { debit: row.get(0)?, credit: row.get(1)?, micros: row.get(2)?, transfers: row.get(3)? }),
    )
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

/// What was paid, or will be, for one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The work.
    pub subject: SubjectId,
    /// For whom it was done.
    pub workspace: WorkspaceId,
    /// Its price.
    pub amount: MicroUsd,
    /// Whether the price is set aside, paid or given back.
    pub state: ReservationState,
}

/// A page of what was paid for pieces of work, in the order of their ids, after one of them: for comparing with the
/// work itself in bounded memory.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_payments(tx: &mut Tx<'_>, after: Option<SubjectId>, limit: u32) -> Result<Vec<Payment>, StoreError> {
    let after = after.map_or_else(String::new, |subject| subject.to_string());
    tx.query(
        "SELECT subject_id, workspace_id, amount_micros, state FROM ledger_reservation
         WHERE subject_id > $1 ORDER BY subject_id LIMIT $2",
        &[&after, &limit],
        |row| Ok(Payment { subject: row.get(0)?, workspace: row.get(1)?, amount: row.get(2)?, state: row.get(3)? }),
    )
}
