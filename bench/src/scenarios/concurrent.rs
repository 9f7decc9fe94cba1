//! Many evaluations at once, each of which waits for a grader that takes its time.
//!
//! The connections are open before; then each sends one request, all at the same moment. What the answers take beyond
//! the grader's time is the service's.

use crate::child::Child;
use crate::contest::Contender;
use crate::database::{Database, Engine};
use crate::load::{self, Measured};
use crate::report::{Figure, Report};
use crate::scenarios::{self, answers};
use crate::settings::Settings;
use crate::{machine, seed, servers};

const AT_ONCE: usize = 2000;

/// The figures.
const ADDED_P99_MS: f64 = 250.0;
const PEAK_MIB: f64 = 300.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("{AT_ONCE} evaluations at once, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let key = scenarios::fill(&database, async |store, ambient| Ok(seed::workspace(&store, &ambient).await?))?;
        let log = database.folder().join("concurrent.log");
        let mut server = Child::server(&database.arguments("concurrent"), &log)?;
        let load = answers::load_of(server.answer()?, &key, &answers::open());
        let measured = bursts(settings, &Contender { server, load })?;
        report.add(figure_of(&measured, engine));
    }
    Ok(())
}

/// The first of them warms the service up and does not count.
fn bursts(settings: &Settings, lectern: &Contender) -> anyhow::Result<Measured> {
    let mut all = Measured::default();
    for number in 0..=settings.rounds {
        let burst = load::burst(&lectern.server, &lectern.load, AT_ONCE)?;
        if number > 0 {
            all.merge(&burst);
        }
        machine::pause(settings.warm_up());
    }
    Ok(all)
}

fn figure_of(measured: &Measured, engine: Engine) -> Figure {
    let added_ms = |part| {
        let taken = measured.latency.quantile(part).saturating_sub(servers::GRADING_TIME);
        taken.as_secs_f64() * 1e3
    };
    let peak_mib = measured.peak_bytes as f64 / (1024.0 * 1024.0);
    Figure::new(format!("{AT_ONCE} evaluations at once"), engine.name())
        .measured(measured)
        .below("added p99 ms", added_ms(0.99), ADDED_P99_MS)
        .below("peak MB", peak_mib, PEAK_MIB)
        .note(format!("beyond the grader's {} ms; slowest {:.0} ms", servers::GRADING_TIME.as_millis(), added_ms(1.0)))
}
