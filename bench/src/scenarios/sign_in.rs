//! Sign-in by a password, beside the hash of the password alone.
//!
//! Hashing is slow on purpose. What counts is what the service adds: HTTP, two transactions and the session on the disk.
//! Hash and sign-in take turns, one at a time. The hash runs in this process, with the allocator and the profile of the service.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::ensure;
use edge::admins::{self, NewAdmin};
use edge::passwords;
use kernel::ambient::Ambient;
use store::{Store, Tx};

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::histogram::Histogram;
use crate::load::{Connection, Patch, Request};
use crate::report::{Figure, Report};
use crate::scenarios;
use crate::settings::Settings;

const EMAIL: &str = "bench@example.com";
const PASSWORD: &str = "correct horse battery staple";
/// Pairs of a hash and a sign-in that are measured.
const PAIRS: usize = 200;
/// Pairs before them: the first ones open connections and files.
const WARM_UP: usize = 20;

/// The issue's figure: what a sign-in adds to the hash.
const EXTRA_MS: f64 = 5.0;

/// Times of hashes and sign-ins, and what each sign-in took beyond the hash before it.
#[derive(Default)]
struct Times {
    hash: Histogram,
    sign_in: Histogram,
    extra_ms: Vec<f64>,
}

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    Engine::all(settings).into_iter().try_for_each(|engine| run_engine(settings, report, engine))
}

fn run_engine(settings: &Settings, report: &mut Report, engine: Engine) -> anyhow::Result<()> {
    report.progress(&format!("sign-ins, {}", engine.name()));
    let database = Database::make(settings, engine)?;
    let hash = passwords::hash(&PASSWORD.into())?;
    scenarios::fill(&database, async |store, ambient| make_admin(&store, &ambient, &hash).await)?;
    let log = database.folder().join("lectern.log");
    let (_child, address) = Child::lectern(&settings.lectern_binary()?, "api", &database.environment(), &log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut times = runtime.block_on(measure(address, hash))?;
    let median = |histogram: &Histogram| histogram.quantile(0.5).as_secs_f64();
    let (hash, sign_in) = (median(&times.hash), median(&times.sign_in));
    times.extra_ms.sort_by(f64::total_cmp);
    let extra_ms = times.extra_ms[times.extra_ms.len() / 2];
    report.add(
        Figure::new("sign-in by password", engine.name())
            .latency(sign_in, times.sign_in.quantile(0.99).as_secs_f64())
            .below("ms beyond the hash", extra_ms, EXTRA_MS)
            .note(format!("hash p50 {:.2} ms, sign-in / hash {:.3}", hash * 1e3, sign_in / hash)),
    );
    Ok(())
}

async fn make_admin(store: &Store, ambient: &Ambient, hash: &str) -> anyhow::Result<()> {
    let new = NewAdmin { email: EMAIL.to_owned(), password_hash: hash.to_owned(), is_operator: false };
    let ambient = ambient.clone();
    store.write("bench.admin", move |tx: &mut Tx<'_>| admins::create(tx, &ambient, &new).map(drop)).await?;
    Ok(())
}

async fn measure(address: SocketAddr, hash: String) -> anyhow::Result<Times> {
    let body = format!(r#"{{"email":"{EMAIL}","password":"{PASSWORD}","timezone":"UTC"}}"#);
    let page = format!("http://{address}/console");
    let mut request = Request::new(address, "POST /auth/login", &[("referer", &page)], Some(&body), Patch::None);
    let mut connection = Connection::open(address).await?;
    let mut times = Times::default();
    for number in 0..WARM_UP + PAIRS {
        let hashed = time_hash(&hash).await?;
        let started = Instant::now();
        let status = connection.exchange(request.next()).await?;
        let signed_in = started.elapsed();
        ensure!(status == 200, "a sign-in was answered with {status}");
        if number >= WARM_UP {
            times.hash.record(hashed);
            times.sign_in.record(signed_in);
            times.extra_ms.push((signed_in.as_secs_f64() - hashed.as_secs_f64()) * 1e3);
        }
    }
    Ok(times)
}

async fn time_hash(hash: &str) -> anyhow::Result<Duration> {
    let Some(turn) = passwords::turn().await else { anyhow::bail!("nobody else hashes here") };
    let started = Instant::now();
    let is_right = passwords::verify(&turn, PASSWORD.into(), Some(hash.to_owned())).await;
    let hashed = started.elapsed();
    ensure!(is_right, "the hash is of the password");
    Ok(hashed)
}
