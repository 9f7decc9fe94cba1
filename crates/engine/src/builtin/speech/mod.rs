//! Text made fit to be spoken, and how long speaking takes.
//!
//! A [`Voice`] speaks one language. It reads signs, formulas, units, money, code and abbreviations as a person reads them; the words
//! are data of [`language::Speech`]. What no listener could follow (a long formula, a statement of a program) is not spoken:
//! [`Voice::say`] answers `None`, and the caller shows it instead. A script never holds a sign of markup, code or mathematics.
//! The rules for words are in `prose`, those for numbers in `amounts`, those for formulas in `maths`.

mod amounts;
mod maths;
mod pieces;
mod plain;
mod prose;
mod runs;
mod signs;
#[cfg(test)]
mod tests;
mod tokens;

use language::Speech;
use language::normal::normal;
use language::numerals::{Separators, separators};
use language::pace;
use language::script::{is_thai, is_unspaced};
use language::segments;

pub(crate) use plain::{formulas, plain};

/// Shortest scene, in seconds.
const MIN_SECONDS: f64 = 3.0;

/// Speaks a language.
pub(crate) struct Voice {
    tag: String,
    speech: &'static Speech,
    separators: Separators,
    /// A number with a dot is an ordinal.
    ordinal_dots: bool,
    /// Stands for `&`.
    and: &'static str,
}

/// How long a scene takes that speaks a script, in seconds: at least 3, one decimal.
#[must_use]
pub fn scene_seconds(language: &str, script: &str) -> f64 {
    Voice::of(language).duration(script)
}

impl Voice {
    /// The voice of a language, by its tag.
    pub(crate) fn of(tag: &str) -> Self {
        Self {
            tag: tag.to_owned(),
            speech: language::speech(tag),
            separators: separators(tag),
            ordinal_dots: language::profile::of(tag).ordinal_dots,
            and: language::teaching(tag).drafts.list_and.trim(),
        }
    }

    /// A text as a narrator says it, closed like a sentence; `None` where it holds what can't be spoken, or nothing to speak.
    pub(crate) fn say(&self, text: &str) -> Option<String> {
        let said = prose::said(text, self)?;
        let said = close(&tidy(&said));
        (!said.is_empty()).then_some(said)
    }

    /// The tag of its language.
    pub(crate) fn tag(&self) -> &str {
        &self.tag
    }

    /// The words of a language's signs.
    pub(crate) fn speech(&self) -> &'static Speech {
        self.speech
    }

    /// How long a script takes, in seconds, unrounded.
    pub(crate) fn seconds(&self, script: &str) -> f64 {
        pace::seconds(&self.tag, script)
    }

    /// A scene's duration: at least 3 seconds, one decimal.
    pub(crate) fn duration(&self, script: &str) -> f64 {
        (self.seconds(script).max(MIN_SECONDS) * 10.0).round() / 10.0
    }

    /// Whether a sentence points at what only readers see: "the figure below".
    pub(crate) fn points(&self, sentence: &str) -> bool {
        let sentence = normal(sentence);
        self.speech.pointing().any(|phrase| language::normal::mentions(&sentence, phrase))
    }

    /// Whether a word carries no topic, so that no phrase ends in it.
    pub(crate) fn is_little(&self, word: &str) -> bool {
        language::profile::of(&self.tag).is_stop(&word.to_lowercase())
    }

    /// Cuts a text that takes longer than `limit` seconds, at commas where there are some.
    pub(crate) fn split(&self, text: &str, limit: f64) -> Vec<String> {
        let total = self.seconds(text);
        if total <= limit {
            return vec![text.to_owned()];
        }
        let mut parts = Vec::new();
        let mut part = String::new();
        for clause in clauses(text) {
            let pieces = if self.seconds(clause) > limit { words(clause) } else { vec![clause] };
            for piece in pieces {
                if !part.is_empty() && self.seconds(&part) + self.seconds(piece) > limit {
                    parts.push(close(&std::mem::take(&mut part)));
                }
                part.push_str(piece);
            }
        }
        parts.push(close(&part));
        parts.retain(|part| !part.is_empty());
        parts
    }
}

/// The stretches of a text that end in a pause.
fn clauses(text: &str) -> Vec<&str> {
    let ends = |(at, character): (usize, char)| {
        let end = at + character.len_utf8();
        let pause = matches!(character, '，' | '、' | '；' | '。' | '！' | '？' | '،' | '।')
            || matches!(character, ',' | ';' | ':' | '.' | '!' | '?') && text[end..].starts_with(char::is_whitespace);
        pause.then_some(end)
    };
    cut(text, text.char_indices().filter_map(ends))
}

/// The words of a text, with the white space behind them; about twelve characters where there are no spaces.
fn words(text: &str) -> Vec<&str> {
    let mut since = 0;
    let ends = text.char_indices().filter_map(|(at, character)| {
        since += 1;
        let end = at + character.len_utf8();
        let parts = || !is_thai(character) || segments::is_whole(text, end..end);
        let ends = character.is_whitespace() || is_unspaced(character) && since >= 12 && parts() || since >= 60;
        ends.then(|| {
            since = 0;
            end
        })
    });
    cut(text, ends.collect::<Vec<_>>().into_iter())
}

fn cut(text: &str, ends: impl Iterator<Item = usize>) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for end in ends.chain([text.len()]) {
        if end > start {
            parts.push(&text[start..end]);
            start = end;
        }
    }
    parts
}

/// One line without doubled marks, and without any sign that a narrator can't say.
fn tidy(text: &str) -> String {
    let kept: String =
        text.chars()
            .map(|character| match character {
                '$' | '\\' | '#' | '<' | '>' | '=' | '{' | '}' | '[' | ']' | '|' | '`' | '*' | '_' | '~' | '^'
                | '•' => ' ',
                other => other,
            })
            .collect();
    let mut said = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    for (from, to) in [
        (" ,", ","),
        (" .", "."),
        (" ;", ";"),
        ("( ", "("),
        (" )", ")"),
        ("()", ""),
        (",,", ","),
        (",.", "."),
        (" )", ")"),
    ] {
        if said.contains(from) {
            said = said.replace(from, to);
        }
    }
    unspace(&said)
}

/// Drops the spaces beside characters of scripts that have none.
fn unspace(text: &str) -> String {
    if !text.contains(is_unspaced) {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    let beside = |at: usize| {
        let neighbours = [at.checked_sub(1).and_then(|at| characters.get(at)), characters.get(at + 1)];
        neighbours.into_iter().flatten().any(|neighbour| is_unspaced(*neighbour) && !is_thai(*neighbour))
    };
    (0..characters.len()).filter(|at| characters[*at] != ' ' || !beside(*at)).map(|at| characters[at]).collect()
}

/// Ends with a mark that makes a narrator pause.
pub(crate) fn close(text: &str) -> String {
    let text = text.trim().trim_end_matches([',', ';', ':', '、', '，', '：', '–', '—', '-', '،']).trim_end();
    if !text.chars().any(char::is_alphanumeric) {
        return String::new();
    }
    let ended = text
        .trim_end_matches(['"', '”', '»', ')', '」', '’', '\'', '“'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟', '۔']);
    let stop = match text.chars().next_back() {
        Some('\u{0900}'..='\u{097F}') => "।",
        Some(last) if is_unspaced(last) && !is_thai(last) => "。",
        _ => ".",
    };
    if ended { text.to_owned() } else { format!("{text}{stop}") }
}
