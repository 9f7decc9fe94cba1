//! What the characters themselves tell: scripts without spaces, and the direction of writing.

use crate::primary_subtag;

/// A character of a script that puts no spaces between words (Chinese, Japanese, Thai, …).
pub fn is_unspaced(character: char) -> bool {
    is_han(character)
        || is_kana(character)
        || matches!(character, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}')
}

/// A way of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Of English and many others.
    Latin,
    /// Of Greek.
    Greek,
    /// Of Russian and Ukrainian.
    Cyrillic,
    /// Of Hebrew.
    Hebrew,
    /// Of Arabic, Persian and Urdu.
    Arabic,
    /// Of Hindi.
    Devanagari,
    /// Of Thai.
    Thai,
    /// Chinese, Japanese.
    Han,
    /// Of Korean.
    Hangul,
}

/// Letters from which a script can be told.
const FEWEST_LETTERS: usize = 5;
/// Letters that are looked at.
const MOST_LETTERS: usize = 2_000;

impl Script {
    const ALL: [Self; 9] = [
        Self::Latin,
        Self::Greek,
        Self::Cyrillic,
        Self::Hebrew,
        Self::Arabic,
        Self::Devanagari,
        Self::Thai,
        Self::Han,
        Self::Hangul,
    ];

    /// The script of most letters of a text; `None` where it has few, or no such script.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let mut counts = [0; Self::ALL.len()];
        for script in text.chars().filter_map(Self::of_letter).take(MOST_LETTERS) {
            counts[script as usize] += 1;
        }
        let all: usize = counts.iter().sum();
        let most = Self::ALL.into_iter().max_by_key(|script| counts[*script as usize])?;
        (all >= FEWEST_LETTERS && 2 * counts[most as usize] > all).then_some(most)
    }

    fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'a'..='z' | 'A'..='Z' | 'À'..='ɏ' | 'Ḁ'..='ỿ' => Self::Latin,
            'Ͱ'..='Ͽ' | 'ἀ'..='῾' => Self::Greek,
            'Ѐ'..='ԯ' => Self::Cyrillic,
            '\u{0590}'..='\u{05FF}' => Self::Hebrew,
            '\u{0600}'..='\u{06FF}' | '\u{0750}'..='\u{077F}' => Self::Arabic,
            '\u{0900}'..='\u{097F}' => Self::Devanagari,
            '\u{AC00}'..='\u{D7A3}' => Self::Hangul,
            letter if is_thai(letter) => Self::Thai,
            letter if is_han(letter) || is_kana(letter) => Self::Han,
            _ => return None,
        })
    }
}

/// A Chinese character, or a mark that stands for one.
pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3134F}' | '々' | '〇')
}

/// A letter, a mark or a digit of Thai, which puts spaces between clauses and none between words.
pub fn is_thai(character: char) -> bool {
    matches!(character, '\u{0E00}'..='\u{0E7F}')
}

/// A syllable or a letter of Korean.
pub fn is_hangul(character: char) -> bool {
    matches!(character, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}')
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

/// `rtl` or `ltr`: by the script where the tag names one, else by the language.
#[must_use]
pub fn direction(tag: &str) -> &'static str {
    const SCRIPTS: [&str; 8] = ["arab", "hebr", "thaa", "syrc", "nkoo", "adlm", "rohg", "aran"];
    const LANGUAGES: [&str; 13] = ["ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc", "syr"];
    let mut parts = tag.split(['-', '_']).skip(1);
    let script = parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let is_rtl = match script {
        Some(script) => SCRIPTS.contains(&&*script.to_ascii_lowercase()),
        None => LANGUAGES.contains(&&*primary_subtag(tag)),
    };
    if is_rtl { "rtl" } else { "ltr" }
}

/// Tells the letters of the script that a language is written in, where scripts are told apart; by its primary subtag.
#[must_use]
pub fn letters_of(primary: &str) -> Option<fn(char) -> bool> {
    let latin = |character: char| matches!(character, 'A'..='Z' | 'a'..='z' | '\u{AA}' | '\u{BA}' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}');
    let cyrillic = |character: char| matches!(character, '\u{400}'..='\u{52F}');
    let arabic =
        |character: char| matches!(character, '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' | '\u{FB50}'..='\u{FEFC}');
    let devanagari = |character: char| matches!(character, '\u{900}'..='\u{97F}');
    let japanese = |character: char| is_han(character) || is_kana(character);
    Some(match primary {
        "en" | "de" | "es" | "fr" | "pt" | "it" | "nl" | "pl" | "tr" | "sv" | "da" | "no" | "nb" | "fi" | "cs"
        | "sk" | "hu" | "ro" | "vi" | "id" | "ms" | "hr" | "sl" | "et" | "lv" | "lt" | "ca" | "eu" | "gl" | "sw" => {
            latin
        }
        "ru" | "uk" | "bg" | "be" | "mk" => cyrillic,
        "ar" | "fa" | "ur" => arabic,
        "hi" | "mr" | "ne" => devanagari,
        "ko" => is_hangul,
        "zh" => is_han,
        "ja" => japanese,
        "th" => is_thai,
        _ => return None,
    })
}

/// The letters with marks that are letters of their own in a language; `None` where every mark tells words apart.
#[must_use]
pub fn marked_letters(tag: &str) -> Option<&'static str> {
    Some(match primary_subtag(tag).as_str() {
        "de" => "äöüß",
        "es" => "áéíóúüñ",
        "fr" => "àâæçéèêëîïôœùûüÿ",
        "pt" => "áâãàçéêíóôõú",
        "it" => "àèéìíòóù",
        "pl" => "ąćęłńóśźż",
        "tr" | "az" => "çğıöşü",
        "ru" => "й",
        "uk" => "йїґ",
        "sv" | "fi" => "åäö",
        "da" | "nb" | "nn" | "no" => "åæø",
        "en" | "nl" | "id" | "ms" | "sw" | "tl" | "ar" | "hi" | "zh" | "ja" | "ko" | "fa" | "ur" | "th" => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_comes_from_script_or_language() {
        for rtl in ["ar", "he", "fa-IR", "ur", "AR", "az-Arab", "az_Arab", "ckb"] {
            assert_eq!(direction(rtl), "rtl", "{rtl}");
        }
        for ltr in ["en", "ur-Latn", "tr", "zh-Hant", "ary-x", ""] {
            assert_eq!(direction(ltr), "ltr", "{ltr}");
        }
    }

    #[test]
    fn words_are_counted_in_every_script() {
        assert_eq!(word_count("The cell is small."), 4);
        assert_eq!(word_count("光合作用"), 2);
    }
}
