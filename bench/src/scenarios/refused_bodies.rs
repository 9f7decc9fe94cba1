//! A key that has used up its limit sends large bodies in vain, as fast as it can, beside another tenant's reads.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::contest::{self, Contender};
use crate::database::{Database, Engine};
use crate::load::{self, Extent, Load, Patch, Request};
use crate::machine::Usage;
use crate::report::{Figure, Report};
use crate::settings::Settings;
use crate::{scenarios, seed};

/// Targets.
const CORES: f64 = 0.2;
const P99_MS: f64 = 10.0;

const BODY_BYTES: usize = 1024 * 1024 - 1024;
const CONNECTIONS: usize = 64;
/// Requests a minute of the key.
const LIMIT: u32 = 1;
/// The other tenant's connections, each of which rests between its reads: the figure is what is added, not its own queue.
const OTHER_CONNECTIONS: usize = 4;
const REST: Duration = Duration::from_millis(20);
const STORED: usize = 1_000;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("refused bodies, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let (world, limited, ids) = scenarios::fill(&database, async |store, ambient| {
            let world = seed::world(&store, &ambient).await?;
            let limited = seed::limited_key(&store, &ambient, LIMIT).await?;
            let ids = seed::modules(&store, &ambient, &world, STORED).await?;
            Ok((world, limited, ids))
        })?;
        let authorization = format!("Bearer {}", world.key);
        let line = format!("GET /v1/content/classrooms/{}/modules/{{}}", world.classroom);
        let reads = contest::lectern(settings, &database, "all", |address| Load {
            address,
            request: Request::new(
                address,
                &line,
                &[("authorization", &authorization)],
                None,
                Patch::Choice(ids.as_slice().into()),
            ),
            expected_status: 200,
        })?;
        let alone = load::run(&reads.server, &reads.load, extent(settings))?;
        let (cores, refused, beside) = attack(settings, &reads, &limited)?;
        let p99_ms = beside.latency.quantile(0.99).as_secs_f64() * 1e3;
        // The cost of the other tenant's reads is left out.
        let own = alone.server_cpu.as_secs_f64() / alone.elapsed.as_secs_f64();
        let alone_ms = alone.latency.quantile(0.99).as_secs_f64() * 1e3;
        let figure = Figure::new("bodies of 1 MiB refused by their heads, 64 connections", engine.name())
            .measured(&beside)
            .below("cores", cores - own, CORES)
            .below("p99 ms of another tenant", p99_ms, P99_MS);
        report.add(figure.note(format!("{refused} refused; the other tenant alone: p99 {alone_ms:.1} ms")));
    }
    Ok(())
}

fn extent(settings: &Settings) -> Extent {
    Extent { connections: OTHER_CONNECTIONS, rest: REST, ..contest::extent(settings) }
}

/// The processors that the server keeps busy, how many requests were refused, and the other tenant's reads meanwhile.
fn attack(settings: &Settings, reads: &Contender, key: &str) -> anyhow::Result<(f64, usize, load::Measured)> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (refused, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let head = format!(
        "POST /v1/content/integrations/expansions HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {BODY_BYTES}\r\n\r\n"
    );
    let request: Arc<[u8]> = [head.into_bytes(), vec![b' '; BODY_BYTES]].concat().into();
    for _ in 0..CONNECTIONS {
        let (request, refused, is_over) = (request.clone(), refused.clone(), is_over.clone());
        let address = reads.load.address;
        runtime.spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                if send(address, &request, &refused).await.is_err() {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
        });
    }
    let before = Usage::of(reads.server.pid())?;
    let measured = load::run(&reads.server, &reads.load, extent(settings))?;
    let after = Usage::of(reads.server.pid())?;
    is_over.store(true, Ordering::Relaxed);
    let span = settings.warm_up() + measured.elapsed;
    let cores = after.cpu.saturating_sub(before.cpu).as_secs_f64() / span.as_secs_f64();
    Ok((cores, refused.load(Ordering::Relaxed), measured))
}

/// Sends requests on one connection for as long as it lasts, reading what comes back meanwhile.
async fn send(address: SocketAddr, request: &[u8], refused: &AtomicUsize) -> anyhow::Result<()> {
    let (mut reading, mut writing) = TcpStream::connect(address).await?.into_split();
    loop {
        let answer = async {
            let mut start = [0; 4096];
            let read = reading.read(&mut start).await?;
            anyhow::ensure!(read > 0, "the server closed the connection");
            if start.starts_with(b"HTTP/1.1 429") {
                refused.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let (written, answered) = tokio::join!(writing.write_all(request), answer);
        written?;
        answered?;
    }
}
