//! What the characters themselves tell: scripts without spaces, and the direction of writing.

use crate::primary_subtag;

/// A character of a script that puts no spaces between words (Chinese, Japanese, Thai, …).
pub fn is_unspaced(character: char) -> bool {
    is_han(character)
        || is_kana(character)
        || matches!(character, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}')
}

/// A Chinese character, or a mark that stands for one.
pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}' | '々' | '〇')
}

/// A character of a Japanese syllabary.
pub fn is_kana(character: char) -> bool {
    is_hiragana(character) || is_katakana(character)
}

/// A character of hiragana.
pub fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{309F}')
}

/// A character of katakana.
pub fn is_katakana(character: char) -> bool {
    matches!(character, '\u{30A1}'..='\u{30FA}' | 'ー' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}')
}

/// How much there is to read: words, with scripts without spaces counted at two characters a word.
pub fn word_count(text: &str) -> usize {
    let mut words = 0;
    let mut unspaced = 0;
    let mut inside = false;
    for character in text.chars() {
        if is_unspaced(character) {
            unspaced += usize::from(character.is_alphanumeric());
            inside = false;
        } else if character.is_whitespace() {
            inside = false;
        } else if !inside && character.is_alphanumeric() {
            inside = true;
            words += 1;
        }
    }
    words + unspaced / 2
}

/// `rtl` or `ltr`, by the tag's script or language.
pub fn direction(tag: &str) -> &'static str {
    let rtl_script = tag
        .split(['-', '_'])
        .skip(1)
        .any(|part| ["arab", "hebr", "thaa", "syrc", "nkoo"].contains(&part.to_ascii_lowercase().as_str()));
    let other_script = tag
        .split(['-', '_'])
        .skip(1)
        .any(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let rtl_language = ["ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc"]
        .contains(&primary_subtag(tag).as_str());
    if rtl_script || rtl_language && !other_script { "rtl" } else { "ltr" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_comes_from_script_or_language() {
        for (tag, expected) in [("ar", "rtl"), ("fa-IR", "rtl"), ("en", "ltr"), ("az-Arab", "rtl"), ("ur-Latn", "ltr")]
        {
            assert_eq!(direction(tag), expected, "{tag}");
        }
    }

    #[test]
    fn words_are_counted_in_every_script() {
        assert_eq!(word_count("The cell is small."), 4);
        assert_eq!(word_count("光合作用"), 2);
    }
}
