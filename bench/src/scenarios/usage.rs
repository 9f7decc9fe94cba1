//! A million ledger rows that a payment processor has to be told of, which takes 50 ms to answer.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use url::form_urlencoded;

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::servers::Worked;
use crate::settings::Settings;

/// The figure.
const MINUTES: f64 = 10.0;
/// How long the processor takes.
const ANSWERS_AFTER: Duration = Duration::from_millis(50);
const WORKSPACES: usize = 200;

/// The usage that reached the processor.
#[derive(Default)]
struct Told {
    identifiers: HashSet<String>,
    credits: f64,
    calls: usize,
}

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("usage, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let (processor, told) = start_processor()?;
        let rows = settings.usage_rows / WORKSPACES * WORKSPACES;
        let mut arguments = database.arguments("usage");
        arguments.push(format!("--rows={rows}"));
        arguments.push(format!("--workspaces={WORKSPACES}"));
        arguments.push(format!("--processor={processor}"));
        let mut child = Child::server(&arguments, &database.folder().join("usage.log"))?;
        let worked: Worked = child.answer()?;
        let told = told.lock().unwrap_or_else(PoisonError::into_inner);
        ensure!((told.credits - rows as f64).abs() < 0.5, "{} of {rows} credits were reported", told.credits);
        let minutes = worked.seconds / 60.0 * 1_000_000.0 / rows as f64;
        let figure = Figure::new("usage reported to a payment processor", engine.name())
            .cpu(worked.cpu_us())
            .peak(worked.peak_bytes)
            .below("minutes for a million rows", minutes, MINUTES);
        report.add(figure.note(format!("the processor takes 50 ms; {rows} rows in {} calls", told.calls)));
    }
    Ok(())
}

/// Starts a processor on a thread of its own, which lives as long as the process.
fn start_processor() -> anyhow::Result<(String, Arc<Mutex<Told>>)> {
    let told = Arc::<Mutex<Told>>::default();
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = format!("http://{}", listener.local_addr()?);
    let router = Router::new().route("/v1/billing/meter_events", post(take)).with_state(told.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
    std::thread::spawn(move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("the listener is non-blocking");
            axum::serve(listener, router).await.expect("a server does not end");
        });
    });
    Ok((address, told))
}

async fn take(State(told): State<Arc<Mutex<Told>>>, body: String) -> &'static str {
    tokio::time::sleep(ANSWERS_AFTER).await;
    let (mut identifier, mut credits) = (String::new(), 0.0);
    for (name, value) in form_urlencoded::parse(body.as_bytes()) {
        match &*name {
            "identifier" => identifier = value.into_owned(),
            "payload[value]" => credits = value.parse().unwrap_or(0.0),
            _ => {}
        }
    }
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    told.calls += 1;
    if told.identifiers.insert(identifier) {
        told.credits += credits;
    }
    "{}"
}
