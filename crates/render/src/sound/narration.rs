//! A scene's script as sound, with the places of its sentences.

use std::path::Path;

use language::{pace, profile, sentences as language_sentences};
use unicode_segmentation::UnicodeSegmentation as _;

use super::resampling::resample;
use super::speech::{Speech, Voice};
use super::wav::WavWriter;
use crate::error::RenderError;
use crate::limits::{FEWEST_SECONDS, MOST_SPOKEN_CHARACTERS, SAMPLE_RATE, SAMPLES_PER_FRAME};

/// Silence before the first sentence, in samples: the card comes up.
const LEAD: u64 = SAMPLE_RATE as u64 * 3 / 10;
/// Silence between two sentences, in samples.
const GAP: u64 = SAMPLE_RATE as u64 * 35 / 100;
/// Silence behind the last sentence, in samples.
const TAIL: u64 = SAMPLE_RATE as u64 * 6 / 10;

/// A sentence with its place in the sound, in samples from the scene's begin.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// The sound of a scene, which lasts for a whole number of pictures.
pub(crate) struct Narration {
    pub(crate) frames: u64,
    pub(crate) sentences: Vec<Sentence>,
}

/// Speaks a script into a WAV file of at least this many seconds.
pub(crate) async fn narrate(
    voice: &dyn Voice,
    script: &str,
    language: &str,
    seconds: f64,
    file: &Path,
    work_dir: &Path,
) -> Result<Narration, RenderError> {
    let writing = RenderError::io;
    let mut writer = WavWriter::create(file).map_err(writing("writing sound"))?;
    writer.pad_to(LEAD).map_err(writing("writing sound"))?;
    let mut spoken = Vec::new();
    for text in sentences(script, language) {
        let speech = voice.speak(&text, language, work_dir).await?;
        let silent_seconds = pace::seconds(language, &text);
        let name = voice.name(language);
        let next = tokio::task::spawn_blocking(move || add(writer, &speech, silent_seconds, &name)).await;
        let (next, start, end) = next.map_err(|error| writing("writing sound")(std::io::Error::other(error)))??;
        writer = next;
        spoken.push(Sentence { text, start, end });
    }
    let frames = frames(seconds, spoken.last().map(|sentence| sentence.end));
    let finished = tokio::task::spawn_blocking(move || {
        writer.pad_to(frames * u64::from(SAMPLES_PER_FRAME))?;
        writer.finish()
    });
    let finished = finished.await.map_err(std::io::Error::other).flatten();
    finished.map_err(writing("writing sound"))?;
    Ok(Narration { frames, sentences: spoken })
}

/// Adds a sentence and the silence behind it. What the voice has no sound for is silence for as long as it would take.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some seconds")]
fn add(
    mut writer: WavWriter,
    speech: &Speech,
    silent_seconds: f64,
    voice: &str,
) -> Result<(WavWriter, u64, u64), RenderError> {
    let samples = resample(speech.trimmed(), speech.sample_rate).ok_or_else(|| RenderError::Voice {
        voice: voice.to_owned(),
        source: format!("its sound has {} samples a second", speech.sample_rate).into(),
    })?;
    let start = writer.samples();
    let mut write = || {
        writer.write(&samples)?;
        if samples.is_empty() {
            writer.pad_to(start + (silent_seconds.clamp(0.5, 30.0) * f64::from(SAMPLE_RATE)) as u64)?;
        }
        let end = writer.samples();
        writer.pad_to(end + GAP)?;
        Ok(end)
    };
    let end = write().map_err(RenderError::io("writing sound"))?;
    Ok((writer, start, end))
}

/// How many pictures a scene has whose speech ends at this sample.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the storyboard was checked")]
fn frames(seconds: f64, speech_end: Option<u64>) -> u64 {
    let asked = (seconds.max(FEWEST_SECONDS) * f64::from(SAMPLE_RATE)) as u64;
    let spoken = speech_end.map_or(0, |end| end + TAIL);
    asked.max(spoken).div_ceil(u64::from(SAMPLES_PER_FRAME))
}

/// The sentences of a script, each short enough for a voice. What has no letter or digit goes with the sentence before.
fn sentences(script: &str, language: &str) -> Vec<String> {
    let profile = profile::of(language);
    let mut found: Vec<String> = Vec::new();
    for line in script.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']) {
        let line = crate::text::clean(line);
        for sentence in language_sentences::split(&line, profile) {
            for piece in pieces(sentence) {
                match found.last_mut() {
                    Some(last) if !piece.contains(char::is_alphanumeric) && last.len() < 2 * MOST_SPOKEN_CHARACTERS => {
                        last.push(' ');
                        last.push_str(piece);
                    }
                    _ => found.push(piece.to_owned()),
                }
            }
        }
    }
    found.retain(|sentence| sentence.contains(char::is_alphanumeric));
    found
}

/// A long sentence in pieces, each of which ends behind a clause, else behind a word, else anywhere.
fn pieces(sentence: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = sentence.trim();
    while let Some((limit, _)) = rest.char_indices().nth(MOST_SPOKEN_CHARACTERS) {
        let head = &rest[..limit];
        let behind =
            |marks: &[char]| head.rfind(marks).map(|at| at + head[at..].chars().next().map_or(1, char::len_utf8));
        let clause = behind(&[',', ';', ':', '،', '؛', '，', '、', '；', '：', '—', '–']);
        let end = clause.filter(|end| *end > limit / 2).or_else(|| behind(&[' ']).filter(|end| *end > limit / 4));
        let end = end.unwrap_or_else(|| head.grapheme_indices(true).next_back().map_or(limit, |(at, _)| at.max(1)));
        let end = if rest.is_char_boundary(end) { end } else { limit };
        pieces.push(rest[..end].trim());
        rest = rest[end..].trim_start();
    }
    pieces.push(rest);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_cut_into_sentences_of_bounded_length() {
        let text = "Plants are green. Dr. Smith knows why!\n\nReally? …\u{0}\u{202E}";
        assert_eq!(sentences(text, "en"), ["Plants are green.", "Dr. Smith knows why!", "Really? …"]);
        assert_eq!(sentences("光合作用很重要。植物需要光。", "zh").len(), 2);
        assert_eq!(sentences(" \n… !", "en"), [""; 0]);
        for endless in ["word ".repeat(1_000), "x".repeat(5_000), "光".repeat(5_000), "e\u{301}".repeat(4_000)] {
            let parts = sentences(&endless, "en");
            assert!(parts.len() >= 8);
            assert!(parts.iter().all(|part| part.chars().count() <= MOST_SPOKEN_CHARACTERS));
        }
    }

    #[test]
    fn a_scene_lasts_as_long_as_its_speech_or_as_was_asked() {
        assert_eq!(frames(0.0, None), 25);
        assert_eq!(frames(2.0, None), 50);
        assert_eq!(frames(2.01, None), 51);
        let speech = 10 * u64::from(SAMPLE_RATE);
        assert_eq!(frames(2.0, Some(speech)), 265);
    }
}
