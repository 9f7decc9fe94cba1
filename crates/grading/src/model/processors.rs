//! Where a grader computes: waiting for a model takes no processor, reading a long answer does.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::GradingError;

/// Runs what computes, fairly between tenants.
#[async_trait]
pub trait Processors: Send + Sync {
    /// Runs `work` when it is the tenant's turn. Work that panics is over; whoever waits goes on.
    async fn run(&self, tenant: &str, work: Box<dyn FnOnce() + Send>);
}

/// Computes where it stands: for programs that do nothing else meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here;

#[async_trait]
impl Processors for Here {
    async fn run(&self, _tenant: &str, work: Box<dyn FnOnce() + Send>) {
        work();
    }
}

/// What `work` makes, computed elsewhere.
pub(super) async fn compute<T: Send + 'static>(
    processors: &dyn Processors,
    tenant: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, GradingError> {
    let made = Arc::new(Mutex::new(None));
    let place = made.clone();
    let work = move || {
        let value = work();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    };
    processors.run(tenant, Box::new(work)).await;
    let made = made.lock().unwrap_or_else(PoisonError::into_inner).take();
    made.ok_or_else(|| GradingError::lasting("grader_crashed", "The grader failed unexpectedly."))
}
