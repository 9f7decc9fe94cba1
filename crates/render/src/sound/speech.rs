//! A voice, and what comes out of it.

use std::path::Path;

use async_trait::async_trait;

use crate::error::RenderError;

/// Speech: mono samples. [`Speech::from_wav`] reads it from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// Samples in a second, from 8,000 to 192,000.
    pub sample_rate: u32,
    /// The samples, of which the largest is as loud as can be.
    pub samples: Vec<i16>,
}

/// Speaks sentences.
#[async_trait]
pub trait Voice: Send + Sync {
    /// Tells apart what speaks the language of a BCP 47 tag. Scenes are rendered again when it changes.
    fn name(&self, language: &str) -> String;

    /// Speaks a sentence in the language of a BCP 47 tag. The folder is the voice's to write temporary files to.
    ///
    /// # Errors
    /// When the sentence can't be spoken. [`RenderError::Voice`] is for voices outside this crate.
    async fn speak(&self, sentence: &str, language: &str, work_dir: &Path) -> Result<Speech, RenderError>;
}

/// A sample this quiet, as a part of the loudest, is silence.
const SILENCE: f32 = 0.015;
/// What is kept of the silence around a sound, in seconds, so that no sound is cut.
const MARGIN_SECONDS: f32 = 0.01;

impl Speech {
    /// Whether nothing can be heard.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// The speech without silence at both ends.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a small count"
    )]
    pub(super) fn trimmed(&self) -> &[i16] {
        let loudest = self.samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or_default();
        let threshold = (f32::from(loudest) * SILENCE).max(1.0);
        let is_sound = |sample: &i16| f32::from(sample.unsigned_abs()) > threshold;
        let Some(first) = self.samples.iter().position(is_sound) else { return &[] };
        let last = self.samples.iter().rposition(is_sound).unwrap_or(first);
        let margin = (self.sample_rate as f32 * MARGIN_SECONDS) as usize;
        &self.samples[first.saturating_sub(margin)..(last + margin + 1).min(self.samples.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_at_the_ends_is_cut() {
        let mut samples = vec![0; 1000];
        samples.extend([9000, -9000, 0, 0, 9000]);
        samples.extend([20; 1000]);
        let speech = Speech { sample_rate: 1000, samples };
        assert_eq!(speech.trimmed().len(), 5 + 10 + 10);
        assert!(!speech.is_silent() && Speech::default().is_silent());
        assert_eq!(Speech { sample_rate: 8000, samples: vec![0; 100] }.trimmed(), [0_i16; 0]);
        assert_eq!(Speech::default().trimmed(), [0_i16; 0]);
    }
}
