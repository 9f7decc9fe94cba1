//! The rows of the journal.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use super::Reservation;

/// Where money is. The first four belong to a workspace and never fall below zero; the others are the house's, and say where
/// money came from or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, store::Words)]
pub enum Account {
    /// Free credits.
    Free,
    /// Bought or given credits.
    Credits,
    /// Free credits that are set aside.
    ReservedFree,
    /// Other credits that are set aside.
    ReservedCredits,
    /// What the house gives: free credits to new workspaces, credits without an invoice to any.
    Grants,
    /// Credits that were sold.
    #[word("topups")]
    TopUps,
    /// What the payment processor collects.
    Processor,
    /// What was paid along with requests.
    X402,
    /// What was earned.
    Revenue,
}

/// Why money moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub enum TransferKind {
    /// A new workspace gets its free credits.
    Grant,
    /// Credits are added.
    TopUp,
    /// The price of work that begins is set aside.
    Reserve,
    /// Work is done, and what was set aside is earned.
    Settle,
    /// Work was not done, and what was set aside goes back.
    Release,
    /// Work is begun and done in one transaction.
    Charge,
}

/// A row of the journal.
#[derive(Record)]
#[record(table = "ledger_transfer")]
pub(super) struct Transfer {
    pub(super) workspace_id: WorkspaceId,
    /// From 1 in each workspace, without a gap.
    pub(super) sequence: i64,
    pub(super) debit_account: Account,
    pub(super) credit_account: Account,
    pub(super) amount_micros: MicroUsd,
    pub(super) kind: TransferKind,
    pub(super) subject_id: SubjectId,
    pub(super) note: Option<String>,
    pub(super) created_at: Timestamp,
}

/// What transfers of one operation have in common.
#[derive(Clone, Copy)]
pub(super) struct Journal {
    pub(super) workspace: WorkspaceId,
    pub(super) kind: TransferKind,
    pub(super) subject: SubjectId,
}

/// One movement: out of the first account into the second.
pub(super) type Movement = (Account, Account, MicroUsd);

impl Journal {
    pub(super) fn of(reservation: &Reservation, kind: TransferKind) -> Self {
        Self { workspace: reservation.workspace, kind, subject: reservation.subject }
    }

    /// Writes the last transfers of a workspace, whose balance row counts them already and says `entries`. What moves
    /// nothing is left out, as it is in the count.
    pub(super) fn write(self, tx: &mut Tx<'_>, entries: i64, movements: &[Movement]) -> Result<(), StoreError> {
        let now = tx.now();
        let moving: Vec<_> = moving(movements).collect();
        let first = entries + 1 - moving.len() as i64;
        for (sequence, (from, to, amount)) in (first..).zip(moving) {
            let transfer = Transfer {
                workspace_id: self.workspace,
                sequence,
                debit_account: *from,
                credit_account: *to,
                amount_micros: *amount,
                kind: self.kind,
                subject_id: self.subject,
                note: None,
                created_at: now,
            };
            transfer.insert(tx)?;
        }
        Ok(())
    }

    /// Like [`Self::write`], for an operation that did not wait to be told how many entries there are: each row
    /// finds its number when it is written.
    pub(super) fn write_behind(self, tx: &mut Tx<'_>, movements: &[Movement]) -> Result<(), StoreError> {
        let now = tx.now();
        let count = count(movements);
        for (earlier, (from, to, amount)) in (1..).zip(moving(movements)) {
            let behind = count - earlier;
            sql!(
                "INSERT INTO ledger_transfer
                    (workspace_id, sequence, debit_account, credit_account, amount_micros, kind, subject_id, created_at)
                 SELECT workspace_id, entries - CAST({behind} AS BIGINT), CAST({from} AS TEXT), CAST({to} AS TEXT),
                    CAST({amount} AS BIGINT), CAST({self.kind} AS TEXT), CAST({self.subject} AS TEXT), CAST({now} AS BIGINT)
                 FROM ledger_balance WHERE workspace_id = {self.workspace}"
            )
            .execute_later(tx)?;
        }
        Ok(())
    }
}

/// How many transfers these are.
pub(super) fn count(movements: &[Movement]) -> i64 {
    moving(movements).count() as i64
}

fn moving(movements: &[Movement]) -> impl Iterator<Item = &Movement> {
    movements.iter().filter(|(_, _, amount)| !amount.is_zero())
}
