//! Requests that can be sent only once each: the connections take the next one in turn until there are no more.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::{Measured, Sample, THREADS, expect, runtime};
use crate::child::Child;
use crate::histogram::Histogram;
use crate::load::connection::Connection;

/// Where the requests come from.
pub(crate) trait Source: Send + Sync + 'static {
    /// The request of this number; `None` when there are no more. Each number is asked for once.
    fn request(&self, number: usize) -> Option<Cow<'_, [u8]>>;

    /// Takes the head of the answer to a request.
    fn answered(&self, _number: usize, _head: &[u8]) {}
}

/// Requests that were all written beforehand.
impl Source for Vec<Vec<u8>> {
    fn request(&self, number: usize) -> Option<Cow<'_, [u8]>> {
        self.get(number).map(Cow::from)
    }
}

/// Where to send the requests of a source, and how.
#[derive(Clone)]
pub(crate) struct Once {
    pub(crate) address: SocketAddr,
    pub(crate) source: Arc<dyn Source>,
    pub(crate) expected_status: u16,
    pub(crate) connections: usize,
}

/// Sends all of them. Opening the connections and waiting for the last answer are part of what is measured.
pub(crate) fn once(server: &Child, once: &Once) -> anyhow::Result<Measured> {
    let next = Arc::new(AtomicUsize::new(0));
    let (before, started) = (Sample::take(server)?, Instant::now());
    let threads: Vec<_> = (0..THREADS.min(once.connections))
        .map(|thread| {
            let (once, next) = (once.clone(), next.clone());
            let connections = (thread..once.connections).step_by(THREADS).count();
            std::thread::spawn(move || drive(&once, connections, &next))
        })
        .collect();
    let mut latency = Histogram::default();
    for thread in threads {
        latency.merge(&thread.join().expect("the load generator does not panic")?);
    }
    Ok(Measured::between(&before, &Sample::take(server)?, started.elapsed(), latency))
}

fn drive(once: &Once, connections: usize, next: &Arc<AtomicUsize>) -> anyhow::Result<Histogram> {
    runtime()?.block_on(async {
        let latency = Arc::<Mutex<Histogram>>::default();
        let begin = |_| {
            let (once, next, latency) = (once.clone(), next.clone(), latency.clone());
            tokio::spawn(async move { drive_connection(&once, &next, &latency).await })
        };
        for task in (0..connections).map(begin).collect::<Vec<_>>() {
            task.await.expect("a connection's task does not panic")?;
        }
        let latency = latency.lock().expect("no task panicked");
        Ok(latency.clone())
    })
}

async fn drive_connection(once: &Once, next: &AtomicUsize, latency: &Mutex<Histogram>) -> anyhow::Result<()> {
    let mut connection = Connection::open(once.address).await?;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(request) = once.source.request(number) else { return Ok(()) };
        let sent = Instant::now();
        let status = connection.exchange(&request).await?;
        latency.lock().expect("no task panicked").record(sent.elapsed());
        expect(status, once.expected_status, &connection)?;
        once.source.answered(number, connection.head_bytes());
    }
}
