//! Asks the generator, for every kind of job: at most as many drafts at once as there are processors, each on a blocking
//! thread, where a crash fails nothing but the draft.

use std::sync::Arc;

use engine::{BoxFuture, GenerationError, Generator};
use tokio::sync::Semaphore;

use super::attempts::{GENERATOR_CRASHED, Reason};

/// The generator with its limits. Cheap to clone; all clones share the limits.
#[derive(Clone)]
pub struct Drafter {
    generator: Arc<dyn Generator>,
    mode: &'static str,
    /// Generating computes: more at once than there are processors only makes every job late.
    processors: Arc<Semaphore>,
}

impl Drafter {
    /// `mode` names the generator in manifests and metadata: `builtin`, `model`.
    pub fn new(generator: Arc<dyn Generator>, mode: &'static str) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { generator, mode, processors: Arc::new(Semaphore::new(processors)) }
    }

    /// The generator's name.
    pub(crate) fn mode(&self) -> &'static str {
        self.mode
    }

    /// Has the generator make something. `about` names in the log what a crash is about.
    pub(crate) async fn draft<T: Send + 'static>(
        &self,
        about: &str,
        make: impl for<'a> FnOnce(&'a dyn Generator) -> BoxFuture<'a, Result<T, GenerationError>> + Send + 'static,
    ) -> Result<T, GenerationError> {
        let generator = self.generator.clone();
        let runtime = tokio::runtime::Handle::current();
        self.compute(about, move || runtime.block_on(make(&*generator))).await
    }

    /// Does what takes a processor: `work` must not wait for anything but the generator.
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
        working.await.unwrap_or_else(|panic| {
            tracing::error!(about, %panic, "a generator crashed");
            let Reason(code, message) = GENERATOR_CRASHED;
            Err(GenerationError { code, message: message.to_owned(), retryable: false })
        })
    }
}
