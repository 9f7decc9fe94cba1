//! `exact` evaluations that the caller waits for: evaluation, payment, usage and event rows in one commit.

use crate::contest;
use crate::database::{Database, Engine};
use crate::report::{Figure, Report};
use crate::scenarios::{self, answers};
use crate::seed;
use crate::settings::Settings;

/// The figures.
const EMBEDDED_RATIO: f64 = 0.06;
const EMBEDDED_PER_SECOND: f64 = 5000.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("evaluations, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let key = scenarios::fill(&database, async |store, ambient| Ok(seed::workspace(&store, &ambient).await?))?;
        let body = answers::exact();
        let lectern = contest::lectern(settings, &database, "all", |address| answers::load_of(address, &key, &body))?;
        let bare = contest::bare(&lectern, &database)?;
        let contest = contest::run(settings, &bare, &lectern)?;
        let figure = Figure::new("evaluate", engine.name()).contest(&contest);
        report.add(match engine {
            Engine::Embedded => figure.at_least("ratio", contest.ratio(), EMBEDDED_RATIO).at_least(
                "per second",
                contest.lectern.per_second(),
                EMBEDDED_PER_SECOND,
            ),
            Engine::Postgres => figure,
        });
    }
    Ok(())
}
