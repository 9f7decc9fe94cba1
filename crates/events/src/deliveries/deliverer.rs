//! The loop that delivers: woken by commits, by time, and by slots that come free.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use kernel::ambient::Ambient;
use kernel::id::EndpointId;
use kernel::secret::Sealer;
use kernel::slots::{InFlightLimits, Slot, SlotTable};
use net::OutboundClient;
use store::{Queue, Store, StoreError};
use tokio::sync::mpsc;

use super::claim::{ClaimRequest, Claimed, ClaimedDelivery, claim};
use super::outcome::Outcome;
use super::recorder;
use super::scan::Walk;
use super::schedule::RetrySchedule;
use super::send::Sender;
use super::target::Targets;

/// How long a lease outlives the request's time-out: the time to record the outcome.
const RECORDING_TIME: Duration = Duration::from_secs(5);
/// The queue is looked at this often, whatever the wake-ups say.
const POLL: Duration = Duration::from_secs(1);
const IN_FLIGHT: InFlightLimits =
    InFlightLimits { per_receiver: 32, per_owner: 64, total: 512, burst: 256, quick: Duration::from_millis(100) };
/// Outcomes that may wait to be recorded before senders wait too.
const UNRECORDED_OUTCOMES: usize = 1024;

/// How deliveries are made.
#[derive(Clone, Debug)]
pub struct DelivererOptions {
    /// The waits between attempts.
    pub retry: RetrySchedule,
    /// How long a receiver may take, from the look-up of its name to the end of its answer.
    pub timeout: Duration,
    /// How many requests may be under way.
    pub in_flight: InFlightLimits,
    /// How long a shutdown waits for requests that are under way.
    pub shutdown_grace: Duration,
}

impl Default for DelivererOptions {
    fn default() -> Self {
        Self {
            retry: RetrySchedule::default(),
            timeout: Duration::from_secs(15),
            in_flight: IN_FLIGHT,
            shutdown_grace: Duration::from_secs(20),
        }
    }
}

/// Delivers recorded events to webhook endpoints, at least once. One per process is enough; several
/// processes share the work.
pub struct Deliverer {
    store: Store,
    ambient: Ambient,
    sender: Arc<Sender>,
    slots: Arc<SlotTable<EndpointId>>,
    options: DelivererOptions,
}

/// What to wait for before the next claim.
struct Pause {
    at_most: Duration,
    or_for_a_slot: bool,
}

impl Deliverer {
    /// `sealer` is the one that sealed the endpoints' secrets.
    pub fn new(
        store: Store,
        client: OutboundClient,
        sealer: Sealer,
        ambient: Ambient,
        options: DelivererOptions,
    ) -> Self {
        let sender = Sender {
            client: client.clone(),
            targets: Targets::new(client, sealer),
            ambient: ambient.clone(),
            schedule: options.retry.clone(),
            timeout: options.timeout,
        };
        let slots = SlotTable::new(options.in_flight);
        Self { store, ambient, sender: Arc::new(sender), slots, options }
    }

    /// Delivers until `shutdown` is ready, then finishes what is under way, within the grace. What is not
    /// finished then is sent again when its lease has lapsed. Ends early when outcomes can't be recorded any more: whoever keeps it
    /// running begins anew.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let (outcomes, received) = mpsc::channel(UNRECORDED_OUTCOMES);
        let mut recorder = tokio::spawn(recorder::run(self.store.clone(), received));
        let mut shutdown = std::pin::pin!(shutdown);
        let mut walk = Walk::from(None);
        loop {
            let pause = self.round(&mut walk, &outcomes).await;
            tokio::select! {
                biased;
                () = &mut shutdown => break,
                ended = &mut recorder => {
                    return tracing::error!(?ended, "outcomes of deliveries are not recorded any more");
                }
                () = self.wait(pause) => {}
            }
        }
        drop(outcomes);
        if tokio::time::timeout(self.options.shutdown_grace, &mut recorder).await.is_err() {
            tracing::warn!("webhook requests were still under way after the grace; they will be sent again");
        }
    }

    /// Delivers what is due now, retries that become due by waiting not included, and returns when all of
    /// it is recorded: how many attempts were made. For tests, with the clock in their hands.
    ///
    /// # Errors
    /// The store's.
    pub async fn run_due(&self) -> Result<usize, StoreError> {
        let (mut attempts, mut walk) = (0, Walk::from(None));
        loop {
            let claimed = self.claim(&mut walk).await?;
            if claimed.deliveries.is_empty() && !claimed.has_more {
                return Ok(attempts);
            }
            attempts += claimed.deliveries.len();
            let sending = claimed.deliveries.into_iter().map(|delivery| {
                let (sender, slot) = (self.sender.clone(), self.slot(&delivery));
                async move { attempt(&sender, &slot, delivery).await }
            });
            let outcomes: Arc<[Outcome]> = join_all(sending).await.into();
            recorder::record(&self.store, outcomes).await?;
        }
    }

    /// One claim; what it gave is on its way when this returns.
    async fn round(&self, walk: &mut Walk, outcomes: &mpsc::Sender<Outcome>) -> Pause {
        let claimed = match self.claim(walk).await {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(%error, "webhook deliveries could not be claimed");
                return Pause { at_most: POLL, or_for_a_slot: false };
            }
        };
        for delivery in claimed.deliveries {
            let (sender, slot, outcomes) = (self.sender.clone(), self.slot(&delivery), outcomes.clone());
            tokio::spawn(async move {
                let outcome = attempt(&sender, &slot, delivery).await;
                // The slot is held until the outcome has a place to wait in. The recorder is gone only
                // after the grace; then the lease lapses.
                let _ = outcomes.send(outcome).await;
            });
        }
        let now = self.ambient.now();
        let until_due = claimed.next_due.map_or(POLL, |due| due.duration_since(now));
        let at_most = if claimed.has_more { Duration::ZERO } else { until_due.min(POLL) };
        Pause { at_most, or_for_a_slot: claimed.is_held_back }
    }

    async fn claim(&self, walk: &mut Walk) -> Result<Claimed, StoreError> {
        let request = ClaimRequest {
            walk: *walk,
            token: format!("{:032x}", u128::from_le_bytes(self.ambient.random())).into(),
            lease: self.options.timeout + RECORDING_TIME,
            slots: self.slots.snapshot(),
            last_attempt: self.options.retry.last_attempt(),
        };
        let claimed = self.store.claim("deliveries.claim", move |tx| claim(tx, &request)).await?;
        *walk = claimed.next;
        Ok(claimed)
    }

    async fn wait(&self, pause: Pause) {
        tokio::select! {
            _ = self.store.wakeups().wait(Queue::Deliveries, pause.at_most) => {}
            () = self.slots.freed.notified(), if pause.or_for_a_slot => {}
        }
    }

    fn slot(&self, delivery: &ClaimedDelivery) -> Slot<EndpointId> {
        self.slots.take(delivery.endpoint.id, &delivery.endpoint.owner_id)
    }
}

async fn attempt(sender: &Sender, slot: &Slot<EndpointId>, delivery: ClaimedDelivery) -> Outcome {
    let outcome = sender.attempt(delivery).await;
    slot.note_answer(outcome.ended_at.duration_since(outcome.started_at));
    outcome
}
