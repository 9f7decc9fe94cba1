//! Pieces of text with their widths, and long words parted with hyphens.
//!
//! No dictionary is used. A word is parted only where the whole word would make its text small.

use std::borrow::Cow;

/// A piece with its width in ems, without and with its space.
pub(super) struct Piece<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) width: f32,
    pub(super) advance: f32,
    /// Whether a line ends behind it: it ends with a hyphen.
    pub(super) ends_line: bool,
}

impl<'t> Piece<'t> {
    pub(super) fn new(text: Cow<'t, str>, ends_line: bool, measure: &impl Fn(&str) -> f32) -> Self {
        Self { width: measure(text.trim_end()), advance: measure(&text), text, ends_line }
    }
}

/// A word of an alphabet in parts of even length with hyphens, each of which fits the room. A part begins with a consonant
/// before a vowel, where most languages part words.
pub(super) fn hyphenated<'t>(piece: Piece<'t>, room: f32, measure: &impl Fn(&str) -> f32) -> Vec<Piece<'t>> {
    let Cow::Borrowed(text) = piece.text else { return vec![piece] };
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let is_word = text
        .trim_end()
        .chars()
        .all(|letter| letter.is_alphabetic() && letter < '\u{530}' || "-.,!?:;“”»«".contains(letter));
    if piece.width <= room || !is_word || letters.len() < 8 {
        return vec![piece];
    }
    let vowel = |at: usize| letters.get(at).is_some_and(|(_, letter)| is_vowel(*letter));
    let may_part =
        |at: usize| at >= 3 && at + 3 <= letters.len() && !vowel(at) && vowel(at + 1) && letters[at].1.is_alphabetic();
    let average = piece.width / ems(letters.len());
    let mut parts = Vec::new();
    let (mut start, mut from) = (0, 0);
    // The parts are even; a little room is left for the hyphen.
    let share = (piece.width / (room * 0.92)).ceil().max(1.0);
    let step = piece.width / share / average;
    while ems(letters.len() - from) > step * 1.2 {
        let best = (from + 3..letters.len()).rfind(|at| may_part(*at) && ems(at - from) <= step * 1.08);
        let Some(at) = best else { break };
        parts.push(Piece::new(Cow::Owned(format!("{}-", &text[start..letters[at].0])), true, measure));
        (start, from) = (letters[at].0, at);
    }
    parts.push(Piece::new(Cow::Borrowed(&text[start..]), false, measure));
    parts
}

fn is_vowel(letter: char) -> bool {
    "aeiouyäöüáàâãåæéèêëíìîïóòôõøúùûýąęıаеёиоуыэюяєіїαεηιουω".contains(letter.to_lowercase().next().unwrap_or(letter))
}

#[expect(clippy::cast_precision_loss, reason = "a word has few letters")]
const fn ems(letters: usize) -> f32 {
    letters as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::Weight;
    use crate::text::shape;

    #[test]
    fn long_words_are_parted_with_hyphens() {
        let measure = |text: &str| shape(text, "de", Weight::Bold).width;
        let text = "Grundstücksverkehrsgenehmigungszuständigkeit ";
        let parted = hyphenated(Piece::new(Cow::Borrowed(text), false, &measure), 12.0, &measure);
        let texts: Vec<&str> = parted.iter().map(|piece| piece.text.as_ref()).collect();
        assert_eq!(texts, ["Grundstücksver-", "kehrsgenehmi-", "gungszuständig-", "keit "]);
        assert_eq!(
            hyphenated(
                Piece::new(Cow::Borrowed("https://example.org/a/very/long/path"), false, &measure),
                2.0,
                &measure
            )
            .len(),
            1
        );
    }
}
