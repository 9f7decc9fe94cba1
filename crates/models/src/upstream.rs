//! One provider: asked until it answers, or until asking again makes no sense.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::model::{ModelRole, Prompt};
use kernel::secret::ExposeSecret as _;
use net::{OperatorClient, OperatorServer};
use tokio::time::Instant;

use crate::OpenError;
use crate::backoff;
use crate::breaker::{Breaker, Breakers, Change};
use crate::drain::Drains;
use crate::exchange::{Answer, Exchange};
use crate::failure::{Cause, Failure};
use crate::manners::{Manner, Manners};
use crate::meter;
use crate::protocols;
use crate::settings::{Pacing, Provider, Settings};
use crate::work::Work;

/// Times that a request is written otherwise because of a complaint, in one call. There are so many things to learn.
const MOST_ADAPTATIONS: u32 = 8;
/// How long it is waited for a provider while another can be asked at once.
const PATIENCE_WITH_OTHERS: Duration = Duration::from_secs(2);

/// A provider with its connections, and what is known of it.
pub(crate) struct Upstream {
    pub(crate) provider: Provider,
    client: OperatorClient,
    drains: Drains,
    breakers: Breakers,
    manners: Manners,
    pacing: Pacing,
    retries: u32,
    ambient: Ambient,
}

/// What a call may still take, and what it took.
pub(crate) struct Call {
    /// When it is over, whatever happens.
    pub(crate) until: Instant,
    /// Of one try.
    pub(crate) try_timeout: Duration,
    /// The longest time in which nothing comes.
    pub(crate) silence: Duration,
    /// Whether another provider can be asked if this one fails.
    pub(crate) has_others: bool,
    /// Tries until now, of all providers.
    pub(crate) tries: u32,
}

impl Upstream {
    pub(crate) fn open(provider: &Provider, settings: &Settings, ambient: &Ambient) -> Result<Self, OpenError> {
        Ok(Self {
            provider: provider.clone(),
            client: client(provider, settings)?,
            drains: Drains::new(settings.concurrency),
            breakers: Breakers::new(&provider.models, &settings.pacing),
            manners: Manners::new(Manner::first(provider)),
            pacing: settings.pacing,
            retries: settings.retries,
            ambient: ambient.clone(),
        })
    }

    /// Whether its model of a role is worth asking.
    ///
    /// # Errors
    /// After what time it may be.
    pub(crate) fn check(&self, role: ModelRole) -> Result<(), Duration> {
        self.breaker(role).check(Instant::now())
    }

    fn breaker(&self, role: ModelRole) -> &Breaker {
        self.breakers.of(role, self.provider.models.of(role))
    }

    /// Asks, again and again where that makes sense.
    ///
    /// # Errors
    /// The last failure.
    pub(crate) async fn ask(&self, prompt: &Prompt, call: &mut Call) -> Result<Answer, Failure> {
        let model = self.provider.models.of(prompt.role);
        let known = self.manners.of(model, prompt.schema.name, Instant::now());
        let (mut manner, mut adaptations, mut failures) = (known, 0, 0);
        loop {
            let failure = match self.try_once(prompt, model, manner, call).await {
                Ok(answer) => {
                    if manner != known {
                        self.manners.learn(model, prompt.schema.name, manner, Instant::now());
                    }
                    return Ok(answer);
                }
                Err(failure) => failure,
            };
            match manner.adapted(&failure, self.provider.protocol) {
                Some(better) if adaptations < MOST_ADAPTATIONS => {
                    (manner, adaptations) = (better, adaptations + 1);
                    tracing::info!(
                        provider = self.provider.name,
                        model,
                        ?manner,
                        "a model's server is asked otherwise"
                    );
                    continue;
                }
                _ => {}
            }
            failures += 1;
            if failures > self.retries || !failure.error().is_passing() || failure.cause == Cause::Resting {
                return Err(failure);
            }
            // Whatever makes a server slow is seldom over at once; another may be quick.
            if failure.cause == Cause::TimedOut && call.has_others {
                return Err(failure);
            }
            let mut left = call.until.saturating_duration_since(Instant::now());
            if call.has_others {
                left = left.min(PATIENCE_WITH_OTHERS);
            }
            let chance = self.ambient.random();
            match backoff::pause(&self.pacing, failures, chance, failure.retry_after, left) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(failure),
            }
        }
    }

    async fn try_once(&self, prompt: &Prompt, model: &str, manner: Manner, call: &mut Call) -> Result<Answer, Failure> {
        let began = Instant::now();
        let within = call.try_timeout.min(call.until.saturating_duration_since(began));
        if within.is_zero() {
            return Err(Cause::TimedOut.into());
        }
        let pass = self.breaker(prompt.role).admit(began).map_err(resting)?;
        call.tries += 1;
        let exchange = Exchange {
            client: &self.client,
            drains: &self.drains,
            protocol: self.provider.protocol,
            model,
            prompt,
            manner,
            within,
            silence: call.silence.min(within),
            now: self.ambient.now(),
        };
        let result = Box::pin(exchange.run()).await;
        let is_outage = result.as_ref().is_err_and(Failure::is_outage);
        self.note(prompt.role, pass.settle(is_outage, Instant::now()));
        let name = &self.provider.name;
        match &result {
            Ok(answer) => {
                meter::outcome(name, model, "answered");
                meter::answered(name, model, answer.said.usage, began.elapsed());
            }
            Err(failure) => {
                meter::outcome(name, model, failure.error().code());
                tracing::debug!(provider = name, model, cause = failure.cause.class(), "a model did not answer");
            }
        }
        result
    }

    fn note(&self, role: ModelRole, change: Change) {
        let (provider, model, work) = (&self.provider.name, self.provider.models.of(role), Work::of(role));
        match change {
            Change::Nothing => {}
            Change::Opened(cooling) => {
                meter::resting(provider, model, work, true);
                let (work, seconds) = (work.as_str(), cooling.as_secs());
                tracing::warn!(provider, model, work, seconds, "a model is down and left alone");
            }
            Change::Closed => {
                meter::resting(provider, model, work, false);
                tracing::info!(provider, model, work = work.as_str(), "a model is up again");
            }
        }
    }
}

/// The client of a provider, which takes its key nowhere else.
pub(crate) fn client(provider: &Provider, settings: &Settings) -> Result<OperatorClient, OpenError> {
    let secret = provider.api_key.as_ref().map(|key| protocols::secret(provider.protocol, key.expose_secret()));
    OperatorClient::new(&OperatorServer {
        base: provider.base(),
        secret: secret.as_ref().map(|(name, value)| (name.clone(), value.as_str())),
        extra_ca_pem: settings.extra_ca_pem.as_deref(),
        connections: settings.concurrency,
    })
}

fn resting(wait: Duration) -> Failure {
    Failure { retry_after: Some(wait), ..Cause::Resting.into() }
}
