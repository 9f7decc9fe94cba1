//! The job queue: order, fairness, leases, fencing, workers; what a job's row says in `payloads.rs`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod payloads;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use kernel::id::JobId;
use store::jobs::{self, ClaimedJob, Cursor, Handler, JobState, LeaseError, Outcome, Worker, WorkerOptions};
use store::{Queue, Store, StoreError};
use testkit::{TestStore, both_stores};
use tokio::sync::{Notify, oneshot};

use crate::test_job::{enqueue, handler, handler_that_gives_up};

const LEASE: Duration = Duration::from_secs(60);

async fn enqueue_now(test: &TestStore, tenant: &str) -> JobId {
    enqueue(test, tenant, 0, Duration::ZERO).await
}

async fn claim(test: &TestStore, cursor: &mut Cursor, limit: usize) -> Vec<ClaimedJob> {
    jobs::claim(&test.store, cursor, limit, LEASE).await.unwrap().jobs
}

async fn claim_one(test: &TestStore) -> Option<ClaimedJob> {
    claim(test, &mut Cursor::default(), 1).await.pop()
}

async fn finish(store: &Store, job: &ClaimedJob) -> Result<(), LeaseError> {
    let lease = job.lease.clone();
    store
        .write("test.finish", move |tx| {
            lease.hold(tx)?;
            jobs::finish(tx, &lease)
        })
        .await
}

async fn states(test: &TestStore) -> Vec<(JobId, String, u32)> {
    let sql = "SELECT id, state, attempt FROM job ORDER BY id";
    test.store
        .read("test.states", |tx| {
            tx.query(sql, &[], |row| Ok::<_, StoreError>((row.get(0)?, row.get(1)?, row.get(2)?)))
        })
        .await
        .unwrap()
}

/// A worker that runs each job by a function, and the jobs that it has run.
fn worker(
    test: &TestStore,
    act: impl Fn(&ClaimedJob) -> Outcome + Send + Sync + 'static,
) -> (Worker, Arc<Mutex<Vec<JobId>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let ran = seen.clone();
    let handler = handler(move |_, claimed| {
        ran.lock().unwrap().push(claimed.id);
        std::future::ready(act(&claimed))
    });
    (worker_of(test, handler, WorkerOptions::default()), seen)
}

fn worker_of(test: &TestStore, handler: Handler, options: WorkerOptions) -> Worker {
    Worker::new(test.store.clone(), test.ambient.clone(), [handler], options)
}

#[both_stores]
async fn within_a_tenant_priority_comes_first_then_time(test: TestStore) {
    let late = enqueue(&test, "t", 5, Duration::from_secs(2)).await;
    let early = enqueue(&test, "t", 5, Duration::from_secs(1)).await;
    let urgent = enqueue(&test, "t", 1, Duration::from_secs(3)).await;
    assert!(claim_one(&test).await.is_none(), "nothing is due yet");
    test.clock.advance(Duration::from_secs(2));
    assert_eq!(claim_one(&test).await.unwrap().id, early);
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(claim_one(&test).await.unwrap().id, urgent);
    assert_eq!(claim_one(&test).await.unwrap().id, late);
    assert!(claim_one(&test).await.is_none());
}

#[both_stores]
async fn a_claim_says_when_the_next_job_is_due(test: TestStore) {
    let now = test.ambient.now();
    let nothing = jobs::claim(&test.store, &mut Cursor::default(), 5, LEASE).await.unwrap();
    assert_eq!((nothing.jobs.len(), nothing.next_due), (0, None));
    enqueue(&test, "t", 0, Duration::from_secs(7)).await;
    let waiting = jobs::claim(&test.store, &mut Cursor::default(), 5, LEASE).await.unwrap();
    assert_eq!((waiting.jobs.len(), waiting.next_due), (0, Some(now.plus(Duration::from_secs(7)))));
}

#[both_stores]
async fn each_tenant_gets_its_turn_however_much_another_has_queued(test: TestStore) {
    // The ids of the first are UUIDs, those of the others none: they are never claimed here, only leapt over or counted.
    let crowd = "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, created_at, updated_at) \
                     WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 100000) \
                     SELECT $1 || substr('000000000000' || number, length('' || number) + 1), 'Test', $2, '', 'queued', 0, $3, 0, 0, 0, 0 \
                     FROM numbers";
    for (id, tenant, run_at) in [("01900000-0000-7000-8000-", "crowd", 0), ("later-", "later", 9_999_999_999_999_i64)] {
        test.store.write("test.crowd", move |tx| tx.execute(crowd, &[&id, &tenant, &run_at])).await.unwrap();
    }
    let mut small = HashSet::new();
    for tenant in ["a", "m", "z"] {
        small.insert(enqueue_now(&test, tenant).await);
    }
    let claimed = claim(&test, &mut Cursor::default(), 8).await;
    let ids: HashSet<JobId> = claimed.iter().map(|job| job.id).collect();
    assert!(small.is_subset(&ids), "{claimed:?}");
    assert_eq!(claimed.iter().filter(|job| job.tenant == "crowd").count(), 5);
    // The machine may have other things to do now and then; what reads every job takes long each time.
    let mut quickest = Duration::MAX;
    for _ in 0..5 {
        let started = std::time::Instant::now();
        assert_eq!(claim(&test, &mut Cursor::default(), 8).await.len(), 8);
        quickest = quickest.min(started.elapsed());
    }
    assert!(quickest < Duration::from_millis(250), "a claim among 200,000 jobs took {quickest:?}");
}

#[both_stores]
async fn the_ring_goes_on_where_it_stopped(test: TestStore) {
    for tenant in ["a", "b", "c"] {
        for _ in 0..4 {
            enqueue_now(&test, tenant).await;
        }
    }
    let mut cursor = Cursor::default();
    let mut order = Vec::new();
    for _ in 0..7 {
        order.push(claim(&test, &mut cursor, 1).await.pop().unwrap().tenant);
    }
    assert_eq!(order, ["a", "b", "c", "a", "b", "c", "a"]);
    let rest = claim(&test, &mut cursor, 10).await;
    assert_eq!(rest.len(), 5);
    assert!(claim(&test, &mut cursor, 10).await.is_empty());
}

#[both_stores]
async fn a_finished_job_is_gone_a_failed_one_stays_a_retried_one_waits(test: TestStore) {
    let ids = [enqueue_now(&test, "t").await, enqueue_now(&test, "t").await, enqueue_now(&test, "t").await];
    let claimed = claim(&test, &mut Cursor::default(), 3).await;
    let leases: Vec<_> = ids.iter().map(|id| claimed.iter().find(|job| job.id == *id).unwrap().lease.clone()).collect();
    let at = test.ambient.now().plus(Duration::from_secs(5));
    test.store
        .write("test", move |tx| {
            jobs::finish(tx, &leases[0])?;
            jobs::fail(tx, &leases[1], "no use")?;
            jobs::retry_at(tx, &leases[2], at, "not now")
        })
        .await
        .unwrap();
    let failed = test.store.read("test", |tx| jobs::list(tx, JobState::Failed, 9)).await.unwrap();
    assert_eq!((failed.len(), failed[0].id, failed[0].last_error.as_deref()), (1, ids[1], Some("no use")));
    let queued = test.store.read("test", |tx| jobs::list(tx, JobState::Queued, 9)).await.unwrap();
    assert_eq!((queued.len(), queued[0].id, queued[0].run_at), (1, ids[2], at));
    assert_eq!(states(&test).await.len(), 2);
    let (again, gone) = (ids[1], ids[2]);
    assert!(test.store.write("test", move |tx| jobs::requeue(tx, again)).await.unwrap());
    for is_there in [true, false] {
        assert_eq!(test.store.write("test", move |tx| jobs::cancel(tx, gone, &[])).await.unwrap(), is_there);
    }
    assert_eq!(claim_one(&test).await.unwrap().id, again);
}

#[both_stores]
async fn a_lapsed_lease_is_taken_over_and_its_holder_fenced_off(test: TestStore) {
    let id = enqueue_now(&test, "t").await;
    let first = claim_one(&test).await.unwrap();
    assert_eq!((first.id, first.attempt, first.lapses), (id, 1, 0));
    test.clock.advance(LEASE - Duration::from_millis(1));
    assert!(claim_one(&test).await.is_none());
    test.clock.advance(Duration::from_millis(1));
    let second = claim_one(&test).await.unwrap();
    assert_eq!((second.id, second.attempt, second.lapses), (id, 2, 1));
    let (stale, now) = (first.lease.clone(), test.ambient.now());
    let late = test.store.write("test.late", move |tx| {
        tx.execute_later("INSERT INTO rate_window (subject, started_at, leased) VALUES ('late', 0, 0)", &[])?;
        stale.hold(tx)
    });
    assert!(matches!(late.await, Err(LeaseError::Lost)));
    for settle in [jobs::fail, |tx: &mut store::Tx<'_>, lease: &jobs::Lease, why: &str| {
        let at = tx.now();
        jobs::retry_at(tx, lease, at, why)
    }] {
        let stale = first.lease.clone();
        assert!(matches!(
            test.store.write("test.late", move |tx| settle(tx, &stale, "late")).await,
            Err(LeaseError::Lost)
        ));
    }
    assert!(matches!(finish(&test.store, &first).await, Err(LeaseError::Lost)));
    assert_eq!(now, test.ambient.now());
    finish(&test.store, &second).await.unwrap();
    assert!(matches!(finish(&test.store, &second).await, Err(LeaseError::Lost)));
    let late = test.store.read("test", |tx| {
        tx.find("SELECT leased FROM rate_window WHERE subject = 'late'", &[], |row| row.get::<i64>(0))
    });
    assert_eq!(late.await.unwrap(), None);
}

#[both_stores]
async fn leases_of_holders_that_are_known_to_be_gone_lapse_at_once(test: TestStore) {
    let id = enqueue_now(&test, "t").await;
    let gone = claim_one(&test).await.unwrap();
    assert!(claim_one(&test).await.is_none());
    assert_eq!(test.store.write("test", jobs::lapse_all).await.unwrap(), 1);
    let next = claim_one(&test).await.unwrap();
    assert_eq!((next.id, next.lapses), (id, 1));
    assert!(matches!(finish(&test.store, &gone).await, Err(LeaseError::Lost)));
}

#[both_stores]
async fn holding_a_lease_renews_it(test: TestStore) {
    enqueue_now(&test, "t").await;
    let job = claim_one(&test).await.unwrap();
    for _ in 0..3 {
        test.clock.advance(LEASE / 2);
        let lease = job.lease.clone();
        test.store.write("test.hold", move |tx| lease.hold(tx)).await.unwrap();
    }
    assert!(claim_one(&test).await.is_none());
    finish(&test.store, &job).await.unwrap();
}

#[both_stores]
async fn two_workers_never_get_the_same_job(test: TestStore) {
    for number in 0..60 {
        enqueue_now(&test, &format!("tenant-{}", number % 7)).await;
    }
    let other = test.open_again().await;
    let claims = (0..6).map(|number| {
        let store = if number % 2 == 0 { test.store.clone() } else { other.clone() };
        tokio::spawn(async move {
            let (mut cursor, mut mine) = (Cursor::default(), Vec::new());
            loop {
                let claimed = jobs::claim(&store, &mut cursor, 3, LEASE).await.unwrap();
                let now_due = claimed.next_due.is_some_and(|due| due.as_millis() <= 1_767_323_045_000);
                let is_empty = claimed.jobs.is_empty();
                mine.extend(claimed.jobs.into_iter().map(|job| job.id));
                if is_empty && !now_due {
                    return mine;
                }
            }
        })
    });
    let claimed: Vec<JobId> = join_all(claims.collect::<Vec<_>>()).await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(claimed.len(), 60);
    assert_eq!(claimed.iter().collect::<HashSet<_>>().len(), 60);
    other.close().await;
}

#[both_stores]
async fn run_queued_runs_what_is_due_and_what_that_makes_due(test: TestStore) {
    let first = enqueue_now(&test, "t").await;
    let later = enqueue(&test, "t", 0, Duration::from_secs(9)).await;
    let now = test.ambient.now();
    let (worker, seen) = worker(&test, move |job| match job.attempt {
        1 => Outcome::Retry { at: now, why: "again".to_owned() },
        _ => Outcome::Done,
    });
    assert_eq!(worker.run_queued().await.unwrap(), 2);
    assert_eq!(*seen.lock().unwrap(), [first, first]);
    assert_eq!(states(&test).await, [(later, "queued".to_owned(), 0)]);
    test.clock.advance(Duration::from_secs(9));
    // The retry is not due before the clock that the handler was made with: it is, at once.
    assert_eq!(worker.run_queued().await.unwrap(), 2);
    assert!(states(&test).await.is_empty());
}

#[both_stores]
async fn a_panic_is_a_failed_attempt_and_too_many_end_the_job(test: TestStore) {
    let id = enqueue_now(&test, "t").await;
    let (worker, seen) = worker(&test, |_| panic!("a test of panics"));
    let mut runs = 0;
    for _ in 0..10 {
        runs += worker.run_queued().await.unwrap();
        test.clock.advance(Duration::from_secs(61));
    }
    // Six lapses are one more than allowed: the seventh claim gives up without running the handler.
    assert_eq!((runs, seen.lock().unwrap().len()), (7, 6));
    assert_eq!(states(&test).await, [(id, "failed".to_owned(), 7)]);
}

#[both_stores]
async fn a_job_that_takes_its_workers_down_is_given_up_by_its_handler(test: TestStore) {
    let id = enqueue_now(&test, "t").await;
    for _ in 0..6 {
        assert!(claim_one(&test).await.is_some());
        test.clock.advance(LEASE);
    }
    let store = test.store.clone();
    let handler = handler_that_gives_up(move |claimed| {
        let store = store.clone();
        async move {
            let write = move |tx: &mut store::Tx<'_>| {
                claimed.lease.hold(tx)?;
                tx.execute_later(
                    "INSERT INTO rate_window (subject, started_at, leased) VALUES ('gave up', 0, 0)",
                    &[],
                )?;
                jobs::fail(tx, &claimed.lease, "poison")
            };
            store.write("test.give_up", write).await.unwrap();
            Outcome::Settled
        }
    });
    assert_eq!(worker_of(&test, handler, WorkerOptions::default()).run_queued().await.unwrap(), 1);
    assert_eq!(states(&test).await, [(id, "failed".to_owned(), 7)]);
    let recorded = test.store.read("test", |tx| {
        tx.find("SELECT leased FROM rate_window WHERE subject = 'gave up'", &[], |row| row.get::<i64>(0))
    });
    assert_eq!(recorded.await.unwrap(), Some(0));
}

#[both_stores]
async fn a_kind_without_handler_waits_for_one(test: TestStore) {
    enqueue_now(&test, "t").await;
    let worker = Worker::new(test.store.clone(), test.ambient.clone(), [], WorkerOptions::default());
    assert_eq!(worker.run_queued().await.unwrap(), 1);
    assert_eq!(states(&test).await[0].1, "queued");
    test.clock.advance(Duration::from_secs(30));
    let (worker, seen) = self::worker(&test, |_| Outcome::Done);
    assert_eq!(worker.run_queued().await.unwrap(), 1);
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[both_stores]
async fn a_running_worker_is_woken_by_a_commit(test: TestStore) {
    let done = Arc::new(Notify::new());
    let signal = done.clone();
    let (worker, seen) = worker(&test, move |_| {
        signal.notify_one();
        Outcome::Done
    });
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        worker
            .run(async {
                let _ = stopped.await;
            })
            .await;
    });
    for _ in 0..20 {
        enqueue_now(&test, "t").await;
        done.notified().await;
    }
    drop(stop);
    running.await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 20);
    assert!(states(&test).await.is_empty());
}

#[both_stores]
async fn shutdown_lets_work_end_and_gives_the_rest_back(test: TestStore) {
    let started = Arc::new(Notify::new());
    let endless = enqueue_now(&test, "endless").await;
    let options = WorkerOptions { grace: Duration::from_millis(20), ..WorkerOptions::default() };
    let begun = started.clone();
    let handler = handler(move |_, claimed| {
        begun.notify_one();
        async move {
            if claimed.tenant == "endless" {
                std::future::pending::<()>().await;
            }
            Outcome::Done
        }
    });
    let worker = worker_of(&test, handler, options);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        worker
            .run(async {
                let _ = stopped.await;
            })
            .await;
    });
    started.notified().await;
    drop(stop);
    running.await.unwrap();
    assert_eq!(states(&test).await, [(endless, "queued".to_owned(), 1)]);
    assert_eq!(claim_one(&test).await.unwrap().attempt, 2);
}

#[both_stores]
async fn a_lost_lease_drops_the_work(test: TestStore) {
    let started = Arc::new(Notify::new());
    let id = enqueue_now(&test, "t").await;
    // Renewed every 10 ms; the clock stands still, so that it lapses when the test says so.
    let options = WorkerOptions { lease: Duration::from_millis(30), concurrency: 1, ..WorkerOptions::default() };
    let begun = started.clone();
    let handler = handler(move |_, _| {
        begun.notify_one();
        std::future::pending()
    });
    let worker = worker_of(&test, handler, options);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        worker
            .run(async {
                let _ = stopped.await;
            })
            .await;
    });
    started.notified().await;
    test.store.write("test.steal", |tx| tx.execute("UPDATE job SET lease_token = 'thief'", &[])).await.unwrap();
    test.store
        .write("test.stolen", |tx| {
            tx.execute("UPDATE job SET state = 'failed', lease_token = NULL, lease_until = NULL", &[])
        })
        .await
        .unwrap();
    // The only slot is free again, which shows that the stolen work was dropped.
    let next = enqueue_now(&test, "t").await;
    started.notified().await;
    drop(stop);
    let states = states(&test).await;
    assert!(states.contains(&(id, "failed".to_owned(), 1)), "{states:?}");
    assert!(states.contains(&(next, "running".to_owned(), 1)), "{states:?}");
    running.abort();
}

#[both_stores]
async fn wake_ups_are_not_lost(test: TestStore) {
    let minute = Duration::from_secs(60);
    test.store
        .write("test.wake", |tx| {
            tx.wake(Queue::Deliveries);
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    assert!(test.store.wakeups().wait(Queue::Deliveries, minute).await, "it came before the wait");
    let undone = test.store.write("test.wake", |tx| {
        tx.wake(Queue::Deliveries);
        Err::<(), _>(StoreError::Check)
    });
    undone.await.unwrap_err();
    let store = test.store.clone();
    let waiting = tokio::spawn(async move { store.wakeups().wait(Queue::Deliveries, minute).await });
    test.store
        .write("test.wake", |tx| {
            tx.wake(Queue::Deliveries);
            tx.execute_later("UPDATE job SET priority = 0", &[])
        })
        .await
        .unwrap();
    assert!(waiting.await.unwrap());
}
