//! The loop that syncs: woken by commits, by time, and by slots that come free.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use kernel::ambient::Ambient;
use kernel::id::RegistrationId;
use kernel::slots::{InFlightLimits, Slot, SlotTable};
use store::{Queue, Store, StoreError};
use tokio::sync::mpsc;

use super::claim::{ClaimRequest, ClaimResult, ClaimedSync, claim, owner};
use super::line_items::LineItems;
use super::outcome::{self, Outcome};
use super::send::{ATTEMPT, Sender};
use crate::Platform;

/// How long a lease outlives the attempt: the time to record the outcome.
const RECORDING_TIME: Duration = Duration::from_secs(5);
/// The queue is looked at this often, whatever the wake-ups say.
const POLL: Duration = Duration::from_secs(1);
/// Outcomes that may wait to be recorded before senders wait too.
const UNRECORDED_OUTCOMES: usize = 1024;
/// A gradebook answers slower than a webhook receiver: one that takes 200 ms gets 500 scores a second with a hundred under way.
const IN_FLIGHT: InFlightLimits =
    InFlightLimits { per_receiver: 32, per_owner: 64, total: 512, burst: 512, quick: Duration::from_secs(1) };
/// How long a shutdown waits for attempts that are under way.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(20);

/// How scores are synced.
#[derive(Clone, Debug)]
pub struct SyncerOptions {
    /// The waits between attempts; one more attempt is made than there are waits.
    pub retry_delays: Vec<Duration>,
}

/// Sends scores to the gradebooks of platforms. One per process is enough; several processes share the work.
pub struct Syncer {
    store: Store,
    ambient: Ambient,
    pub(super) sender: Arc<Sender>,
    slots: Arc<SlotTable<RegistrationId>>,
}

/// What to wait for before the next claim.
struct Pause {
    at_most: Duration,
    or_for_a_slot: bool,
}

impl Syncer {
    /// A syncer of the surface's evaluations.
    pub fn new(platform: Platform, options: SyncerOptions) -> Self {
        let (store, ambient) = (platform.door.store.clone(), platform.door.ambient.clone());
        let sender = Sender {
            line_items: LineItems { outbound: platform.outbound.clone(), store: store.clone() },
            retry_delays: options.retry_delays,
            platform,
        };
        Self { store, ambient, sender: Arc::new(sender), slots: SlotTable::new(IN_FLIGHT) }
    }

    /// Syncs until `shutdown` is ready, then finishes what is under way, within a grace. What is not finished then is sent
    /// again when its lease has lapsed. Ends early when outcomes can't be recorded any more: whoever keeps it running begins
    /// anew.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let (outcomes, received) = mpsc::channel(UNRECORDED_OUTCOMES);
        let mut recorder = tokio::spawn(outcome::run(self.store.clone(), received));
        let mut shutdown = std::pin::pin!(shutdown);
        let mut after = None;
        loop {
            let pause = self.round(&mut after, &outcomes).await;
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                ended = &mut recorder => {
                    return tracing::error!(?ended, "outcomes of grade syncs are not recorded any more");
                }
                () = self.wait(pause) => {}
            }
        }
        drop(outcomes);
        if tokio::time::timeout(SHUTDOWN_GRACE, &mut recorder).await.is_err() {
            tracing::warn!("scores were still under way after the grace; they will be sent again");
        }
    }

    /// Syncs what is due now, retries that become due by waiting not included, and returns when all of it is recorded: how
    /// many attempts were made. For tests, with the clock in their hands.
    ///
    /// # Errors
    /// The store's.
    pub async fn run_due(&self) -> Result<usize, StoreError> {
        let (mut attempts, mut after) = (0, None);
        loop {
            let claimed = self.claim(&mut after).await?;
            if claimed.syncs.is_empty() && !claimed.has_more {
                return Ok(attempts);
            }
            attempts += claimed.syncs.len();
            let sending = claimed.syncs.into_iter().map(|sync| {
                let (sender, slot) = (self.sender.clone(), self.slot(&sync));
                async move { attempt(&sender, &slot, sync).await }
            });
            let outcomes: Arc<[Outcome]> = join_all(sending).await.into();
            outcome::record(&self.store, outcomes).await?;
        }
    }

    /// One claim; what it gave is on its way when this returns.
    async fn round(&self, after: &mut Option<RegistrationId>, outcomes: &mpsc::Sender<Outcome>) -> Pause {
        let claimed = match self.claim(after).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(%error, "grade syncs could not be claimed");
                return Pause { at_most: POLL, or_for_a_slot: false };
            }
        };
        for sync in claimed.syncs {
            let (sender, slot, outcomes) = (self.sender.clone(), self.slot(&sync), outcomes.clone());
            tokio::spawn(async move {
                let outcome = attempt(&sender, &slot, sync).await;
                // The slot is held until the outcome has a place to wait in. The recorder is gone only after the grace;
                // then the lease lapses.
                let _ = outcomes.send(outcome).await;
            });
        }
        let now = self.ambient.now();
        let until_due = claimed.next_due.map_or(POLL, |due| due.duration_since(now));
        let at_most = if claimed.has_more { Duration::ZERO } else { until_due.min(POLL) };
        Pause { at_most, or_for_a_slot: claimed.is_held_back }
    }

    pub(super) async fn claim(&self, after: &mut Option<RegistrationId>) -> Result<ClaimResult, StoreError> {
        let request = ClaimRequest {
            after: *after,
            token: format!("{:032x}", u128::from_le_bytes(self.ambient.random())).into(),
            lease: ATTEMPT + RECORDING_TIME,
            slots: self.slots.snapshot(),
        };
        let claimed = self.store.claim("lti_syncs.claim", move |tx| claim(tx, &request)).await?;
        *after = claimed.next;
        Ok(claimed)
    }

    async fn wait(&self, pause: Pause) {
        tokio::select! {
            _ = self.store.wakeups().wait(Queue::GradeSyncs, pause.at_most) => {}
            () = self.slots.freed.notified(), if pause.or_for_a_slot => {}
        }
    }

    fn slot(&self, sync: &ClaimedSync) -> Slot<RegistrationId> {
        self.slots.take(sync.registration.id, &owner(&sync.registration))
    }
}

async fn attempt(sender: &Sender, slot: &Slot<RegistrationId>, sync: ClaimedSync) -> Outcome {
    let began = tokio::time::Instant::now();
    let outcome = sender.attempt(sync).await;
    slot.note_answer(began.elapsed());
    outcome
}
