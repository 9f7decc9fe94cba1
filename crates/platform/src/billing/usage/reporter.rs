//! The loops that report usage: one collects, some send.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::future::{join, join_all};
use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use store::{Store, StoreError, Tx};
use tokio::sync::watch;

use super::claim::{ClaimedReport, claim};
use super::collect::collect_all;
use super::outcome::{Outcome, record};
use super::send::send;
use crate::Platform;
use crate::billing::processor::{Processor, ProcessorError};

/// How long usage may wait for more of its kind, so that one call reports it all.
const COLLECT_EVERY: Duration = Duration::from_secs(60);
/// How often the queue is looked at when nothing is due.
const POLL: Duration = Duration::from_secs(1);
/// Loops that send. One call that hangs holds up one of them.
const LANES: usize = 4;
/// Reports that a loop sends at once.
const AT_ONCE: usize = 32;
/// The pause of all loops after the processor was away.
const PAUSE_WHEN_AWAY: Duration = Duration::from_secs(5);
/// The pause of all loops when the processor asks for fewer calls and does not say for how long.
const PAUSE_WHEN_BUSY: Duration = Duration::from_secs(1);
/// How long a shutdown waits for calls that are under way.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(25);
/// The pause after the database was away.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// Reports usage to the processor. One a process; several processes share the work. Cheap to clone.
#[derive(Clone)]
pub struct Reporter {
    store: Store,
    ambient: Ambient,
    processor: Option<Processor>,
    /// Until when nobody calls, in milliseconds since the epoch.
    paused_until: Arc<AtomicI64>,
}

impl Reporter {
    /// A reporter of a platform. Without a processor it rests.
    pub fn new(platform: &Platform) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        Self { store, ambient, processor: platform.processor.clone(), paused_until: Arc::default() }
    }

    /// Reports until `shutdown`, then finishes the calls that are under way, within a grace. A call that is cut off is made again
    /// when its lease has lapsed, and the processor tells it by its identifier.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let Some(processor) = self.processor.clone() else { return shutdown.await };
        let (stop, stopped) = watch::channel(false);
        let lanes = join_all((0..LANES).map(|_| self.send_until(&processor, stopped.clone())));
        let mut work = std::pin::pin!(join(self.collect_until(stopped.clone()), lanes));
        tokio::select! {
            () = shutdown => {}
            _ = &mut work => return,
        }
        // Nobody has stopped listening: the loops are still here.
        let _ = stop.send(true);
        if tokio::time::timeout(SHUTDOWN_GRACE, work).await.is_err() {
            tracing::warn!("usage was still being reported after the grace; it will be sent again");
        }
    }

    /// Collects and sends what is due now; how many attempts were made. For tests, with the clock in their hands.
    ///
    /// # Errors
    /// The store's.
    pub async fn run_due(&self) -> Result<usize, StoreError> {
        let Some(processor) = &self.processor else { return Ok(0) };
        collect_all(&self.store).await?;
        let mut attempts = 0;
        loop {
            let sent = self.round(processor).await?;
            if sent == 0 {
                return Ok(attempts);
            }
            attempts += sent;
        }
    }

    async fn collect_until(&self, mut stopped: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                collected = collect_all(&self.store) => {
                    if let Err(error) = collected {
                        tracing::warn!(%error, "usage for the payment processor can't be collected");
                    }
                }
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
            if is_stopped(&mut stopped, COLLECT_EVERY).await {
                return;
            }
        }
    }

    async fn send_until(&self, processor: &Processor, mut stopped: watch::Receiver<bool>) {
        loop {
            let pause = match self.round(processor).await {
                Ok(0) => POLL,
                Ok(_) => Duration::ZERO,
                Err(error) => {
                    tracing::warn!(%error, "usage for the payment processor can't be claimed or noted");
                    STORE_PAUSE
                }
            };
            if is_stopped(&mut stopped, pause).await {
                return;
            }
        }
    }

    /// One claim, its calls, and their outcomes; how many there were.
    async fn round(&self, processor: &Processor) -> Result<usize, StoreError> {
        if self.ambient.now().as_millis() < self.paused_until.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let token: Arc<str> = format!("{:032x}", u128::from_le_bytes(self.ambient.random())).into();
        let claimed = self.store.claim("usage.claim", move |tx| claim(tx, &token, AT_ONCE)).await?;
        let attempts = claimed.len();
        if attempts == 0 {
            return Ok(0);
        }
        let outcomes: Arc<[Outcome]> =
            join_all(claimed.into_iter().map(|one| self.attempt(processor, one))).await.into();
        self.store.claim("usage.record", move |tx: &mut Tx<'_>| record(tx, &outcomes)).await?;
        Ok(attempts)
    }

    async fn attempt(&self, processor: &Processor, claimed: ClaimedReport) -> Outcome {
        let result = send(processor, &claimed).await;
        if let Err(error) = &result {
            self.pause_after(error);
            tracing::warn!(report = %claimed.report.id, workspace = %claimed.report.workspace_id, %error, "usage was not reported");
        }
        metrics::counter!("lectern_usage_reports_total", "outcome" => class(&result)).increment(1);
        Outcome { claimed, result }
    }

    /// Spares a processor that is away or busy the calls that would fail too.
    fn pause_after(&self, error: &ProcessorError) {
        let usual = match error {
            ProcessorError::Busy { .. } => PAUSE_WHEN_BUSY,
            ProcessorError::NotSent(_) | ProcessorError::Unavailable { .. } => PAUSE_WHEN_AWAY,
            _ => return,
        };
        let until: Timestamp = self.ambient.now().plus(error.retry_after().unwrap_or(usual));
        self.paused_until.fetch_max(until.as_millis(), Ordering::Relaxed);
    }
}

fn class(result: &Result<(), ProcessorError>) -> &'static str {
    match result {
        Ok(()) => "sent",
        Err(error) if error.may_have_acted() => "unanswered",
        Err(error) if error.is_transient() => "away",
        Err(_) => "refused",
    }
}

/// Waits; whether it is time to stop.
async fn is_stopped(stopped: &mut watch::Receiver<bool>, pause: Duration) -> bool {
    let stop = stopped.wait_for(|stopped| *stopped);
    tokio::time::timeout(pause, stop).await.is_ok()
}
