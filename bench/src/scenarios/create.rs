//! The durable create of an expansion: idempotency, expansion, output, job and event rows in one commit.

use std::net::SocketAddr;

use crate::contest::{self, Contest};
use crate::database::{Database, Engine};
use crate::load::{Load, Patch, Request};
use crate::report::{Figure, Report};
use crate::scenarios::source;
use crate::seed::World;
use crate::settings::Settings;
use crate::{scenarios, seed};

/// The figures.
const EMBEDDED_RATIO: f64 = 0.12;
const EMBEDDED_P99_MS: f64 = 20.0;
const POSTGRES_RATIO: f64 = 0.08;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("creates, {}", engine.name()));
        let contest = contest_of(settings, engine, "api")?;
        let figure = Figure::new("create", engine.name()).contest(&contest);
        report.add(match engine {
            Engine::Embedded => {
                let p99_ms = contest.lectern.latency.quantile(0.99).as_secs_f64() * 1e3;
                figure.at_least("ratio", contest.ratio(), EMBEDDED_RATIO).below("p99 ms", p99_ms, EMBEDDED_P99_MS)
            }
            Engine::Postgres => figure.at_least("ratio", contest.ratio(), POSTGRES_RATIO),
        });
        let contest = contest_of(settings, engine, "all")?;
        let figure = Figure::new("create, workers on", engine.name()).contest(&contest);
        report.add(figure.note("the same process expands what it accepts"));
    }
    Ok(())
}

fn contest_of(settings: &Settings, engine: Engine, role: &str) -> anyhow::Result<Contest> {
    let database = Database::make(settings, engine)?;
    let world = scenarios::fill(&database, async |store, ambient| Ok(seed::world(&store, &ambient).await?))?;
    let lectern = contest::lectern(settings, &database, role, |address| load_of(address, &world))?;
    let bare = contest::bare(&lectern, &database)?;
    contest::run(settings, &bare, &lectern)
}

fn load_of(address: SocketAddr, world: &World) -> Load {
    let authorization = format!("Bearer {}", world.key);
    let headers = [("authorization", authorization.as_str()), ("idempotency-key", "bench-{}")];
    let body = source::body(world, source::LESSON);
    let request = Request::new(address, &format!("POST {}", source::PATH), &headers, Some(&body), Patch::Unique);
    Load { address, request, expected_status: 202 }
}
