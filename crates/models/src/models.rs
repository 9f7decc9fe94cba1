//! All providers as the one model that the engine sees.

use std::time::Duration;

use async_trait::async_trait;
use kernel::ambient::Ambient;
use kernel::model::{Model, ModelError, ModelRole, NoReply, Prompt, ProviderFailure, Reply};
use tokio::time::Instant;

use crate::OpenError;
use crate::exchange::Answer;
use crate::failure::Failure;
use crate::queue::Queue;
use crate::settings::Settings;
use crate::upstream::{Call, Upstream};
use crate::work::Work;

/// The operator's models.
///
/// A call waits for its turn for a time-out at most, and takes as many time-outs as there are tries after that, at most:
/// `Settings::retries` and one, or one for each provider where those are more.
pub struct Models {
    settings: Settings,
    upstreams: Vec<Upstream>,
    queue: Queue,
}

impl Models {
    /// Makes the clients; nothing is asked yet.
    ///
    /// # Errors
    /// When a key or the extra certificates can't be used.
    pub fn open(settings: Settings, ambient: &Ambient) -> Result<Self, OpenError> {
        let upstreams = settings.providers().map(|provider| Upstream::open(provider, &settings, ambient));
        let upstreams = upstreams.collect::<Result<Vec<_>, _>>()?;
        let queue = Queue::new(settings.concurrency);
        Ok(Self { settings, upstreams, queue })
    }
}

#[async_trait]
impl Model for Models {
    async fn answer(&self, prompt: &Prompt) -> Result<Reply, NoReply> {
        let asked = Instant::now();
        let nobody = |error| NoReply { latency: asked.elapsed(), ..NoReply::from(error) };
        self.ready(prompt.role).map_err(nobody)?;
        let turn = self.queue.take(&prompt.tenant, Work::of(prompt.role), self.settings.timeout);
        let _turn = turn.await.map_err(nobody)?;
        let began = Instant::now();
        let mut call = Call {
            until: began + self.settings.call_timeout(prompt.role),
            try_timeout: self.settings.try_timeout(prompt.role),
            silence: self.settings.timeout,
            has_others: true,
            tries: 0,
        };
        let mut failures = Vec::new();
        for (at, upstream) in self.upstreams.iter().enumerate() {
            call.has_others = self.upstreams[at + 1..].iter().any(|other| other.check(prompt.role).is_ok());
            let (tries_before, its_turn) = (call.tries, Instant::now());
            match upstream.ask(prompt, &mut call).await {
                Ok(answer) => {
                    let reply = reply(upstream, prompt.role, answer, (call.tries, began.elapsed()));
                    return Ok(Reply { failures, ..reply });
                }
                Err(failure) => {
                    let its_own = (call.tries - tries_before, its_turn.elapsed());
                    failures.push(note(upstream, prompt.role, &failure, its_own));
                    if !failure.is_worth_another() {
                        return Err(NoReply { error: failure.error(), failures, latency: began.elapsed() });
                    }
                }
            }
        }
        Err(NoReply { error: most_helpful(&failures), failures, latency: began.elapsed() })
    }

    fn ready(&self, role: ModelRole) -> Result<(), ModelError> {
        let mut soonest = Duration::MAX;
        for upstream in &self.upstreams {
            match upstream.check(role) {
                Ok(()) => return Ok(()),
                Err(wait) => soonest = soonest.min(wait),
            }
        }
        Err(ModelError::Unavailable { retry_after: Some(soonest) })
    }
}

fn reply(upstream: &Upstream, role: ModelRole, answer: Answer, (tries, latency): (u32, Duration)) -> Reply {
    let asked = upstream.provider.models.of(role);
    Reply {
        text: answer.text,
        usage: answer.said.usage,
        provider: upstream.provider.name.clone(),
        model: answer.said.model.unwrap_or_else(|| asked.to_owned()),
        latency,
        tries,
        failures: Vec::new(),
    }
}

fn note(upstream: &Upstream, role: ModelRole, failure: &Failure, (tries, latency): (u32, Duration)) -> ProviderFailure {
    let (provider, model) = (&upstream.provider.name, upstream.provider.models.of(role));
    let (cause, error) = (failure.cause.class(), failure.error());
    tracing::warn!(provider, model, cause, code = error.code(), tries, "a model gave no answer");
    ProviderFailure { provider: provider.clone(), model: model.to_owned(), error, latency, tries }
}

/// A text that is too long before all else, since whoever sent it can shorten it now, while nobody knows whether the others
/// could have read it. Then what asking again may help against, the soonest first; what the operator has to mend is last.
fn most_helpful(failures: &[ProviderFailure]) -> ModelError {
    let rank = |error: &ModelError| match error {
        ModelError::TooLong => (0, Duration::ZERO),
        ModelError::Busy { retry_after } | ModelError::Unavailable { retry_after } => {
            (1, retry_after.unwrap_or(Duration::MAX))
        }
        ModelError::TimedOut | ModelError::Unreadable => (2, Duration::ZERO),
        ModelError::CutOff | ModelError::Declined => (3, Duration::ZERO),
        ModelError::Misconfigured => (4, Duration::ZERO),
    };
    let errors = failures.iter().map(|failure| &failure.error);
    errors.min_by_key(|error| rank(error)).expect("there is a provider, and it failed").clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_failures_the_one_that_helps_most_is_told() {
        let busy = |seconds| ModelError::Busy { retry_after: Some(Duration::from_secs(seconds)) };
        let cases = [
            (vec![ModelError::Misconfigured, ModelError::TimedOut], ModelError::TimedOut),
            (vec![busy(9), ModelError::Misconfigured, busy(3)], busy(3)),
            (vec![ModelError::Misconfigured, ModelError::Misconfigured], ModelError::Misconfigured),
            (
                vec![ModelError::Unreadable, ModelError::Unavailable { retry_after: None }],
                ModelError::Unavailable { retry_after: None },
            ),
            (vec![ModelError::TooLong, busy(3)], ModelError::TooLong),
            (vec![ModelError::Misconfigured, ModelError::TooLong], ModelError::TooLong),
            (vec![ModelError::CutOff, busy(3)], busy(3)),
            (vec![ModelError::Misconfigured, ModelError::CutOff], ModelError::CutOff),
        ];
        for (failures, expected) in cases {
            let failure = |error: ModelError| ProviderFailure {
                provider: "a".to_owned(),
                model: "m".to_owned(),
                error,
                latency: Duration::ZERO,
                tries: 1,
            };
            let failures: Vec<_> = failures.into_iter().map(failure).collect();
            assert_eq!(most_helpful(&failures), expected);
        }
    }
}
