//! Another slide: sentences of the material that stand on no slide yet.

use language::script::direction;

use super::known::KnownSentences;
use crate::builtin::material::{Material, speakable};
use crate::builtin::requested::{Deck, Point, Slide};
use crate::part::PartRequest;

/// Most points, and the longest sentence that becomes one, in words.
const MAX_POINTS: usize = 4;
const MAX_WORDS: usize = 30;

/// Drafts the slide, as HTML.
pub(super) fn draft(
    request: &PartRequest,
    material: &Material,
    near: &[usize],
    known: &KnownSentences,
) -> Option<String> {
    let (place, lesson, chosen) = near.iter().enumerate().find_map(|(place, at)| {
        let lesson = &material.lessons[*at];
        let usable = |at: &usize| {
            let sentence = &lesson.sentences[*at];
            sentence.standalone && sentence.words <= MAX_WORDS && !known.contains(&sentence.text)
        };
        let mut chosen: Vec<usize> = (0..lesson.sentences.len()).filter(usable).collect();
        chosen.sort_by(|left, right| lesson.sentences[*right].score.total_cmp(&lesson.sentences[*left].score));
        chosen.truncate(MAX_POINTS);
        chosen.sort_unstable();
        (!chosen.is_empty()).then_some((place, lesson, chosen))
    })?;
    // The closest lesson is about what the slide is about; another one has a title of its own.
    let own = request.present.heading().filter(|heading| place == 0 && speakable(heading));
    let headline = own.unwrap_or_else(|| lesson.title.clone());
    let points = chosen.into_iter().map(|at| Point::of(&lesson.sentences[at].text)).collect();
    let slides = vec![Slide::new(&headline, points, "")];
    let (html, _) =
        Deck { language: &material.language, direction: direction(&material.language), slides }.write(&headline);
    Some(html)
}
