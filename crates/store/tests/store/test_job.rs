//! A job for tests of the queue: what a run does is a function of the test.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kernel::id::JobId;
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Handler, Job, Outcome};
use store::{StoreError, Tx};
use testkit::TestStore;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestJob {
    #[serde(default)]
    pub(crate) note: String,
}

type Act = Box<dyn Fn(TestJob, ClaimedJob) -> BoxFuture<'static, Outcome> + Send + Sync>;

/// What runs do.
pub(crate) struct Acts {
    run: Act,
    give_up: Option<Act>,
}

impl Job for TestJob {
    const KIND: &'static str = "Test";
    type Context = Acts;

    async fn run(&self, acts: &Acts, claimed: &ClaimedJob) -> Outcome {
        (acts.run)(self.clone(), claimed.clone()).await
    }

    async fn gave_up(&self, acts: &Acts, claimed: &ClaimedJob) -> Outcome {
        match &acts.give_up {
            Some(give_up) => give_up(self.clone(), claimed.clone()).await,
            None => Outcome::Fail { why: "poison".to_owned() },
        }
    }
}

impl TestJob {
    /// Leaves a row that the test can find.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        tx.execute_later("INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, 0, 0)", &[&self.note])
    }
}

/// Runs each job by a function.
pub(crate) fn handler<F: Future<Output = Outcome> + Send + 'static>(
    run: impl Fn(TestJob, ClaimedJob) -> F + Send + Sync + 'static,
) -> Handler {
    let run: Act = Box::new(move |job, claimed| run(job, claimed).boxed());
    Handler::new::<TestJob>(Acts { run, give_up: None })
}

/// Gives each job up by a function, and runs none.
pub(crate) fn handler_that_gives_up<F: Future<Output = Outcome> + Send + 'static>(
    give_up: impl Fn(ClaimedJob) -> F + Send + Sync + 'static,
) -> Handler {
    let run: Act = Box::new(|_, _| panic!("the job was run"));
    Handler::new::<TestJob>(Acts { run, give_up: Some(Box::new(move |_, claimed| give_up(claimed).boxed())) })
}

/// Enqueues a job that is due in `delay`.
pub(crate) async fn enqueue(test: &TestStore, tenant: &str, priority: i64, delay: Duration) -> JobId {
    let tenant = tenant.to_owned();
    let write = move |tx: &mut Tx<'_>| {
        let id = jobs::enqueue(tx, &tenant, &TestJob::default())?;
        let run_at = tx.now().plus(delay);
        tx.execute_later("UPDATE job SET priority = $2, run_at = $3 WHERE id = $1", &[&id, &priority, &run_at])?;
        Ok::<_, StoreError>(id)
    };
    test.store.write("test.enqueue", write).await.unwrap()
}
