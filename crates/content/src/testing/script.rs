//! A generator that does as it is told.

mod drafts;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{GenerationError, PartRequest, SourceLevel};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::expansions::OutputKind;
use crate::resources::Kind;

/// What a generator can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// An output of an expansion.
    Output(OutputKind),
    /// A resource by itself.
    Resource(Kind),
    /// One part of a resource.
    Part,
}

impl From<OutputKind> for Wanted {
    fn from(kind: OutputKind) -> Self {
        Self::Output(kind)
    }
}

impl From<Kind> for Wanted {
    fn from(kind: Kind) -> Self {
        Self::Resource(kind)
    }
}

/// What one call of the generator does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Makes a small valid draft.
    Succeed,
    /// Makes a draft with this title.
    SucceedAs(&'static str),
    /// Fails for good with this code.
    Fail(&'static str),
    /// Fails in passing with this code.
    Defer(&'static str),
    /// Fails in passing, and says how long to wait.
    DeferFor(Duration),
    /// Panics.
    Panic,
    /// Succeeds as soon as the test lets it.
    Wait(Arc<Pause>),
}

/// A call of the generator that the test holds.
#[derive(Debug, Default)]
pub(crate) struct Pause {
    reached: Notify,
    over: Notify,
}

impl Pause {
    /// Waits until the generator is at work.
    pub(crate) async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Says that the work has begun, and waits until the test ends it.
    pub(super) async fn hold(&self) {
        self.reached.notify_one();
        self.over.notified().await;
    }

    /// Lets the generator go on.
    pub(crate) fn end(&self) {
        self.over.notify_one();
    }
}

/// The steps to come, by what is wanted; when there are no more, all calls succeed.
#[derive(Default)]
pub(crate) struct Script {
    steps: Mutex<HashMap<Wanted, VecDeque<Step>>>,
    asked: Mutex<Vec<(OutputKind, SourceLevel)>>,
    requested: Mutex<Vec<(Kind, Value)>>,
    parts: Mutex<Vec<PartRequest>>,
}

impl Script {
    /// The next calls for this do these steps.
    pub(crate) fn then(&self, wanted: impl Into<Wanted>, steps: impl IntoIterator<Item = Step>) {
        locked(&self.steps).entry(wanted.into()).or_default().extend(steps);
    }

    /// The next call for this waits.
    pub(crate) fn pause(&self, wanted: impl Into<Wanted>) -> Arc<Pause> {
        let pause = Arc::<Pause>::default();
        self.then(wanted, [Step::Wait(pause.clone())]);
        pause
    }

    /// All calls for outputs so far, each with the source it was given.
    pub(crate) fn asked(&self) -> Vec<(OutputKind, SourceLevel)> {
        locked(&self.asked).clone()
    }

    /// All calls for resources by themselves so far, each with the request.
    pub(crate) fn requested(&self) -> Vec<(Kind, Value)> {
        locked(&self.requested).clone()
    }

    /// All calls for parts so far.
    pub(crate) fn parts(&self) -> Vec<PartRequest> {
        locked(&self.parts).clone()
    }

    /// The part's title, or what goes wrong.
    async fn drafted_part(&self, request: &PartRequest) -> Result<String, GenerationError> {
        locked(&self.parts).push(request.clone());
        self.next(Wanted::Part, "What do all cells do".to_owned()).await
    }

    /// The draft's title, or what goes wrong.
    async fn output(&self, kind: OutputKind, source: &SourceLevel) -> Result<String, GenerationError> {
        locked(&self.asked).push((kind, source.clone()));
        self.next(kind.into(), format!("{} {}", source.title(), kind.resource_type())).await
    }

    /// The draft's title, or what goes wrong.
    async fn resource(&self, kind: Kind, request: &impl Serialize) -> Result<String, GenerationError> {
        locked(&self.requested).push((kind, json!(request)));
        self.next(kind.into(), format!("Generated {}", kind.as_str())).await
    }

    async fn next(&self, wanted: Wanted, usual: String) -> Result<String, GenerationError> {
        let step = locked(&self.steps).get_mut(&wanted).and_then(VecDeque::pop_front).unwrap_or(Step::Succeed);
        let failure = |code| GenerationError::lasting(code, format!("Scripted: {code}."));
        match step {
            Step::Succeed => Ok(usual),
            Step::SucceedAs(title) => Ok(title.to_owned()),
            Step::Fail(code) => Err(failure(code)),
            Step::Defer(code) => Err(GenerationError { retryable: true, ..failure(code) }),
            Step::DeferFor(wait) => {
                Err(GenerationError { retryable: true, retry_after: Some(wait), ..failure("model_busy") })
            }
            Step::Panic => panic!("scripted"),
            Step::Wait(pause) => {
                pause.hold().await;
                Ok(usual)
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
