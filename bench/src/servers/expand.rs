//! Accepts expansions through the API, then starts the workers and waits until all are done.

use std::time::{Duration, Instant};

use anyhow::ensure;
use axum::Router;
use axum::body::Body;
use clap::Args;
use edge::operations::Draining;
use futures_util::future::try_join_all;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, StatusCode};
use lectern::app::Role;
use store::{Store, StoreError};
use tower::ServiceExt as _;

use super::{Worked, service};
use crate::database::Place;
use crate::machine::Usage;
use crate::scenarios::source;
use crate::seed::{self, World};

const CLIENTS: usize = 64;
const POLL: Duration = Duration::from_millis(10);

/// What to expand.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// How many expansions.
    #[arg(long)]
    expansions: usize,
    /// A whole level instead of one short lesson.
    #[arg(long)]
    course: bool,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let service = service::open(&arguments.place).await?;
    let app = service.app;
    let store = app.door.store.clone();
    let world = seed::world(&store, &app.ambient).await?;
    let router = app.router(Role::Api, Draining::default(), service.metrics);
    let body = source::body(&world, if arguments.course { source::COURSE } else { source::LESSON });
    accept(&router, &world, &body, arguments.expansions).await?;

    let (before, started) = (Usage::own()?, Instant::now());
    let delivering = tokio::spawn(app.deliverer().run(std::future::pending()));
    let working = tokio::spawn(async move { app.worker().run(std::future::pending()).await });
    while is_at_work(&store).await? {
        tokio::time::sleep(POLL).await;
    }
    let worked = Worked::since(arguments.expansions, started.elapsed(), before)?;
    working.abort();
    delivering.abort();
    let completed = completed(&store).await?;
    ensure!(completed == arguments.expansions, "{completed} of {} expansions completed", arguments.expansions);
    super::say(&worked)
}

async fn accept(router: &Router, world: &World, body: &str, expansions: usize) -> anyhow::Result<()> {
    let clients = (0..CLIENTS).map(|client| async move {
        for _ in 0..(expansions + client) / CLIENTS {
            let request = Request::post(source::PATH)
                .header(AUTHORIZATION, format!("Bearer {}", world.key))
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_owned()))?;
            let answer = router.clone().oneshot(request).await?;
            ensure!(answer.status() == StatusCode::ACCEPTED, "an expansion was answered {}", answer.status());
        }
        Ok(())
    });
    try_join_all(clients).await.map(drop)
}

async fn is_at_work(store: &Store) -> Result<bool, StoreError> {
    let find = "SELECT 1 FROM job WHERE state <> 'failed' LIMIT 1";
    Ok(store.read("bench.at_work", move |tx| tx.find(find, &[], |_| Ok(()))).await?.is_some())
}

async fn completed(store: &Store) -> Result<usize, StoreError> {
    let count = "SELECT count(*) FROM expansion WHERE status = 'completed'";
    let found = store.read("bench.completed", move |tx| tx.find(count, &[], |row| row.get::<i64>(0))).await?;
    Ok(usize::try_from(found.unwrap_or(0)).unwrap_or(0))
}
