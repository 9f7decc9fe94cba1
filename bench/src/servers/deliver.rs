//! Commits events to the outbox and delivers them, as a serving process does both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::{Args, ValueEnum};
use content::webhooks::CONTENT_COMPLETED;
use events::{NewEvent, Surface};
use futures_util::future::try_join_all;
use kernel::ambient::Ambient;
use kernel::id::{EventId, OrganizationId};
use serde_json::json;
use store::{Store, StoreError};

use super::{Worked, service};
use crate::database::Place;
use crate::machine::Usage;
use crate::seed;

/// Events are committed by this many writers at once.
const WRITERS: usize = 64;
const POLL: Duration = Duration::from_millis(10);

/// What to deliver.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    /// How many events.
    #[arg(long)]
    events: usize,
    /// The receiver.
    #[arg(long)]
    url: String,
    /// Whether the commits are part of what is measured.
    #[arg(long, value_enum)]
    mode: Mode,
}

/// When the deliverer starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// With the first commit; measured from there.
    Live,
    /// After the last commit; measured from there.
    Backlog,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let app = service::open(&arguments.place).await?.app;
    let (store, ambient) = (app.door.store.clone(), app.ambient.clone());
    let world = seed::world(&store, &ambient).await?;
    let sealer = &app.content.webhook_secrets;
    seed::endpoint(&store, &ambient, sealer, world.organization, &arguments.url).await?;
    if arguments.mode == Mode::Backlog {
        commit(&store, &ambient, world.organization, arguments.events).await?;
    }
    let (before, started) = (Usage::own()?, Instant::now());
    let delivering = tokio::spawn(app.deliverer().run(std::future::pending()));
    if arguments.mode == Mode::Live {
        commit(&store, &ambient, world.organization, arguments.events).await?;
    }
    while is_pending(&store).await? {
        tokio::time::sleep(POLL).await;
    }
    let worked = Worked::since(arguments.events, started.elapsed(), before)?;
    delivering.abort();
    let recorded = recorded(&store).await?;
    ensure!(recorded == arguments.events, "{recorded} of {} attempts were recorded", arguments.events);
    super::say(&worked)
}

/// Commits events by many writers at once, one transaction each.
async fn commit(store: &Store, ambient: &Ambient, owner: OrganizationId, events: usize) -> Result<(), StoreError> {
    let writers = (0..WRITERS).map(|writer| {
        let (store, ambient) = (store.clone(), ambient.clone());
        let share = (events + writer) / WRITERS;
        tokio::spawn(async move {
            for _ in 0..share {
                record(&store, &ambient, owner, "").await?;
            }
            Ok::<_, StoreError>(())
        })
    });
    let written = try_join_all(writers).await.expect("a writer does not panic");
    written.into_iter().collect()
}

/// Commits one event, as an expansion that ended would; `mark` is found in its body.
pub(super) async fn record(
    store: &Store,
    ambient: &Ambient,
    owner: OrganizationId,
    mark: &str,
) -> Result<(), StoreError> {
    let id: EventId = ambient.id();
    let output = |kind: &str, resource: &str| json!({ "outputType": kind, "status": "completed", "resourceType": resource, "resourceId": id });
    let outputs =
        [output("interactive_module", "module"), output("summary_video", "video"), output("expanded_quiz", "test")];
    let data = json!({ "jobId": id, "status": "completed", "sourceTitle": "Cells", "mark": mark, "outputs": outputs });
    let body = json!({ "mark": mark, "id": id, "type": CONTENT_COMPLETED, "jobId": id, "data": data });
    let event = Arc::new(NewEvent {
        id,
        surface: Surface::Content,
        owner_id: owner.to_string(),
        event_type: CONTENT_COMPLETED,
        subject_id: id.to_string(),
        body: body.to_string(),
    });
    store.write("bench.record", move |tx| events::record(tx, &event)).await
}

async fn is_pending(store: &Store) -> Result<bool, StoreError> {
    let find = "SELECT 1 FROM delivery WHERE state = 'pending' LIMIT 1";
    Ok(store.read("bench.pending", move |tx| tx.find(find, &[], |_| Ok(()))).await?.is_some())
}

async fn recorded(store: &Store) -> Result<usize, StoreError> {
    let count = "SELECT count(*) FROM delivery_attempt WHERE status_code = 200";
    let found = store.read("bench.recorded", move |tx| tx.find(count, &[], |row| row.get::<i64>(0))).await?;
    Ok(usize::try_from(found.unwrap_or(0)).unwrap_or(0))
}
