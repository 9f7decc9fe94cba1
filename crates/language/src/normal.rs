//! Texts made comparable: what is the same to a reader compares equal.

use crate::script::is_thai;
use crate::segments;

/// Longest Thai word that a cut leaves out as a whole, in characters.
const LONGEST_WORD: usize = 24;

/// Lower case, single spaces, no punctuation at the ends.
pub fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.extend(word.chars().flat_map(char::to_lowercase));
    }
    let outer = |character: char| {
        character.is_ascii_punctuation() && !matches!(character, '+' | '-' | '%' | '#' | '$' | '*' | '=' | '<' | '>')
            || matches!(
                character,
                '。' | '、'
                    | '！'
                    | '？'
                    | '“'
                    | '”'
                    | '«'
                    | '»'
                    | '„'
                    | '「'
                    | '」'
                    | '،'
                    | '؟'
                    | '।'
                    | '…'
                    | ' '
            )
    };
    let trimmed = normal.trim_matches(outer);
    if trimmed.is_empty() { normal } else { trimmed.to_owned() }
}

/// Whether `text` holds `part` as whole words, both normalised. In scripts without spaces any
/// occurrence counts.
pub fn mentions(text: &str, part: &str) -> bool {
    occurrences(text, part) > 0
}

/// How often `text` holds `part` as whole words; both as they are.
pub fn occurrences(text: &str, part: &str) -> usize {
    positions(text, part).count()
}

/// Where `text` holds `part` as whole words.
pub fn positions<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    let found = if part.is_empty() { None } else { Some(text.match_indices(part)) };
    found.into_iter().flatten().map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + part.len()..].chars().next();
        !joins(before, part.chars().next()) && !joins(part.chars().next_back(), after)
    })
}

/// Two neighbours that belong to one word.
fn joins(left: Option<char>, right: Option<char>) -> bool {
    let part_of_word = |character: char| character.is_alphanumeric() && !super::script::is_unspaced(character);
    left.is_some_and(part_of_word) && right.is_some_and(part_of_word)
}

/// A small stable hash (FNV-1a), for choices that should vary but never change.
pub fn stable_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Cuts at a word's end to at most `words` words and `characters` characters, with an ellipsis; within a word where
/// only signs would be left.
pub fn shorten(text: &str, words: usize, characters: usize) -> String {
    let mut count = 0;
    let mut last_fit = 0;
    let mut in_words = 0;
    let mut previous_space = true;
    for (at, character) in text.char_indices() {
        let space = character.is_whitespace();
        if space || super::script::is_unspaced(character) {
            last_fit = at;
        }
        in_words += usize::from(previous_space && !space);
        previous_space = space;
        count += 1;
        if in_words > words || count > characters {
            let end = if text[..last_fit].contains(char::is_alphanumeric) { last_fit } else { at };
            let end = thai_word_end(text, end);
            let kept = text[..end].trim_end_matches(|character: char| {
                character.is_whitespace() || matches!(character, ',' | ';' | ':' | '、' | '，' | '(' | '–' | '-')
            });
            return format!("{kept}…");
        }
    }
    text.to_owned()
}

/// Where the last Thai word ends that a cut at `end` leaves whole: a letter without its marks is another one.
fn thai_word_end(text: &str, end: usize) -> usize {
    if !text[..end].ends_with(is_thai) || !text[end..].starts_with(is_thai) {
        return end;
    }
    let before = text[..end].char_indices().rev().map(|(at, _)| at).take(LONGEST_WORD);
    let ends = std::iter::once(end).chain(before).filter(|at| *at > 0);
    ends.into_iter().find(|at| segments::is_whole(text, *at..*at)).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms() {
        assert_eq!(normal("  The  Cell. "), "the cell");
        assert_eq!(normal("-3"), "-3");
        assert_eq!(normal("..."), "...");
    }

    #[test]
    fn whole_words_only() {
        assert_eq!(occurrences("cell cells cell", "cell"), 2);
        assert_eq!(occurrences("光合作用と光", "光合作用"), 1);
    }

    #[test]
    fn shortens_at_words() {
        assert_eq!(shorten("one two three", 2, 80), "one two…");
        assert_eq!(shorten("short", 2, 80), "short");
        assert_eq!(shorten("พืชสร้างอาหารด้วยแสง", 9, 10), "พืชสร้าง…");
        assert!(shorten(&"x".repeat(100), 12, 79).chars().count() <= 80);
    }
}
