//! Sentences: UAX #29, then those put together again that only an abbreviation, an initial or an
//! ordinal number had parted. Thai has no mark at the end of a sentence; its sentences are parted in [`thai`].

mod thai;

use unicode_segmentation::UnicodeSegmentation;

use super::profile::Profile;
use super::script::{is_thai, is_unspaced};

/// The sentences of a paragraph, trimmed, in order.
pub fn split<'t>(text: &'t str, profile: &Profile) -> Vec<&'t str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut end = 0;
    for segment in text.split_sentence_bounds() {
        end += segment.len();
        if !goes_on(&text[start..end], profile) {
            push(&mut sentences, &text[start..end], profile);
            start = end;
        }
    }
    push(&mut sentences, &text[start..end], profile);
    sentences
}

/// Sentences as running text: a space goes between them, except behind a script without spaces. Thai parts its sentences by spaces.
pub fn joined<'t>(sentences: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for sentence in sentences {
        append(&mut text, sentence);
    }
    text
}

/// Adds a sentence to running text.
pub fn append(text: &mut String, more: &str) {
    if text.chars().next_back().is_some_and(|last| !is_unspaced(last) || is_thai(last)) {
        text.push(' ');
    }
    text.push_str(more);
}

fn push<'t>(sentences: &mut Vec<&'t str>, text: &'t str, profile: &Profile) {
    let text = text.trim();
    if profile.tag == "th" {
        sentences.extend(thai::split(text));
    } else if !text.is_empty() {
        sentences.push(text);
    }
}

/// The period at the end belongs to a word, not to the sentence.
fn goes_on(segment: &str, profile: &Profile) -> bool {
    let Some(before) = segment.trim_end().strip_suffix('.') else { return false };
    // Thai, Lao and Khmer end no sentence with a period: "พ.ศ." abbreviates.
    if before.ends_with(|sign: char| matches!(sign, '\u{0E00}'..='\u{0EFF}' | '\u{1780}'..='\u{17FF}')) {
        return true;
    }
    let reach = before.char_indices().rev().take(20).last().map_or(0, |(at, _)| at);
    let tail = &before[reach..];
    let last = tail
        .rsplit(|character: char| character.is_whitespace() || matches!(character, '(' | '„' | '“' | '"' | '«'))
        .next()
        .unwrap_or_default();
    let letters = last.chars().filter(|character| character.is_alphabetic()).count();
    let dotted = !last.is_empty()
        && last.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    // A lone small letter abbreviates where numbers take a dot as well: "z. B.", "d. h.".
    let initial = dotted
        && last.chars().next().is_some_and(|first| first.is_uppercase() || last.contains('.') || profile.ordinal_dots);
    let digits = last.bytes().all(|byte| byte.is_ascii_digit()) && matches!(last.len(), 1 | 2);
    initial || digits && (profile.ordinal_dots || before.trim() == last) || letters > 0 && profile.is_abbreviation(last)
}

/// Ends like a sentence.
pub fn is_closed(sentence: &str) -> bool {
    sentence
        .trim_end_matches(['"', '”', '»', ')', '」', '』', '’', '\''])
        .ends_with(['.', '!', '。', '！', '।', '۔', '．'])
}

/// Ends like a sentence; in Thai, says something as a sentence does.
pub fn is_complete(sentence: &str) -> bool {
    is_closed(sentence) || thai::states(sentence)
}

/// Ends like a question.
pub fn asks(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile;

    #[test]
    fn abbreviations_decimals_and_ordinals_do_not_end_a_sentence() {
        let english = profile::of("en");
        assert_eq!(
            split("Dr. Smith measured 3.5 g, e.g. of salt. Then J. S. Bach came. Done!", english),
            ["Dr. Smith measured 3.5 g, e.g. of salt.", "Then J. S. Bach came.", "Done!"]
        );
        let german = profile::of("de");
        assert_eq!(
            split("Am 3. Oktober 1990 war z. B. Berlin vereint. Es war Mittwoch.", german),
            ["Am 3. Oktober 1990 war z. B. Berlin vereint.", "Es war Mittwoch."]
        );
        assert_eq!(split("光合作用很重要。植物需要光。", profile::of("zh")).len(), 2);
        assert_eq!(split("पौधे हरे हैं। वे भोजन बनाते हैं।", profile::of("hi")).len(), 2);
    }

    #[test]
    fn a_space_goes_between_thai_sentences_and_not_between_chinese_ones() {
        assert_eq!(joined(["พืชต้องการแสง", "พืชต้องการน้ำ"].into_iter()), "พืชต้องการแสง พืชต้องการน้ำ");
        assert_eq!(joined(["植物需要光。", "植物需要水。"].into_iter()), "植物需要光。植物需要水。");
        assert!(is_complete("พืชต้องการแสง") && is_complete("Plants need light.") && !is_complete("ต้นไม้ ใบไม้"));
    }
}
