//! A page of a hundred out of few and out of many: modules, the first page and the last one, and videos with scenes.
//!
//! A page is two hundred kilobytes, so the ratio to the bare server is mostly about bytes. What counts is that a page
//! takes as long in a classroom with many resources as in one with few.

use std::net::SocketAddr;

use kernel::ambient::Ambient;
use kernel::id::{SceneId, VideoId};
use store::{Store, StoreError, Tx};

use crate::contest::{self, Contender};
use crate::database::{Database, Engine};
use crate::load::{self, Extent, Load, Measured, Patch, Request};
use crate::report::{Figure, Report};
use crate::seed::World;
use crate::settings::Settings;
use crate::{scenarios, seed};

/// Resources in the smaller database.
const FEW: usize = 1_000;
/// Resources on a page: the most that the API gives.
const PAGE: usize = 100;
/// Scenes of a video.
const SCENES: i64 = 10;
/// Videos in one transaction.
const VIDEOS_PER_WRITE: usize = 100;
/// Connections that leave the server mostly idle.
const LOW_LOAD: usize = 2;

/// The figure: the median of a page out of many is below this many times that of a page out of few.
const GROWTH: f64 = 2.0;

/// A classroom with resources of a kind and the service on it.
struct Shelf {
    // Goes after the server that uses it.
    contender: Contender,
    database: Database,
    kind: &'static str,
    world: World,
    count: usize,
}

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    Engine::all(settings).into_iter().try_for_each(|engine| run_engine(settings, report, engine))
}

fn run_engine(settings: &Settings, report: &mut Report, engine: Engine) -> anyhow::Result<()> {
    report.progress(&format!("lists, {}", engine.name()));
    let few = shelf(settings, engine, "modules", FEW)?;
    let many = shelf(settings, engine, "modules", settings.many)?;
    for shelf in [&few, &many] {
        let bare = contest::bare(&shelf.contender, &shelf.database)?;
        let contest = contest::run(settings, &bare, &shelf.contender)?;
        report.add(Figure::new(format!("list, {PAGE} of {} modules", shelf.count), engine.name()).contest(&contest));
    }
    for (page, of) in [("first page", Shelf::first as fn(&Shelf) -> usize), ("last page", Shelf::last)] {
        let (of_few, of_many) = low_load(settings, (&few, of(&few)), (&many, of(&many)))?;
        let growth = median(&of_many) / median(&of_few);
        let name = |count: usize| format!("list, {LOW_LOAD} connections, {page} of {count}");
        report.add(Figure::new(name(few.count), engine.name()).measured(&of_few));
        let figure = Figure::new(name(many.count), engine.name()).measured(&of_many);
        report.add(figure.below("median many/few", growth, GROWTH));
    }
    let videos = shelf(settings, engine, "videos", FEW)?;
    let measured = load::run(&videos.contender.server, &videos.contender.load, low(settings))?;
    let name = format!("list, {LOW_LOAD} connections, {PAGE} of {FEW} videos");
    report.add(Figure::new(name, engine.name()).measured(&measured).note(format!("with {SCENES} scenes each")));
    Ok(())
}

impl Shelf {
    fn first(&self) -> usize {
        1
    }

    fn last(&self) -> usize {
        self.count / PAGE
    }

    fn load(&self, page: usize) -> Load {
        load_of(self.contender.load.address, &self.world, self.kind, page)
    }
}

fn shelf(settings: &Settings, engine: Engine, kind: &'static str, count: usize) -> anyhow::Result<Shelf> {
    let database = Database::make(settings, engine)?;
    let world = scenarios::fill(&database, async |store, ambient| {
        let world = seed::world(&store, &ambient).await?;
        match kind {
            "videos" => videos(&store, &ambient, &world, count).await?,
            _ => drop(seed::modules(&store, &ambient, &world, count).await?),
        }
        Ok(world)
    })?;
    if kind == "videos" {
        database.settle(&["video", "scene"])?;
    }
    let contender = contest::lectern(settings, &database, "api", |address| load_of(address, &world, kind, 1))?;
    Ok(Shelf { contender, database, kind, world, count })
}

fn load_of(address: SocketAddr, world: &World, kind: &str, page: usize) -> Load {
    let line = format!("GET /v1/content/classrooms/{}/{kind}?limit={PAGE}&page={page}", world.classroom);
    let authorization = format!("Bearer {}", world.key);
    let headers = [("authorization", authorization.as_str()), ("accept", "application/json")];
    Load { address, request: Request::new(address, &line, &headers, None, Patch::None), expected_status: 200 }
}

/// Few connections on both databases, in turn.
fn low_load(settings: &Settings, few: (&Shelf, usize), many: (&Shelf, usize)) -> anyhow::Result<(Measured, Measured)> {
    let (mut of_few, mut of_many) = (Measured::default(), Measured::default());
    for _ in 0..settings.rounds {
        for ((shelf, page), measured) in [(few, &mut of_few), (many, &mut of_many)] {
            measured.merge(&load::run(&shelf.contender.server, &shelf.load(page), low(settings))?);
        }
    }
    Ok((of_few, of_many))
}

fn low(settings: &Settings) -> Extent {
    Extent { connections: LOW_LOAD, ..contest::extent(settings) }
}

fn median(measured: &Measured) -> f64 {
    measured.latency.quantile(0.5).as_secs_f64()
}

/// Stores videos with scenes.
async fn videos(store: &Store, ambient: &Ambient, world: &World, count: usize) -> Result<(), StoreError> {
    let ids: Vec<VideoId> = (0..count).map(|_| ambient.id()).collect();
    for ids in ids.chunks(VIDEOS_PER_WRITE) {
        let (ids, world) = (ids.to_vec(), world.clone());
        store.write("bench.videos", move |tx| ids.iter().try_for_each(|id| video(tx, &world, *id))).await?;
    }
    Ok(())
}

fn video(tx: &mut Tx<'_>, world: &World, id: VideoId) -> Result<(), StoreError> {
    const SCRIPT: &str = "A cell is the smallest unit of life. Its membrane decides what enters and what leaves.";
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO video (id, organization_id, classroom_id, title, slug, description, status, visibility, language,
            aspect_ratio, target_duration_seconds, metadata, created_at, updated_at)
         VALUES ($1, $2, $3, 'The cell', 'the-cell', 'What cells are made of.', 'completed', 'PRIVATE', 'en', '16:9', 0, '{}',
            $4, $4)",
        &[&id, &world.organization, &world.classroom, &now],
    )?;
    (1..=SCENES).try_for_each(|sequence| {
        let scene: SceneId = tx.ambient().id();
        tx.execute_later(
            "INSERT INTO scene (id, video_id, sequence, script, display_text, duration_seconds)
             VALUES ($1, $2, $3, $4, 'The cell', 6.5)",
            &[&scene, &id, &sequence, &SCRIPT],
        )
    })
}
