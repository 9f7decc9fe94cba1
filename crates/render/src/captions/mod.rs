//! What is said, to read: captions with their times, WebVTT, and the transcript.
//!
//! Times are those of samples. Only within a sentence are they parted by how long its words take.

mod cues;
mod transcript;
mod vtt;

pub use cues::Cue;
pub(crate) use cues::cues;
pub(crate) use transcript::transcript;
pub(crate) use vtt::webvtt;
