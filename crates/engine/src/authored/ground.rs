//! Whether a text stands on the material: what it names has to stand there.
//!
//! A model's typical invention is a number, then a name, a date or a quotation. These can be told by code: numbers in
//! every language; names and quotations where the draft speaks the language of the material and that language writes
//! names, and not all nouns, with capitals. Whether a sentence without any of them is true can't be told here.

use std::collections::{BTreeSet, HashSet};

use language::normal::normal;
use language::profile::{self, Profile};
use language::sentences;
use unicode_segmentation::UnicodeSegmentation;

use super::sources::Sources;
use super::wording::primary;

/// Opening and closing marks of quotations.
const QUOTES: [(char, char); 5] = [('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('"', '"')];
/// Most of the material that its language is told from, in characters.
const SAMPLE: usize = 4_000;

/// Everything that the material names.
pub(super) struct Ground {
    profile: &'static Profile,
    /// False where the model may say what it knows: nothing is an invention then.
    holds: bool,
    /// Names and quotations can be told.
    tells_names: bool,
    numbers: HashSet<String>,
    /// In lower case.
    words: BTreeSet<String>,
    text: String,
}

impl Ground {
    pub(super) fn of(sources: &Sources) -> Self {
        Self::beside(sources, &[])
    }

    /// As [`Ground::of`]; what stands in `own`, such as the resource that is edited, may be named as well.
    pub(super) fn beside(sources: &Sources, own: &[String]) -> Self {
        let all: String = sources.texts().chain(own.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
        let profile = profile::of(&sources.language);
        let sample: String = all.chars().take(SAMPLE).collect();
        let same = profile::guess(&sample).is_none_or(|tag| tag == primary(&sources.language));
        let known = profile.tag == primary(&sources.language);
        Self {
            profile,
            holds: !sources.names_only_a_topic,
            tells_names: same && known && !profile.nouns_are_capitalised,
            numbers: numbers(&all).into_iter().flat_map(|number| number.readings).collect(),
            words: all.unicode_words().map(str::to_lowercase).collect(),
            text: normal(&all),
        }
    }

    /// What a text names that the material does not, in words for the model.
    pub(super) fn inventions(&self, text: &str) -> Vec<String> {
        self.inventions_beside(text, &[])
    }

    /// As [`Ground::inventions`], in a heading or a cell: what stands with a capital there need not be a name.
    pub(super) fn inventions_in_heading(&self, heading: &str) -> Vec<String> {
        if !self.holds {
            return Vec::new();
        }
        let mut found = self.invented_numbers(heading);
        if self.tells_names {
            found.extend(self.invented_quotations(heading, ""));
        }
        found
    }

    /// As [`Ground::inventions`]; what stands in `own` may be quoted and named as well.
    pub(super) fn inventions_beside(&self, text: &str, own: &[&str]) -> Vec<String> {
        if !self.holds {
            return Vec::new();
        }
        let own = normal(&own.join("\n"));
        let mut found = self.invented_numbers(text);
        if self.tells_names {
            found.extend(self.invented_quotations(text, &own));
            found.extend(self.invented_names(text, &own));
        }
        found
    }

    /// The text without the sentences that name what the material does not, and how many those were.
    pub(super) fn without_inventions(&self, text: &str) -> (String, usize) {
        if self.inventions(text).is_empty() {
            return (text.to_owned(), 0);
        }
        let all = sentences::split(text, self.profile);
        let kept: Vec<&str> = all.iter().copied().filter(|sentence| self.inventions(sentence).is_empty()).collect();
        let dropped = all.len() - kept.len();
        (sentences::joined(kept.into_iter()), dropped)
    }

    fn invented_numbers(&self, text: &str) -> Vec<String> {
        let told = numbers(text).into_iter().filter(|number| {
            !number.only_counts && !number.readings.iter().any(|reading| self.numbers.contains(reading))
        });
        told.map(|number| format!("the number {} stands in none of the excerpts", number.written)).collect()
    }

    fn invented_quotations(&self, text: &str, own: &str) -> Vec<String> {
        let invented = quotations(text).into_iter().filter(|quoted| {
            let words = normal(quoted);
            !words.is_empty() && !self.text.contains(&words) && !own.contains(&words) && {
                // A single term may be bent: "cells" for "cell".
                let mut parts = words.unicode_words();
                let single = parts.next().filter(|_| parts.next().is_none());
                single.is_none_or(|word| !self.knows(word))
            }
        });
        invented.map(|quoted| format!("“{quoted}” is quoted, but stands in none of the excerpts")).collect()
    }

    fn invented_names(&self, text: &str, own: &str) -> Vec<String> {
        let mut found = Vec::new();
        for sentence in sentences::split(text, self.profile) {
            if is_title(sentence) {
                continue;
            }
            let mut end = 0;
            for (at, word) in sentence.unicode_word_indices() {
                let between = &sentence[end..at];
                let opens = end == 0 || between.contains([':', '“', '„', '«', '"', '(', '‘', '\n', '|', '—', '–', '•']);
                end = at + word.len();
                let capital = word.chars().next().is_some_and(char::is_uppercase);
                let letters = word.chars().filter(|character| character.is_alphabetic()).count();
                if capital && !opens && letters > 2 && !self.knows(word) && !own.contains(&word.to_lowercase()) {
                    found.push(format!("the name {word} stands in none of the excerpts"));
                }
            }
        }
        found
    }

    /// Whether the material has the word, perhaps with another ending.
    fn knows(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let length = word.chars().count();
        let stem: String = word.chars().take((length * 3).div_ceil(4).max(3)).collect();
        self.words.range(stem.clone()..).next().is_some_and(|known| known.starts_with(&stem))
    }
}

/// Written Like This, where capitals tell no names.
fn is_title(sentence: &str) -> bool {
    let longer = sentence.unicode_words().skip(1).filter(|word| word.chars().count() > 3);
    let (capitals, others): (Vec<&str>, Vec<&str>) =
        longer.partition(|word| word.chars().next().is_some_and(char::is_uppercase));
    capitals.len() > 2 && capitals.len() > 2 * others.len()
}

/// A number of a text.
#[derive(Debug, PartialEq, Eq)]
struct Number {
    written: String,
    /// Its digits alone, with and without the groups behind spaces that may belong to it.
    readings: Vec<String>,
    /// A single digit without a unit: it may count what is there.
    only_counts: bool,
}

fn numbers(text: &str) -> Vec<Number> {
    let characters: Vec<char> = text.chars().collect();
    let mut found: Vec<Number> = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if digit(characters[at]).is_none() {
            at += 1;
            continue;
        }
        let start = at;
        let mut digits = String::new();
        while let Some(character) = characters.get(at) {
            let next = characters.get(at + 1).copied();
            match digit(*character) {
                Some(value) => digits.push(value),
                None if separates(*character) && next.is_some_and(|next| digit(next).is_some()) => {}
                None => break,
            }
            at += 1;
        }
        let written: String = characters[start..at].iter().collect();
        let unit = characters[at..]
            .iter()
            .find(|next| **next != ' ')
            .is_some_and(|next| matches!(next, '%' | '°' | '‰' | '€' | '$' | '£'));
        let of = |written: &str, digits: &str| Number {
            written: written.to_owned(),
            readings: vec![bare(digits, written)],
            only_counts: digits.len() == 1 && !unit,
        };
        if is_date(&written) {
            found.extend(written.split('.').map(|part| of(part, part)));
            continue;
        }
        let number = of(&written, &digits);
        let grouped =
            digits.len() == 3 && start > 1 && characters[start - 1] == ' ' && digit(characters[start - 2]).is_some();
        match found.last_mut().filter(|_| grouped) {
            // "1 200": one number or two; either reading will do.
            Some(last) => {
                let joined = format!("{}{digits}", last.readings[0]);
                last.written = format!("{} {}", last.written, number.written);
                last.readings.extend(number.readings);
                last.readings.insert(0, joined);
                last.only_counts = false;
            }
            None => found.push(number),
        }
    }
    found
}

fn separates(character: char) -> bool {
    matches!(character, '.' | ',' | '\'' | '’' | '\u{A0}' | '\u{202F}' | '٫' | '٬')
}

/// A decimal digit of any script that courses are written in.
fn digit(character: char) -> Option<char> {
    let zero = match character {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6F0}'..='\u{6F9}' => '\u{6F0}',
        '\u{966}'..='\u{96F}' => '\u{966}',
        '\u{FF10}'..='\u{FF19}' => '\u{FF10}',
        _ => return None,
    };
    char::from_digit(character as u32 - zero as u32, 10)
}

/// A day as some languages write it: 3.10.1990.
fn is_date(written: &str) -> bool {
    let parts: Vec<usize> = written.split('.').map(str::len).collect();
    matches!(parts[..], [1 | 2, 1 | 2, 2 | 4]) && written.is_ascii()
}

/// Digits without leading zeros where they are a whole number: the 05 of a date is 5.
fn bare(digits: &str, written: &str) -> String {
    let whole = written.chars().all(|character| digit(character).is_some());
    let bare = if whole { digits.trim_start_matches('0') } else { digits };
    if bare.is_empty() { "0".to_owned() } else { bare.to_owned() }
}

fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, mark)| QUOTES.iter().any(|(open, _)| open == mark)) {
        let inner = &rest[at + open.len_utf8()..];
        let close = QUOTES.iter().find(|(known, _)| *known == open).map_or(open, |(_, close)| *close);
        let Some(end) = inner.find(close) else { break };
        found.push(inner[..end].trim());
        rest = &inner[end + close.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::sources::Wish;
    use super::*;

    const MATERIAL: &str = "In 1838 the botanist Matthias Schleiden said that plants are made of cells. A cell measures \
        about 1,200 micrometres or 0.05 inches. Cells divide. \"Every cell comes from a cell\" is an old rule. There are \
        12 000 kinds of moss and the share of water is 70 %. Plants take light and water and make sugar of both of them. \
        They give back oxygen, which people and animals breathe. All living things are made of one cell or of many cells. \
        A wall is around the cell of a plant. It is firm and keeps the plant upright. The nucleus holds the plan of it \
        all, and the cell follows the plan when it divides into two. Then there are two cells, and each has the same plan.";

    fn ground(language: &str, text: &str) -> Ground {
        Ground::of(&Sources::of_request(language, "", &[Wish { pointer: "/topicPrompt", text }], &[]).unwrap())
    }

    #[test]
    fn numbers_that_stand_nowhere_are_inventions() {
        let ground = ground("en", MATERIAL);
        for told in [
            "It was in 1838.",
            "It measures 1200 micrometres.",
            "There are 12000 kinds.",
            "There are 12 000 kinds, 70% of it water.",
            "The 2 cells divide into 4.",
            "It is ０.05 wide.",
        ] {
            assert!(ground.inventions(told).is_empty(), "{told}: {:?}", ground.inventions(told));
        }
        for invented in
            ["It was in 1839.", "It makes 37 % of it.", "Only 5 % are left.", "Some 9 999 kinds.", "١٢٣ cells"]
        {
            assert_eq!(ground.inventions(invented).len(), 1, "{invented}");
        }
    }

    #[test]
    fn names_and_quotations_that_stand_nowhere_are_inventions() {
        let ground = ground("en", MATERIAL);
        for told in [
            "Then Matthias Schleiden looked at Plants.",
            "The rule is “every cell comes from a cell”.",
            "The “cells” divide.",
            "Remember: Mosses are plants.",
            "The Wonderful World Under Microscopes",
        ] {
            assert!(ground.inventions(told).is_empty(), "{told}: {:?}", ground.inventions(told));
        }
        for invented in ["Later Rudolf saw cells.", "They say “all is water”.", "The \"mitochondria\" divide."] {
            assert_eq!(ground.inventions(invented).len(), 1, "{invented}: {:?}", ground.inventions(invented));
        }
        assert!(ground.inventions_in_heading("Why It Matters").is_empty());
        assert_eq!(ground.inventions_in_heading("Cells Since 1999").len(), 1);
        assert!(ground.inventions_beside("They say “all is water”.", &["All is water"]).is_empty());
    }

    #[test]
    fn a_sentence_with_an_invention_is_dropped_and_the_others_stay() {
        let (kept, dropped) =
            ground("en", MATERIAL).without_inventions("Cells divide. In 1999 they stopped. They are small.");
        assert_eq!((kept.as_str(), dropped), ("Cells divide. They are small.", 1));
    }

    #[test]
    fn in_another_language_only_numbers_can_be_told() {
        let ground = ground("de", MATERIAL);
        assert!(ground.inventions("Der Botaniker Rudolf sprach von „allem Wasser“.").is_empty());
        assert_eq!(ground.inventions("Es war 1839.").len(), 1);
    }

    #[test]
    fn where_nothing_is_taught_nothing_is_an_invention() {
        assert!(ground("en", "Photosynthesis").inventions("In 1779 Jan Ingenhousz saw it.").is_empty());
    }
}
