//! Gauges of what waits in the database: due jobs and webhook deliveries.
//!
//! The database is asked on an interval, not at every scrape, and reads a bounded number of rows. Every process of a
//! database tells the same numbers.

use std::collections::BTreeSet;
use std::time::Duration;

use events::deliveries;
use kernel::time::Timestamp;
use store::jobs::{self, DueJobs};
use store::{Store, StoreError, Tx};

const EVERY: Duration = Duration::from_secs(15);
/// Rows that are counted at most. More than that is a backlog, however many they are.
const MOST_COUNTED: u32 = 10_000;

/// What waits, as of one instant.
#[derive(Debug)]
struct Backlog {
    now: Timestamp,
    jobs: Vec<DueJobs>,
    deliveries: deliveries::Backlog,
}

impl Backlog {
    fn read(tx: &mut Tx<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            now: tx.now(),
            jobs: jobs::due_by_kind(tx, MOST_COUNTED)?,
            deliveries: deliveries::backlog(tx, MOST_COUNTED)?,
        })
    }

    /// Seconds since the oldest of these is due; 0 without any.
    fn age_seconds(&self, oldest: Option<Timestamp>) -> f64 {
        let millis = oldest.map_or(0, |oldest| self.now.as_millis().saturating_sub(oldest.as_millis()));
        Duration::from_millis(u64::try_from(millis).unwrap_or(0)).as_secs_f64()
    }
}

/// Keeps the gauges up to date, for as long as it is polled.
pub(super) async fn observe(store: Store) {
    let mut known_kinds = BTreeSet::new();
    let mut turns = tokio::time::interval(EVERY);
    loop {
        turns.tick().await;
        match store.read("telemetry.backlog", Backlog::read).await {
            Ok(backlog) => record(&backlog, &mut known_kinds),
            Err(error) => tracing::debug!(%error, "the backlog can't be read"),
        }
    }
}

/// A kind without due jobs goes back to 0 instead of staying at its last count.
fn record(backlog: &Backlog, known_kinds: &mut BTreeSet<String>) {
    known_kinds.extend(backlog.jobs.iter().map(|due| due.kind.clone()));
    for kind in known_kinds.iter() {
        let count = backlog.jobs.iter().find(|due| due.kind == *kind).map_or(0, |due| due.count);
        metrics::gauge!("lectern_jobs_due", "kind" => kind.clone()).set(f64::from(count));
    }
    let oldest_job = backlog.jobs.iter().map(|due| due.oldest).min();
    metrics::gauge!("lectern_jobs_oldest_due_age_seconds").set(backlog.age_seconds(oldest_job));
    metrics::gauge!("lectern_webhook_deliveries_pending").set(f64::from(backlog.deliveries.pending));
    metrics::gauge!("lectern_webhook_deliveries_oldest_due_age_seconds")
        .set(backlog.age_seconds(backlog.deliveries.oldest_due));
}

#[cfg(test)]
mod tests {
    use kernel::id::JobId;
    use metrics_exporter_prometheus::PrometheusBuilder;
    use testkit::{TestStore, both_stores};

    use super::*;

    fn add_job(tx: &mut Tx<'_>, kind: &'static str, run_at: Timestamp) -> Result<(), StoreError> {
        let id: JobId = tx.ambient().id();
        tx.execute_later(
            "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, created_at, updated_at)
             VALUES ($1, $2, 'tenant', '{}', 'queued', 0, $3, 0, 0, 0, 0)",
            &[&id, &kind, &run_at],
        )
    }

    fn add_delivery(
        tx: &mut Tx<'_>,
        endpoint: &str,
        event: &str,
        state: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        tx.execute(
            "INSERT INTO event (id, surface, owner_id, type, subject_id, body, created_at)
             VALUES ($1, 'content', 'owner', 'x', 'y', '{}', 0)",
            &[&event],
        )?;
        tx.execute(
            "INSERT INTO webhook_endpoint (id, surface, owner_id, url, sealed_secret, status, created_at, updated_at)
             VALUES ($1, 'content', 'owner', 'u', 's', 'ACTIVE', 0, 0) ON CONFLICT (id) DO NOTHING",
            &[&endpoint],
        )?;
        let finished_at = (state != "pending").then_some(at);
        tx.execute(
            "INSERT INTO delivery (event_id, endpoint_id, owner_id, state, attempts, next_attempt_at, created_at, finished_at)
             VALUES ($1, $2, 'owner', $3, 0, $4, 0, $5)",
            &[&event, &endpoint, &state, &at, &finished_at],
        )?;
        Ok(())
    }

    #[both_stores]
    async fn due_jobs_are_counted_by_kind_and_later_ones_are_not(test: TestStore) {
        let backlog = test
            .store
            .write("test", |tx| {
                let now = tx.now();
                let ago = |seconds: i64| Timestamp::from_millis(now.as_millis() - seconds * 1000);
                add_job(tx, "GradeAnswer", ago(7))?;
                add_job(tx, "GradeAnswer", ago(90))?;
                add_job(tx, "ExpandSource", now)?;
                add_job(tx, "ExpandSource", now.plus(Duration::from_secs(60)))?;
                Backlog::read(tx)
            })
            .await
            .unwrap();
        let counts: Vec<_> = backlog.jobs.iter().map(|due| (due.kind.as_str(), due.count)).collect();
        assert_eq!(counts, [("ExpandSource", 1), ("GradeAnswer", 2)]);
        let oldest = backlog.jobs.iter().map(|due| due.oldest).min();
        assert!((backlog.age_seconds(oldest) - 90.0).abs() < f64::EPSILON);
    }

    #[both_stores]
    async fn the_oldest_due_delivery_is_found_in_every_endpoints_queue(test: TestStore) {
        let read = |tx: &mut Tx<'_>| deliveries::backlog(tx, 3);
        let empty = test.store.read("test", read).await.unwrap();
        assert_eq!((empty.pending, empty.oldest_due), (0, None));
        let (now, found) = test
            .store
            .write("test", move |tx| {
                let now = tx.now();
                let ago = |seconds: i64| Timestamp::from_millis(now.as_millis() - seconds * 1000);
                add_delivery(tx, "a", "1", "pending", ago(1))?;
                add_delivery(tx, "a", "2", "pending", now.plus(Duration::from_secs(5)))?;
                add_delivery(tx, "b", "3", "pending", ago(60))?;
                add_delivery(tx, "b", "4", "pending", ago(30))?;
                add_delivery(tx, "c", "5", "delivered", ago(600))?;
                Ok::<_, StoreError>((now, read(tx)?))
            })
            .await
            .unwrap();
        let oldest = found.oldest_due.unwrap();
        assert_eq!((found.pending, now.as_millis() - oldest.as_millis()), (3, 60_000), "counted up to the limit");
    }

    #[test]
    fn a_kind_without_due_jobs_goes_back_to_zero() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let due = DueJobs { kind: "GradeAnswer".to_owned(), count: 3, oldest: Timestamp::from_millis(0) };
        let deliveries = deliveries::Backlog { pending: 0, oldest_due: None };
        let mut known = BTreeSet::new();
        let shown = metrics::with_local_recorder(&recorder, || {
            [vec![due], Vec::new()].map(|jobs| {
                record(&Backlog { now: Timestamp::from_millis(2500), jobs, deliveries }, &mut known);
                recorder.handle().render()
            })
        });
        assert!(shown[0].contains("lectern_jobs_due{kind=\"GradeAnswer\"} 3"), "{}", shown[0]);
        assert!(shown[0].contains("lectern_jobs_oldest_due_age_seconds 2.5"), "{}", shown[0]);
        assert!(shown[1].contains("lectern_jobs_due{kind=\"GradeAnswer\"} 0"), "{}", shown[1]);
        assert!(shown[1].contains("lectern_jobs_oldest_due_age_seconds 0"), "{}", shown[1]);
    }
}
