//! The operator's language models behind the trait [`kernel::model::Model`]: who is asked, how often, for how long, and in which words.
//! A speech server stands behind [`render::Voice`] in the same way (`speech`).
//!
//! A call waits for its turn (`queue`), goes to the first provider that is up (`models`, `breaker`), is tried again while
//! that makes sense (`upstream`, `backoff`), and each try is one exchange over HTTP (`exchange`) in one of three protocols
//! (`protocols`). What a server does not take is found out once and remembered (`manners`). A provider's words (a prompt, an
//! answer, an error, a key) must never get into an error, a log line or a metric. Where to read next: [`Models`], then
//! [`Settings`]; `docs/models.md` is the operator's side, and `docs/videos.md` that of [`SpeechServer`].

mod backoff;
mod breaker;
mod check;
mod complaint;
mod drain;
mod exchange;
mod failure;
mod manners;
mod meter;
mod models;
mod protocols;
mod queue;
mod said;
mod settings;
mod speech;
mod sse;
mod upstream;
mod work;

pub use check::{Check, Fit, Trouble, Works, check};
pub use failure::Cause;
pub use manners::Shape;
pub use models::Models;
pub use settings::{ANTHROPIC_URL, ModelNames, OPENAI_URL, Pacing, Protocol, Provider, Settings};
pub use speech::{SpeechCause, SpeechCheck, SpeechError, SpeechServer, SpeechSettings, SpeechVoices, check_speech};

/// Why there are no models or speech servers to ask.
pub type OpenError = net::OpenOperatorClientError;
