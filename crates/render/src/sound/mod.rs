//! What is heard of a scene: its script, sentence by sentence, with known silence in between.
//!
//! A voice is asked for one sentence at a time. Silence at both ends of what it says is cut off, so that the times of a
//! sentence are counts of samples. All sound in a work folder is mono at [`crate::limits::SAMPLE_RATE`].

mod decoding;
mod espeak;
mod narration;
mod resampling;
mod speech;
pub(crate) mod wav;

pub use decoding::WavError;
pub use espeak::Espeak;
pub(crate) use narration::{Narration, Sentence, narrate};
pub use speech::{Speech, Voice};
