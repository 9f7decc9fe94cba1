//! Which picture of a card is seen for how long.

use crate::captions::Cue;
use crate::limits::{FRAME_RATE, SAMPLES_PER_FRAME};
use crate::sound::Narration;

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
pub(super) fn shots(steps: usize, narration: &Narration, captions: &[Cue], burns_captions: bool) -> Vec<Shot> {
    let starts = starts(steps, narration);
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

/// The first frame of each step: with the sentences, which are shared out among the steps. The first comes with the scene.
fn starts(steps: usize, narration: &Narration) -> Vec<u64> {
    let sentences = &narration.sentences;
    let frame = |sample: u64| sample / u64::from(SAMPLES_PER_FRAME);
    let (first, last) = match (sentences.first(), sentences.last()) {
        (Some(first), Some(last)) => (frame(first.start), frame(last.end)),
        _ => (0, narration.frames * 6 / 10),
    };
    let start = |step: usize| {
        if step == 0 {
            return 0;
        }
        if sentences.len() >= steps {
            return frame(sentences[step * sentences.len() / steps].start);
        }
        first + (last - first) * step as u64 / steps as u64
    };
    // All parts are seen before the scene ends.
    (0..steps).map(|step| start(step).min(narration.frames.saturating_sub(FADE + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::Sentence;

    fn narration(frames: u64, sentences: &[(u64, u64)]) -> Narration {
        let at = |frame: u64| frame * u64::from(SAMPLES_PER_FRAME);
        let sentence = |(start, end): &(u64, u64)| Sentence { text: "A.".into(), start: at(*start), end: at(*end) };
        Narration { frames, sentences: sentences.iter().map(sentence).collect() }
    }

    #[test]
    fn parts_appear_with_their_sentences() {
        let four = narration(200, &[(8, 40), (50, 90), (100, 140), (150, 180)]);
        assert_eq!(starts(2, &four), [0, 100]);
        assert_eq!(starts(4, &four), [0, 50, 100, 150]);
        assert_eq!(starts(3, &narration(100, &[(10, 70)])), [0, 30, 50]);
        assert_eq!(starts(3, &narration(100, &[])), [0, 20, 40]);
        assert_eq!(starts(2, &narration(5, &[])), [0, 0]);
    }

    #[test]
    fn shots_fill_the_scene() {
        let scene = narration(100, &[(10, 40), (50, 90)]);
        let cue = |start_ms, end_ms| Cue { start_ms, end_ms, text: String::new() };
        let captions = [cue(400, 1600), cue(2000, 3600)];
        for burns in [false, true] {
            let shots = shots(2, &scene, &captions, burns);
            assert_eq!(shots.iter().map(|shot| shot.frames).sum::<u64>(), 100);
            assert!(shots.len() < 20, "few pictures are drawn: {}", shots.len());
            assert_eq!(shots.last().unwrap().appearance, [FADE, FADE]);
            assert_eq!(shots.iter().any(|shot| shot.caption == Some(1)), burns);
        }
        let seen: u64 = shots(1, &scene, &captions, true).iter().filter(|shot| shot.caption == Some(0)).map(|shot| shot.frames).sum();
        assert_eq!(seen, 30, "a caption is seen as long as it is heard");
    }
}
