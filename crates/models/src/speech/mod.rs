//! A speech server as the voice of videos: any that speaks OpenAI's protocol, `POST /audio/speech`.
//!
//! A call waits for a place among those that may ask at once, is tried again while that makes sense, and each try is one
//! exchange, which ends with whole and audible sound or with a [`SpeechError`]. A part of an answer, another format and silence
//! are failures. The text of a script, the key and the words of the server must never get into an error, a log line or a
//! metric. Where to read next: [`SpeechServer`], then [`SpeechSettings`]; `docs/videos.md` is the operator's side.

mod check;
mod error;
mod exchange;
mod server;
mod settings;

pub use check::{SpeechCheck, check_speech};
pub use error::{SpeechCause, SpeechError};
pub use server::SpeechServer;
pub use settings::{SpeechSettings, SpeechVoices};
