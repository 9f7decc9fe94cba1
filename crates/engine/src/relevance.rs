//! Which of a classroom's modules are worth reading for a topic.
//!
//! Words are compared by their beginnings ("cell", "cells", "Zelle", "Zellen"), Chinese and Japanese by
//! neighbouring characters. What a module's title says counts most, then its description, then how
//! its content begins. The cost is bounded by the constants below, whatever is handed in.

use std::collections::{HashMap, HashSet};

use language::profile::{self, Profile};
use language::script::{is_han, is_kana, is_katakana, is_unspaced};
use language::segments;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::orders;

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
    let profile = profile::of_text(beginning(topic, MAX_TOPIC), profile::of(language));
    Index::new(candidates, profile).rank(topic)
}

/// Candidates by their words, to be asked about many topics.
pub(crate) struct Index {
    profile: &'static Profile,
    /// Where the words stand that begin alike.
    postings: HashMap<String, Vec<Posting>>,
    /// Of each word of a title, whose title it is.
    titles: Vec<usize>,
    count: usize,
}

/// A word of a candidate, at the best place where it stands.
struct Posting {
    candidate: usize,
    word: String,
    place: f64,
    /// Its number among the words of all titles.
    title: Option<usize>,
}

impl Index {
    pub(crate) fn new(candidates: &[Candidate<'_>], profile: &'static Profile) -> Self {
        let share = MAX_CONTENT.min(MAX_CONTENTS / candidates.len().max(1));
        let mut index = Self { profile, postings: HashMap::new(), titles: Vec::new(), count: candidates.len() };
        for (at, candidate) in candidates.iter().enumerate() {
            let mut seen: HashSet<String> = HashSet::new();
            let mut add = |text: &str, place: f64| {
                each_term(text, profile, &mut |word| {
                    if seen.insert(word.clone()) {
                        index.add(at, word, place);
                    }
                });
            };
            add(beginning(candidate.title, MAX_TITLE), TITLE);
            add(beginning(candidate.description, MAX_DESCRIPTION), DESCRIPTION);
            add(&without_tags(beginning(candidate.html, share)), CONTENT);
        }
        index
    }

    fn add(&mut self, candidate: usize, word: String, place: f64) {
        let title = (place == TITLE).then_some(self.titles.len());
        if title.is_some() {
            self.titles.push(candidate);
        }
        self.postings.entry(key(&word)).or_default().push(Posting { candidate, word, place, title });
    }

    /// As [`rank_modules`].
    pub(crate) fn rank(&self, topic: &str) -> Vec<Relevance> {
        let terms = terms(beginning(topic, MAX_TOPIC), self.profile);
        let mut carried = vec![0.0_f64; self.count];
        let mut known = vec![0.0_f64; self.titles.len()];
        let mut total = 0.0;
        for (word, weight) in &terms {
            let mut hits: HashMap<usize, f64> = HashMap::new();
            for posting in self.postings.get(&key(word)).into_iter().flatten() {
                let fit = likeness(word, &posting.word);
                if fit > 0.0 {
                    let hit = hits.entry(posting.candidate).or_default();
                    *hit = hit.max(posting.place * fit);
                    posting.title.into_iter().for_each(|slot| known[slot] = known[slot].max(fit));
                }
            }
            // A term that few candidates have tells more than one that all have.
            let weight = weight * (1.5 + self.count as f64 / (1.0 + hits.len() as f64)).ln();
            total += weight;
            hits.into_iter().for_each(|(candidate, hit)| carried[candidate] += hit * weight);
        }
        let mut ranked = self.scores(&carried, total, &known);
        ranked.retain(|relevance| relevance.score >= MIN_SCORE);
        ranked.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.index.cmp(&right.index)));
        ranked
    }

    fn scores(&self, carried: &[f64], total: f64, known: &[f64]) -> Vec<Relevance> {
        let mut titles = vec![(0.0_f64, 0.0_f64); self.count];
        for (candidate, known) in self.titles.iter().zip(known) {
            titles[*candidate].0 += known;
            titles[*candidate].1 += 1.0;
        }
        let score = |(index, carried): (usize, &f64)| {
            let (known, words) = titles[index];
            let title = if words > 0.0 { known / words } else { 0.0 };
            let carried = if total > 0.0 { carried / total } else { 0.0 };
            // A long topic that speaks of all that a title names is about it, too.
            Relevance { index, score: 1.0 - (1.0 - carried) * (1.0 - 0.6 * title) }
        };
        carried.iter().enumerate().map(score).collect()
    }
}

/// A topic's terms with their weights, the most frequent ones.
fn terms(topic: &str, profile: &Profile) -> Vec<(String, f64)> {
    let mut counts: HashMap<String, (usize, u32)> = HashMap::new();
    let mut order = 0;
    each_term(topic, profile, &mut |word| {
        order += 1;
        counts.entry(word).or_insert((order, 0)).1 += 1;
    });
    let mut all: Vec<(String, (usize, u32))> = counts.into_iter().collect();
    all.sort_by(|(_, (first, many)), (_, (other, few))| few.cmp(many).then(first.cmp(other)));
    all.truncate(MAX_TERMS);
    let words = orders::of(profile.tag);
    let weigh = |(word, (_, count)): (String, (usize, u32))| {
        // "Create a quiz for grade 5" says nothing of the topic, though a module may be about quizzes.
        let ordering = words.is_some_and(|words| words.speaks_of_work(&word) || words.commands(&word));
        let weight = if profile.is_topicless(&word) || ordering { 0.2 } else { 1.0 };
        (word, f64::from(count).sqrt() * weight)
    };
    all.into_iter().map(weigh).collect()
}

/// Calls back with each word that may be a topic, in lower case.
fn each_term(text: &str, profile: &Profile, say: &mut impl FnMut(String)) {
    // Han and katakana say something in twos, however a dictionary divides compounds.
    for run in text.split(|character| !is_han(character) && !is_katakana(character)) {
        let letters: Vec<char> = run.chars().collect();
        letters.windows(2).for_each(|pair| say(pair.iter().collect()));
    }
    let other_runs = text.split(|character| !is_unspaced(character) || is_han(character) || is_kana(character));
    for run in other_runs.filter(|run| !run.is_empty()) {
        let words = segments::words(run).into_iter().map(|(_, word)| word);
        words.filter(|word| word.chars().nth(2).is_some()).for_each(|word| say(word.to_owned()));
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
pub(crate) fn without_article(word: &str) -> &str {
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
            best(
                "en",
                "How the division of plant cells works",
                &["The French Revolution", "The cell", "Division of cells"]
            ),
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
    fn what_only_orders_is_no_topic() {
        let titles = ["Quiz techniques for students", "The water cycle", "Creating questions"];
        assert_eq!(best("en", "Create a quiz about the water cycle for grade 5 students", &titles)[0], 1);
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
