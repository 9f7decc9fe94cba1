//! Proves usage: each row costs what was settled for its subject, and the sums that statistics read are what the rows add
//! up to.
//!
//! Rows are only ever added, to the day that it is. So the sums of the days that are over stand still while the rows are
//! read page by page; those of today are proved tomorrow.

use std::collections::BTreeMap;

use kernel::id::{SubjectId, UsageId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::{Day, Timestamp};
use store::{Group as _, Record, Statement, Store, StoreError, Tx, sql};

use super::{Difference, Report};
use crate::usage::Service;
use crate::usage::statistics::{ADDED_UP, Sums, sums_of};

/// Rows of usage in one read.
const ROWS: i64 = 10_000;
/// Workspaces in one read.
const WORKSPACES: i64 = 100;

/// A row of usage.
#[derive(Clone, Copy, Debug, Record)]
pub struct Used {
    /// Which row.
    pub id: UsageId,
    /// Whose.
    pub workspace: WorkspaceId,
    /// What kind of work it was.
    pub service: Service,
    /// Which piece of work it was.
    pub subject: SubjectId,
    /// When it was done.
    pub occurred_at: Timestamp,
    #[column(group)]
    sums: Sums,
    /// The part of the settled amount that the balance paid.
    settled_credits: MicroUsd,
    /// The whole settled amount.
    settled: MicroUsd,
}

impl Used {
    /// Free work may have been paid for by nobody; everything else was settled, as it says.
    fn is_paid(&self) -> bool {
        (self.sums.credit_cost, self.sums.finalized) == (self.settled_credits, self.settled)
    }
}

/// Compares all rows with what was paid and with their sums, and shows each of them to `see`. What is found is added to
/// the report.
///
/// # Errors
/// Any [`StoreError`].
pub async fn reconcile(store: &Store, report: &mut Report, mut see: impl FnMut(&Used)) -> Result<(), StoreError> {
    let today = store.read("billing.reconcile_day", |tx| Ok::<_, StoreError>(tx.now().day())).await?;
    let mut sums = RowSums::default();
    let mut after = String::new();
    loop {
        let page = store.read("billing.reconcile_usage", move |tx| list(tx, &after)).await?;
        let Some(last) = page.last() else { break };
        after = last.id.to_string();
        report.usage += page.len() as u64;
        for used in &page {
            see(used);
            if !used.is_paid() {
                report.differences.add(Difference::Usage { workspace: used.workspace, usage: used.id });
            }
            if used.occurred_at.day() < today {
                sums.add(used)?;
            }
        }
    }
    check_days(store, today, sums.by_day, report).await?;
    check_workspaces(store, today, sums.by_workspace, report).await
}

#[derive(Default)]
struct RowSums {
    by_workspace: BTreeMap<WorkspaceId, Sums>,
    by_day: BTreeMap<(Day, String), Sums>,
}

impl RowSums {
    fn add(&mut self, used: &Used) -> Result<(), StoreError> {
        self.by_workspace.entry(used.workspace).or_default().add(&used.sums)?;
        let day = (used.occurred_at.day(), used.service.as_str().to_owned());
        self.by_day.entry(day).or_default().add(&used.sums)
    }
}

fn list(tx: &mut Tx<'_>, after: &str) -> Result<Vec<Used>, StoreError> {
    sql!(
        "SELECT u.id, u.workspace_id, u.service, u.subject_id, u.occurred_at, {Sums::*},
            coalesce(r.free_micros + r.credit_micros, 0), coalesce(r.amount_micros, 0)
         FROM (SELECT *, 1 AS requests FROM usage WHERE id > {after} ORDER BY id LIMIT {ROWS}) AS u
         LEFT JOIN ledger_reservation AS r
            ON r.subject_id = u.subject_id AND r.workspace_id = u.workspace_id AND r.state = 'settled'
         ORDER BY u.id"
    )
    .query(tx, |row| Used::read_at(row, 0))
}

/// The sums over all workspaces, of the days before today.
async fn check_days(
    store: &Store,
    today: Day,
    mut rows: BTreeMap<(Day, String), Sums>,
    report: &mut Report,
) -> Result<(), StoreError> {
    let read = move |tx: &mut Tx<'_>| {
        sql!(
            "SELECT day, service, {const ADDED_UP}
             FROM (SELECT day, service, {Sums::*} FROM usage_service_day WHERE day < {today}
                   UNION ALL
                   SELECT day, service, {Sums::*} FROM usage_day WHERE shard <> '' AND day < {today}) AS part
             GROUP BY day, service"
        )
        .query(tx, |row| Ok(((row.get(0)?, row.get(1)?), Sums::read_at(row, 2)?)))
    };
    let told: Vec<((Day, String), Sums)> = store.read("billing.reconcile_days", read).await?;
    for (day, sums) in told {
        if rows.remove(&day).unwrap_or_default() != sums {
            report.differences.add(Difference::DaySums { day: day.0, service: day.1 });
        }
    }
    rows.into_keys().for_each(|(day, service)| report.differences.add(Difference::DaySums { day, service }));
    Ok(())
}

/// The sums by workspace: those of the days before today against the rows, and all days against the total.
async fn check_workspaces(
    store: &Store,
    today: Day,
    mut rows: BTreeMap<WorkspaceId, Sums>,
    report: &mut Report,
) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let page = store.read("billing.reconcile_sums", move |tx| sums_of_page(tx, &after, today)).await?;
        let Some(last) = page.last() else { break };
        after = last.workspace.to_string();
        for told in page {
            let workspace = told.workspace;
            if rows.remove(&workspace).unwrap_or_default() != told.over {
                report.differences.add(Difference::WorkspaceSums { workspace });
            }
            if told.rolled_up != told.total {
                report.differences.add(Difference::Total { workspace });
            }
        }
    }
    rows.into_keys().for_each(|workspace| report.differences.add(Difference::WorkspaceSums { workspace }));
    Ok(())
}

/// What the sums of a workspace say.
struct Told {
    workspace: WorkspaceId,
    /// Of the days before today.
    over: Sums,
    /// Of all days, as far as they are rolled up.
    rolled_up: Sums,
    /// The same, as it is kept.
    total: Sums,
}

fn sums_of_page(tx: &mut Tx<'_>, after: &str, today: Day) -> Result<Vec<Told>, StoreError> {
    let page: Vec<WorkspaceId> = tx.query(
        "SELECT workspace_id FROM ledger_balance WHERE workspace_id > $1 ORDER BY workspace_id LIMIT $2",
        &[&after, &WORKSPACES],
        |row| row.get(0),
    )?;
    let over = sums(tx, &page, |id| {
        sql!(
            "SELECT workspace_id, {const ADDED_UP} FROM usage_day
             WHERE workspace_id = {*id} AND day < {today} GROUP BY workspace_id"
        )
    })?;
    let rolled_up = sums(tx, &page, |id| {
        sql!(
            "SELECT workspace_id, {const ADDED_UP} FROM usage_day
             WHERE workspace_id = {*id} AND shard = '' GROUP BY workspace_id"
        )
    })?;
    let total =
        sums(tx, &page, |id| sql!("SELECT workspace_id, {Sums::*} FROM usage_total WHERE workspace_id = {*id}"))?;
    let of = |sums: &BTreeMap<WorkspaceId, Sums>, id: &WorkspaceId| sums.get(id).copied().unwrap_or_default();
    let told = |id: &WorkspaceId| Told {
        workspace: *id,
        over: of(&over, id),
        rolled_up: of(&rolled_up, id),
        total: of(&total, id),
    };
    Ok(page.iter().map(told).collect())
}

fn sums<'a, const N: usize>(
    tx: &mut Tx<'_>,
    workspaces: &'a [WorkspaceId],
    ask: impl Fn(&'a WorkspaceId) -> Statement<'a, N>,
) -> Result<BTreeMap<WorkspaceId, Sums>, StoreError> {
    Ok(tx.query_each(workspaces, ask, sums_of)?.into_iter().collect())
}
