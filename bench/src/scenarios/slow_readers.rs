//! Clients that ask for something large and never read it: what they cost, and what is left of it when they have gone.
//!
//! Each kind of response is measured alone, on a server that was just started. The memory of the system's sockets is not
//! the process's and is not in the figures.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use kernel::ambient::Ambient;
use store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::load::{self, Load, Patch, Request};
use crate::machine::Usage;
use crate::report::{Figure, Report};
use crate::seed::World;
use crate::settings::Settings;
use crate::{contest, machine, scenarios, seed};

/// Targets.
const ABOVE_IDLE_MB: f64 = 150.0;
const HEALTHZ_MS: f64 = 100.0;
const LEFT_OF_IDLE: f64 = 1.5;

const FILE_READERS: usize = 1_000;
const LIST_READERS: usize = 200;
const EXPORT_READERS: usize = 200;
/// Modules of the list and of the course.
const MODULES: usize = 60;
/// Text of a module, in bytes.
const MODULE_BYTES: usize = 900_000;
/// The file, in bytes.
const FILE_BYTES: usize = 10 * 1024 * 1024 - 1024;
/// Until memory is measured as idle.
const SETTLE: Duration = Duration::from_secs(5);
/// How long the clients hold their connections.
const HOLD: Duration = Duration::from_secs(20);
/// Until memory has to be back.
const RETURN: Duration = Duration::from_secs(30);
const BETWEEN_PROBES: Duration = Duration::from_millis(50);

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        let database = Database::make(settings, engine)?;
        let customer = scenarios::fill(&database, Customer::make)?;
        for (what, readers, target) in [
            ("a file of 10 MiB", FILE_READERS, Target::File),
            ("a page of 60 modules of 0.9 MB", LIST_READERS, Target::List),
            ("a course of 60 modules of 0.9 MB", EXPORT_READERS, Target::Export),
        ] {
            let name = format!("{readers} slow readers of {what}");
            report.progress(&format!("{name}, {}", engine.name()));
            let outcome = measure(settings, &database, &customer, target, readers)?;
            target.check(&outcome.statuses, readers)?;
            report.add(outcome.figure(name, engine));
        }
    }
    Ok(())
}

/// The large response that readers ask for.
#[derive(Clone, Copy)]
enum Target {
    File,
    List,
    Export,
}

impl Target {
    /// Every reader of a file gets it. Of the others some are refused, and nothing else happens to them.
    fn check(self, statuses: &BTreeMap<String, usize>, readers: usize) -> anyhow::Result<()> {
        let served = statuses.get("200").copied().unwrap_or_default();
        let is_expected = match self {
            Self::File => served == readers,
            Self::List | Self::Export => {
                served > 0 && statuses.keys().all(|status| ["200", "429", "503", NOTHING].contains(&status.as_str()))
            }
        };
        anyhow::ensure!(is_expected, "unexpected responses: {statuses:?}");
        Ok(())
    }
}

/// A response that has not begun.
const NOTHING: &str = "nothing";

/// An organization with large content, and a workspace.
struct Customer {
    world: World,
    course: String,
    platform_key: String,
}

impl Customer {
    async fn make(store: Store, ambient: Ambient) -> anyhow::Result<Self> {
        let world = seed::world(&store, &ambient).await?;
        let course = seed::large_course(&store, &ambient, &world, MODULES, MODULE_BYTES).await?;
        let platform_key = seed::workspace(&store, &ambient).await?;
        Ok(Self { world, course, platform_key })
    }

    /// The request of a slow reader.
    fn request(&self, address: SocketAddr, target: Target) -> anyhow::Result<Vec<u8>> {
        let classroom = format!("/v1/content/classrooms/{}", self.world.classroom);
        let (path, key) = match target {
            Target::File => (self.upload(address)?, None),
            Target::List => (format!("{classroom}/modules?limit={MODULES}"), Some(&self.world.key)),
            Target::Export => (format!("{classroom}/courses/{}/export", self.course), Some(&self.world.key)),
        };
        let authorization = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
        Ok(format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{authorization}\r\n").into_bytes())
    }

    /// The path of a file's signed link.
    fn upload(&self, address: SocketAddr) -> anyhow::Result<String> {
        const BOUNDARY: &str = "slow-readers";
        let fields = [
            ("evaluationType", "exact"),
            ("questionText", "What is two and two?"),
            ("learnerAnswer", "4"),
            ("referenceAnswer", "4"),
            ("mode", "async"),
        ];
        let mut body = String::new();
        for (name, value) in fields {
            body += &format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        }
        body += &format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"answerFiles\"; filename=\"a.txt\"\r\n\
             Content-Type: text/plain\r\n\r\n{}\r\n--{BOUNDARY}--\r\n",
            seed::words(FILE_BYTES)
        );
        let authorization = format!("Bearer {}", self.platform_key);
        let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let headers = [("authorization", authorization.as_str()), ("content-type", content_type.as_str())];
        let request = Request::with_body(address, "POST /v1/platform/evaluations", &headers, &body);
        let answer = load::probe(&Load { address, request, expected_status: 201 })?;
        let answer: serde_json::Value = serde_json::from_slice(&answer)?;
        let url: url::Url = answer["answerFiles"][0]["url"].as_str().context("no link")?.parse()?;
        Ok(format!("{}?{}", url.path(), url.query().unwrap_or_default()))
    }
}

struct Outcome {
    idle_bytes: u64,
    most_bytes: u64,
    left_bytes: u64,
    slowest_healthz: Duration,
    /// How many responses began with which status.
    statuses: BTreeMap<String, usize>,
}

impl Outcome {
    fn figure(&self, name: String, engine: Engine) -> Figure {
        let megabytes = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
        let above = megabytes(self.most_bytes.saturating_sub(self.idle_bytes));
        let left = self.left_bytes as f64 / self.idle_bytes as f64;
        let statuses = self.statuses.iter().map(|(status, count)| format!("{count} × {status}"));
        let note = format!("idle {:.0} MB; {}", megabytes(self.idle_bytes), statuses.collect::<Vec<_>>().join(", "));
        Figure::new(name, engine.name())
            .below("MB above idle", above, ABOVE_IDLE_MB)
            .below("slowest /healthz ms", self.slowest_healthz.as_secs_f64() * 1e3, HEALTHZ_MS)
            .below("left of idle", left, LEFT_OF_IDLE)
            .note(note)
    }
}

fn measure(
    settings: &Settings,
    database: &Database,
    customer: &Customer,
    target: Target,
    readers: usize,
) -> anyhow::Result<Outcome> {
    let prepared = {
        // A server of its own: what an upload leaves behind in memory is no part of the figure.
        let server = contest::lectern(settings, database, "all", health)?;
        customer.request(server.load.address, target)?
    };
    let contender = contest::lectern(settings, database, "all", health)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    machine::pause(SETTLE);
    let idle_bytes = resident(&contender.server)?;
    let address = contender.load.address;
    let mut watch = Watch { most_bytes: idle_bytes, slowest_healthz: Duration::ZERO };
    let statuses = runtime.block_on(async {
        let mut clients = Vec::new();
        for _ in 0..readers {
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(&prepared).await?;
            clients.push(stream);
        }
        watch.through(HOLD, &contender.server, address).await?;
        let mut statuses = BTreeMap::new();
        for client in &mut clients {
            *statuses.entry(status(client).await).or_default() += 1;
        }
        drop(clients);
        watch.through(RETURN, &contender.server, address).await?;
        anyhow::Ok(statuses)
    })?;
    let left_bytes = resident(&contender.server)?;
    let Watch { most_bytes, slowest_healthz } = watch;
    Ok(Outcome { idle_bytes, most_bytes, left_bytes, slowest_healthz, statuses })
}

fn health(address: SocketAddr) -> Load {
    Load { address, request: Request::new(address, "GET /healthz", &[], None, Patch::None), expected_status: 200 }
}

fn resident(server: &Child) -> anyhow::Result<u64> {
    Ok(Usage::of(server.pid())?.resident_bytes)
}

/// The status that a response began with, as far as it has come.
async fn status(client: &mut TcpStream) -> String {
    let mut start = [0; 12];
    let read = tokio::time::timeout(Duration::from_millis(10), client.read_exact(&mut start)).await;
    match read {
        Ok(Ok(_)) => String::from_utf8_lossy(&start[9..]).into_owned(),
        Ok(Err(_)) => "closed".to_owned(),
        Err(_) => NOTHING.to_owned(),
    }
}

/// The highest memory and the slowest probe of a server so far.
struct Watch {
    most_bytes: u64,
    slowest_healthz: Duration,
}

impl Watch {
    async fn through(&mut self, span: Duration, server: &Child, address: SocketAddr) -> anyhow::Result<()> {
        let end = Instant::now() + span;
        while Instant::now() < end {
            let asked = Instant::now();
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n").await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await?;
            anyhow::ensure!(answer.starts_with(b"HTTP/1.1 200"), "/healthz: {}", String::from_utf8_lossy(&answer));
            self.slowest_healthz = self.slowest_healthz.max(asked.elapsed());
            self.most_bytes = self.most_bytes.max(resident(server)?);
            tokio::time::sleep(BETWEEN_PROBES).await;
        }
        Ok(())
    }
}
