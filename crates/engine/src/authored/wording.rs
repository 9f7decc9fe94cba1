//! What a text of a model has to be before anything else: clean, of a sensible length, in the language that was asked for.

use language::primary_subtag;
use language::profile;
use language::script;
use unicode_segmentation::UnicodeSegmentation;

use crate::reading::inline::{keep_lines, squeeze};

/// Fewer letters than this tell no language.
const LETTERS: usize = 24;
/// Most of a text that its language is told from, in bytes.
const SAMPLE: usize = 40_000;
/// A text in a language has at least this share of its letters in the language's script.
const SHARE: f64 = 0.3;

/// The part of a language tag that names the language.
pub(super) fn primary(tag: &str) -> String {
    primary_subtag(tag)
}

/// One clean line: no control characters, nothing invisible.
pub(super) fn line(text: &str) -> String {
    squeeze(text)
}

/// Clean text that keeps its lines.
pub(super) fn lines(text: &str) -> String {
    keep_lines(text)
}

/// What is wrong with the length of a text; `what` names it.
pub(super) fn length(what: &str, text: &str, most: usize) -> Option<String> {
    if !text.chars().any(char::is_alphanumeric) {
        return Some(format!("{what} is missing"));
    }
    let count = text.chars().take(most + 1).count();
    (count > most).then(|| format!("{what} is longer than {most} characters"))
}

/// What is wrong with the number of a list's entries; `what` names the list.
pub(super) fn entries(what: &str, count: usize, most: usize) -> Option<String> {
    (!(1..=most).contains(&count)).then(|| format!("{what} has {count} entries; it takes 1 to {most}"))
}

/// What is wrong with the language of a text, where that can be told for sure.
pub(super) fn language(text: &str, tag: &str) -> Option<String> {
    speaks_another(text, tag).then(|| "the text is not in the language that `language` names".to_owned())
}

/// Whether a text is clearly in another language than `tag`'s. Foreign words in it, even many, are no other language.
fn speaks_another(text: &str, tag: &str) -> bool {
    let wanted = primary(tag);
    let text = &text[..text.floor_char_boundary(SAMPLE)];
    if let Some(script) = script::letters_of(&wanted) {
        let letters = text.chars().filter(|character| character.is_alphabetic()).count();
        let own = text.chars().filter(|character| character.is_alphabetic() && script(*character)).count();
        if letters >= LETTERS && (own as f64) < letters as f64 * SHARE {
            return true;
        }
    }
    let declared = profile::of(&wanted);
    declared.tag == wanted
        && text.unicode_words().nth(LETTERS / 2).is_some()
        && profile::of_text(text, declared).tag != declared.tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_language_is_told_where_it_is_sure() {
        let english = "A cell is the smallest unit of life, and all living things are made of cells or of one cell.";
        let german =
            "Eine Zelle ist die kleinste Einheit des Lebens, und alle Lebewesen bestehen aus Zellen oder aus einer.";
        let chinese = "细胞是生命的最小单位，所有生物都是由细胞组成的，有的只有一个细胞，有的有很多细胞。";
        for (text, tag) in [(english, "en"), (english, "EN-us"), (german, "de"), (chinese, "zh-Hans"), (english, "xx")]
        {
            assert_eq!(language(text, tag), None, "{tag}");
        }
        for (text, tag) in [(english, "de"), (german, "en"), (chinese, "en"), (english, "zh"), (german, "ru")] {
            assert!(language(text, tag).is_some(), "{tag}: {text}");
        }
        let lesson =
            "The word 細胞 means cell, and the word 水 means water, as you know from the lesson before this one.";
        assert_eq!(language(lesson, "en"), None);
        assert_eq!(language("Photosynthese", "en"), None, "too short to tell");
    }

    #[test]
    fn what_is_invisible_goes_and_length_is_judged() {
        assert_eq!(line("a\u{0}b\u{202E}\n c"), "ab c");
        assert_eq!(length("a title", "\u{200B}…", 5).unwrap(), "a title is missing");
        assert!(length("a title", "Cells and more", 5).unwrap().contains("longer"));
        assert_eq!(length("a title", "Cells", 5), None);
    }
}
