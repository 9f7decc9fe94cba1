//! What a job's row says: it is read back as it was written, or not at all.

use std::time::Duration;

use kernel::id::JobId;
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Handler, Job, JobState, JobType, LeaseError, Outcome, WorkerOptions};
use testkit::{TestStore, both_stores};

use super::{LEASE, claim_one, enqueue_now, finish, states, worker, worker_of};
use crate::test_job::{TestJob, handler};

#[both_stores]
async fn a_job_can_tell_its_next_run_something_unless_its_lease_was_lost(test: TestStore) {
    enqueue_now(&test, "t").await;
    let first = claim_one(&test).await.unwrap();
    let tell = async |job: &ClaimedJob, note: &str| {
        let (lease, job, at) = (job.lease.clone(), TestJob { note: note.to_owned() }, test.ambient.now());
        test.store.write("test", move |tx| jobs::retry_with(tx, &lease, &job, at, "not now")).await
    };
    tell(&first, "once").await.unwrap();
    assert!(matches!(tell(&first, "twice").await, Err(LeaseError::Lost)));
    let second = claim_one(&test).await.unwrap();
    assert_eq!((second.id, second.attempt, second.lapses), (first.id, 2, 0));
    assert!(matches!(tell(&first, "late").await, Err(LeaseError::Lost)));
    test.clock.advance(LEASE);
    let (told, notes) = std::sync::mpsc::channel();
    let handler = handler(move |job, _| {
        told.send(job.note).unwrap();
        std::future::ready(Outcome::Done)
    });
    assert_eq!(worker_of(&test, handler, WorkerOptions::default()).run_queued().await.unwrap(), 1);
    assert_eq!(notes.try_iter().collect::<Vec<_>>(), ["once"]);
}

/// [`TestJob`] as a later version of the program knows it.
#[derive(Serialize, Deserialize)]
struct LaterTestJob {
    pages: u32,
}

impl Job for LaterTestJob {
    const KIND: &'static str = TestJob::KIND;
    const VERSION: u32 = 2;
    type Context = ();

    async fn run(&self, (): &(), _: &ClaimedJob) -> Outcome {
        if self.pages == 7 { Outcome::Done } else { Outcome::Fail { why: "another job".to_owned() } }
    }
}

#[both_stores]
async fn a_job_of_a_later_version_waits_for_a_worker_that_knows_it(test: TestStore) {
    let later = LaterTestJob { pages: 7 };
    test.store.write("test", move |tx| jobs::enqueue(tx, "t", &later)).await.unwrap();
    let (worker, seen) = worker(&test, |_| Outcome::Done);
    assert_eq!(worker.run_queued().await.unwrap(), 1);
    let waiting = test.store.read("test", |tx| jobs::list(tx, JobState::Queued, 9)).await.unwrap();
    let why = "this program reads Test up to version 1, and the job has version 2";
    assert_eq!((waiting.len(), waiting[0].last_error.as_deref(), seen.lock().unwrap().len()), (1, Some(why), 0));
    test.clock.advance(Duration::from_secs(30));
    let handler = Handler::new::<LaterTestJob>(());
    assert_eq!(worker_of(&test, handler, WorkerOptions::default()).run_queued().await.unwrap(), 1);
    assert!(states(&test).await.is_empty());
}

#[both_stores]
async fn a_job_of_a_later_version_that_nobody_learns_to_read_fails_at_last(test: TestStore) {
    let later = LaterTestJob { pages: 7 };
    let id = test.store.write("test", move |tx| jobs::enqueue(tx, "t", &later)).await.unwrap();
    let (worker, seen) = worker(&test, |_| Outcome::Done);
    for attempt in 1..=20 {
        assert_eq!(worker.run_queued().await.unwrap(), 1);
        let state = if attempt < 20 { "queued" } else { "failed" };
        assert_eq!(states(&test).await, [(id, state.to_owned(), attempt)]);
        test.clock.advance(Duration::from_secs(30));
    }
    assert_eq!((worker.run_queued().await.unwrap(), seen.lock().unwrap().len()), (0, 0));
}

#[both_stores]
async fn a_damaged_payload_is_never_run_and_left_to_the_operator(test: TestStore) {
    let (worker, seen) = worker(&test, |_| Outcome::Done);
    for (lapses, payload) in [(0, ""), (0, "{\"version\":1,\"note\":7}"), (9, "{\"note\":\"no version\"}")] {
        let id = enqueue_now(&test, "t").await;
        let damage = move |tx: &mut store::Tx<'_>| {
            tx.execute("UPDATE job SET payload = $1, lapses = $2 WHERE id = $3", &[&payload, &lapses, &id])
        };
        test.store.write("test", damage).await.unwrap();
        assert_eq!(worker.run_queued().await.unwrap(), 1);
        let failed = test.store.read("test", |tx| jobs::list(tx, JobState::Failed, 9)).await.unwrap();
        assert_eq!(
            (failed.len(), failed[0].last_error.as_deref()),
            (1, Some("the payload can't be read")),
            "{payload}"
        );
        assert!(test.store.write("test", move |tx| jobs::cancel(tx, id, &[])).await.unwrap());
    }
    assert_eq!(seen.lock().unwrap().len(), 0);
}

#[both_stores]
async fn a_cancelled_job_is_told_so_once_unless_it_runs_or_can_not_be_read(test: TestStore) {
    let cancel = async |id: JobId| {
        let types = [JobType::new(TestJob::cancelled)];
        test.store.write("test", move |tx| jobs::cancel(tx, id, &types)).await.unwrap()
    };
    let add = async |note: &str| {
        let job = TestJob { note: note.to_owned() };
        test.store.write("test", move |tx| jobs::enqueue(tx, "t", &job)).await.unwrap()
    };
    let running = add("running").await;
    let claimed = claim_one(&test).await.unwrap();
    let (waiting, damaged) = (add("waiting").await, add("damaged").await);
    test.store
        .write("test", move |tx| tx.execute("UPDATE job SET payload = '{' WHERE id = $1", &[&damaged]))
        .await
        .unwrap();
    assert_eq!((cancel(running).await, cancel(waiting).await, cancel(damaged).await), (false, true, true));
    assert_eq!((cancel(waiting).await, states(&test).await.len()), (false, 1));
    finish(&test.store, &claimed).await.unwrap();
    let told =
        test.store.read("test", |tx| tx.query("SELECT subject FROM rate_window", &[], |row| row.get::<String>(0)));
    assert_eq!(told.await.unwrap(), ["waiting"]);
}

#[both_stores]
async fn a_job_that_is_enqueued_claimed_is_run_as_it_was_given(test: TestStore) {
    let add = |tx: &mut store::Tx<'_>| jobs::enqueue_claimed(tx, "t", &TestJob { note: "mine".to_owned() }, LEASE);
    let claimed = test.store.write("test", add).await.unwrap();
    assert!(claim_one(&test).await.is_none(), "nobody else gets it");
    let handler = handler(|job, claimed| {
        let is_mine = job.note == "mine" && claimed.attempt == 1 && claimed.tenant == "t";
        std::future::ready(if is_mine { Outcome::Done } else { Outcome::Fail { why: format!("{job:?} {claimed:?}") } })
    });
    worker_of(&test, handler, WorkerOptions::default()).run_claimed(claimed).await;
    assert!(states(&test).await.is_empty());
}
