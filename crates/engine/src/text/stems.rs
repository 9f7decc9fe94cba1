//! Words cut to what their forms have in common.

use std::collections::HashSet;

use language::script::is_unspaced;

/// Letters that a word is compared by.
const STEM: usize = 6;

/// The stems of words, or pairs of characters where words are not set apart. `text` is normal.
pub(crate) fn stems(text: &str) -> HashSet<String> {
    if text.contains(is_unspaced) {
        let characters: Vec<char> = text.chars().filter(|character| character.is_alphanumeric()).collect();
        return characters.windows(2).map(|pair| pair.iter().collect()).collect();
    }
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().nth(3).is_some() || word.contains(|digit: char| digit.is_numeric()))
        .map(|word| word.chars().take(STEM).collect())
        .collect()
}
