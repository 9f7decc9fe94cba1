//! What the jobs of this folder work with, and how they end.

use std::time::Duration;

use kernel::ambient::Ambient;
use store::jobs::{ClaimedJob, Outcome};
use store::{Store, StoreError, Tx};

use super::processor::{Processor, ProcessorError};
use crate::Platform;

const FIRST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
const WITHOUT_PROCESSOR: &str = "no payment processor is configured";

/// Calls the processor for a job.
#[derive(Clone)]
pub struct Caller {
    store: Store,
    ambient: Ambient,
    processor: Option<Processor>,
}

/// A step of a job that came to nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    /// The processor.
    #[error(transparent)]
    Processor(#[from] ProcessorError),
    /// The database.
    #[error("the database: {0}")]
    Store(#[from] StoreError),
}

impl Caller {
    /// A caller for the jobs of a platform.
    pub(crate) fn new(platform: &Platform) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        Self { store, ambient, processor: platform.processor.clone() }
    }

    /// Runs a job's work. What fails is tried again, ever later, and never given up: a payment method that was taken away must
    /// not stay with the processor.
    pub(super) async fn call(
        &self,
        claimed: &ClaimedJob,
        work: impl AsyncFnOnce(&Processor) -> Result<(), StepError>,
    ) -> Outcome {
        let Some(processor) = &self.processor else {
            return Outcome::Retry { at: self.ambient.now().plus(LONGEST_WAIT), why: WITHOUT_PROCESSOR.to_owned() };
        };
        match work(processor).await {
            Ok(()) => Outcome::Done,
            Err(error) => {
                let asked = match &error {
                    StepError::Processor(error) => error.retry_after(),
                    StepError::Store(_) => None,
                };
                let wait = backoff(claimed.attempt).max(asked.unwrap_or_default());
                Outcome::Retry { at: self.ambient.now().plus(wait), why: error.to_string() }
            }
        }
    }

    /// Reads for a step.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        name: &'static str,
        read: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StepError> {
        Ok(self.store.read(name, read).await?)
    }

    /// Writes for a step.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        name: &'static str,
        write: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> Result<T, StepError> {
        Ok(self.store.claim(name, write).await?)
    }
}

/// The wait after so many attempts: it doubles, up to an hour.
pub(super) fn backoff(attempts: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1)));
    doubled.min(LONGEST_WAIT)
}
