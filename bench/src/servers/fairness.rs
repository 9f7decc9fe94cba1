//! Two organizations at steady rates: the receiver of one takes its time, the other's is measured from the
//! commit of an event to its arrival.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use store::Store;
use tokio::time::MissedTickBehavior;

use super::{Latencies, deliver, service};
use crate::database::Place;
use crate::histogram::Histogram;
use crate::{receiver, seed};

/// How long the slow receiver takes to answer.
const SLOW: Duration = Duration::from_secs(5);
/// Events a second of the organization whose receiver is slow.
const SLOW_RATE: u32 = 280;
/// Events a second of the organization that is measured.
const MEASURED_RATE: u32 = 100;
/// The slow receiver is fed this long before anything is measured.
const LEAD: Duration = Duration::from_secs(2);
/// What has not arrived this long after the last commit never will.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);
/// What a mark in an event's body starts with.
const MARK: &str = "\"mark\":\"";

/// How long to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// Length of the measured time, in seconds.
    #[arg(long)]
    measure_for: u64,
}

/// When an event was committed and when it arrived; the arrival may be seen first.
#[derive(Clone, Copy, Default)]
struct Journey {
    committed: Option<Instant>,
    arrived: Option<Instant>,
}

type Journeys = Arc<Mutex<Vec<Journey>>>;

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let app = service::open(&arguments.place).await?.app;
    let (store, ambient, sealer) = (&app.door.store, &app.ambient, &app.content.webhook_secrets);
    let events = u32::try_from(arguments.measure_for)? * MEASURED_RATE;
    let journeys: Journeys = Arc::new(Mutex::new(vec![Journey::default(); events as usize]));
    let arrivals = journeys.clone();
    let on_arrival = move |body: &[u8]| arrived(&arrivals, body);
    let fast = receiver::start(Duration::ZERO, Arc::new(on_arrival))?;
    let slow = receiver::start(SLOW, Arc::new(|_| ()))?;
    let crowd = seed::world(store, ambient).await?.organization;
    let measured = seed::world(store, ambient).await?.organization;
    seed::endpoint(store, ambient, sealer, crowd, &format!("http://{slow}/slow")).await?;
    seed::endpoint(store, ambient, sealer, measured, &format!("http://{fast}/fast")).await?;

    let delivering = tokio::spawn(app.deliverer().run(std::future::pending()));
    let feeding = tokio::spawn(feed(store.clone(), ambient.clone(), crowd));
    tokio::time::sleep(LEAD).await;
    produce(store, ambient, measured, events, &journeys).await;
    let deadline = Instant::now() + PATIENCE;
    while !all(&journeys, |journey| journey.arrived.is_some()) && Instant::now() < deadline {
        tokio::time::sleep(POLL).await;
    }
    feeding.abort();
    delivering.abort();
    super::say(&Latencies::of(&latencies(&journeys)?)?)
}

/// Commits events for the slow receiver without end.
async fn feed(store: Store, ambient: Ambient, owner: OrganizationId) {
    let mut ticks = ticks(SLOW_RATE);
    loop {
        ticks.tick().await;
        let (store, ambient) = (store.clone(), ambient.clone());
        tokio::spawn(async move { deliver::record(&store, &ambient, owner, "").await });
    }
}

async fn produce(store: &Store, ambient: &Ambient, owner: OrganizationId, events: u32, journeys: &Journeys) {
    let mut ticks = ticks(MEASURED_RATE);
    for number in 0..events {
        ticks.tick().await;
        let (store, ambient, journeys) = (store.clone(), ambient.clone(), journeys.clone());
        tokio::spawn(async move {
            if deliver::record(&store, &ambient, owner, &number.to_string()).await.is_ok() {
                lock(&journeys)[number as usize].committed = Some(Instant::now());
            }
        });
    }
}

fn ticks(per_second: u32) -> tokio::time::Interval {
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / per_second);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    ticks
}

fn arrived(journeys: &Journeys, body: &[u8]) {
    let now = Instant::now();
    let text = String::from_utf8_lossy(body);
    let number = text.split_once(MARK).and_then(|(_, rest)| rest.split_once('"')?.0.parse::<usize>().ok());
    if let Some(number) = number
        && let Some(journey) = lock(journeys).get_mut(number)
    {
        // A repeated delivery is no news.
        journey.arrived.get_or_insert(now);
    }
}

fn latencies(journeys: &Journeys) -> anyhow::Result<Histogram> {
    let mut histogram = Histogram::default();
    let journeys = lock(journeys).clone();
    for journey in &journeys {
        if let (Some(committed), Some(arrived)) = (journey.committed, journey.arrived) {
            histogram.record(arrived.saturating_duration_since(committed));
        }
    }
    let arrived = histogram.count();
    ensure!(arrived == journeys.len() as u64, "{arrived} of {} deliveries arrived", journeys.len());
    Ok(histogram)
}

fn all(journeys: &Journeys, holds: impl Fn(&Journey) -> bool) -> bool {
    lock(journeys).iter().all(holds)
}

fn lock(journeys: &Journeys) -> std::sync::MutexGuard<'_, Vec<Journey>> {
    journeys.lock().unwrap_or_else(PoisonError::into_inner)
}
