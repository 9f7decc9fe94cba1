//! What can be said in numbers of an answer beside one reference. Each feature has a meaning that a
//! teacher would understand; [`super::calibration`] turns them into points.

use std::collections::{HashMap, HashSet};

use super::alignment::Index;
use super::answer::{Answer, denies};
use super::ideas::Reference;
use super::tokens::Word;

/// What a reference's word counts where the question has it already.
pub(super) const ASKED: f64 = 0.25;

/// The features, each in its own range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Features {
    /// Share of the reference's words that the answer has; words of the question count little.
    pub(super) recall: f64,
    /// The same of the words alone that the question does not have.
    pub(super) new_recall: f64,
    /// Share of the answer's words that the reference has.
    pub(super) precision: f64,
    /// The harmonic mean of recall and precision.
    pub(super) f1: f64,
    /// Share of the reference's letter triples, which forgives spelling and endings.
    pub(super) letters: f64,
    /// Share of the reference's neighbouring words that are near each other in the answer.
    pub(super) neighbours: f64,
    /// Share of the ideas that are there.
    pub(super) ideas: f64,
    /// How much of the idea is there that is there most.
    pub(super) best_idea: f64,
    /// Logarithm of the answer's length over the reference's, at most 0.3 and at least -3.
    pub(super) length: f64,
    /// Logarithm of the words that the question does not have, at most 3.
    pub(super) own_words: f64,
    /// Share of content words that neither reference nor question have.
    pub(super) foreign: f64,
    /// Only one of the two denies something.
    pub(super) denial: f64,
    /// Both begin with yes or no: 1 the same, -1 the other.
    pub(super) verdict: f64,
    /// Share of a short reference's numbers that are missing.
    pub(super) numbers: f64,
    /// Logarithm of the reference's length.
    pub(super) reference_length: f64,
    /// 1 where the reference says by points what it asks for, else 0.
    pub(super) marked: f64,
    /// Logarithm of how many references there are, where they are more than names.
    pub(super) references: f64,
    /// Content words of the reference that the question lacks and the answer has.
    pub(super) support: f64,
    /// Share of the reference's words, all of them, and of its neighbouring words, all of them.
    pub(super) all_words: f64,
    pub(super) all_neighbours: f64,
}

/// How well each of a reference's words is met: by place among its words.
pub(super) struct Met {
    /// From 0 to 1.
    pub(super) fit: Vec<f64>,
    /// The answer's word, a type of its index.
    pub(super) by: Vec<Option<usize>>,
    /// What the word counts.
    pub(super) weight: Vec<f64>,
}

/// Compares a reference's words with an answer's.
pub(super) fn meet(words: &[Word], answer: &Answer, question: &Index) -> Met {
    let mut met = Met { fit: Vec::new(), by: Vec::new(), weight: Vec::new() };
    let mut known: HashMap<&str, (Option<usize>, f64)> = HashMap::new();
    for word in words {
        let (by, fit) = *known.entry(word.key.as_str()).or_insert_with(|| match answer.index.best(word) {
            Some((at, fit)) => (Some(at), fit),
            None => (None, 0.0),
        });
        met.fit.push(fit);
        met.by.push(by);
        met.weight.push(word.weight * if question.has(word) { ASKED } else { 1.0 });
    }
    met
}

impl Features {
    /// Measures an answer beside a reference; `coverage` is each idea's share from 0 to 1.
    pub(super) fn measure(
        reference: &Reference,
        met: &Met,
        coverage: &[f64],
        answer: &Answer,
        question: &Index,
        references: usize,
    ) -> Self {
        let types = Index::new(reference.words.iter());
        let mut features = Self::default();
        features.of_reference(reference, met, answer, question);
        features.of_answer(answer, &Index::new(reference.words.iter().chain(&reference.asides)), question);
        features.f1 = harmonic(features.recall, features.precision);
        features.letters = letters(&reference.words, &answer.contents);
        features.neighbours = neighbours(&reference.words, &answer.contents).unwrap_or(features.recall);
        (features.all_words, features.all_neighbours) = order(&reference.words, &answer.contents);
        features.of_ideas(reference, coverage);
        let (long, other) = (answer.words.len() as f64, reference.words.len() as f64);
        features.length = (long.ln_1p() - other.ln_1p()).clamp(-3.0, 0.3);
        features.reference_length = other.ln_1p();
        features.marked = f64::from(reference.marked);
        let short = types.types().iter().filter(|known| known.word.is_content()).count() <= 3;
        features.references = if short { 0.0 } else { (references.max(1) as f64).ln() };
        features.denial = f64::from(denies(&answer.words) != denies(&reference.words));
        features.verdict = verdict(&reference.words, &answer.words);
        features.numbers = numbers(&types, answer, question);
        features
    }

    fn of_reference(&mut self, reference: &Reference, met: &Met, answer: &Answer, question: &Index) {
        let mut seen = HashSet::new();
        let (mut all, mut found, mut new_all, mut new_found) = (0.0, 0.0, 0.0, 0.0);
        for (at, word) in reference.words.iter().enumerate() {
            if !seen.insert(word.key.as_str()) {
                continue;
            }
            all += met.weight[at];
            found += met.weight[at] * met.fit[at];
            if word.is_content() && !question.has(word) {
                new_all += word.weight;
                new_found += word.weight * met.fit[at];
                let own = met.by[at].is_some_and(|by| !question.has(&answer.index.types()[by].word));
                self.support += if own { word.weight.min(1.0) * met.fit[at] } else { 0.0 };
            }
        }
        self.recall = share(found, all);
        if new_all > 0.0 {
            self.new_recall = new_found / new_all;
        } else {
            // All is in the question already; what counts is that the answer chose it.
            self.new_recall = self.recall;
            self.support = found.min(1.0);
        }
    }

    fn of_answer(&mut self, answer: &Answer, types: &Index, question: &Index) {
        let (mut all, mut found, mut content, mut foreign, mut own) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for known in answer.index.types() {
            let fit = types.best(&known.word).map_or(0.0, |(_, fit)| fit);
            let asked = question.best(&known.word).map_or(0.0, |(_, fit)| fit);
            let weight = known.weight * if question.has(&known.word) { ASKED } else { 1.0 };
            all += weight;
            found += weight * fit;
            content += if known.word.is_content() { known.weight } else { 0.0 };
            if known.word.is_content() && asked < 0.5 {
                own += 1.0;
                foreign += if fit < 0.5 { known.weight } else { 0.0 };
            }
        }
        self.precision = share(found, all);
        self.foreign = share(foreign, content);
        self.own_words = f64::ln_1p(own).min(3.0);
    }

    fn of_ideas(&mut self, reference: &Reference, coverage: &[f64]) {
        let worth: f64 = reference.ideas.iter().map(|idea| idea.worth).sum();
        let ideas = reference.ideas.iter().zip(coverage);
        let held: f64 = ideas.map(|(idea, share)| idea.worth * ((share - 0.2) / 0.5).clamp(0.0, 1.0)).sum();
        self.ideas = share(held, worth);
        self.best_idea = coverage.iter().copied().fold(0.0, f64::max);
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

fn harmonic(one: f64, other: f64) -> f64 {
    if one + other > 0.0 { 2.0 * one * other / (one + other) } else { 0.0 }
}

/// What a text is made of, looked up instead of read again for each reference it is compared with.
pub(super) struct Contents {
    /// Its letter triples, and how often each is there.
    letters: HashMap<(char, char, char), f64>,
    /// Pairs of content words at most two apart, in any order.
    neighbours: HashSet<(String, String)>,
    /// Its words, and those that follow each other.
    words: HashSet<String>,
    successions: HashSet<(String, String)>,
}

impl Contents {
    pub(super) fn of(words: &[Word]) -> Self {
        let lower = |word: &Word| word.lower.clone();
        let successions = words.iter().zip(words.iter().skip(1));
        Self {
            letters: triples(words),
            neighbours: near_pairs(words),
            words: words.iter().map(lower).collect(),
            successions: successions.map(|(one, other)| (lower(one), lower(other))).collect(),
        }
    }
}

fn triples(words: &[Word]) -> HashMap<(char, char, char), f64> {
    let mut counts: HashMap<(char, char, char), f64> = HashMap::new();
    let mut last = (' ', ' ');
    for character in words.iter().flat_map(|word| word.lower.chars().chain([' '])) {
        *counts.entry((last.0, last.1, character)).or_default() += 1.0;
        last = (last.1, character);
    }
    counts
}

fn near_pairs(words: &[Word]) -> HashSet<(String, String)> {
    let keys: Vec<&str> = words.iter().filter(|word| word.is_content()).map(|word| word.key.as_str()).collect();
    let apart = |steps: usize| keys.iter().zip(keys.iter().skip(steps));
    let pairs = apart(1).chain(apart(2));
    pairs.map(|(one, other)| ((*one.min(other)).to_owned(), (*one.max(other)).to_owned())).collect()
}

fn letters(reference: &[Word], answer: &Contents) -> f64 {
    let wanted = triples(reference);
    let found: f64 = wanted.iter().map(|(key, count)| count.min(*answer.letters.get(key).unwrap_or(&0.0))).sum();
    share(found, wanted.values().sum())
}

fn neighbours(reference: &[Word], answer: &Contents) -> Option<f64> {
    let wanted = near_pairs(reference);
    (!wanted.is_empty()).then(|| wanted.intersection(&answer.neighbours).count() as f64 / wanted.len() as f64)
}

/// Share of all words, and of all neighbours in their order: a shuffled text has the one without the other.
fn order(reference: &[Word], answer: &Contents) -> (f64, f64) {
    let words = reference.iter().filter(|word| answer.words.contains(&word.lower)).count() as f64;
    let pairs = reference.iter().zip(reference.iter().skip(1));
    let kept = pairs.filter(|(one, other)| answer.successions.contains(&(one.lower.clone(), other.lower.clone())));
    (share(words, reference.len() as f64), share(kept.count() as f64, reference.len().saturating_sub(1) as f64))
}

/// Whether both begin with yes or no, and with the same.
fn verdict(reference: &[Word], answer: &[Word]) -> f64 {
    let yes =
        ["yes", "ja", "sí", "si", "oui", "sì", "sim", "tak", "да", "так", "evet", "نعم", "हाँ", "true", "wahr", "是"];
    let no = ["no", "nein", "non", "não", "nee", "nie", "нет", "ні", "hayır", "لا", "नहीं", "false", "falsch", "不"];
    let says = |words: &[Word]| {
        words.iter().take(2).find_map(|word| match word.lower.as_str() {
            lower if yes.contains(&lower) => Some(true),
            lower if no.contains(&lower) => Some(false),
            _ => None,
        })
    };
    match (says(reference), says(answer)) {
        (Some(one), Some(other)) => {
            if one == other {
                1.0
            } else {
                -1.0
            }
        }
        _ => 0.0,
    }
}

/// Numbers tell much in a short reference, little in a long one.
fn numbers(types: &Index, answer: &Answer, question: &Index) -> f64 {
    let wanted: Vec<&Word> =
        types.types().iter().map(|known| &known.word).filter(|word| word.number && !question.has(word)).collect();
    if wanted.is_empty() {
        return 0.0;
    }
    let missing = wanted.iter().filter(|word| answer.index.best(word).is_none()).count();
    let long = (types.types().len() as f64).ln_1p();
    missing as f64 / wanted.len() as f64 * (1.2 - 0.4 * (long - 2.6).max(0.0)).clamp(0.0, 1.0)
}
