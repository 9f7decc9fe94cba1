//! Scores a second to a gradebook that takes 200 ms to answer, while another platform never answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::child::Child;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::servers::Worked;
use crate::settings::Settings;

/// The figure.
const PER_SECOND: f64 = 500.0;
/// How long the gradebook takes.
const ANSWERS_AFTER: Duration = Duration::from_millis(200);
/// Longer than any attempt may take.
const NEVER: Duration = Duration::from_secs(3600);
/// Scores on their way to the platform that never answers.
const HANGING: usize = 200;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("sync, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let (gradebook, taken) = start_platform()?;
        let mut arguments = database.arguments("sync");
        arguments.push(format!("--scores={}", settings.scores));
        arguments.push(format!("--hanging={HANGING}"));
        arguments.push(format!("--platform={gradebook}"));
        let mut child = Child::server(&arguments, &database.folder().join("sync.log"))?;
        let worked: Worked = child.answer()?;
        let taken = taken.load(Ordering::Relaxed);
        ensure!(taken == settings.scores, "{taken} of {} scores arrived", settings.scores);
        let figure = Figure::new("scores synced beside a platform that hangs", engine.name())
            .cpu(worked.cpu_us())
            .peak(worked.peak_bytes)
            .at_least("a second", worked.per_second(), PER_SECOND);
        report.add(figure.note("the gradebook takes 200 ms"));
    }
    Ok(())
}

/// Starts a platform on a thread of its own, which lives as long as the process: its address, and how many scores it took.
fn start_platform() -> anyhow::Result<(String, Arc<AtomicUsize>)> {
    let taken = Arc::new(AtomicUsize::new(0));
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = format!("http://{}", listener.local_addr()?);
    let router = Router::new()
        .route("/token", post(give_token))
        .route("/{platform}/1/scores", post(take_score))
        .with_state(taken.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
    std::thread::spawn(move || {
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("the listener is non-blocking");
            axum::serve(listener, router).await.expect("a server does not end");
        });
    });
    Ok((address, taken))
}

async fn give_token() -> Json<Value> {
    Json(json!({ "access_token": "t", "token_type": "bearer", "expires_in": 3600 }))
}

async fn take_score(Path(platform): Path<String>, State(taken): State<Arc<AtomicUsize>>) -> StatusCode {
    if platform == "hangs" {
        tokio::time::sleep(NEVER).await;
    }
    tokio::time::sleep(ANSWERS_AFTER).await;
    taken.fetch_add(1, Ordering::Relaxed);
    StatusCode::OK
}
