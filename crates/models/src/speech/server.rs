//! A speech server: asked until it speaks, or until asking again makes no sense.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use kernel::ambient::Ambient;
use kernel::secret::ExposeSecret as _;
use net::{OperatorClient, OperatorServer};
use render::{RenderError, Speech, Voice};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::error::{SpeechCause, SpeechError};
use super::exchange::Exchange;
use super::settings::SpeechSettings;
use crate::OpenError;
use crate::backoff;
use crate::breaker::{Breaker, Change};
use crate::failure::Cause;
use crate::meter;
use crate::protocols;
use crate::settings::Protocol;

/// A speech server as a voice.
///
/// Its errors are [`RenderError::Voice`] with a [`SpeechError`] in it. A sentence takes as many time-outs as there are tries, at
/// most, after it has waited for a place among [`SpeechSettings::concurrency`].
pub struct SpeechServer {
    settings: SpeechSettings,
    client: OperatorClient,
    places: Semaphore,
    breaker: Breaker,
    ambient: Ambient,
}

impl SpeechServer {
    /// Makes the client; nothing is asked yet.
    ///
    /// # Errors
    /// When the key or the extra certificates can't be used.
    pub fn open(settings: SpeechSettings, ambient: &Ambient) -> Result<Self, OpenError> {
        let secret = settings.api_key.as_ref().map(|key| protocols::secret(Protocol::Chat, key.expose_secret()));
        let client = OperatorClient::new(&OperatorServer {
            base: settings.base(),
            secret: secret.as_ref().map(|(name, value)| (name.clone(), value.as_str())),
            extra_ca_pem: settings.extra_ca_pem.as_deref(),
            connections: settings.concurrency,
        })?;
        let places = Semaphore::new(settings.concurrency.max(1));
        let breaker = Breaker::new(settings.pacing.cooling, settings.pacing.longest_cooling);
        Ok(Self { settings, client, places, breaker, ambient: ambient.clone() })
    }

    /// Has a voice speak a text.
    ///
    /// # Errors
    /// The last failure.
    pub(super) async fn ask(&self, text: &str, voice: &str) -> Result<Speech, SpeechError> {
        let _place = self.places.acquire().await.expect("nobody closes it");
        let until = Instant::now() + self.settings.timeout.saturating_mul(self.settings.retries + 1);
        let mut failures = 0;
        loop {
            let error = match self.try_once(text, voice, until).await {
                Ok(speech) => return Ok(speech),
                Err(error) => error,
            };
            failures += 1;
            let is_worth_another = error.cause.is_passing() && error.cause != SpeechCause::NoAnswer(Cause::Resting);
            if failures > self.settings.retries || !is_worth_another {
                return Err(error);
            }
            let left = until.saturating_duration_since(Instant::now());
            let chance = self.ambient.random();
            match backoff::pause(&self.settings.pacing, failures, chance, error.retry_after, left) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(error),
            }
        }
    }

    async fn try_once(&self, text: &str, voice: &str, until: Instant) -> Result<Speech, SpeechError> {
        let began = Instant::now();
        let within = self.settings.timeout.min(until.saturating_duration_since(began));
        if within.is_zero() {
            return Err(Cause::TimedOut.into());
        }
        let pass = self.breaker.admit(began).map_err(resting)?;
        let model = &self.settings.model;
        let exchange = Exchange { client: &self.client, model, voice, text, within, now: self.ambient.now() };
        let result = exchange.run().await;
        let is_outage = result.as_ref().is_err_and(SpeechError::is_outage);
        self.note(pass.settle(is_outage, Instant::now()));
        meter::speech(model, result.as_ref().map_or_else(|error| error.cause.class(), |_| "answered"));
        if let Err(error) = &result {
            tracing::debug!(model, voice, cause = error.cause.class(), "a speech server did not speak");
        }
        result
    }

    fn note(&self, change: Change) {
        let model = &self.settings.model;
        match change {
            Change::Nothing => {}
            Change::Opened(cooling) => {
                tracing::warn!(model, seconds = cooling.as_secs(), "a speech server is down and left alone");
            }
            Change::Closed => tracing::info!(model, "a speech server is up again"),
        }
    }
}

#[async_trait]
impl Voice for SpeechServer {
    /// All that decides how a sentence sounds.
    fn name(&self, language: &str) -> String {
        let SpeechSettings { model, voices, .. } = &self.settings;
        format!("openai at {}, model {model}, voice {}", self.settings.base(), voices.of(language))
    }

    async fn speak(&self, sentence: &str, language: &str, _work_dir: &Path) -> Result<Speech, RenderError> {
        let spoken = self.ask(sentence, self.settings.voices.of(language)).await;
        spoken.map_err(|error| RenderError::Voice { voice: self.name(language), source: error.into() })
    }
}

fn resting(wait: Duration) -> SpeechError {
    SpeechError { retry_after: Some(wait), ..Cause::Resting.into() }
}
