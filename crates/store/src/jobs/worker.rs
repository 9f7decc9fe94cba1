//! Claims due jobs and runs them, as many at a time as the options say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::JobId;
use tokio::task::JoinSet;

use super::claim::{Claimed, Cursor, claim};
use super::lease::{Lease, LeaseError, release};
use super::task::Task;
use super::{ClaimedJob, Handler};
use crate::{Queue, Store, StoreError};

/// The longest time between two looks at the queue.
const POLL: Duration = Duration::from_secs(1);

/// The wait after a claim that found due work and got none.
const CONTENTION: Duration = Duration::from_millis(5);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Jobs in flight at a time, at least 1.
    pub concurrency: usize,
    /// After this time without renewal others take a job over; renewed at a third of it.
    pub lease: Duration,
    /// How long running jobs may take to end at shutdown.
    pub grace: Duration,
    /// A job whose worker vanished more often than this is given up.
    pub max_lapses: u32,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self { concurrency: 32, lease: Duration::from_secs(60), grace: Duration::from_secs(30), max_lapses: 5 }
    }
}

/// Runs jobs in this process.
pub struct Worker {
    shared: Arc<Shared>,
}

/// What the worker's tasks use.
pub(super) struct Shared {
    pub(super) store: Store,
    pub(super) ambient: Ambient,
    pub(super) handlers: HashMap<&'static str, Handler>,
    pub(super) options: WorkerOptions,
    /// Leases of the jobs that run.
    running: Mutex<HashMap<JobId, Lease>>,
    /// Locked while a claim is under way, so that shutdown knows of what it brings.
    claiming: Arc<tokio::sync::Mutex<()>>,
}

impl Worker {
    /// A worker for the kinds of `handlers`.
    #[must_use]
    pub fn new(
        store: Store,
        ambient: Ambient,
        handlers: impl IntoIterator<Item = Handler>,
        options: WorkerOptions,
    ) -> Self {
        let handlers = handlers.into_iter().map(|handler| (handler.kind, handler)).collect();
        let (running, claiming) = Default::default();
        Self { shared: Arc::new(Shared { store, ambient, handlers, options, running, claiming }) }
    }

    /// Runs jobs until `shutdown`; then claims no more, lets the running ones end within the grace, and
    /// gives the rest back to the queue.
    pub async fn run(&self, shutdown: impl Future<Output = ()>) {
        let mut tasks = JoinSet::new();
        tokio::select! {
            () = self.keep_claiming(&mut tasks) => {}
            () = shutdown => {}
        }
        let all_done = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(self.shared.options.grace, all_done).await.is_err() {
            tasks.shutdown().await;
        }
        self.release_running().await;
    }

    /// Runs all jobs that are due, one after the other, until none is. For tests with a clock of their own.
    ///
    /// # Errors
    /// Any [`StoreError`] of claiming; what goes wrong in a job is its outcome.
    pub async fn run_queued(&self) -> Result<usize, StoreError> {
        let mut cursor = Cursor::default();
        let mut count = 0;
        loop {
            let claimed = claim(&self.shared.store, &mut cursor, 1, self.shared.options.lease).await?;
            if claimed.jobs.is_empty() {
                return Ok(count);
            }
            for job in claimed.jobs {
                count += 1;
                self.task(job).run().await;
            }
        }
    }

    /// Runs a job that was claimed as it was added ([`super::enqueue_claimed`]), whatever else this worker does.
    pub async fn run_claimed(&self, job: ClaimedJob) {
        self.task(job).run().await;
    }

    async fn keep_claiming(&self, tasks: &mut JoinSet<()>) {
        let concurrency = self.shared.options.concurrency.max(1);
        let mut cursor = Cursor::default();
        // Whether the last claim may have left due jobs; without, only a wake-up or time brings some.
        let mut may_have_more = true;
        let mut pause = POLL;
        loop {
            while tasks.try_join_next().is_some() {}
            let free = concurrency.saturating_sub(tasks.len());
            if free > 0 && may_have_more {
                let claimed = self.claim(&mut cursor, free).await;
                pause = self.pause_after(claimed.as_ref());
                let jobs = claimed.map(|claimed| claimed.jobs).unwrap_or_default();
                may_have_more = jobs.len() == free || (pause.is_zero() && !jobs.is_empty());
                if jobs.is_empty() {
                    // What is due is being claimed by others, or further on in the ring.
                    pause = pause.max(CONTENTION);
                }
                for job in jobs {
                    let task = self.task(job);
                    tasks.spawn(async move { task.run().await });
                }
                continue;
            }
            tokio::select! {
                Some(_) = tasks.join_next() => {}
                _ = self.shared.store.wakeups().wait(Queue::Jobs, pause), if free > 0 => may_have_more = true,
            }
        }
    }

    /// Claims in a task of its own: dropped halfway at shutdown, it would leave jobs leased and unknown.
    async fn claim(&self, cursor: &mut Cursor, free: usize) -> Option<Claimed> {
        let mut moving = cursor.clone();
        let shared = self.shared.clone();
        let guard = shared.claiming.clone().lock_owned().await;
        let claiming = tokio::spawn(async move {
            let _guard = guard;
            let claimed = claim(&shared.store, &mut moving, free, shared.options.lease).await;
            if let Ok(claimed) = &claimed {
                shared.note_running(&claimed.jobs);
            }
            (claimed, moving)
        });
        match claiming.await {
            Ok((Ok(claimed), moved)) => {
                *cursor = moved;
                Some(claimed)
            }
            Ok((Err(error), _)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "can't claim jobs for the moment");
                None
            }
            Err(_) => None,
        }
    }

    fn pause_after(&self, claimed: Option<&Claimed>) -> Duration {
        let now = self.shared.ambient.now();
        match claimed {
            Some(Claimed { next_due: Some(due), .. }) => due.duration_since(now).min(POLL),
            Some(_) | None => POLL,
        }
    }

    fn task(&self, job: ClaimedJob) -> Task {
        self.shared.note_running(std::slice::from_ref(&job));
        Task::new(self.shared.clone(), job)
    }

    async fn release_running(&self) {
        drop(self.shared.claiming.lock().await);
        let leases: Vec<Lease> = self.shared.running().drain().map(|(_, lease)| lease).collect();
        for lease in leases {
            let job = lease.job();
            let released = self.shared.store.write("jobs.release", move |tx| release(tx, &lease)).await;
            match released {
                Ok(()) | Err(LeaseError::Lost) => {}
                Err(LeaseError::Store(error)) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(%job, error, "the job waits until its lease lapses");
                }
            }
        }
    }
}

impl Shared {
    pub(super) fn note_ended(&self, job: JobId) {
        self.running().remove(&job);
    }

    fn note_running(&self, jobs: &[ClaimedJob]) {
        let mut running = self.running();
        running.extend(jobs.iter().map(|job| (job.id, job.lease.clone())));
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, Lease>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
