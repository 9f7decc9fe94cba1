//! Evaluations that a language model grades: what the service adds to the model's own time, and what it holds while many
//! wait. The model is a server on the same machine, which takes processors from both sides.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;

use crate::child::Child;
use crate::contest::{self, Contender};
use crate::database::{Database, Engine};
use crate::load::{self, Extent, Load, Measured, Patch, Request};
use crate::report::{Figure, Report};
use crate::scenarios::{self, answers};
use crate::servers::ANSWERING_TIME;
use crate::settings::Settings;
use crate::{machine, seed};

/// Grades in flight whose time is looked at, and whose memory.
const IN_FLIGHT: [usize; 2] = [1, 200];
/// The longest pause between two requests of a connection; half of it, a tenth of a grade's time, on average.
const REST: Duration = Duration::from_millis(100);
const MANY_IN_FLIGHT: usize = 2000;

/// The figures.
const ADDED_MEDIAN_MS: f64 = 2.0;
const ADDED_P99_MS: f64 = 25.0;
const PEAK_MIB: f64 = 300.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("grades by a model, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let key = scenarios::fill(&database, async |store, ambient| Ok(seed::workspace(&store, &ambient).await?))?;
        let mut model = Child::server(&["model".to_owned()], &database.folder().join("model.log"))?;
        let url: String = model.answer()?;
        let lectern = service(settings, &database, url.clone(), &key)?;
        load::probe(&lectern.load)?;
        let asked = asked_directly(&url, &model.answer::<String>()?)?;
        for in_flight in IN_FLIGHT {
            let extent = Extent {
                connections: in_flight + in_flight / 10,
                spread: ANSWERING_TIME,
                rest: REST,
                ..contest::extent(settings)
            };
            let (mut direct, mut measured) = (Measured::default(), Measured::default());
            // In turn, as a neighbour who takes processors away is to take them from both.
            for _ in 0..settings.rounds {
                direct.merge(&load::run(&model, &asked, extent)?);
                measured.merge(&load::run(&lectern.server, &lectern.load, extent)?);
            }
            let own = direct.latency.quantile(0.5);
            let added_ms = |part| beyond_ms(measured.latency.quantile(part), own);
            report.add(
                Figure::new(format!("{in_flight} grades by a model in flight"), engine.name())
                    .measured(&measured)
                    .below("added median ms", added_ms(0.5), ADDED_MEDIAN_MS)
                    .below("added p99 ms", added_ms(0.99), ADDED_P99_MS)
                    .note(format!("beyond the {:.1} ms of the model, asked directly", own.as_secs_f64() * 1e3)),
            );
        }
        machine::pause(settings.warm_up());
        let burst = load::burst(&lectern.server, &lectern.load, MANY_IN_FLIGHT)?;
        let peak_mib = burst.peak_bytes as f64 / (1024.0 * 1024.0);
        let slowest_ms = beyond_ms(burst.latency.quantile(1.0), ANSWERING_TIME);
        report.add(
            Figure::new(format!("{MANY_IN_FLIGHT} grades by a model in flight"), engine.name())
                .measured(&burst)
                .below("peak MB", peak_mib, PEAK_MIB)
                .note(format!("all at one moment; slowest {slowest_ms:.0} ms more")),
        );
    }
    Ok(())
}

/// The request of a grade, sent to the model without the service: what that takes is the model's own time.
fn asked_directly(url: &str, body: &str) -> anyhow::Result<Load> {
    let host = url.trim_start_matches("http://").split('/').next().unwrap_or_default();
    let address: SocketAddr = host.parse().context("the model's address")?;
    let request = Request::new(address, "POST /v1/chat/completions", &[], Some(body), Patch::None);
    Ok(Load { address, request, expected_status: 200 })
}

/// `lectern serve` with the model that says its address here.
fn service(settings: &Settings, database: &Database, model: String, key: &str) -> anyhow::Result<Contender> {
    let mut environment = database.environment();
    environment.extend([
        ("LECTERN_MODEL_PROVIDER", "openai".to_owned()),
        ("LECTERN_MODEL_BASE_URL", model),
        ("LECTERN_MODEL_STANDARD", "any".to_owned()),
        ("LECTERN_MODEL_CONCURRENCY", MANY_IN_FLIGHT.to_string()),
    ]);
    let log = database.folder().join("lectern.log");
    let (server, address) = Child::lectern(&settings.lectern_binary()?, "all", &environment, &log)?;
    Ok(Contender { server, load: answers::load_of(address, key, &answers::open_standard()) })
}

fn beyond_ms(taken: Duration, own: Duration) -> f64 {
    taken.saturating_sub(own).as_secs_f64() * 1e3
}
