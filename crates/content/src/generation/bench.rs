//! Where a generator works on one draft of a job: the parts that are done are rows, written under the job's lease.
//!
//! The draft of a part that a request waits for has no job, and nothing of it is kept.
//!
//! A crash or another try finds them again. They are deleted with their job, or with [`forget`] when the output that
//! they belong to has ended before it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{Interrupted, Remark, Workbench};
use store::jobs::{ClaimedJob, Lease};
use store::{Store, StoreError, Tx};
use tokio::runtime::{Handle, RuntimeFlavor};

use super::attempts::Interruption;

/// A part longer than this is not kept, in bytes: it is made again.
const LONGEST_PART: usize = 1 << 20;

/// The workbench of one draft.
pub(crate) struct Bench {
    tenant: String,
    /// None for a draft that no job makes.
    job: Option<JobPlace>,
    kept: HashMap<String, String>,
    notes: Mutex<Notes>,
}

/// The job of a draft, and which of its outputs the draft is.
struct JobPlace {
    store: Store,
    lease: Lease,
    output: &'static str,
}

#[derive(Default)]
struct Notes {
    remarks: Vec<Remark>,
    interruption: Option<Interruption>,
}

impl Bench {
    /// The bench of the job's draft that `output` names, with what earlier tries kept of it.
    pub(crate) async fn open(store: &Store, job: &ClaimedJob, output: &'static str) -> Result<Arc<Self>, Interruption> {
        let id = job.id;
        let read = move |tx: &mut Tx<'_>| {
            tx.query(
                "SELECT part, made FROM generation_part WHERE job_id = $1 AND output = $2",
                &[&id, &output],
                |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)),
            )
        };
        let kept = store.read::<_, StoreError, _>("generation.parts", read).await?;
        Ok(Self::with(store, job, output, kept.into_iter().collect()))
    }

    /// A bench for a generator that keeps nothing.
    pub(crate) fn bare(store: &Store, job: &ClaimedJob, output: &'static str) -> Arc<Self> {
        Self::with(store, job, output, HashMap::new())
    }

    /// A bench for a draft that a request waits for: nothing of it is kept.
    pub(crate) fn without_job(tenant: String) -> Arc<Self> {
        Arc::new(Self { tenant, job: None, kept: HashMap::new(), notes: Mutex::default() })
    }

    fn with(store: &Store, job: &ClaimedJob, output: &'static str, kept: HashMap<String, String>) -> Arc<Self> {
        let place = JobPlace { store: store.clone(), lease: job.lease.clone(), output };
        Arc::new(Self { tenant: job.tenant.clone(), job: Some(place), kept, notes: Mutex::default() })
    }

    /// Why the work must not go on, where that is so. It is told once.
    pub(crate) fn interruption(&self) -> Option<Interruption> {
        self.notes().interruption.take()
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.notes().interruption.is_some()
    }

    /// What was remarked, each once.
    pub(super) fn take_remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut self.notes().remarks)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn write(&self, part: &str, made: &str) -> Result<(), Interruption> {
        let Some(job) = &self.job else { return Ok(()) };
        let (lease, output, part, made) = (job.lease.clone(), job.output, part.to_owned(), made.to_owned());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let (job, now) = (lease.job(), tx.now());
            tx.execute_later(
                "INSERT INTO generation_part (job_id, output, part, made, created_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (job_id, output, part) DO UPDATE SET made = excluded.made",
                &[&job, &output, &part, &made, &now],
            )?;
            Ok::<_, Interruption>(())
        };
        job.store.write("generation.keep_part", write).await
    }
}

/// Deletes what was kept of an output that has ended. The caller's transaction holds the job's lease.
pub(crate) fn forget(tx: &mut Tx<'_>, lease: &Lease, output: &str) -> Result<(), StoreError> {
    let job = lease.job();
    tx.execute_later("DELETE FROM generation_part WHERE job_id = $1 AND output = $2", &[&job, &output])
}

#[async_trait]
impl Workbench for Bench {
    fn tenant(&self) -> &str {
        &self.tenant
    }

    fn kept(&self, part: &str) -> Option<String> {
        self.kept.get(part).cloned()
    }

    async fn keep(&self, part: &str, made: &str) -> Result<(), Interrupted> {
        if made.len() > LONGEST_PART {
            tracing::warn!(part, bytes = made.len(), "a part of a draft is too long to be kept");
            return Ok(());
        }
        self.write(part, made).await.map_err(|interruption| {
            self.notes().interruption.get_or_insert(interruption);
            Interrupted
        })
    }

    fn remark(&self, remark: Remark) {
        let mut notes = self.notes();
        if !notes.remarks.contains(&remark) {
            let (job, output) = match &self.job {
                Some(place) => (place.lease.job().to_string(), place.output),
                None => (String::new(), "part"),
            };
            match &remark {
                Remark::LeftOut(places) => tracing::info!(%job, output, places = places.len(), "material was left out"),
                Remark::OwnKnowledge => tracing::info!(%job, output, "written from the model's own knowledge"),
                Remark::WithoutMaterial(topics) => {
                    tracing::info!(%job, output, topics = topics.len(), "nothing is known of topics of the request");
                }
                Remark::Dropped(count) => tracing::info!(%job, output, count, "pieces of a draft were dropped"),
                Remark::WithoutQuestions(modules) => {
                    tracing::info!(%job, output, modules = modules.len(), "modules have no questions");
                }
            }
            notes.remarks.push(remark);
        }
    }

    fn compute(&self, work: &mut dyn FnMut()) {
        compute(work);
    }
}

/// Does what takes a processor in the middle of a task: the thread's other tasks move to another one meanwhile.
fn compute(work: &mut dyn FnMut()) {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // A runtime of one thread has nowhere to move them.
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_computes_does_not_hold_up_what_waits_for_the_same_thread() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let came = runtime.block_on(async {
            let (other, waiting) = mpsc::channel();
            let drafting = tokio::spawn(async move {
                tokio::spawn(async move { other.send(()) });
                let mut came = false;
                compute(&mut || came = waiting.recv_timeout(Duration::from_secs(20)).is_ok());
                came
            });
            drafting.await.unwrap()
        });
        assert!(came, "the other task had its turn");
    }
}
