//! Words as they are compared: lower case, without punctuation, and without the diacritics that the language doesn't
//! tell words apart by.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use language::primary_subtag;
use language::script::{self, is_unspaced};

/// The folded words of a text in plain characters.
pub(super) fn words(text: &str, language: &str) -> Vec<String> {
    let keeps = script::marked_letters(language);
    let is_turkish = matches!(primary_subtag(language).as_str(), "tr" | "az");
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = text.nfc().peekable();
    while let Some(character) = characters.next() {
        let joins = matches!(character, '\'' | '_')
            || matches!(character, '-' | '+') && word.is_empty() && characters.peek().is_some_and(char::is_ascii_digit)
            || matches!(character, '.' | ',')
                && word.chars().next_back().is_some_and(|last| last.is_ascii_digit())
                && characters.peek().is_some_and(char::is_ascii_digit);
        if let Some(sign) = sign(character) {
            word.push_str(sign);
        } else if is_mathematical(character) {
            word.push(character);
        } else if character.is_alphanumeric()
            || is_combining_mark(character)
            || matches!(character, '+' | '#' | '%' | '=' | '<' | '>')
        {
            if is_unspaced(character) && !word.is_empty() && !word.chars().next_back().is_some_and(is_unspaced) {
                words.push(std::mem::take(&mut word));
            }
            fold(character, keeps, is_turkish, &mut word);
        } else if joins {
            if matches!(character, '-' | '+' | '.' | ',') {
                word.push(character);
            }
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Signs that keyboards write in two, without the dash, which words are joined by.
fn sign(character: char) -> Option<&'static str> {
    Some(match character {
        '→' => ">",
        '←' => "<",
        '⇒' => "=>",
        '≤' => "<=",
        '≥' => ">=",
        _ => return None,
    })
}

/// Arrows and operators: `A ∪ B` is not `A ∩ B`.
fn is_mathematical(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{22ff}' | '\u{27c0}'..='\u{27ff}' | '\u{2900}'..='\u{2aff}' | '¬' | '±')
}

fn fold(character: char, keeps: Option<&str>, is_turkish: bool, word: &mut String) {
    let lower: &mut dyn Iterator<Item = char> = match character {
        'I' if is_turkish => &mut std::iter::once('ı'),
        'İ' => &mut std::iter::once('i'),
        _ => &mut character.to_lowercase(),
    };
    for one in lower {
        match keeps {
            // German may write its letters in two, whoever has no such keys.
            Some("äöüß") if matches!(one, 'ä' | 'ö' | 'ü' | 'ß') => word.push_str(match one {
                'ä' => "ae",
                'ö' => "oe",
                'ü' => "ue",
                _ => "ss",
            }),
            Some(kept) if !kept.contains(one) => plain_letter(one, word),
            _ => word.push(one),
        }
    }
}

/// The letter without its marks, in scripts where marks are marks.
fn plain_letter(letter: char, word: &mut String) {
    match letter {
        'ß' => word.push_str("ss"),
        'æ' => word.push_str("ae"),
        'œ' => word.push_str("oe"),
        'ø' => word.push('o'),
        'ł' => word.push('l'),
        'đ' | 'ð' => word.push('d'),
        'þ' => word.push_str("th"),
        'ı' => word.push('i'),
        'أ' | 'إ' | 'آ' | 'ٱ' => word.push('ا'),
        'ـ' | '\u{64b}'..='\u{65f}' | '\u{670}' => {}
        '\u{300}'..='\u{36f}' => {}
        'à'..='ɏ' | 'Ḁ'..='ỿ' | 'ά'..='ώ' | 'ἀ'..='ῼ' | 'ё' => {
            word.extend(std::iter::once(letter).nfd().filter(|one| !is_combining_mark(*one)));
        }
        other => word.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diacritics_go_where_the_language_ignores_them() {
        let same = |one: &str, other: &str, language: &str| words(one, language) == words(other, language);
        for (one, other, language) in [
            ("São Paulo", "sao  PAULO", "en"),
            ("café", "cafe", "en"),
            ("naïve", "naive", "nl"),
            ("Müller", "Mueller", "de"),
            ("Straße", "STRASSE", "de"),
            ("São", "Sao", "de"),
            ("İstanbul", "istanbul", "tr"),
            ("ёлка", "елка", "ru"),
            ("مُحَمَّد", "محمد", "ar"),
            ("don't", "dont", "en"),
            ("e-mail", "e mail", "en"),
        ] {
            assert!(same(one, other, language), "{one} {other} {language}");
        }
        for (one, other, language) in [
            ("año", "ano", "es"),
            ("papá", "papa", "es"),
            ("où", "ou", "fr"),
            ("schön", "schon", "de"),
            ("łaska", "laska", "pl"),
            ("ışık", "isik", "tr"),
            ("が", "か", "ja"),
            ("-5", "5", "en"),
            ("C++", "C", "en"),
            ("мой", "мои", "ru"),
        ] {
            assert!(!same(one, other, language), "{one} {other} {language}");
        }
    }
}
