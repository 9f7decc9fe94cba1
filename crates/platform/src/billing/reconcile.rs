//! Compares three books: what the ledger says that the processor pays for, what was reported, and the processor's own figures.
//!
//! It changes nothing. Days are those of UTC, and only whole ones are compared at the processor, which sums by day and later than
//! it takes events. Items of subscriptions are compared over all time.

use billing::ledger;
use kernel::id::{UsageReportId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::{Day, Timestamp};
use serde::Serialize;
use store::{Record, Store, StoreError, Tx, sql};

use super::processor::{Processor, ProcessorError};
use super::usage::send::event_name;
use super::usage::{Tier, UsageReport};

/// Rows of a page.
const PAGE: u32 = 500;
/// Differences that are named; the others are counted.
const MOST_SHOWN: usize = 100;
/// Half of the smallest amount there is, in credits: sums of the processor may be inexact.
const TOLERANCE_CREDITS: f64 = 0.000_05;
const DAY_MILLIS: i64 = 24 * 3_600_000;
/// A report that has waited for longer is worth a look.
const LATE_MILLIS: i64 = DAY_MILLIS;

/// What was compared, and what differs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    /// Workspaces whose ledger was compared with their reports.
    pub workspaces: u64,
    /// Days of customers, and items, that were compared with the processor's figures.
    pub compared: u64,
    /// Differences, those that are not shown too.
    pub count: u64,
    /// The first of them.
    pub differences: Vec<Difference>,
}

/// Something that differs, or that somebody has to look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Difference {
    /// The reports of a workspace do not add up to its ledger.
    #[serde(rename_all = "camelCase")]
    Ledger {
        /// The workspace.
        workspace_id: WorkspaceId,
        /// What the processor pays for by the ledger, in millionths of a dollar.
        ledger_micros: i64,
        /// What the reports say.
        reported_micros: i64,
    },
    /// The processor has another sum for a customer's day.
    #[serde(rename_all = "camelCase")]
    Meter {
        /// The processor's customer.
        customer_id: String,
        /// The meter's event.
        event_name: String,
        /// The day, as `2026-11-25`.
        day: String,
        /// Credits that were reported.
        reported: f64,
        /// Credits that the processor has.
        processor: f64,
    },
    /// The processor has another number for an item.
    #[serde(rename_all = "camelCase")]
    Item {
        /// The subscription's item.
        item_id: String,
        /// Pieces of work that were reported.
        reported: i64,
        /// Pieces of work that the processor has.
        processor: f64,
    },
    /// The processor has no such meter.
    #[serde(rename_all = "camelCase")]
    NoMeter {
        /// The meter's event.
        event_name: String,
    },
    /// Nobody knows whether the processor has a report.
    #[serde(rename_all = "camelCase")]
    Uncertain {
        /// The report.
        report_id: UsageReportId,
        /// Its workspace.
        workspace_id: WorkspaceId,
        /// What tells it at the processor.
        identifier: String,
    },
    /// A report has waited for more than a day.
    #[serde(rename_all = "camelCase")]
    Late {
        /// The report.
        report_id: UsageReportId,
        /// Its workspace.
        workspace_id: WorkspaceId,
        /// Why the last attempt came to nothing.
        last_error: Option<String>,
    },
}

/// Why nothing was compared.
#[derive(Debug, thiserror::Error)]
pub enum ReconcileError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The processor.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
}

/// Compares the books: the processor's figures for so many whole days before today.
///
/// # Errors
/// The store's, or the processor's.
pub async fn reconcile(
    store: &Store,
    processor: &Processor,
    now: Timestamp,
    days: u16,
) -> Result<Reconciliation, ReconcileError> {
    let mut found = Reconciliation::default();
    compare_ledgers(store, &mut found).await?;
    find_stuck(store, now, &mut found).await?;
    let to = now.day().start();
    let from = Timestamp::from_millis(to.as_millis() - i64::from(days) * DAY_MILLIS);
    compare_meters(store, processor, (from, to), &mut found).await?;
    compare_items(store, processor, &mut found).await?;
    Ok(found)
}

impl Reconciliation {
    fn add(&mut self, difference: Difference) {
        self.count += 1;
        if self.differences.len() < MOST_SHOWN {
            self.differences.push(difference);
        }
    }
}

async fn compare_ledgers(store: &Store, found: &mut Reconciliation) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let from = after.clone();
        let page = store.read("billing_reconcile.ledgers", move |tx| ledgers(tx, &from)).await?;
        let Some((last, ..)) = page.last() else { return Ok(()) };
        after = last.to_string();
        for (workspace_id, ledger_micros, reported_micros) in page {
            found.workspaces += 1;
            if ledger_micros != reported_micros {
                found.add(Difference::Ledger { workspace_id, ledger_micros, reported_micros });
            }
        }
    }
}

/// A page of workspaces: what the ledger says up to the cursor, and what the reports say.
fn ledgers(tx: &mut Tx<'_>, after: &str) -> Result<Vec<(WorkspaceId, i64, i64)>, StoreError> {
    let accounts = sql!(
        "SELECT a.workspace_id, a.collected_to,
            (SELECT CAST(coalesce(sum(u.amount_micros), 0) AS BIGINT) FROM usage_report u
             WHERE u.workspace_id = a.workspace_id)
         FROM processor_account a WHERE a.workspace_id > {after} ORDER BY a.workspace_id LIMIT {PAGE}"
    )
    .query(tx, |row| Ok((row.get::<WorkspaceId>(0)?, row.get::<i64>(1)?, row.get::<i64>(2)?)))?;
    let compare = |(workspace, collected_to, reported)| {
        Ok((workspace, ledger::metered_total(tx, workspace, collected_to)?, reported))
    };
    accounts.into_iter().map(compare).collect()
}

async fn find_stuck(store: &Store, now: Timestamp, found: &mut Reconciliation) -> Result<(), StoreError> {
    let before = Timestamp::from_millis(now.as_millis() - LATE_MILLIS);
    let stuck = move |tx: &mut Tx<'_>| {
        sql!(
            "SELECT {UsageReport::*} FROM usage_report
             WHERE state = 'uncertain' OR (state = 'due' AND created_at < {before}) ORDER BY id LIMIT {PAGE}"
        )
        .query(tx, UsageReport::from_row)
    };
    for report in store.read("billing_reconcile.stuck", stuck).await? {
        let (report_id, workspace_id) = (report.id, report.workspace_id);
        found.add(match report.state {
            super::usage::State::Uncertain => {
                Difference::Uncertain { report_id, workspace_id, identifier: report.identifier() }
            }
            _ => Difference::Late { report_id, workspace_id, last_error: report.last_error },
        });
    }
    Ok(())
}

/// What was reported to one meter for one customer on one day.
struct ReportedDay {
    customer: String,
    tier: Tier,
    day: i64,
    micros: i64,
}

async fn compare_meters(
    store: &Store,
    processor: &Processor,
    (from, to): (Timestamp, Timestamp),
    found: &mut Reconciliation,
) -> Result<(), ReconcileError> {
    let read = move |tx: &mut Tx<'_>| reported_days(tx, from, to);
    let reported = store.read("billing_reconcile.days", read).await?;
    let mut by_meter = std::collections::BTreeMap::<(String, String), std::collections::BTreeMap<i64, i64>>::new();
    for ReportedDay { customer, tier, day, micros } in reported {
        let event_name = event_name(processor, tier.as_str());
        *by_meter.entry((event_name, customer)).or_default().entry(day).or_default() += micros;
    }
    let mut meter: Option<(String, Option<String>)> = None;
    for ((event_name, customer), days) in by_meter {
        if meter.as_ref().is_none_or(|(known, _)| *known != event_name) {
            let id = processor.find_meter(&event_name).await?;
            if id.is_none() {
                found.add(Difference::NoMeter { event_name: event_name.clone() });
            }
            meter = Some((event_name.clone(), id));
        }
        let Some(id) = meter.as_ref().and_then(|(_, id)| id.as_deref()) else { continue };
        let theirs = processor.meter_summaries(id, &customer, from, to).await?;
        let theirs = theirs.into_iter().map(|summary| (summary.starts_at.as_millis() / DAY_MILLIS, summary.total));
        let theirs: std::collections::BTreeMap<i64, f64> = theirs.collect();
        let mut all: Vec<i64> = days.keys().chain(theirs.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        for day in all {
            found.compared += 1;
            let reported = credits(days.get(&day).copied().unwrap_or(0));
            let processor = theirs.get(&day).copied().unwrap_or(0.0);
            if (reported - processor).abs() > TOLERANCE_CREDITS {
                let day = Day::from_number(day).map(|day| day.to_string()).unwrap_or_default();
                let (customer_id, event_name) = (customer.clone(), event_name.clone());
                found.add(Difference::Meter { customer_id, event_name, day, reported, processor });
            }
        }
    }
    Ok(())
}

fn reported_days(tx: &mut Tx<'_>, from: Timestamp, to: Timestamp) -> Result<Vec<ReportedDay>, StoreError> {
    sql!(
        "SELECT target_id, tier, used_at / 86400000, CAST(sum(amount_micros) AS BIGINT) FROM usage_report
         WHERE state = 'sent' AND target_kind = 'meter' AND used_at >= {from} AND used_at < {to}
         GROUP BY target_id, tier, used_at / 86400000"
    )
    .query(tx, |row| {
        Ok(ReportedDay { customer: row.get(0)?, tier: row.get(1)?, day: row.get(2)?, micros: row.get(3)? })
    })
}

async fn compare_items(store: &Store, processor: &Processor, found: &mut Reconciliation) -> Result<(), ReconcileError> {
    let read = |tx: &mut Tx<'_>| {
        sql!(
            "SELECT target_id, CAST(sum(quantity) AS BIGINT) FROM usage_report
             WHERE state = 'sent' AND target_kind = 'item' GROUP BY target_id ORDER BY target_id"
        )
        .query(tx, |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)))
    };
    for (item_id, reported) in store.read("billing_reconcile.items", read).await? {
        let periods = processor.item_summaries(&item_id).await?;
        let processor = periods.iter().map(|(_, summary)| summary.total).sum::<f64>();
        found.compared += 1;
        if (processor - reported as f64).abs() > TOLERANCE_CREDITS {
            found.add(Difference::Item { item_id, reported, processor });
        }
    }
    Ok(())
}

fn credits(micros: i64) -> f64 {
    micros as f64 / MicroUsd::from_cents(1).micros() as f64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use testkit::{TestStore, both_stores};

    use super::super::usage::tests::Scene;
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    async fn reconciled(scene: &Scene) -> Reconciliation {
        let processor = crate::testing::billing_processor(scene.processor.url(), scene.app.test.ambient.clone());
        let now = scene.app.test.ambient.now();
        reconcile(&scene.app.test.store, &processor, now, 7).await.unwrap()
    }

    #[both_stores]
    async fn what_was_reported_is_what_the_processor_has(test: TestStore) {
        let scene = Scene::of(test).await;
        for _ in 0..3 {
            scene.work(scene.tenant.workspace, 20).await;
            scene.report().await;
            scene.app.test.clock.advance(DAY);
        }
        let found = reconciled(&scene).await;
        assert_eq!((found.workspaces, found.compared, found.count), (1, 3, 0), "{found:?}");
    }

    #[both_stores]
    async fn what_the_processor_has_lost_is_named_with_its_day(test: TestStore) {
        let scene = Scene::of(test).await;
        scene.work(scene.tenant.workspace, 20).await;
        scene.report().await;
        let day = scene.app.test.ambient.now().day().to_string();
        scene.processor.lose_meter_event();
        assert_eq!(reconciled(&scene).await.count, 0, "today is not over");
        scene.app.test.clock.advance(DAY);
        let [difference] = reconciled(&scene).await.differences.try_into().unwrap();
        let expected = Difference::Meter {
            customer_id: "cus_1".to_owned(),
            event_name: "lectern_credits".to_owned(),
            day,
            reported: 20.0,
            processor: 0.0,
        };
        assert_eq!(difference, expected);
    }

    #[both_stores]
    async fn a_report_that_is_missing_here_and_one_that_waits_are_named(test: TestStore) {
        let scene = Scene::of(test).await;
        scene.work(scene.tenant.workspace, 20).await;
        scene.processor.set_down(true);
        scene.report().await;
        scene.processor.set_down(false);
        scene.app.test.clock.advance(DAY + DAY / 2);
        let [late] = reconciled(&scene).await.differences.try_into().unwrap();
        assert!(matches!(&late, Difference::Late { last_error: Some(why), .. } if why.contains("503")), "{late:?}");
        let lose = |tx: &mut Tx<'_>| tx.execute("DELETE FROM usage_report", &[]);
        scene.app.test.store.write("test", lose).await.unwrap();
        let [missing] = reconciled(&scene).await.differences.try_into().unwrap();
        assert!(
            matches!(missing, Difference::Ledger { ledger_micros: 200_000, reported_micros: 0, .. }),
            "{missing:?}"
        );
    }
}
