//! The authenticated read of one module through the whole stack, from few and from many stored modules.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::contest::{self, Contender};
use crate::database::{Database, Engine};
use crate::load::{self, Extent, Load, Measured, Patch, Request};
use crate::report::{Figure, Report};
use crate::seed::World;
use crate::settings::Settings;
use crate::{scenarios, seed};

/// Modules in the smaller database.
const FEW: usize = 1_000;
/// Connections that leave the server mostly idle.
const LOW_LOAD: usize = 2;

/// The figures.
const RATIO: f64 = 0.45;
const P99_MS: f64 = 10.0;
const GROWTH: f64 = 1.3;

/// A database with modules and the service on it.
struct Shelf {
    database: Database,
    contender: Contender,
}

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    Engine::all(settings).into_iter().try_for_each(|engine| run_engine(settings, report, engine))
}

fn run_engine(settings: &Settings, report: &mut Report, engine: Engine) -> anyhow::Result<()> {
    report.progress(&format!("reads, {}", engine.name()));
    let few = shelf(settings, engine, FEW)?;
    let many = shelf(settings, engine, settings.many)?;
    for (shelf, count) in [(&few, FEW), (&many, settings.many)] {
        let bare = contest::bare(&shelf.contender, &shelf.database)?;
        let contest = contest::run(settings, &bare, &shelf.contender)?;
        let mut figure = Figure::new(format!("read, {count} modules"), engine.name()).contest(&contest);
        if engine == Engine::Embedded {
            let p99_ms = contest.lectern.latency.quantile(0.99).as_secs_f64() * 1e3;
            figure = figure.at_least("ratio", contest.ratio(), RATIO).below("p99 ms", p99_ms, P99_MS);
        }
        report.add(figure);
    }
    let (few, many) = low_load(settings, &few.contender, &many.contender)?;
    let median = |measured: &Measured| measured.latency.quantile(0.5).as_secs_f64();
    let growth = median(&many) / median(&few);
    let name = format!("read, {LOW_LOAD} connections");
    report.add(Figure::new(format!("{name}, {FEW} modules"), engine.name()).measured(&few));
    let figure = Figure::new(format!("{name}, {} modules", settings.many), engine.name()).measured(&many);
    report.add(figure.below("median many/few", growth, GROWTH));
    Ok(())
}

fn shelf(settings: &Settings, engine: Engine, count: usize) -> anyhow::Result<Shelf> {
    let database = Database::make(settings, engine)?;
    let (world, ids) = scenarios::fill(&database, async |store, ambient| {
        let world = seed::world(&store, &ambient).await?;
        let ids = seed::modules(&store, &ambient, &world, count).await?;
        Ok((world, ids))
    })?;
    let contender = contest::lectern(settings, &database, "api", |address| load_of(address, &world, ids))?;
    Ok(Shelf { database, contender })
}

fn load_of(address: SocketAddr, world: &World, ids: Vec<String>) -> Load {
    let line = format!("GET /v1/content/classrooms/{}/modules/{{}}", world.classroom);
    let authorization = format!("Bearer {}", world.key);
    let headers = [("authorization", authorization.as_str()), ("accept", "application/json")];
    let request = Request::new(address, &line, &headers, None, Patch::Choice(Arc::from(ids)));
    Load { address, request, expected_status: 200 }
}

/// Few connections on both databases, in turn.
fn low_load(settings: &Settings, few: &Contender, many: &Contender) -> anyhow::Result<(Measured, Measured)> {
    let extent = Extent { connections: LOW_LOAD, ..contest::extent(settings) };
    let (mut of_few, mut of_many) = (Measured::default(), Measured::default());
    for _ in 0..settings.rounds {
        of_few.merge(&load::run(&few.server, &few.load, extent)?);
        of_many.merge(&load::run(&many.server, &many.load, extent)?);
    }
    Ok((of_few, of_many))
}
