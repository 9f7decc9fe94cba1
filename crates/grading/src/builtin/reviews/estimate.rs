//! What the curve of [`super::super::calibration`] says of many answers at once, by a quick look at each.
//!
//! A close look takes a text apart into clauses and holds each against each idea. Here every different word of all
//! answers is looked up once in the reference, and an answer's share of an idea is its share of the whole. Both the graded
//! answers and the one to be graded are looked at in this way, so that what is compared was measured alike.

use std::collections::HashMap;

use super::super::alignment::Index;
use super::super::calibration;
use super::super::features::{ASKED, Features};
use super::super::ideas::Reference;
use super::super::tokens::{Reader, Word};
use super::sketch::{Direction, Sketch, Vocabulary};

/// How well a word must agree to count as one of the reference's.
const KNOWN: f64 = 0.5;

/// A text that answers are measured by.
struct Yardstick {
    reference: Reference,
    types: Vec<Type>,
    /// Letter triples: how often each is wanted, by its number.
    wanted: Vec<f64>,
    neighbours: Vec<u64>,
    denies: bool,
    /// Of each word of the vocabulary.
    entries: Vec<Entry>,
}

/// A different word of a yardstick.
struct Type {
    number: u32,
    weight: f64,
    /// A content word that the question lacks.
    is_new: bool,
}

/// What a word is to a yardstick.
struct Entry {
    /// The type that it agrees with best, and how well.
    fit: Option<(usize, f64)>,
    triples: Vec<usize>,
}

/// All texts that answers are measured by.
pub(super) struct Yardsticks(Vec<Yardstick>);

/// What is measured of an answer.
pub(super) struct Measured {
    /// The log-odds that the curve gives what speaks of the matter.
    pub(super) log_odds: f64,
    /// What each feature adds to them, beside the text that suits the answer best.
    pub(super) parts: [f64; 14],
    /// Which words of the yardsticks it has.
    pub(super) met: Direction,
}

impl Yardsticks {
    /// Reads the texts; every answer's sketch has been made from `vocabulary` before.
    pub(super) fn read(texts: &[String], reader: &Reader, vocabulary: &mut Vocabulary<'_>) -> Self {
        let references: Vec<Reference> = texts.iter().map(|text| Reference::read(text, reader)).collect();
        Self(references.into_iter().map(|reference| Yardstick::new(reference, vocabulary)).collect())
    }

    /// Whether one of the texts has a word or one like it.
    pub(super) fn know(&self, number: u32) -> bool {
        let fit = |yardstick: &Yardstick| yardstick.entries.get(number as usize)?.fit;
        self.0.iter().filter_map(fit).any(|(_, fit)| fit >= KNOWN)
    }

    /// Measures an answer half by the text that suits it best and half by all of them: one of many fits by chance. Without
    /// any text nothing is known: even odds.
    pub(super) fn measure(&self, sketch: &Sketch, vocabulary: &Vocabulary<'_>) -> Measured {
        let (mut best, mut sum, mut parts) = (f64::NEG_INFINITY, 0.0, [0.0; 14]);
        let mut met: HashMap<u64, f64> = HashMap::new();
        for yardstick in &self.0 {
            let fits = yardstick.met(sketch);
            let features = yardstick.features(sketch, &fits, vocabulary, self.0.len());
            let log_odds = calibration::log_odds(&features);
            sum += log_odds;
            if log_odds > best {
                (best, parts) = (log_odds, calibration::parts(&features));
            }
            for (known, fit) in yardstick.types.iter().zip(fits).filter(|(_, fit)| *fit > 0.0) {
                let best = met.entry(u64::from(known.number)).or_default();
                *best = best.max(fit * known.weight);
            }
        }
        let mut met: Vec<(u64, f64)> = met.into_iter().collect();
        met.sort_unstable_by_key(|(number, _)| *number);
        let log_odds = if self.0.is_empty() { 0.0 } else { (best + sum / self.0.len() as f64) / 2.0 };
        Measured { log_odds, parts, met: Direction::new(met.into_iter()) }
    }
}

impl Yardstick {
    fn new(reference: Reference, vocabulary: &mut Vocabulary<'_>) -> Self {
        let index = Index::new(reference.words.iter());
        let own = vocabulary.sketch(&reference.words);
        let mut types = Vec::new();
        for known in index.types() {
            let number = vocabulary.number(&known.word);
            let asked = vocabulary.known()[number as usize].asked;
            let weight = known.weight * if asked { ASKED } else { 1.0 };
            types.push(Type { number, weight, is_new: known.word.is_content() && !asked });
        }
        let (mut wanted, mut triples): (Vec<f64>, HashMap<_, usize>) = (Vec::new(), HashMap::new());
        for triple in reference.words.iter().flat_map(letters) {
            let at = *triples.entry(triple).or_insert(wanted.len());
            wanted.resize(wanted.len().max(at + 1), 0.0);
            wanted[at] += 1.0;
        }
        let entry = |word: &Word| Entry {
            fit: index.best(word),
            triples: letters(word).filter_map(|triple| triples.get(&triple).copied()).collect(),
        };
        let entries = vocabulary.known().iter().map(|known| entry(&known.word)).collect();
        let (neighbours, denies) = (own.neighbours, own.denies);
        Self { reference, types, wanted, neighbours, denies, entries }
    }

    /// How well an answer has each type, from 0 to 1.
    fn met(&self, sketch: &Sketch) -> Vec<f64> {
        let mut met = vec![0.0_f64; self.types.len()];
        for (at, fit) in sketch.words.iter().filter_map(|number| self.entries[*number as usize].fit) {
            met[at] = met[at].max(fit);
        }
        met
    }

    fn features(&self, sketch: &Sketch, met: &[f64], vocabulary: &Vocabulary<'_>, yardsticks: usize) -> Features {
        let mut features = Features::default();
        let (mut all, mut found, mut new_all, mut new_found) = (0.0, 0.0, 0.0, 0.0);
        for (known, fit) in self.types.iter().zip(met) {
            all += known.weight;
            found += known.weight * fit;
            if known.is_new {
                new_all += known.weight;
                new_found += known.weight * fit;
                features.support += known.weight.min(1.0) * fit;
            }
        }
        features.recall = share(found, all);
        features.new_recall = if new_all > 0.0 { new_found / new_all } else { features.recall };
        if new_all == 0.0 {
            features.support = found.min(1.0);
        }
        self.of_answer(&mut features, sketch, vocabulary);
        let both = features.recall + features.precision;
        features.f1 = if both > 0.0 { 2.0 * features.recall * features.precision / both } else { 0.0 };
        features.letters = self.letters(sketch);
        let shared = self.neighbours.iter().filter(|pair| sketch.neighbours.binary_search(pair).is_ok()).count() as f64;
        let none = self.neighbours.is_empty();
        features.neighbours = if none { features.recall } else { shared / self.neighbours.len() as f64 };
        (features.ideas, features.best_idea) = (features.recall, features.recall);
        let (long, other) = (sketch.sequence.len() as f64, self.reference.words.len() as f64);
        features.length = (long.ln_1p() - other.ln_1p()).clamp(-3.0, 0.3);
        features.reference_length = other.ln_1p();
        features.marked = f64::from(self.reference.marked);
        let content = self.types.iter().filter(|known| known.weight > 0.0 && known.is_new).count();
        features.references = if content <= 3 { 0.0 } else { (yardsticks.max(1) as f64).ln() };
        features.denial = f64::from(sketch.denies != self.denies);
        features
    }

    fn of_answer(&self, features: &mut Features, sketch: &Sketch, vocabulary: &Vocabulary<'_>) {
        let (mut all, mut found, mut content, mut foreign, mut own) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for number in &sketch.words {
            let known = &vocabulary.known()[*number as usize];
            let fit = self.entries[*number as usize].fit.map_or(0.0, |(_, fit)| fit);
            let weight = known.word.weight * if known.asked { ASKED } else { 1.0 };
            all += weight;
            found += weight * fit;
            if known.word.is_content() {
                content += known.word.weight;
                own += f64::from(!known.near_asked);
                foreign += if !known.near_asked && fit < KNOWN { known.word.weight } else { 0.0 };
            }
        }
        features.precision = share(found, all);
        features.foreign = share(foreign, content);
        features.own_words = f64::ln_1p(own).min(3.0);
    }

    fn letters(&self, sketch: &Sketch) -> f64 {
        let mut counts = vec![0.0_f64; self.wanted.len()];
        for number in &sketch.sequence {
            self.entries[*number as usize].triples.iter().for_each(|at| counts[*at] += 1.0);
        }
        let found: f64 = counts.iter().zip(&self.wanted).map(|(count, wanted)| count.min(*wanted)).sum();
        share(found, self.wanted.iter().sum())
    }
}

/// The letter triples of a word with a space on either side.
fn letters(word: &Word) -> impl Iterator<Item = (char, char, char)> + '_ {
    let padded = || [' '].into_iter().chain(word.lower.chars()).chain([' ']);
    padded().zip(padded().skip(1)).zip(padded().skip(2)).map(|((one, two), three)| (one, two, three))
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}
