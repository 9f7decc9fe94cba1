//! Where a line may end: behind spaces and hyphens, and between the words of scripts without spaces.

use language::script::{is_hiragana, is_unspaced};
use language::segments;
use unicode_normalization::char::is_combining_mark;

/// Signs that begin no line, beside the closing ones of ASCII.
const NOT_FIRST: &str = "、。，．！？；：）」』】〉》〕’”…・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々％%)]}!?,.;:»،؛؟।·";
/// Japanese particles of one character.
const PARTICLES: &str = "はをがにでとのもへや";
/// Signs that end no line.
const NOT_LAST: &str = "（「『【〈《〔‘“([{«¿¡";

/// The pieces of a cleaned text between which a line may end. A piece ends with its space. The pieces make up the text.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let words = word_ends(text);
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<char> = None;
    for (at, character) in text.char_indices() {
        if let Some(before) = previous
            && may_part(before, character, at, &words)
        {
            pieces.push(&text[start..at]);
            start = at;
        }
        previous = Some(character);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// Where words of scripts without spaces begin and end.
fn word_ends(text: &str) -> Vec<usize> {
    if !text.contains(is_unspaced) {
        return Vec::new();
    }
    let mut ends: Vec<usize> = segments::words(text).iter().flat_map(|(at, word)| [*at, at + word.len()]).collect();
    ends.dedup();
    ends
}

fn may_part(before: char, after: char, at: usize, words: &[usize]) -> bool {
    if after == ' ' || NOT_FIRST.contains(after) || NOT_LAST.contains(before) {
        return false;
    }
    if before == ' ' || matches!(before, '–' | '—' | '/' | '|') {
        return true;
    }
    if before == '-' || before == '‐' {
        return after.is_alphabetic();
    }
    // Endings and particles of Japanese stay with their word.
    if is_hiragana(after) && before.is_alphabetic() && (!is_hiragana(before) || PARTICLES.contains(after)) {
        return false;
    }
    if is_unspaced(before) || is_unspaced(after) {
        // Punctuation ends a word as well.
        return !(before.is_alphanumeric() || is_combining_mark(before)) || words.binary_search(&at).is_ok();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        pieces(text).join("|")
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(joined("Well-known facts – «so what»?"), "Well-|known |facts |– |«so |what»?");
        assert_eq!(joined("植物通过光合作用制造养分，是。"), "植物|通过|光合作用|制造|养分，|是。");
        assert_eq!(joined("これは「光合成」です。"), "これは|「光合成」|です。");
        assert_eq!(joined("ดวงอาทิตย์เป็นดาวฤกษ์"), "ดวง|อาทิตย์|เป็น|ดาวฤกษ์");
        assert_eq!(joined("-5 °C to 3.5/4"), "-5 |°C |to |3.5/|4");
        assert_eq!(joined(""), "");
    }
}
