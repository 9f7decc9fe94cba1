//! The load generator: raw HTTP/1.1 over kept connections, requests written beforehand, answers barely parsed.
//!
//! Closed loop: each connection sends its next request when it has the answer to the last, at once or after a rest. It must
//! stay far cheaper than any server under test, and treats all of them alike. Any unexpected status fails the run.

mod connection;
mod once;
mod request;

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::child::Child;
use crate::histogram::Histogram;
use crate::machine::{self, Usage};
pub(crate) use connection::Connection;
pub(crate) use once::{Once, Source, once};
pub(crate) use request::{Patch, Request};

/// Each has a share of the connections and its own single-threaded runtime.
const THREADS: usize = 2;

/// What to send where.
#[derive(Clone)]
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) request: Request,
    pub(crate) expected_status: u16,
}

/// How long and how wide.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) connections: usize,
    pub(crate) warm_up: Duration,
    pub(crate) window: Duration,
    /// The connections begin one after the other within this time: a server that takes as long for every answer would
    /// otherwise give all of them at one moment, and again, as long as the load lasts.
    pub(crate) spread: Duration,
    /// A connection rests for a random part of this after each answer. Without, those that were once answered together,
    /// by the same commit or the same tick of a timer, stay together for good, and become more with time.
    pub(crate) rest: Duration,
}

/// What came of it, inside the window only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    pub(crate) latency: Histogram,
    pub(crate) elapsed: Duration,
    /// Processor time of the server under test.
    pub(crate) server_cpu: Duration,
    /// Processor time of everything but the server and this program: a database server, or a noisy neighbour.
    pub(crate) other_cpu: Duration,
    pub(crate) peak_bytes: u64,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.latency.count() as f64 / self.elapsed.as_secs_f64()
    }

    pub(crate) fn cpu_us(&self) -> f64 {
        self.server_cpu.as_secs_f64() * 1e6 / (self.latency.count().max(1) as f64)
    }

    /// Processors kept busy by others.
    pub(crate) fn others(&self) -> f64 {
        self.other_cpu.as_secs_f64() / self.elapsed.as_secs_f64()
    }

    fn between(before: &Sample, after: &Sample, elapsed: Duration, latency: Histogram) -> Self {
        let spent = |of: fn(&Sample) -> Duration| of(after).saturating_sub(of(before));
        let server_cpu = spent(|sample| sample.server.cpu);
        let other_cpu = spent(|sample| sample.machine).saturating_sub(server_cpu + spent(|sample| sample.own.cpu));
        Self { latency, elapsed, server_cpu, other_cpu, peak_bytes: after.server.peak_bytes }
    }

    /// Adds another window.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.latency.merge(&other.latency);
        self.elapsed += other.elapsed;
        self.server_cpu += other.server_cpu;
        self.other_cpu += other.other_cpu;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }
}

/// Puts load on a server for the length of the window.
pub(crate) fn run(server: &Child, load: &Load, extent: Extent) -> anyhow::Result<Measured> {
    let start = Instant::now() + extent.warm_up;
    let end = start + extent.window;
    let begin = |connection: usize| extent.spread.mul_f64(connection as f64 / extent.connections as f64);
    let threads: Vec<_> = (0..THREADS.min(extent.connections))
        .map(|thread| {
            let load = load.clone();
            let delays: Vec<_> = (thread..extent.connections).step_by(THREADS).map(begin).collect();
            std::thread::spawn(move || drive(&load, &delays, extent.rest, start, end))
        })
        .collect();
    machine::pause(start.saturating_duration_since(Instant::now()));
    let before = Sample::take(server)?;
    machine::pause(end.saturating_duration_since(Instant::now()));
    let after = Sample::take(server)?;
    let mut latency = Histogram::default();
    for thread in threads {
        latency.merge(&thread.join().expect("the load generator does not panic")?);
    }
    Ok(Measured::between(&before, &after, extent.window, latency))
}

/// Opens so many connections, then sends one request on each, all at the same moment.
pub(crate) fn burst(server: &Child, load: &Load, connections: usize) -> anyhow::Result<Measured> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let mut open = Vec::with_capacity(connections);
        for _ in 0..connections {
            open.push((Connection::open(load.address).await?, load.request.fork()));
        }
        let (before, started) = (Sample::take(server)?, Instant::now());
        let expected_status = load.expected_status;
        let tasks = open.into_iter().map(|(mut connection, mut request)| {
            tokio::spawn(async move {
                let status = connection.exchange(request.next()).await?;
                // Counted from the moment of all, so that a request sent late by this program is no faster for it.
                let taken = started.elapsed();
                expect(status, expected_status, &connection).map(|()| taken)
            })
        });
        let mut latency = Histogram::default();
        for task in tasks.collect::<Vec<_>>() {
            latency.record(task.await.expect("a connection's task does not panic")?);
        }
        Ok(Measured::between(&before, &Sample::take(server)?, started.elapsed(), latency))
    })
}

/// Sends one request and returns the answer's body.
pub(crate) fn probe(load: &Load) -> anyhow::Result<Vec<u8>> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let mut connection = Connection::open(load.address).await?;
        let mut request = load.request.clone();
        expect(connection.exchange(request.next()).await?, load.expected_status, &connection)?;
        Ok(connection.body().to_vec())
    })
}

struct Sample {
    server: Usage,
    own: Usage,
    machine: Duration,
}

impl Sample {
    fn take(server: &Child) -> anyhow::Result<Self> {
        Ok(Self { server: Usage::of(server.pid())?, own: Usage::own()?, machine: machine::busy()? })
    }
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")
}

/// Drives a connection for each delay, which is how long it waits before its first request.
fn drive(load: &Load, delays: &[Duration], rest: Duration, start: Instant, end: Instant) -> anyhow::Result<Histogram> {
    runtime()?.block_on(async {
        let latency = Arc::<Mutex<Histogram>>::default();
        let begin = |delay: &Duration| {
            let (load, delay, latency) = (load.clone(), *delay, latency.clone());
            tokio::spawn(async move { drive_connection(load, delay, rest, start..=end, &latency).await })
        };
        for task in delays.iter().map(begin).collect::<Vec<_>>() {
            task.await.expect("a connection's task does not panic")?;
        }
        let latency = latency.lock().expect("no task panicked");
        Ok(latency.clone())
    })
}

async fn drive_connection(
    load: Load,
    delay: Duration,
    rest: Duration,
    window: RangeInclusive<Instant>,
    latency: &Mutex<Histogram>,
) -> anyhow::Result<()> {
    let mut connection = Connection::open(load.address).await?;
    let mut request = load.request.fork();
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    let mut sent = Instant::now();
    while sent < *window.end() {
        let status = connection.exchange(request.next()).await?;
        let answered = Instant::now();
        expect(status, load.expected_status, &connection)?;
        if window.contains(&sent) && window.contains(&answered) {
            latency.lock().expect("no task panicked").record(answered - sent);
        }
        sent = answered;
        if !rest.is_zero() {
            tokio::time::sleep(rest.mul_f64(request.chance())).await;
            sent = Instant::now();
        }
    }
    Ok(())
}

fn expect(status: u16, expected: u16, connection: &Connection) -> anyhow::Result<()> {
    if status != expected {
        bail!("status {status} instead of {expected}: {}", String::from_utf8_lossy(connection.body()));
    }
    Ok(())
}
