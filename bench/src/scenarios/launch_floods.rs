//! Floods of logins without launches, of launches with bad signatures, and of launches that name unknown keys: what is left
//! of them in memory, and how often the platform is asked for its keys.
//!
//! Each flood has two halves of the same length. Memory may grow in the first, by what the service keeps anyway under load.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use kernel::ambient::Ambient;
use lti::Reason;
use serde_json::json;

use crate::database::{Database, Engine};
use crate::lms;
use crate::load::{Measured, Source};
use crate::machine::{self, Usage};
use crate::report::{Figure, Report};
use crate::scenarios;
use crate::scenarios::tool::{Login, Tool};
use crate::settings::Settings;

/// Targets.
const GROWN_MB: f64 = 50.0;
const GROWN_LATER_MB: f64 = 5.0;
const KEY_SET_REQUESTS_A_MINUTE: f64 = 3.0;
/// Refusals that the launch log of a registration keeps.
const LOGGED: usize = 100;

/// Half of a flood.
const HALF: Duration = Duration::from_secs(10);
/// Half of the flood with unknown keys. The service may ask for a key set twice a minute: both halves together are longer.
const HALF_WITH_UNKNOWN_KEYS: Duration = Duration::from_secs(35);
/// Until memory is measured as idle.
const SETTLE: Duration = Duration::from_secs(5);
/// Logins whose states the floods of launches use in turn.
const STATES: usize = 10_000;
const MEBIBYTE: f64 = 1024.0 * 1024.0;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("floods of launches, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let tool = Arc::new(Tool::start(settings, &database)?);
        tool.launch_one()?;
        machine::pause(SETTLE);
        report.add(flood(&tool, HALF, Kind::Logins)?.figure("logins without launches", engine));
        let (_, logins) = tool.log_in(0..STATES)?;
        let forged = Arc::new(Forged::of(&tool, logins)?);
        forged.check(&tool)?;
        let bad = flood(&tool, HALF, Kind::BadSignatures(forged.clone()))?;
        report.add(bad.figure("launches with bad signatures", engine));
        let unknown = flood(&tool, HALF_WITH_UNKNOWN_KEYS, Kind::UnknownKeys(forged))?;
        let a_minute = unknown.key_set_requests_a_minute();
        let figure = unknown.figure("launches with unknown keys", engine);
        report.add(figure.below("key set requests a minute", a_minute, KEY_SET_REQUESTS_A_MINUTE));
        drop(tool);
        check_stored(&database)?;
    }
    Ok(())
}

/// What is sent.
#[derive(Clone)]
enum Kind {
    Logins,
    BadSignatures(Arc<Forged>),
    UnknownKeys(Arc<Forged>),
}

impl Kind {
    fn expected_status(&self) -> u16 {
        match self {
            Self::Logins => 302,
            Self::BadSignatures(_) | Self::UnknownKeys(_) => 400,
        }
    }
}

/// Launches with tokens that nobody signed.
struct Forged {
    key_id: String,
    /// Of another token.
    signature: String,
    /// Logins, and what their tokens would say.
    logins: Vec<(Login, String)>,
}

impl Forged {
    fn of(tool: &Tool, logins: Vec<Login>) -> anyhow::Result<Self> {
        let now = Ambient::system().now();
        let other = tool.lms.id_token(0, "another", now);
        let (_, signature) = other.rsplit_once('.').context("a token has a signature")?;
        let payload = |login: &Login| lms::token_part(&tool.lms.claims(login.learner, &login.nonce, now));
        let logins =
            logins.into_iter().map(|login| (payload(&login), login)).map(|(text, login)| (login, text)).collect();
        Ok(Self { key_id: tool.lms.key_id().to_owned(), signature: signature.to_owned(), logins })
    }

    /// A login and the token of this number for it. No two are the same.
    fn token(&self, number: usize, names_unknown_key: bool) -> (&Login, String) {
        let (login, payload) = &self.logins[number % self.logins.len()];
        let key_id = if names_unknown_key { &format!("unknown-{number}") } else { &self.key_id };
        let header = lms::token_part(&json!({ "alg": "RS256", "kid": key_id, "cty": number.to_string() }));
        (login, format!("{header}.{payload}.{}", self.signature))
    }

    /// They are refused for the reasons that the floods are named after.
    fn check(&self, tool: &Tool) -> anyhow::Result<()> {
        for (names_unknown_key, reason) in [(false, Reason::Signature), (true, Reason::UnknownKey)] {
            let (login, token) = self.token(0, names_unknown_key);
            let refusal = tool.refusal(login, &token)?;
            ensure!(
                refusal.contains(reason.sentence()),
                "refused for another reason than {}: {refusal}",
                reason.code()
            );
        }
        Ok(())
    }
}

/// Requests until a moment, no two of them the same.
struct Flood {
    tool: Arc<Tool>,
    kind: Kind,
    first: usize,
    until: Instant,
}

impl Source for Flood {
    fn request(&self, number: usize) -> Option<Cow<'_, [u8]>> {
        if Instant::now() >= self.until {
            return None;
        }
        let number = self.first + number;
        let launch = |forged: &Forged, names_unknown_key| {
            let (login, token) = forged.token(number, names_unknown_key);
            self.tool.launch_request(login, &token)
        };
        Some(Cow::Owned(match &self.kind {
            Kind::Logins => self.tool.login_request(number),
            Kind::BadSignatures(forged) => launch(forged, false),
            Kind::UnknownKeys(forged) => launch(forged, true),
        }))
    }
}

/// The result of a flood.
struct Outcome {
    measured: Measured,
    /// Before, after the first half, and after the second.
    resident_mb: [f64; 3],
    key_set_requests: usize,
}

fn flood(tool: &Arc<Tool>, half: Duration, kind: Kind) -> anyhow::Result<Outcome> {
    let asked = tool.lms.key_set_requests();
    let before = resident_mb(tool)?;
    let mut measured = Measured::default();
    let mut send_half = || {
        let first = usize::try_from(measured.latency.count())?;
        let source = Flood { tool: tool.clone(), kind: kind.clone(), first, until: Instant::now() + half };
        measured.merge(&tool.send(Arc::new(source), kind.expected_status())?);
        resident_mb(tool)
    };
    let resident_mb = [before, send_half()?, send_half()?];
    Ok(Outcome { measured, resident_mb, key_set_requests: tool.lms.key_set_requests() - asked })
}

fn resident_mb(tool: &Tool) -> anyhow::Result<f64> {
    Ok(Usage::of(tool.server.pid())?.resident_bytes as f64 / MEBIBYTE)
}

impl Outcome {
    fn key_set_requests_a_minute(&self) -> f64 {
        self.key_set_requests as f64 * 60.0 / self.measured.elapsed.as_secs_f64()
    }

    fn figure(&self, what: &str, engine: Engine) -> Figure {
        let [before, half, after] = self.resident_mb;
        let (requests, asked) = (self.measured.latency.count(), self.key_set_requests);
        Figure::new(format!("flood of {what}"), engine.name())
            .measured(&self.measured)
            .below("MB grown", after - before, GROWN_MB)
            .below("MB grown in the second half", after - half, GROWN_LATER_MB)
            .note(format!(
                "{requests} requests; resident MB {before:.1}, {half:.1}, {after:.1}; key set requests: {asked}"
            ))
    }
}

/// The floods leave only a bounded number of rows in the launch log; the one good launch alone is stored.
fn check_stored(database: &Database) -> anyhow::Result<()> {
    let counts = scenarios::fill(database, async |store, _| {
        let count = |sql: &'static str| {
            let store = store.clone();
            async move { store.read("bench.count", move |tx| tx.find(sql, &[], |row| row.get::<i64>(0))).await }
        };
        Ok((count("SELECT count(*) FROM lti_launch").await?, count("SELECT count(*) FROM lti_refusal").await?))
    })?;
    let launches = counts.0.unwrap_or_default();
    let refusals = usize::try_from(counts.1.unwrap_or_default())?;
    ensure!(launches == 1, "{launches} launches are stored instead of one");
    ensure!((1..=LOGGED).contains(&refusals), "{refusals} refusals are stored");
    Ok(())
}
