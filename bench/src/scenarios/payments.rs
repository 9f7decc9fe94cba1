//! Evaluations that payments with requests pay for, beside the same ones that credits pay for: one `lectern serve`, two workspaces,
//! and a facilitator that answers at once. All payments are signed beforehand.

use std::net::SocketAddr;
use std::sync::Arc;

use kernel::ambient::Ambient;
use serde_json::{Value, json};
use testkit::x402::{PAY_TO, pay};
use x402::Network;

use crate::child::Child;
use crate::contest::Contest;
use crate::database::{Database, Engine};
use crate::facilitator::Facilitator;
use crate::load::{self, Measured, Once};
use crate::report::{Figure, Report};
use crate::scenarios::{self, answers};
use crate::seed;
use crate::settings::Settings;

/// The figure.
const RATIO: f64 = 0.5;
/// A part of a round goes before the first one, unmeasured.
const WARM_UP_PART: usize = 10;
/// How long a payment holds, in seconds: longer than all rounds.
const HOLDS_SECONDS: u64 = 100_000;
/// Prices in millionths of a US dollar.
const EXACT_PRICE: u64 = 10_000;
const OPEN_PRICE: u64 = 50_000;

pub(crate) fn run(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    for engine in Engine::all(settings) {
        report.progress(&format!("payments, {}", engine.name()));
        let database = Database::make(settings, engine)?;
        let mut market = Market::start(settings, &database)?;
        for (name, body, price) in [
            ("evaluations that payments pay for, exact", answers::exact(), EXACT_PRICE),
            ("evaluations that payments pay for, open", answers::open(), OPEN_PRICE),
        ] {
            let mut contest = Contest::default();
            market.round(&body, price, settings.payments / WARM_UP_PART)?;
            for _ in 0..settings.rounds {
                let (credits, payments) = market.round(&body, price, settings.payments)?;
                contest.rounds.push(payments.per_second() / credits.per_second());
                contest.bare.merge(&credits);
                contest.lectern.merge(&payments);
            }
            let figure = Figure::new(name, engine.name()).contest(&contest);
            let figure = figure.at_least("ratio to credits", contest.ratio(), RATIO);
            report.add(figure.note("the bare side is the same evaluations paid by credits"));
        }
        market.facilitator.check(market.payments)?;
    }
    Ok(())
}

/// The service, who pays, and who settles.
struct Market {
    server: Child,
    address: SocketAddr,
    facilitator: Facilitator,
    /// The key of the workspace that has credits.
    rich: String,
    /// The key of the workspace that has none.
    poor: String,
    connections: usize,
    /// Payments so far.
    payments: usize,
}

impl Market {
    fn start(settings: &Settings, database: &Database) -> anyhow::Result<Self> {
        let facilitator = Facilitator::start()?;
        let (rich, poor) = scenarios::fill(database, async |store, ambient| {
            Ok((seed::workspace(&store, &ambient).await?, seed::poor_workspace(&store, &ambient).await?))
        })?;
        let mut environment = database.environment();
        environment.extend([
            ("LECTERN_X402_PAY_TO", PAY_TO.to_owned()),
            ("LECTERN_X402_FACILITATOR_URL", format!("http://{}", facilitator.address)),
            ("LECTERN_X402_NETWORK", Network::BASE_SEPOLIA.name.to_owned()),
        ]);
        let log = database.folder().join("lectern.log");
        let (server, address) = Child::lectern(&settings.lectern_binary()?, "all", &environment, &log)?;
        Ok(Self { server, address, facilitator, rich, poor, connections: settings.connections, payments: 0 })
    }

    /// Has so many evaluations paid by credits, then as many by payments.
    fn round(&mut self, body: &Value, price: u64, count: usize) -> anyhow::Result<(Measured, Measured)> {
        let by_credits = answers::request(self.address, &self.rich, body, &[]).next().to_vec();
        let by_payments = self.signed(body, price, count)?;
        let credits = self.send(vec![by_credits; count])?;
        let payments = self.send(by_payments)?;
        Ok((credits, payments))
    }

    /// Requests with a payment each that no other request has.
    fn signed(&mut self, body: &Value, price: u64, count: usize) -> anyhow::Result<Vec<Vec<u8>>> {
        let offer = json!({
            "network": Network::BASE_SEPOLIA.name, "maxAmountRequired": price.to_string(), "payTo": PAY_TO,
            "maxTimeoutSeconds": HOLDS_SECONDS, "asset": Network::BASE_SEPOLIA.usdc().address.to_string(),
        });
        let now = u64::try_from(Ambient::system().now().as_seconds())?;
        let nonces = self.payments..self.payments + count;
        self.payments = nonces.end;
        let request = |nonce| {
            let payment = pay(&offer, nonce as u64, now, |_| ());
            answers::request(self.address, &self.poor, body, &[("x-payment", &payment)]).next().to_vec()
        };
        Ok(nonces.map(request).collect())
    }

    fn send(&self, requests: Vec<Vec<u8>>) -> anyhow::Result<Measured> {
        let once = Once {
            address: self.address,
            source: Arc::new(requests),
            expected_status: answers::EVALUATED,
            connections: self.connections,
        };
        load::once(&self.server, &once)
    }
}
