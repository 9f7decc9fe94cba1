//! A service that runs: it goes on until it is stopped, or until a part of it fails that can't be restarted.
//!
//! Either way what is in flight is finished and the store closed. Which parts are restarted instead is
//! decided in `app.rs`; how, in [`store::supervision`].

use std::time::Duration;

use edge::operations::Draining;
use store::{Store, Supervision};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A service that was started. Dropping it ends it as [`Running::run_until`] does, but nobody waits.
pub struct Running {
    store: Store,
    draining: Draining,
    stop: watch::Sender<bool>,
    parts: [JoinHandle<()>; 2],
}

/// A part of the service ended that can't be restarted.
#[derive(Debug, thiserror::Error)]
#[error("the service ended because its part {0} failed: the log says why; start it again")]
pub struct PartFailed(pub &'static str);

impl Running {
    /// A service of parts that end when `stop` is set.
    pub(super) fn new(store: Store, draining: Draining, stop: watch::Sender<bool>, parts: [JoinHandle<()>; 2]) -> Self {
        Self { store, draining, stop, parts }
    }

    /// Goes on until `shutdown`, then finishes what is in flight and closes the store.
    ///
    /// # Errors
    /// [`PartFailed`] when it did not go on until then.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) -> Result<(), PartFailed> {
        self.drain_until(async {
            shutdown.await;
            Duration::ZERO
        })
        .await
    }

    /// Goes on until `shutdown`, which says for how long requests are still accepted while `/readyz` says that they should
    /// go elsewhere. Then finishes what is in flight and closes the store.
    ///
    /// # Errors
    /// [`PartFailed`] when it did not go on until then.
    pub async fn drain_until(self, shutdown: impl Future<Output = Duration>) -> Result<(), PartFailed> {
        let drain = async {
            let period = shutdown.await;
            self.draining.begin();
            if !period.is_zero() {
                tracing::info!(seconds = period.as_secs_f64(), "draining: not ready, and still accepting requests");
                tokio::time::sleep(period).await;
            }
        };
        let failed = tokio::select! {
            () = drain => None,
            part = self.store.supervision().failed() => Some(part),
        };
        tracing::info!("shutting down: finishing what is in flight");
        self.draining.begin();
        self.stop.send_replace(true);
        for part in self.parts {
            if let Err(panic) = part.await {
                tracing::error!(%panic, "a part of the service crashed while it was shutting down");
            }
        }
        self.store.close().await;
        failed.map_or(Ok(()), |part| Err(PartFailed(part)))
    }
}

/// Ready when the channel says so, or when its sender is gone.
pub(super) async fn until(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Runs a part that can't be begun anew: the process has to end when it ends before it is stopped.
pub(super) fn require(
    supervision: &Supervision,
    name: &'static str,
    stopped: watch::Receiver<bool>,
    part: impl Future<Output = ()> + Send + 'static,
) -> JoinHandle<()> {
    let (supervision, running) = (supervision.clone(), tokio::spawn(part));
    tokio::spawn(async move {
        let ended = running.await;
        // Without its sender nobody can want the part to go on.
        let is_stopped = *stopped.borrow() || stopped.has_changed().is_err();
        match ended {
            Ok(()) if is_stopped => {}
            Ok(()) => supervision.fail(name, "it ended"),
            Err(panic) => supervision.fail(name, &panic.to_string()),
        }
    })
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;

    fn running(test: &TestStore, part: impl FnOnce(watch::Receiver<bool>) -> JoinHandle<()>) -> Running {
        let (stop, stopped) = watch::channel(false);
        let other = tokio::spawn(until(stopped.clone()));
        Running::new(test.store.clone(), Draining::default(), stop, [part(stopped), other])
    }

    #[both_stores]
    async fn a_part_that_panics_or_ends_ends_the_service_with_its_name(test: TestStore) {
        let supervision = test.store.supervision().clone();
        let running = running(&test, |stopped| {
            require(&supervision, "serving", stopped, async { panic!("a panic that the test wants") })
        });
        let failed = running.run_until(std::future::pending()).await.unwrap_err();
        assert_eq!((failed.0, supervision.down()), ("serving", Some("serving")));
        assert!(test.store.ping().await.is_err(), "the store is closed");
        let other = Supervision::default();
        let (_stop, stopped) = watch::channel(false);
        drop(require(&other, "background", stopped, async {}));
        assert_eq!(other.failed().await, "background");
    }

    #[both_stores]
    async fn a_service_that_is_stopped_has_not_failed(test: TestStore) {
        let supervision = test.store.supervision().clone();
        let running = running(&test, |stopped| require(&supervision, "serving", stopped.clone(), until(stopped)));
        running.run_until(std::future::ready(())).await.unwrap();
        assert_eq!(supervision.down(), None);
    }
}
