//! Asks the generator, for every kind of job.
//!
//! One that computes gets a processor: at most as many drafts at once as there are processors, each on a blocking thread.
//! One that asks a language model mostly waits: its drafts run as tasks, and how many prompts are under way at once is
//! the model's own limit. A crash of either fails nothing but the draft.
//!
//! Where the operator names a fall-back, it makes what the first generator has given up, and the draft's [`Credit`] says so.

use std::sync::Arc;
use std::time::Duration;

use engine::{BoxFuture, GenerationError, Generator, Workbench};
use kernel::id::OrganizationId;
use kernel::turns::FairTurns;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::attempts::{GENERATOR_CRASHED, Reason};
use super::bench::Bench;
use super::credit::Credit;

/// The generators with their limits. Cheap to clone; all clones share the limits.
#[derive(Clone)]
pub struct Drafter {
    first: Writer,
    fallback: Option<Writer>,
    /// Generating computes: more at once than there are processors only makes every job late.
    processors: Arc<Semaphore>,
    /// How long a request waits for the draft of a part.
    pub(super) part_wait: Duration,
    /// Drafts of parts at once: requests of one organization must not keep the others waiting, nor the jobs.
    pub(super) part_turns: Arc<FairTurns<OrganizationId>>,
}

/// Drafts of parts that are made at once, and those of one organization among them.
const PARTS_AT_ONCE: usize = 16;
const PARTS_EACH: usize = 2;

/// The longest that a request waits for the draft of a part.
const PART_WAIT: Duration = Duration::from_secs(60);

/// A generator by its name.
#[derive(Clone)]
struct Writer {
    generator: Arc<dyn Generator>,
    mode: &'static str,
    pace: Pace,
}

/// What a generator's time goes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    Computes,
    Waits,
}

impl Drafter {
    /// A generator that computes. `mode` names it in manifests and metadata: `builtin`.
    pub fn new(generator: Arc<dyn Generator>, mode: &'static str) -> Self {
        Self::of(Writer { generator, mode, pace: Pace::Computes })
    }

    /// A generator that waits for a language model and keeps the parts that are done. `mode` as in [`Drafter::new`]:
    /// `model`.
    pub fn waiting(generator: Arc<dyn Generator>, mode: &'static str) -> Self {
        Self::of(Writer { generator, mode, pace: Pace::Waits })
    }

    /// Has a generator that computes make what the first one has given up for good. Only the operator may want that.
    #[must_use]
    pub fn with_fallback(self, generator: Arc<dyn Generator>, mode: &'static str) -> Self {
        Self { fallback: Some(Writer { generator, mode, pace: Pace::Computes }), ..self }
    }

    fn of(first: Writer) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            first,
            fallback: None,
            processors: Arc::new(Semaphore::new(processors)),
            part_wait: PART_WAIT,
            part_turns: Arc::new(FairTurns::with_share(PARTS_AT_ONCE, PARTS_EACH)),
        }
    }

    /// The same with another wait for the draft of a part.
    #[cfg(test)]
    pub(crate) fn waiting_for_parts(self, part_wait: Duration) -> Self {
        Self { part_wait, ..self }
    }

    /// Whether parts of drafts are kept between tries.
    pub(crate) fn keeps_parts(&self) -> bool {
        self.first.pace == Pace::Waits
    }

    /// How many drafts of one job are worth making at once.
    pub(crate) fn drafts_at_once(&self) -> usize {
        match self.first.pace {
            Pace::Computes => 1,
            Pace::Waits => 3,
        }
    }

    /// Has a generator make something on a bench, and says who it was. `about` names in the log what it is about. On the
    /// last try, what might pass is given up as well, and the fall-back has its turn.
    pub(crate) async fn draft<T, M>(
        &self,
        about: &str,
        bench: &Arc<Bench>,
        is_last_try: bool,
        make: M,
    ) -> Result<(T, Credit), GenerationError>
    where
        T: Send + 'static,
        M: for<'a> Fn(&'a dyn Generator, &'a dyn Workbench) -> BoxFuture<'a, Result<T, GenerationError>>
            + Send
            + Sync
            + 'static,
    {
        let make = Arc::new(make);
        let error = match self.have(&self.first, about, bench, make.clone()).await {
            Ok(made) => return Ok((made, Credit::of(self.first.mode, bench.take_remarks()))),
            Err(error) => error,
        };
        let given_up = !bench.is_interrupted() && (is_last_try || !error.retryable);
        let Some(fallback) = self.fallback.as_ref().filter(|_| given_up) else { return Err(error) };
        tracing::warn!(
            about,
            code = error.code,
            instead = fallback.mode,
            "a generator gave up; the fall-back is asked"
        );
        // They are about a draft that nobody has.
        drop(bench.take_remarks());
        match self.have(fallback, about, bench, make).await {
            Ok(made) => Ok((made, Credit::instead_of(self.first.mode, fallback.mode, bench.take_remarks()))),
            Err(_) => Err(error),
        }
    }

    async fn have<T, M>(
        &self,
        writer: &Writer,
        about: &str,
        bench: &Arc<Bench>,
        make: Arc<M>,
    ) -> Result<T, GenerationError>
    where
        T: Send + 'static,
        M: for<'a> Fn(&'a dyn Generator, &'a dyn Workbench) -> BoxFuture<'a, Result<T, GenerationError>>
            + Send
            + Sync
            + 'static,
    {
        let (generator, bench) = (writer.generator.clone(), bench.clone());
        match writer.pace {
            Pace::Computes => {
                let runtime = tokio::runtime::Handle::current();
                self.compute(about, move || runtime.block_on(make(&*generator, &*bench))).await
            }
            Pace::Waits => {
                // The set ends the task when nobody waits for it any more.
                let mut tasks = JoinSet::new();
                tasks.spawn(async move { make(&*generator, &*bench).await });
                let ended = tasks.join_next().await.expect("a task was spawned");
                ended.unwrap_or_else(|panic| Err(crashed(about, &panic)))
            }
        }
    }

    /// Does what takes a processor: `work` must not wait for anything but a generator that computes.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        about: &str,
        work: impl FnOnce() -> Result<T, GenerationError> + Send + 'static,
    ) -> Result<T, GenerationError> {
        let processor = self.processors.clone().acquire_owned().await.expect("the semaphore is never closed");
        let working = tokio::task::spawn_blocking(move || {
            // Held as long as the work goes on, whoever still waits for it.
            let _processor = processor;
            work()
        });
        working.await.unwrap_or_else(|panic| Err(crashed(about, &panic)))
    }
}

fn crashed(about: &str, panic: &tokio::task::JoinError) -> GenerationError {
    tracing::error!(about, %panic, "a generator crashed");
    let Reason(code, message) = GENERATOR_CRASHED;
    GenerationError::lasting(code, message)
}
