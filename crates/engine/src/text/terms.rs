//! The words and names that a text is about.
//!
//! Marks of emphasis and capitals count most, then frequency. Only words that may be nouns are taken,
//! because a learner is asked for them; in scripts without spaces, runs of characters that come back.

mod thai;

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use language::profile::{Profile, Style};
use language::script::{is_han, is_katakana, is_unspaced};
use language::segments;

/// Longest term, in characters.
const MAX_TERM: usize = 40;

/// A term with the weight of its evidence.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) text: String,
    pub(crate) weight: f64,
}

#[derive(Default)]
struct Seen {
    shown: String,
    count: u32,
    capitals: u32,
    marked: bool,
    words: u32,
    /// Stood once where only a noun stands: behind an opener, with nothing topical behind it.
    noun: bool,
    /// The signs around it, in Thai.
    neighbours: thai::Neighbours,
}

/// The terms of some sentences with their marked stretches, best first.
pub(crate) fn find<'t>(sentences: impl Iterator<Item = (&'t str, &'t [String])>, profile: &Profile) -> Vec<Candidate> {
    let mut seen: HashMap<String, Seen> = HashMap::new();
    for (sentence, marks) in sentences {
        for mark in marks {
            note_mark(&mut seen, mark, profile);
        }
        match profile.style {
            Style::Chinese => note_compounds(&mut seen, sentence),
            Style::Japanese => note_runs(&mut seen, sentence),
            Style::Thai => thai::note(&mut seen, sentence, profile),
            _ => note_words(&mut seen, sentence, profile),
        }
    }
    match profile.style {
        Style::Thai => thai::drop_parts(&mut seen),
        _ => drop_parts(&mut seen),
    }
    let mut candidates: Vec<Candidate> = seen.into_values().filter_map(|seen| weigh(seen, profile)).collect();
    candidates.sort_by(|left, right| right.weight.total_cmp(&left.weight).then_with(|| left.text.cmp(&right.text)));
    candidates
}

fn note_mark(seen: &mut HashMap<String, Seen>, mark: &str, profile: &Profile) {
    let mark = mark
        .trim_matches(|character: char| !character.is_alphanumeric() && !matches!(character, '(' | ')' | '+' | '#'));
    let lower = mark.to_lowercase();
    let words = mark.split_whitespace().count();
    let fits = (2..=MAX_TERM).contains(&mark.chars().count()) && words <= 4 && mark.chars().any(char::is_alphabetic);
    if fits && !profile.is_topicless(&lower) {
        let entry = note(seen, lower, mark, words);
        entry.marked = true;
    }
}

fn note<'s>(seen: &'s mut HashMap<String, Seen>, key: String, shown: &str, words: usize) -> &'s mut Seen {
    let entry = seen.entry(key).or_default();
    if entry.shown.is_empty() {
        shown.clone_into(&mut entry.shown);
    }
    entry.count += 1;
    entry.words = u32::try_from(words).unwrap_or(1);
    entry
}

/// A word of a sentence as counting sees it.
struct Token<'t> {
    start: usize,
    end: usize,
    lower: String,
    text: &'t str,
    topical: bool,
}

fn tokens<'t>(sentence: &'t str, profile: &Profile) -> Vec<Token<'t>> {
    let word = |(start, text): (usize, &'t str)| {
        let lower = text.to_lowercase();
        let letters = text.chars().all(|character| character.is_alphabetic() || matches!(character, '\'' | '’' | '-'));
        let topical = letters && text.chars().count() >= 3 && !profile.is_topicless(&lower);
        Token { start, end: start + text.len(), lower, text, topical }
    };
    sentence.unicode_word_indices().map(word).collect()
}

fn note_words(seen: &mut HashMap<String, Seen>, sentence: &str, profile: &Profile) {
    let tokens = tokens(sentence, profile);
    let adjacent = |left: &Token<'_>, right: &Token<'_>| matches!(&sentence[left.end..right.start], " " | "-");
    let topical_at = |at: usize| tokens.get(at).is_some_and(|token| token.topical && adjacent(&tokens[at - 1], token));
    let opened = |at: usize| at > 0 && profile.opens_noun(&tokens[at - 1].lower);
    let mut name: Vec<(usize, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let capital = token.text.starts_with(char::is_uppercase);
        let goes_on = at > 0 && !name.is_empty() && adjacent(&tokens[at - 1], token);
        if !(capital && token.topical && goes_on) {
            note_name(seen, sentence, &name);
            name.clear();
        }
        if capital && token.topical {
            name.push((token.start, token.end));
        }
        if !token.topical || !profile.may_be_noun(&token.lower) {
            continue;
        }
        let pair = at > 0
            && topical_at(at)
            && tokens[at - 1].topical
            && profile.may_be_noun(&tokens[at - 1].lower)
            && !profile.nouns_are_capitalised;
        if pair {
            let shown = &sentence[tokens[at - 1].start..token.end];
            let entry = note(seen, format!("{} {}", tokens[at - 1].lower, token.lower), shown, 2);
            entry.noun |= opened(at - 1) && !topical_at(at + 1);
        }
        let entry = note(seen, token.lower.clone(), token.text, 1);
        entry.noun |= opened(at) && !topical_at(at + 1);
        if capital && at > 0 {
            entry.capitals += 1;
        } else if !capital {
            token.text.clone_into(&mut entry.shown);
        }
    }
    note_name(seen, sentence, &name);
}

/// Two to four capitalised words in a row are a name.
fn note_name(seen: &mut HashMap<String, Seen>, sentence: &str, name: &[(usize, usize)]) {
    if let ([first, .., last], 2..=4) = (name, name.len()) {
        let shown = &sentence[first.0..last.1];
        let entry = note(seen, shown.to_lowercase(), shown, name.len());
        entry.capitals += 1;
        shown.clone_into(&mut entry.shown);
    }
}

/// Runs of ideographs and of katakana: Japanese writes what is between nouns in hiragana.
fn note_runs(seen: &mut HashMap<String, Seen>, sentence: &str) {
    let runs = sentence.split(|character: char| !is_han(character) && !is_katakana(character));
    for run in runs.filter(|run| (2..=10).contains(&run.chars().count())) {
        note(seen, run.to_owned(), run, 1);
    }
}

/// Chinese words, and two or three of them in a row: dictionaries divide compounds.
fn note_compounds(seen: &mut HashMap<String, Seen>, sentence: &str) {
    const FUNCTION: &str = "的了在是和与及或等把被对为于从到而以其之这那我你他她它们不都也就还又很最因但所每个一二三四五六七八九十有会可要让使由上下中里后前年月称叫做将并且如果没着给";
    let is_topical = |word: &str| {
        word.chars().all(|character| is_han(character) || is_katakana(character))
            && word.contains(|character| !FUNCTION.contains(character))
    };
    let words = segments::words(sentence);
    for first in 0..words.len() {
        let start = words[first].0;
        let mut end = start;
        for (at, word) in words[first..].iter().take(3) {
            if *at != end || !is_topical(word) {
                break;
            }
            end += word.len();
            let piece = &sentence[start..end];
            if (2..=6).contains(&piece.chars().count()) {
                note(seen, piece.to_owned(), piece, 1);
            }
        }
    }
}

/// A piece that only ever stands inside a longer one is no term of its own.
fn drop_parts(seen: &mut HashMap<String, Seen>) {
    let mut parts = Vec::new();
    for (key, entry) in seen.iter() {
        let unspaced = key.chars().next().is_some_and(is_unspaced);
        let words = if unspaced { Vec::new() } else { key.split(' ').collect::<Vec<_>>() };
        if unspaced && key.chars().count() > 2 && entry.count > 1 {
            let head = &key[..key.len() - key.chars().next_back().map_or(0, char::len_utf8)];
            let tail = &key[key.chars().next().map_or(0, char::len_utf8)..];
            parts.extend(
                [head, tail]
                    .iter()
                    .filter(|part| seen.get(**part).is_some_and(|seen| seen.count <= entry.count && !seen.marked))
                    .map(|part| (*part).to_owned()),
            );
        } else if words.len() > 1 && (entry.count > 1 || entry.capitals > 0) {
            parts.extend(
                words
                    .iter()
                    .filter(|part| seen.get(**part).is_some_and(|seen| seen.count <= entry.count && !seen.marked))
                    .map(|part| (*part).to_owned()),
            );
        }
    }
    for part in parts {
        seen.remove(&part);
    }
}

fn weigh(seen: Seen, profile: &Profile) -> Option<Candidate> {
    let count = f64::from(seen.count);
    let length = seen.shown.chars().count();
    let unspaced = seen.shown.starts_with(is_unspaced);
    if length > MAX_TERM {
        return None;
    }
    let name = seen.capitals > 0 && seen.capitals * 2 >= seen.count && !profile.nouns_are_capitalised;
    let weight = if seen.marked {
        6.0 + count
    } else if unspaced {
        let compound = length >= 4 || length >= 3 && profile.style == Style::Japanese;
        if seen.count < 2 && (!compound || matches!(profile.style, Style::Chinese | Style::Thai)) {
            return None;
        } else {
            count * length as f64 / 2.0
        }
    } else if name {
        1.5 + count * f64::from(seen.words)
    } else if profile.nouns_are_capitalised {
        if seen.capitals == 0 || length < 4 { return None } else { count + length as f64 / 12.0 }
    } else if profile.knows_openers() && !seen.noun {
        return None;
    } else if seen.words > 1 {
        if seen.count < 2 { return None } else { count * 1.8 }
    } else if length >= 4 && (seen.count >= 2 || length >= 8 && seen.noun) {
        count * if length >= 5 { 1.0 } else { 0.7 } - if seen.count == 1 { 0.6 } else { 0.0 }
    } else {
        return None;
    };
    Some(Candidate { text: seen.shown, weight })
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn terms(language: &str, sentences: &[&str]) -> Vec<String> {
        find(sentences.iter().map(|sentence| (*sentence, &[][..])), profile::of(language))
            .into_iter()
            .map(|candidate| candidate.text)
            .collect()
    }

    #[test]
    fn finds_names_and_words_that_come_back() {
        let found = terms(
            "en",
            &[
                "In 1687 Isaac Newton described gravity.",
                "The planets feel the force of gravity, and gravity pulls on the planets.",
                "The cell membrane is thin; a cell membrane is soft.",
            ],
        );
        for term in ["Isaac Newton", "gravity", "planets", "cell membrane"] {
            assert!(found.iter().any(|found| found.eq_ignore_ascii_case(term)), "{term} in {found:?}");
        }
        assert!(!found.iter().any(|found| ["the", "Isaac", "membrane"].contains(&found.as_str())), "{found:?}");
    }

    #[test]
    fn finds_terms_without_spaces() {
        let found =
            terms("zh", &["植物通过光合作用制造养分。", "光合作用需要阳光和水。", "叶绿体吸收阳光。", "叶绿体很小。"]);
        assert!(found.contains(&"光合作用".to_owned()) && found.contains(&"叶绿体".to_owned()), "{found:?}");
        assert!(terms("ja", &["ミトコンドリアは細胞の中にある。"]).contains(&"ミトコンドリア".to_owned()));
        let found = terms("th", &["คลอโรฟิลล์ดูดกลืนแสงอาทิตย์", "ใบไม้มีคลอโรฟิลล์มาก", "แสงอาทิตย์ให้พลังงาน", "รากดูดน้ำและแร่ธาตุ"]);
        assert!(found.contains(&"คลอโรฟิลล์".to_owned()) && found.contains(&"แสงอาทิตย์".to_owned()), "{found:?}");
        assert!(!found.iter().any(|term| ["คลอ", "โรฟิลล์", "อาทิตย์"].contains(&term.as_str())), "{found:?}");
    }
}
