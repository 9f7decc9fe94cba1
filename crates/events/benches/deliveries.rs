//! Measures deliveries over real loopback sockets: how many a second, and how long one owner's take while
//! another owner's receiver needs 5 s for each answer.
//!
//! `cargo bench -p events` uses the embedded store; `cargo bench -p events -- postgres://…/empty_database`
//! uses PostgreSQL. The receiver runs in the same process and shares its cores.
#![expect(clippy::unwrap_used, reason = "a measurement fails by panicking")]
#![expect(clippy::print_stdout, reason = "the figures are its output")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use events::endpoints::{self, CreateEndpointError, NewEndpoint, Registration, SignatureVersion};
use events::{Deliverer, DelivererOptions, NewEvent, Surface, record};
use kernel::ambient::Ambient;
use kernel::id::EventId;
use kernel::secret::{MasterKey, Sealer};
use net::{OutboundClient, OutboundPolicy};
use store::{Store, StoreError, StoreOptions};
use tokio::sync::oneshot;

const EVENTS: usize = 40_000;
const WRITERS: usize = 64;
const SLOW_ANSWER: Duration = Duration::from_secs(5);

type Arrivals = Arc<Mutex<HashMap<String, Instant>>>;

struct Stage {
    store: Store,
    ambient: Ambient,
    sealer: Sealer,
}

fn main() {
    let postgres = std::env::args().find(|argument| argument.starts_with("postgres://"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let options = match postgres {
            Some(url) => StoreOptions::postgres(url.into()),
            None => StoreOptions::sqlite(folder.path().join("bench.db")),
        };
        let ambient = Ambient::system();
        let store = Store::open(&options, ambient.clone()).await.unwrap();
        let sealer = MasterKey::generate(&ambient).sealer("webhook secrets");
        let stage = Arc::new(Stage { store, ambient, sealer });
        backlog(&stage).await;
        throughput(&stage).await;
        isolation(&stage).await;
    });
}

/// Events that wait already, 100 to a commit, delivered to one endpoint, every attempt recorded.
async fn backlog(stage: &Arc<Stage>) {
    let (url, _) = receiver(None).await;
    stage.endpoint("waiting", &url).await;
    for _ in 0..EVENTS / 100 {
        let events: Vec<_> = (0..100).map(|_| stage.new_event("waiting")).collect();
        let recorded = stage.store.write("bench", move |tx| events.iter().try_for_each(|event| record(tx, event)));
        recorded.await.map_err(|error: StoreError| error).unwrap();
    }
    let began = Instant::now();
    let stop = stage.start_deliverer();
    stage.until_delivered().await;
    let took = began.elapsed().as_secs_f64();
    let attempts = stage.count("SELECT count(*) FROM delivery_attempt").await;
    println!("backlog: {attempts} attempts recorded in {took:.2} s: {:.0} a second", EVENTS as f64 / took);
    stop.await;
}

/// Events committed one by one by 64 writers, delivered to one endpoint, every attempt recorded.
async fn throughput(stage: &Arc<Stage>) {
    let (url, _) = receiver(None).await;
    stage.endpoint("busy", &url).await;
    let stop = stage.start_deliverer();
    let began = Instant::now();
    let writers: Vec<_> = (0..WRITERS)
        .map(|_| {
            let stage = stage.clone();
            tokio::spawn(async move {
                for _ in 0..EVENTS / WRITERS {
                    stage.event("busy").await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let committed = began.elapsed();
    stage.until_delivered().await;
    let delivered = began.elapsed();
    println!(
        "throughput: {EVENTS} events committed in {:.2} s, all delivered and recorded after {:.2} s: {:.0} a second",
        committed.as_secs_f64(),
        delivered.as_secs_f64(),
        EVENTS as f64 / delivered.as_secs_f64(),
    );
    stop.await;
}

/// 280 events a second for a receiver that takes 5 s, 100 a second for one that answers at once.
async fn isolation(stage: &Arc<Stage>) {
    let (slow_url, _) = receiver(Some(SLOW_ANSWER)).await;
    let (healthy_url, arrivals) = receiver(None).await;
    stage.endpoint("slow", &slow_url).await;
    stage.endpoint("healthy", &healthy_url).await;
    let stop = stage.start_deliverer();
    let slow = tokio::spawn(at_rate(stage.clone(), "slow", 280, Duration::from_secs(9)));
    let commits = at_rate(stage.clone(), "healthy", 100, Duration::from_secs(8)).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let arrivals = arrivals.lock().unwrap().clone();
    let mut waits: Vec<_> = commits
        .iter()
        .map(|(id, committed)| arrivals.get(&id.to_string()).unwrap().saturating_duration_since(*committed))
        .collect();
    waits.sort();
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "isolation: {} healthy deliveries, commit to arrival p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        waits.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
    slow.abort();
    drop(stop);
}

async fn at_rate(stage: Arc<Stage>, owner: &'static str, per_second: u32, span: Duration) -> Vec<(EventId, Instant)> {
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / per_second);
    let began = Instant::now();
    let mut writing = Vec::new();
    while began.elapsed() < span {
        ticks.tick().await;
        let stage = stage.clone();
        writing.push(tokio::spawn(async move { (stage.event(owner).await, Instant::now()) }));
    }
    let mut commits = Vec::new();
    for one in writing {
        commits.push(one.await.unwrap());
    }
    commits
}

impl Stage {
    async fn endpoint(&self, owner: &str, url: &str) {
        let registration = Registration {
            surface: Surface::Content,
            owner_id: owner.to_owned(),
            url: url.to_owned(),
            events: vec!["content.completed".to_owned()],
            secret: None,
            signature_version: SignatureVersion::Plain,
        };
        let (new, _) = NewEndpoint::new(&self.ambient, &self.sealer, registration);
        let made = self.store.write("bench", move |tx| endpoints::create(tx, &new).map(|_| ())).await;
        made.map_err(|error: CreateEndpointError| error).unwrap();
    }

    fn new_event(&self, owner: &str) -> NewEvent {
        let id: EventId = self.ambient.id();
        NewEvent {
            id,
            surface: Surface::Content,
            owner_id: owner.to_owned(),
            event_type: "content.completed",
            subject_id: id.to_string(),
            body: format!(r#"{{"id":"{id}","type":"content.completed","data":{{"filler":"{}"}}}}"#, "x".repeat(400)),
        }
    }

    async fn event(&self, owner: &str) -> EventId {
        let event = self.new_event(owner);
        let id = event.id;
        let recorded: Result<(), StoreError> = self.store.write("bench", move |tx| record(tx, &event)).await;
        recorded.unwrap();
        id
    }

    async fn until_delivered(&self) {
        while self.count("SELECT count(*) FROM delivery WHERE state = 'pending'").await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn count(&self, sql: &'static str) -> i64 {
        let counted = self.store.read("bench", move |tx| tx.find(sql, &[], |row| row.get(0))).await;
        counted.map_err(|error: StoreError| error).unwrap().unwrap_or(0)
    }

    /// The future stops it and waits.
    fn start_deliverer(&self) -> impl Future<Output = ()> + use<> {
        let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let policy = OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None };
        let client = OutboundClient::new(policy).unwrap();
        let (store, sealer, ambient) = (self.store.clone(), self.sealer.clone(), self.ambient.clone());
        let deliverer = Deliverer::new(store, client, sealer, ambient, DelivererOptions::default());
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(deliverer.run(async move { drop(stopped.await) }));
        async move {
            drop(stop);
            running.await.unwrap();
        }
    }
}

async fn receiver(delay: Option<Duration>) -> (String, Arrivals) {
    let arrivals = Arrivals::default();
    let noted = arrivals.clone();
    let answer = move |headers: HeaderMap, _body: Bytes| async move {
        let id = headers["webhook-id"].to_str().unwrap().to_owned();
        noted.lock().unwrap().insert(id, Instant::now());
        if let Some(delay) = delay {
            tokio::time::sleep(delay).await;
        }
        StatusCode::OK
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(answer)).await.unwrap() });
    (url, arrivals)
}
