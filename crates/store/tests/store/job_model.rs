//! The queue against a model of a few lines: whatever happens in whatever order, no job is lost, run
//! by two, or settled by someone who has lost it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::id::JobId;
use kernel::time::Timestamp;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use store::jobs::{self, ClaimedJob, Cursor, LeaseError};
use testkit::{Engine, TestStore};

use crate::test_job;

const LEASE: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
enum Step {
    Enqueue { tenant: u8, priority: u8, delay_s: u8 },
    Claim { worker: usize, limit: usize },
    Hold { which: usize },
    Finish { which: usize },
    Retry { which: usize, delay_s: u8 },
    Fail { which: usize },
    Wait { seconds: u8 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3_u8, 0..2_u8, 0..4_u8)
            .prop_map(|(tenant, priority, delay_s)| Step::Enqueue { tenant, priority, delay_s }),
        4 => (0..2_usize, 1..4_usize).prop_map(|(worker, limit)| Step::Claim { worker, limit }),
        1 => (0..8_usize).prop_map(|which| Step::Hold { which }),
        2 => (0..8_usize).prop_map(|which| Step::Finish { which }),
        1 => (0..8_usize, 0..4_u8).prop_map(|(which, delay_s)| Step::Retry { which, delay_s }),
        1 => (0..8_usize).prop_map(|which| Step::Fail { which }),
        2 => (1..7_u8).prop_map(|seconds| Step::Wait { seconds }),
    ];
    prop::collection::vec(step, 1..40)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Queued { run_at: Timestamp },
    Running { until: Timestamp },
    Failed,
}

#[derive(Clone, Debug)]
struct Row {
    tenant: String,
    priority: i64,
    attempt: u32,
    state: State,
}

impl Row {
    fn is_due(&self, now: Timestamp) -> bool {
        match self.state {
            State::Queued { run_at } => run_at <= now,
            State::Running { until } => until <= now,
            State::Failed => false,
        }
    }
}

/// The queue under test and what it should hold.
struct Checked<'a> {
    test: &'a TestStore,
    cursors: [Cursor; 2],
    rows: BTreeMap<JobId, Row>,
    /// Every claim ever made, stale ones included.
    claims: Vec<ClaimedJob>,
}

impl Checked<'_> {
    async fn take(&mut self, step: Step) {
        let now = self.test.ambient.now();
        match step {
            Step::Enqueue { tenant, priority, delay_s } => self.enqueue(tenant, priority, delay_s).await,
            Step::Claim { worker, limit } => self.claim(worker, limit).await,
            Step::Hold { which } => {
                let state = State::Running { until: now.plus(LEASE) };
                self.settle(which, Some(state), |tx, lease| lease.hold(tx)).await;
            }
            Step::Finish { which } => self.settle(which, None, jobs::finish).await,
            Step::Retry { which, delay_s } => {
                let at = after(now, delay_s);
                let state = State::Queued { run_at: at };
                self.settle(which, Some(state), move |tx, lease| jobs::retry_at(tx, lease, at, "again")).await;
            }
            Step::Fail { which } => {
                self.settle(which, Some(State::Failed), |tx, lease| jobs::fail(tx, lease, "never")).await;
            }
            Step::Wait { seconds } => self.test.clock.advance(Duration::from_secs(seconds.into())),
        }
    }

    async fn enqueue(&mut self, tenant: u8, priority: u8, delay_s: u8) {
        let (tenant, priority) = (format!("tenant-{tenant}"), i64::from(priority));
        let run_at = after(self.test.ambient.now(), delay_s);
        let id = test_job::enqueue(self.test, &tenant, priority, Duration::from_secs(delay_s.into())).await;
        self.rows.insert(id, Row { tenant, priority, attempt: 0, state: State::Queued { run_at } });
    }

    async fn claim(&mut self, worker: usize, limit: usize) {
        let now = self.test.ambient.now();
        let due = self.rows.values().filter(|row| row.is_due(now)).count();
        let claimed = jobs::claim(&self.test.store, &mut self.cursors[worker], limit, LEASE).await.unwrap();
        assert_eq!(claimed.jobs.len(), due.min(limit), "all that is due is found");
        for job in claimed.jobs {
            let chosen = self.rows[&job.id].clone();
            assert!(chosen.is_due(now), "{chosen:?}");
            if matches!(chosen.state, State::Queued { .. }) {
                let passed_over = self.rows.values().find(|row| {
                    row.tenant == chosen.tenant
                        && row.priority < chosen.priority
                        && matches!(row.state, State::Queued { run_at } if run_at <= now)
                });
                assert!(passed_over.is_none(), "{passed_over:?} comes before {chosen:?}");
            }
            let row = self.rows.get_mut(&job.id).unwrap();
            row.attempt += 1;
            row.state = State::Running { until: now.plus(LEASE) };
            assert_eq!((job.attempt, &job.tenant), (row.attempt, &row.tenant));
            self.claims.push(job);
        }
    }

    /// Uses one of the claims; it must work exactly when it is the last one of a job that runs.
    async fn settle(
        &mut self,
        which: usize,
        next: Option<State>,
        act: impl Fn(&mut store::Tx<'_>, &jobs::Lease) -> Result<(), LeaseError> + Send + Sync + 'static,
    ) {
        // Counted from the newest, so that most of them are live.
        let Some(job) = self.claims.iter().rev().nth(which) else { return };
        let lease = job.lease.clone();
        let result = self.test.store.write("test.settle", move |tx| act(tx, &lease)).await;
        let is_live = self
            .rows
            .get(&job.id)
            .is_some_and(|row| row.attempt == job.attempt && matches!(row.state, State::Running { .. }));
        match result {
            Ok(()) => assert!(is_live, "{job:?} was settled with a lost lease"),
            Err(LeaseError::Lost) => assert!(!is_live, "{job:?} could not be settled"),
            Err(LeaseError::Store(error)) => panic!("{error}"),
        }
        if is_live {
            match next {
                Some(state) => self.rows.get_mut(&job.id).unwrap().state = state,
                None => drop(self.rows.remove(&job.id)),
            }
        }
    }

    async fn compare(&self) {
        let sql = "SELECT id, attempt, state, run_at, lease_until FROM job";
        let read = self.test.store.read("test.compare", |tx| {
            tx.query(sql, &[], |row| {
                let state = match row.get::<String>(2)?.as_str() {
                    "queued" => State::Queued { run_at: row.get(3)? },
                    "running" => State::Running { until: row.get(4)? },
                    _ => State::Failed,
                };
                Ok::<_, store::StoreError>((row.get::<JobId>(0)?, (row.get::<u32>(1)?, state)))
            })
        });
        let stored: BTreeMap<JobId, (u32, State)> = read.await.unwrap().into_iter().collect();
        let expected = self.rows.iter().map(|(id, row)| (*id, (row.attempt, row.state))).collect();
        assert_eq!(stored, expected);
    }
}

fn after(now: Timestamp, seconds: u8) -> Timestamp {
    now.plus(Duration::from_secs(seconds.into()))
}

fn follows_the_model(engine: Engine, cases: u32) {
    testkit::run(engine, move |test| async move {
        let runtime = tokio::runtime::Handle::current();
        let check = move || {
            let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
            let outcome = runner.run(&steps(), |steps| {
                runtime.block_on(async {
                    test.store.write("test.clear", |tx| tx.execute("DELETE FROM job", &[])).await.unwrap();
                    let mut checked =
                        Checked { test: &test, cursors: Default::default(), rows: BTreeMap::new(), claims: Vec::new() };
                    for step in steps {
                        checked.take(step).await;
                    }
                    checked.compare().await;
                });
                Ok(())
            });
            if let Err(error) = outcome {
                panic!("{error}");
            }
        };
        tokio::task::spawn_blocking(check).await.unwrap();
    });
}

#[test]
fn sqlite_follows_the_model() {
    follows_the_model(Engine::Sqlite, 60);
}

#[test]
fn postgres_follows_the_model() {
    follows_the_model(Engine::Postgres, 25);
}
