//! The bare server and the service under the same load, in turn: A B A B.
//!
//! A neighbour who takes processors away takes them from both, so the ratio holds where neither figure does.

use std::net::SocketAddr;
use std::time::Duration;

use crate::child::Child;
use crate::database::Database;
use crate::load::{self, Extent, Load, Measured};
use crate::settings::Settings;

/// A server and what to ask of it.
pub(crate) struct Contender {
    pub(crate) server: Child,
    pub(crate) load: Load,
}

/// How a contest went.
#[derive(Default)]
pub(crate) struct Contest {
    pub(crate) bare: Measured,
    pub(crate) lectern: Measured,
    /// The ratio of each round.
    pub(crate) rounds: Vec<f64>,
}

impl Contest {
    /// The service's requests a second as a part of the bare server's.
    pub(crate) fn ratio(&self) -> f64 {
        self.lectern.per_second() / self.bare.per_second()
    }
}

/// Runs every round.
pub(crate) fn run(settings: &Settings, bare: &Contender, lectern: &Contender) -> anyhow::Result<Contest> {
    let mut contest = Contest::default();
    for _ in 0..settings.rounds {
        let bare = load::run(&bare.server, &bare.load, extent(settings))?;
        let lectern = load::run(&lectern.server, &lectern.load, extent(settings))?;
        contest.rounds.push(lectern.per_second() / bare.per_second());
        contest.bare.merge(&bare);
        contest.lectern.merge(&lectern);
    }
    Ok(contest)
}

/// One window as the settings want it.
pub(crate) fn extent(settings: &Settings) -> Extent {
    Extent {
        connections: settings.connections,
        warm_up: settings.warm_up(),
        window: settings.window(),
        spread: Duration::ZERO,
        rest: Duration::ZERO,
    }
}

/// The real service on this database, with a load made for its address.
pub(crate) fn lectern(
    settings: &Settings,
    database: &Database,
    role: &str,
    load: impl FnOnce(SocketAddr) -> Load,
) -> anyhow::Result<Contender> {
    let log = database.folder().join("lectern.log");
    let (server, address) = Child::lectern(&settings.lectern_binary()?, role, &database.environment(), &log)?;
    Ok(Contender { server, load: load(address) })
}

/// A bare server that gets the same requests and gives answers as long as the service's.
pub(crate) fn bare(lectern: &Contender, database: &Database) -> anyhow::Result<Contender> {
    let body_bytes = load::probe(&lectern.load)?.len();
    let arguments = ["bare".to_owned(), format!("--body-bytes={body_bytes}")];
    let mut server = Child::server(&arguments, &database.folder().join("bare.log"))?;
    let address = server.answer()?;
    Ok(Contender { server, load: Load { address, expected_status: 200, ..lectern.load.clone() } })
}
