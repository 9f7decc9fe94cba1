//! All providers as the one model that the engine sees.

use std::time::Duration;

use engine::model::{Model, ModelError, ModelRole, Prompt, Reply};
use futures_util::future::BoxFuture;
use kernel::ambient::Ambient;
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

    async fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        self.ready(prompt.role)?;
        let _turn = self.queue.take(&prompt.tenant, Work::of(prompt.role), self.settings.timeout).await?;
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
            match upstream.ask(prompt, &mut call).await {
                Ok(answer) => return Ok(reply(upstream, prompt.role, answer, call.tries, began.elapsed())),
                Err(failure) => {
                    note(upstream, prompt.role, &failure, call.tries);
                    if !failure.is_worth_another() {
                        return Err(failure.error());
                    }
                    failures.push(failure.error());
                }
            }
        }
        Err(most_helpful(failures))
    }
}

impl Model for Models {
    fn answer<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.ask(prompt))
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

fn reply(upstream: &Upstream, role: ModelRole, answer: Answer, tries: u32, latency: Duration) -> Reply {
    let asked = upstream.provider.models.of(role);
    Reply {
        text: answer.text,
        usage: answer.said.usage,
        provider: upstream.provider.name.clone(),
        model: answer.said.model.unwrap_or_else(|| asked.to_owned()),
        latency,
        tries,
    }
}

fn note(upstream: &Upstream, role: ModelRole, failure: &Failure, tries: u32) {
    let (provider, model) = (&upstream.provider.name, upstream.provider.models.of(role));
    let (cause, code) = (failure.cause.class(), failure.error().code());
    tracing::warn!(provider, model, cause, code, tries, "a model gave no answer");
}

/// A text that is too long before all else, since whoever sent it can shorten it now, while nobody knows whether the others
/// could have read it. Then what asking again may help against, the soonest first; what the operator has to mend is last.
fn most_helpful(failures: Vec<ModelError>) -> ModelError {
    let rank = |error: &ModelError| match error {
        ModelError::TooLong => (0, Duration::ZERO),
        ModelError::Busy { retry_after } | ModelError::Unavailable { retry_after } => {
            (1, retry_after.unwrap_or(Duration::MAX))
        }
        ModelError::TimedOut | ModelError::Unreadable => (2, Duration::ZERO),
        ModelError::CutOff | ModelError::Declined => (3, Duration::ZERO),
        ModelError::Misconfigured => (4, Duration::ZERO),
    };
    failures.into_iter().min_by_key(rank).expect("there is a provider, and it failed")
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
            assert_eq!(most_helpful(failures), expected);
        }
    }
}
