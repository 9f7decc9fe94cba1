//! The words of a text whose script puts no spaces between them, by ICU's dictionaries: Chinese, Japanese, Thai, Lao,
//! Khmer, Burmese. Other scripts are divided by Unicode's rules (UAX #29).

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use crate::script::is_unspaced;

/// Letters on both sides of a place that decide whether a word ends there.
const NEIGHBOURHOOD: usize = 24;

/// Made once: it looks its dictionaries up by language.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// The words with their places in bytes, in order. Punctuation and spaces are left out.
pub fn words(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    let mut words = Vec::new();
    for (end, kind) in SEGMENTER.segment_str(text).iter_with_word_type() {
        if kind.is_word_like() && start < end {
            words.push((start, &text[start..end]));
        }
        start = end;
    }
    words
}

/// Whether a stretch of a text begins and ends between words. Where the script has spaces, that is for
/// [`crate::normal::positions`] to say.
///
/// # Panics
/// Where `stretch` does not lie on characters of `text`.
pub fn is_whole(text: &str, stretch: Range<usize>) -> bool {
    [stretch.start, stretch.end].into_iter().all(|place| parts_words(text, place))
}

fn parts_words(text: &str, place: usize) -> bool {
    let (before, after) = text.split_at(place);
    let joined = before.ends_with(is_unspaced) && after.starts_with(is_unspaced);
    if !joined {
        return true;
    }
    let start = before.char_indices().rev().nth(NEIGHBOURHOOD).map_or(0, |(at, _)| at);
    let end = after.char_indices().nth(NEIGHBOURHOOD).map_or(after.len(), |(at, _)| at);
    let near = &text[start..place + end];
    SEGMENTER.segment_str(near).any(|boundary| boundary == place - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        words(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn words_of_scripts_without_spaces_are_told_apart() {
        assert_eq!(joined("植物通过光合作用制造养分。"), "植物|通过|光合作用|制造|养分");
        assert_eq!(joined("植物は光合成で養分を作る。"), "植物|は|光合成|で|養分|を|作る");
        assert_eq!(joined("ดวงอาทิตย์เป็นดาวฤกษ์"), "ดวง|อาทิตย์|เป็น|ดาวฤกษ์");
        assert_eq!(joined("DNA, the code"), "DNA|the|code");
        assert_eq!(joined(""), "");
    }

    #[test]
    fn a_stretch_within_a_word_is_not_whole() {
        let text = "中国人民银行在北京。";
        let place = |part: &str| text.find(part).map(|at| at..at + part.len()).unwrap();
        assert!(is_whole(text, place("北京")) && !is_whole(text, place("民银")));
        assert!(is_whole("cells", 0..4), "spaces are not looked at here");
        let long = "植物通过光合作用制造养分。".repeat(400);
        let at = long.rfind("光合作用").unwrap();
        assert!(is_whole(&long, at..at + "光合作用".len()) && !is_whole(&long, at..at + "光".len()));
    }
}
