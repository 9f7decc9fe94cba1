//! Which picture of a card is seen for how long.

use language::segments;

use crate::captions::Cue;
use crate::limits::{FRAME_RATE, SAMPLES_PER_FRAME};
use crate::sound::{Narration, Sentence};

/// Pictures in which a part appears.
const FADE: u64 = 6;

/// A picture and how often it is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shot {
    /// How far each step has appeared, in [`FADE`]ths.
    pub(super) appearance: Vec<u64>,
    /// The number of the caption.
    pub(super) caption: Option<usize>,
    pub(super) frames: u64,
}

impl Shot {
    /// How far a step has appeared, from 0 to 1, slower towards the end.
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    pub(super) fn appearance(&self, step: usize) -> f32 {
        let linear = self.appearance.get(step).copied().unwrap_or(FADE) as f32 / FADE as f32;
        1.0 - (1.0 - linear).powi(2)
    }
}

/// The shots of a scene, which last for all its pictures.
pub(super) fn shots(
    steps: usize,
    parts: &[String],
    narration: &Narration,
    captions: &[Cue],
    burns_captions: bool,
) -> Vec<Shot> {
    let starts = starts(steps, parts, narration);
    let mut shots: Vec<Shot> = Vec::new();
    for frame in 0..narration.frames {
        let appearance = starts.iter().map(|start| (frame + 1).saturating_sub(*start).min(FADE)).collect();
        let caption = if burns_captions { caption_at(frame, captions) } else { None };
        match shots.last_mut() {
            Some(last) if last.appearance == appearance && last.caption == caption => last.frames += 1,
            _ => shots.push(Shot { appearance, caption, frames: 1 }),
        }
    }
    shots
}

/// The caption in the middle of a frame.
fn caption_at(frame: u64, captions: &[Cue]) -> Option<usize> {
    let ms = (2 * frame + 1) * 500 / u64::from(FRAME_RATE);
    captions.iter().position(|cue| (cue.start_ms..cue.end_ms).contains(&ms))
}

/// The first frame of each step. The first step comes with the scene, the others when they are spoken of.
fn starts(steps: usize, parts: &[String], narration: &Narration) -> Vec<u64> {
    let spoken = spoken_at(parts, &narration.sentences).filter(|samples| samples.len() >= steps);
    let samples = spoken.unwrap_or_else(|| shared_out(steps, narration));
    let first = samples.into_iter().take(steps).map(|sample| sample / u64::from(SAMPLES_PER_FRAME)).skip(1);
    // All parts are seen before the scene ends.
    let latest = narration.frames.saturating_sub(FADE + 1);
    [0].into_iter().chain(first.map(|frame| frame.min(latest))).collect()
}

/// The samples at which parts are spoken of, if all are, in their order.
fn spoken_at(parts: &[String], sentences: &[Sentence]) -> Option<Vec<u64>> {
    let lowered: Vec<String> = sentences.iter().map(|sentence| sentence.text.to_lowercase()).collect();
    let (mut from, mut before) = (0, 0);
    let mut samples = Vec::new();
    for part in parts {
        let part = part.to_lowercase();
        let words: Vec<&str> =
            segments::words(&part).into_iter().map(|(_, word)| word).filter(|word| word.len() > 2).collect();
        let found =
            |text: &String| words.iter().filter(|word| text.contains(**word)).map(|word| word.len()).sum::<usize>();
        // The first of the sentences with most of the words.
        let at = (from..lowered.len()).rev().max_by_key(|at| found(&lowered[*at]))?;
        let place = words.iter().filter_map(|word| lowered[at].find(word)).min()?;
        let (sentence, length) = (&sentences[at], lowered[at].len().max(1) as u64);
        let sample = sentence.start + (sentence.end - sentence.start) * place as u64 / length;
        (from, before) = (at, sample.max(before));
        samples.push(before);
    }
    (!samples.is_empty()).then_some(samples)
}

/// Samples by which the sentences, or the time of the speech, are shared out among the steps.
fn shared_out(steps: usize, narration: &Narration) -> Vec<u64> {
    let sentences = &narration.sentences;
    let all = narration.frames * u64::from(SAMPLES_PER_FRAME);
    let (first, last) = match (sentences.first(), sentences.last()) {
        (Some(first), Some(last)) => (first.start, last.end),
        _ => (0, all * 6 / 10),
    };
    let by_time = |step: usize| first + (last - first) * step as u64 / steps as u64;
    let by_sentence = |step: usize| sentences[step * sentences.len() / steps].start;
    (0..steps).map(|step| if sentences.len() >= steps { by_sentence(step) } else { by_time(step) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narration(frames: u64, sentences: &[(u64, u64)]) -> Narration {
        let at = |frame: u64| frame * u64::from(SAMPLES_PER_FRAME);
        let sentence = |(start, end): &(u64, u64)| Sentence { text: "A.".into(), start: at(*start), end: at(*end) };
        Narration { frames, sentences: sentences.iter().map(sentence).collect() }
    }

    #[test]
    fn parts_appear_with_their_sentences() {
        let four = narration(200, &[(8, 40), (50, 90), (100, 140), (150, 180)]);
        assert_eq!(starts(2, &[], &four), [0, 100]);
        assert_eq!(starts(4, &[], &four), [0, 50, 100, 150]);
        assert_eq!(starts(3, &[], &narration(100, &[(10, 70)])), [0, 30, 50]);
        assert_eq!(starts(3, &[], &narration(100, &[])), [0, 20, 40]);
        assert_eq!(starts(2, &[], &narration(5, &[])), [0, 0]);
    }

    #[test]
    fn parts_appear_when_they_are_spoken_of() {
        let mut scene = narration(200, &[(8, 40), (50, 90), (100, 140), (150, 180)]);
        let texts = ["A plant needs things.", "First, light.", "Then water and, last of all, air.", "That is all."];
        scene.sentences.iter_mut().zip(texts).for_each(|(sentence, text)| sentence.text = text.to_owned());
        let parts = ["Light of the sun", "Water", "Air"].map(str::to_owned);
        let starts_of = |parts: &[String]| starts(3, parts, &scene);
        let [first, second, third] = starts_of(&parts)[..] else { panic!() };
        assert!(first == 0 && (100..110).contains(&second) && (130..140).contains(&third), "{second} {third}");
        let unknown = ["Light", "Water", "Soil"].map(str::to_owned);
        assert_eq!(starts_of(&unknown), [0, 50, 100], "sentences are shared out");
        let backwards = ["Air", "Water", "Light"].map(str::to_owned);
        assert!(starts_of(&backwards).is_sorted());
    }

    #[test]
    fn shots_fill_the_scene() {
        let scene = narration(100, &[(10, 40), (50, 90)]);
        let cue = |start_ms, end_ms| Cue { start_ms, end_ms, text: String::new() };
        let captions = [cue(400, 1600), cue(2000, 3600)];
        for burns in [false, true] {
            let shots = shots(2, &[], &scene, &captions, burns);
            assert_eq!(shots.iter().map(|shot| shot.frames).sum::<u64>(), 100);
            assert!(shots.len() < 20, "few pictures are drawn: {}", shots.len());
            assert_eq!(shots.last().unwrap().appearance, [FADE, FADE]);
            assert_eq!(shots.iter().any(|shot| shot.caption == Some(1)), burns);
        }
        let seen: u64 = shots(1, &[], &scene, &captions, true)
            .iter()
            .filter(|shot| shot.caption == Some(0))
            .map(|shot| shot.frames)
            .sum();
        assert_eq!(seen, 30, "a caption is seen as long as it is heard");
    }
}
