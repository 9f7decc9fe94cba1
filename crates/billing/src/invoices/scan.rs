//! Reads what the months of a workspace came to, in pieces.

use std::collections::BTreeMap;

use invoices::{Figures, Kind, Sum};
use kernel::id::WorkspaceId;
use kernel::time::Day;
use store::{Group as _, Record, Store, StoreError, Tx, sql};

use crate::caps::periods;
use crate::ledger::{Account, TransferKind};

/// Transfers in one read.
const TRANSFERS: i64 = 10_000;

/// What the months of a workspace came to.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// By the first day of the month.
    pub(super) months: BTreeMap<Day, Figures>,
    /// The first transfer of each day.
    firsts: BTreeMap<Day, i64>,
    /// The last transfer that was read.
    last: i64,
}

impl Scan {
    /// The transfer up to which none belongs to a month that begins on this day, or to a later one. Clocks may differ by a day.
    pub(super) fn resume_before(&self, month: Day) -> i64 {
        let day = Day::from_number(month.number() - 1).unwrap_or(month);
        self.firsts.range(day..).map(|(_, sequence)| sequence - 1).min().unwrap_or(self.last)
    }

    fn add(&mut self, part: &Part) {
        let kind = match (part.kind, part.debit_account) {
            // Credits that were given are no sale.
            (TransferKind::TopUp, Account::Grants) => return,
            (TransferKind::TopUp, _) => Kind::CreditsBought,
            (_, Account::Free | Account::ReservedFree) => Kind::FreeCreditsUsed,
            (_, Account::Credits | Account::ReservedCredits) => Kind::CreditsUsed,
            (_, Account::Processor) => Kind::ProcessorMetered,
            (_, Account::X402) => Kind::X402Paid,
            (_, Account::Grants | Account::TopUps | Account::Revenue) => return,
        };
        let Some(day) = Day::from_number(part.day) else { return };
        let (_, month) = periods(day.start());
        let count = u64::try_from(part.transfers).unwrap_or(0);
        self.months.entry(month).or_default().add(kind, Sum { micros: part.micros, count });
        let first = self.firsts.entry(day).or_insert(part.first);
        *first = part.first.min(*first);
    }
}

/// The transfers of a day and a sort.
#[derive(Record)]
struct Part {
    day: i64,
    kind: TransferKind,
    debit_account: Account,
    micros: i64,
    transfers: i64,
    first: i64,
}

/// Reads the transfers of a workspace after one and up to another.
pub(super) async fn scan(store: &Store, workspace: WorkspaceId, after: i64, until: i64) -> Result<Scan, StoreError> {
    let mut scan = Scan { last: until.max(after), ..Scan::default() };
    let mut from = after;
    while from < until {
        let to = until.min(from + TRANSFERS);
        let parts = store.read("invoices.scan", move |tx| read(tx, workspace, from, to)).await?;
        parts.iter().for_each(|part| scan.add(part));
        from = to;
    }
    Ok(scan)
}

fn read(tx: &mut Tx<'_>, workspace: WorkspaceId, from: i64, to: i64) -> Result<Vec<Part>, StoreError> {
    sql!(
        "SELECT created_at / 86400000 AS day, kind, debit_account, CAST(sum(amount_micros) AS BIGINT) AS micros,
            count(*) AS transfers, min(sequence) AS first
         FROM ledger_transfer
         WHERE workspace_id = {workspace} AND sequence > {from} AND sequence <= {to}
            AND (kind = 'top_up' OR kind = 'settle' OR kind = 'charge')
         GROUP BY created_at / 86400000, kind, debit_account"
    )
    .query(tx, |row| Part::read_at(row, 0))
}
