//! Which of a classroom's modules are worth reading for a topic.
//!
//! Words are compared by their beginnings ("cell", "cells", "Zelle", "Zellen"), scripts without spaces
//! by neighbouring characters. What a module's title says counts most, then its description, then how
//! its content begins. The cost is bounded by the constants below, whatever is handed in.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::profile::{self, Profile};
use crate::text::script::{is_han, is_hiragana, is_katakana, is_unspaced};

/// Most of a topic, a title and a description that is read, in bytes.
const MAX_TOPIC: usize = 16_000;
const MAX_TITLE: usize = 400;
const MAX_DESCRIPTION: usize = 2_000;
/// Most of one module's content that is read, and of all together, in bytes.
const MAX_CONTENT: usize = 8_000;
const MAX_CONTENTS: usize = 1_600_000;
/// Most terms of a topic that count.
const MAX_TERMS: usize = 48;
/// Longest word that is compared, in characters.
const MAX_WORD: usize = 40;
/// Below this a module has nothing to do with the topic.
const MIN_SCORE: f64 = 0.12;

/// What a place says of a module.
const TITLE: f64 = 1.0;
const DESCRIPTION: f64 = 0.7;
const CONTENT: f64 = 0.35;

/// A module as ranking sees it. What the caller did not load is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidate<'a> {
    /// Plain text.
    pub title: &'a str,
    /// Plain text.
    pub description: &'a str,
    /// The content, or its first few thousand characters.
    pub html: &'a str,
}

/// How much a candidate has to do with the topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relevance {
    /// The candidate's place in what was handed in.
    pub index: usize,
    /// From 0 to 1.
    pub score: f64,
}

/// The candidates that have to do with `topic` (the prompts' text), the most relevant first; among
/// equals those that were handed in first. `language` is a BCP 47 tag or blank.
///
/// Pure and CPU-bound: a few milliseconds for some hundred candidates.
#[must_use]
pub fn rank_modules(topic: &str, language: &str, candidates: &[Candidate<'_>]) -> Vec<Relevance> {
    let topic = beginning(topic, MAX_TOPIC);
    let profile = profile::of_text(topic, profile::of(language));
    let terms = Terms::of(topic, profile);
    if terms.terms.is_empty() {
        return Vec::new();
    }
    let share = MAX_CONTENT.min(MAX_CONTENTS / candidates.len().max(1));
    let found: Vec<Found> = candidates.iter().map(|candidate| terms.find(candidate, share, profile)).collect();
    let weights = terms.weights(&found);
    let total: f64 = weights.iter().sum();
    let mut ranked: Vec<Relevance> = found
        .iter()
        .enumerate()
        .map(|(index, found)| {
            let carried: f64 = found.hits.iter().zip(&weights).map(|(hit, weight)| hit * weight).sum();
            // A long topic that speaks of all that a title names is about it, too.
            let score = 1.0 - (1.0 - carried / total) * (1.0 - 0.6 * found.title);
            Relevance { index, score }
        })
        .filter(|relevance| relevance.score >= MIN_SCORE)
        .collect();
    ranked.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.index.cmp(&right.index)));
    ranked
}

/// The topic's terms, found by how they begin.
struct Terms {
    terms: Vec<Term>,
    by_key: HashMap<String, Vec<usize>>,
}

struct Term {
    word: String,
    weight: f64,
}

/// What a candidate has of the topic.
struct Found {
    /// For each term, the best place where it stands.
    hits: Vec<f64>,
    /// Which part of the title's words the topic speaks of.
    title: f64,
}

impl Terms {
    fn of(topic: &str, profile: &Profile) -> Self {
        let mut counts: HashMap<String, (usize, u32)> = HashMap::new();
        let mut order = 0;
        each_term(topic, profile, &mut |word| {
            order += 1;
            counts.entry(word).or_insert((order, 0)).1 += 1;
        });
        let mut all: Vec<(String, (usize, u32))> = counts.into_iter().collect();
        all.sort_by(|(_, (first, many)), (_, (other, few))| few.cmp(many).then(first.cmp(other)));
        all.truncate(MAX_TERMS);
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        let mut terms = Vec::with_capacity(all.len());
        for (word, (_, count)) in all {
            by_key.entry(key(&word)).or_default().push(terms.len());
            let weight = f64::from(count).sqrt() * if profile.is_topicless(&word) { 0.3 } else { 1.0 };
            terms.push(Term { word, weight });
        }
        Self { terms, by_key }
    }

    fn find(&self, candidate: &Candidate<'_>, share: usize, profile: &Profile) -> Found {
        let mut hits = vec![0.0_f64; self.terms.len()];
        let (mut title, mut known) = (0.0_f64, 0.0);
        each_term(beginning(candidate.title, MAX_TITLE), profile, &mut |word| {
            title += 1.0;
            known += self.note(&word, TITLE, &mut hits);
        });
        each_term(beginning(candidate.description, MAX_DESCRIPTION), profile, &mut |word| {
            self.note(&word, DESCRIPTION, &mut hits);
        });
        each_term(&without_tags(beginning(candidate.html, share)), profile, &mut |word| {
            self.note(&word, CONTENT, &mut hits);
        });
        Found { hits, title: if title > 0.0 { known / title } else { 0.0 } }
    }

    /// Notes the terms that a word stands for; answers how well the best of them fits.
    fn note(&self, word: &str, place: f64, hits: &mut [f64]) -> f64 {
        let mut best = 0.0_f64;
        for at in self.by_key.get(&key(word)).into_iter().flatten() {
            let fit = likeness(word, &self.terms[*at].word);
            hits[*at] = hits[*at].max(place * fit);
            best = best.max(fit);
        }
        best
    }

    /// A term that few candidates have tells more than one that all have.
    fn weights(&self, found: &[Found]) -> Vec<f64> {
        let weight = |(at, term): (usize, &Term)| {
            let with = found.iter().filter(|found| found.hits[at] > 0.0).count();
            term.weight * (1.5 + found.len() as f64 / (1.0 + with as f64)).ln()
        };
        self.terms.iter().enumerate().map(weight).collect()
    }
}

/// Calls back with each word that may be a topic, in lower case.
fn each_term(text: &str, profile: &Profile, say: &mut impl FnMut(String)) {
    let mut run: Vec<char> = Vec::new();
    for character in text.chars().chain([' ']) {
        if is_unspaced(character) && character.is_alphanumeric() && !is_hiragana(character) {
            run.push(character);
            continue;
        }
        // Han and katakana say something in twos, the alphabets without spaces in fours.
        let ideographs = run.first().is_some_and(|first| is_han(*first) || is_katakana(*first));
        run.windows(if ideographs { 2 } else { 4 }).for_each(|window| say(window.iter().collect()));
        run.clear();
    }
    for word in text.unicode_words().filter(|word| !word.starts_with(is_unspaced)) {
        let word: String = word.chars().take(MAX_WORD).flat_map(char::to_lowercase).collect();
        let word = without_article(&word);
        let long = word.chars().nth(2).is_some() || word.contains(is_hangul);
        if long && !profile.is_stop(word) {
            say(word.to_owned());
        }
    }
}

/// The Arabic article, also behind "and" and "with".
fn without_article(word: &str) -> &str {
    let bare = ["وال", "بال", "كال", "ال", "لل"].iter().find_map(|article| word.strip_prefix(article));
    bare.filter(|bare| bare.chars().nth(1).is_some()).unwrap_or(word)
}

fn is_hangul(character: char) -> bool {
    matches!(character, '\u{AC00}'..='\u{D7A3}')
}

/// Words that may be alike have the same key.
fn key(word: &str) -> String {
    word.chars().take(if word.starts_with(is_hangul) { 2 } else { 3 }).collect()
}

/// How well two words agree, from 0 to 1: the same, the same with another ending, one inside the other.
fn likeness(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let (first, second) = (one.chars().count(), other.chars().count());
    let (longer, shorter) = (first.max(second), first.min(second));
    let cyrillic = one.starts_with(|first: char| matches!(first, '\u{400}'..='\u{4FF}'));
    let ending = match shared {
        _ if one.starts_with(is_hangul) => shared >= 2 && shared + 2 >= longer,
        0..=2 => false,
        3 => cyrillic && longer <= 5 && shorter >= 4,
        4 => longer <= if cyrillic { 6 } else { 5 },
        _ => shared + 3 >= longer,
    };
    if ending {
        0.85
    } else if shared == shorter && shorter >= 6 {
        0.6
    } else {
        0.0
    }
}

/// The text between tags.
fn without_tags(html: &str) -> String {
    let (first, rest) = html.split_once('<').unwrap_or((html, ""));
    let mut text = first.to_owned();
    for piece in rest.split('<') {
        text.push(' ');
        text.push_str(piece.split_once('>').map_or("", |(_, text)| text));
    }
    text
}

fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(language: &str, topic: &str, titles: &[&str]) -> Vec<usize> {
        let candidates: Vec<Candidate<'_>> =
            titles.iter().map(|title| Candidate { title, ..Candidate::default() }).collect();
        rank_modules(topic, language, &candidates).into_iter().map(|relevance| relevance.index).collect()
    }

    #[test]
    fn modules_on_the_topic_come_first_in_any_language() {
        assert_eq!(
            best("en", "How the division of plant cells works", &["The French Revolution", "The cell", "Division of cells"]),
            [2, 1]
        );
        assert_eq!(best("de", "Aufbau der Zelle", &["Die Weimarer Republik", "Zellen und ihr Aufbau"]), [1]);
        assert_eq!(best("ru", "Свойства воды", &["Вода и её свойства", "Атомы"]), [0]);
        assert_eq!(best("ar", "الخلية النباتية", &["الثورة الفرنسية", "خلية الحيوان"]), [1]);
        assert_eq!(best("zh", "植物的光合作用", &["法国大革命", "光合作用"]), [1]);
        assert_eq!(best("ja", "光合成について", &["フランス革命", "植物の光合成"]), [1]);
        assert_eq!(best("ko", "광합성의 과정", &["프랑스 혁명", "광합성은 무엇인가"]), [1]);
        assert_eq!(best("hi", "प्रकाश संश्लेषण", &["फ्रांस की क्रांति", "प्रकाश संश्लेषण क्या है"]), [1]);
    }

    #[test]
    fn what_has_nothing_to_do_with_the_topic_is_left_out() {
        assert!(best("en", "the of and", &["The and of"]).is_empty());
        assert!(best("en", "...", &["Dots"]).is_empty() && best("en", "", &[""]).is_empty());
        assert!(best("en", "a plan", &["Planets", "Plants"]).is_empty());
    }

    #[test]
    fn titles_count_more_than_descriptions_and_those_more_than_content() {
        let say = "osmosis";
        let candidates = [
            Candidate { html: "<p class=\"osmosis\">x</p>", ..Candidate::default() },
            Candidate { html: "<p>osmosis</p>", ..Candidate::default() },
            Candidate { description: say, ..Candidate::default() },
            Candidate { title: say, ..Candidate::default() },
        ];
        let ranked = rank_modules("Osmosis", "en", &candidates);
        assert_eq!(ranked.iter().map(|relevance| relevance.index).collect::<Vec<_>>(), [3, 2, 1]);
        assert!(ranked.iter().all(|relevance| (0.0..=1.0).contains(&relevance.score)), "{ranked:?}");
    }

    #[test]
    fn a_long_topic_finds_a_module_that_it_speaks_of() {
        let topic =
            format!("{} Photosynthesis feeds the plant. {}", "Rivers carry water. ".repeat(40), "Hm. ".repeat(9));
        assert_eq!(best("en", &topic, &["Photosynthesis", "Volcanoes"]), [0]);
    }
}
