//! Complete launches, login and form, against a server that only verifies the signatures of the same ID tokens.
//!
//! The nonce of a token comes from the answer to its login. So each round has three parts: the logins, the platform's
//! signing, which is not measured, and the forms, first to the bare server and then to the service.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::ensure;

use crate::child::Child;
use crate::contest::Contest;
use crate::database::{Database, Engine};
use crate::load::{self, Load, Measured, Once, Request};
use crate::report::{Figure, Report};
use crate::scenarios::tool::Tool;
use crate::settings::Settings;

/// The figures.
const RATIO: f64 = 0.15;
const P99_MS: f64 = 25.0;

/// A part of the launches of a round goes before the first one, unmeasured.
const WARM_UP_PART: usize = 10;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("launches, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let contenders = Contenders::start(settings, &database)?;
        let mut rounds = Rounds::default();
        contenders.round(settings.launches / WARM_UP_PART, &mut Rounds::default())?;
        for _ in 0..settings.rounds {
            contenders.round(settings.launches, &mut rounds)?;
        }
        rounds.report(engine, contenders.tool.lms.key_set_requests(), report);
    }
    Ok(())
}

/// The service and the bare server.
struct Contenders {
    tool: Tool,
    verifier: Child,
    verifier_address: SocketAddr,
    connections: usize,
}

impl Contenders {
    fn start(settings: &Settings, database: &Database) -> anyhow::Result<Self> {
        let tool = Tool::start(settings, database)?;
        let arguments = ["verify".to_owned(), format!("--key={}", tool.lms.public_key())];
        let mut verifier = Child::server(&arguments, &database.folder().join("verifier.log"))?;
        let verifier_address = verifier.answer()?;
        refuses_forgeries(verifier_address)?;
        Ok(Self { tool, verifier, verifier_address, connections: settings.connections })
    }

    fn round(&self, launches: usize, rounds: &mut Rounds) -> anyhow::Result<()> {
        let (logins, browsers) = self.tool.log_in(rounds.learners..rounds.learners + launches)?;
        ensure!(browsers.len() == launches, "{} of {launches} logins", browsers.len());
        rounds.learners += launches;
        let forms = Arc::new(self.tool.signed_forms(&browsers));
        let once = Once {
            address: self.verifier_address,
            source: forms.clone(),
            expected_status: 200,
            connections: self.connections,
        };
        let verified = load::once(&self.verifier, &once)?;
        let launched = self.tool.send(forms, 302)?;
        rounds.contest.rounds.push(launched.per_second() / verified.per_second());
        rounds.contest.bare.merge(&verified);
        rounds.contest.lectern.merge(&launched);
        rounds.logins.merge(&logins);
        Ok(())
    }
}

/// The bare server verifies: it refuses what nobody signed.
fn refuses_forgeries(address: SocketAddr) -> anyhow::Result<()> {
    let request = Request::with_body(address, "POST /", &[], "id_token=e30.e30.AAAA");
    load::probe(&Load { address, request, expected_status: 400 }).map(drop)
}

/// What the rounds came to.
#[derive(Default)]
struct Rounds {
    /// Learners who have launched.
    learners: usize,
    logins: Measured,
    /// Of the forms.
    contest: Contest,
}

impl Rounds {
    fn report(&self, engine: Engine, key_set_requests: usize, report: &mut Report) {
        let (logins, launches, verified) = (&self.logins, &self.contest.lectern, &self.contest.bare);
        report.add(Figure::new("login", engine.name()).measured(logins).note("nothing is stored"));
        let p99_ms = launches.latency.quantile(0.99).as_secs_f64() * 1e3;
        let figure = Figure::new("launch form", engine.name()).contest(&self.contest);
        let figure = figure.note(format!("key set requests: {key_set_requests}"));
        report.add(match engine {
            Engine::Embedded => figure.at_least("ratio", self.contest.ratio(), RATIO).below("p99 ms", p99_ms, P99_MS),
            Engine::Postgres => figure,
        });
        // A learner needs both, one after the other.
        let per_second = 1.0 / (1.0 / logins.per_second() + 1.0 / launches.per_second());
        let cpu_us = logins.cpu_us() + launches.cpu_us();
        let figure = Figure::new("launch, login and form", engine.name());
        let figure = figure.throughput(per_second, cpu_us, verified.per_second());
        let ratio = figure.ratio();
        report.add(match engine {
            Engine::Embedded => figure.at_least("ratio", ratio, RATIO),
            Engine::Postgres => figure,
        });
    }
}
