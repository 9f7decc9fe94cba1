//! Bodies whose last event was there and whose end was not: read on behind the answer, so that their connections can be used
//! again and nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use net::Incoming;
use tokio::sync::Semaphore;

/// How long the end of a body is waited for. A connection whose body has not ended by then is closed.
const LONGEST: Duration = Duration::from_millis(200);

/// The bodies of one server that are waited for. Those beyond the limit are closed at once.
pub(crate) struct Drains(Arc<Semaphore>);

impl Drains {
    /// So many at the same time, at most.
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most)))
    }

    /// Reads what is left of a body, in a task of its own.
    pub(crate) fn add(&self, mut incoming: Incoming) {
        let Ok(place) = self.0.clone().try_acquire_owned() else { return };
        tokio::spawn(async move {
            let _place = place;
            let rest = async { while let Ok(Some(_)) = incoming.chunk(LONGEST).await {} };
            let _ = tokio::time::timeout(LONGEST, rest).await;
        });
    }
}
