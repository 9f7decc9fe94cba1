//! What is measured of an answer beside a reference: the inputs of the [`scorer`](super::scorer).
//!
//! Each measure is between 0 and 1 unless it says otherwise. "Weighed" means by how much each word tells; a word that the
//! question has already counts a quarter.

use std::collections::HashSet;

use super::direction;
use super::quantities;
use super::reference::Reference;
use super::senses::Sense;
use super::text::{Kind, Text};

/// What a word of the question counts.
const ASKED: f64 = 0.25;
/// How well words fit that share a meaning of the lexicon.
const MEANING: f64 = 0.6;
/// How well words fit that both say more, or both less.
const DIRECTION: f64 = 0.5;
/// Words of one text whose spelling is compared with a word of the other.
const MOST_SPELLED: usize = 2_000;
/// Pairs of words whose spelling is compared, so that a hundred criteria beside an essay take no minute.
const MOST_SPELLED_PAIRS: usize = 60_000;
/// Content words whose order is compared.
const MOST_ORDERED: usize = 400;
/// References of so many words, as logarithms, are short, and from the other on in full detail.
const SHORT: f64 = 2.6;
const DETAILED: f64 = 4.7;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $sign:expr,)*) => {
        /// The measures of an answer beside a reference.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub(crate) struct Features { $($(#[$doc])* pub(crate) $name: f64,)* }

        impl Features {
            /// Their names, in the order of [`Features::values`].
            pub(crate) const NAMES: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];
            /// The sign that each weight may have; any where it is 0.
            pub(crate) const SIGNS: [f64; Self::NAMES.len()] = [$($sign),*];

            /// All of them.
            pub(crate) fn values(&self) -> [f64; Self::NAMES.len()] {
                [$(self.$name),*]
            }
        }
    };
}

features! {
    /// Share of the reference's words that the answer has, weighed.
    recall: 1.0,
    /// Harmonic mean of that and of the share of the answer's words that the reference has.
    f1: 1.0,
    /// Share of the reference's letter triples that the answer has as often.
    letters: 1.0,
    /// Its square: nearly everything tells more than half of it twice.
    letters_squared: 1.0,
    /// Share of the reference's different letter triples that the answer has.
    letter_kinds: 1.0,
    /// Share of the reference's pairs of content words near each other that the answer has.
    pairs: 1.0,
    /// Longest common subsequence of content words, as a share of the reference's.
    order: 1.0,
    /// Recall of the reference's sentence that the answer has best.
    best_idea: 1.0,
    /// Share of the reference's sentences that the answer has, weighed; half counts as most of one.
    ideas: 1.0,
    /// Logarithm of the answer's length less that of a long reference without points, from -3 to 0.3.
    length: 1.0,
    /// Logarithm of the answer's content words that the question lacks, beside a long reference, from 0 to 3.
    own_words: 1.0,
    /// 1 where the answer has no content word of the reference that the question lacks.
    nothing: -1.0,
    /// 1 where one of them denies something and the other nothing.
    denial: -1.0,
    /// From 0 to 6: near the reference's words, with more or fewer denials.
    copy_denial: -1.0,
    /// 1 where both begin with yes or both with no, -1 where they differ.
    verdict: 1.0,
    /// From -1 to 1, the more the nearer the texts: both say that something becomes more or less, or one more and the other less.
    direction: 1.0,
    /// Share of the reference's neighbours, little words among them, that are neighbours in the answer.
    neighbours: 1.0,
    /// Whether quantities with units of one kind are the same, from -1 to 1.
    quantities: 1.0,
    /// Logarithm of how many references there are: with many, one fits by chance.
    references: 0.0,
    /// 1 where points stand in the reference.
    marked: 0.0,
}

/// An answer beside a reference.
pub(super) struct Comparison {
    pub(super) features: Features,
    /// How well the answer has each kind of word of the reference.
    pub(super) fits: Vec<f64>,
    /// Recall of each idea.
    pub(super) covered: Vec<f64>,
    /// How detailed the reference is, from 0 to 1.
    pub(super) detail: f64,
    /// 1 for references of one or two words, 0 from eight on.
    pub(super) short: f64,
    /// Content words of the answer that the question lacks.
    pub(super) own: usize,
    /// Share of the reference's content words beyond the question that the answer has.
    pub(super) new_recall: f64,
    /// Of several references, that with the highest suits the answer best.
    pub(super) rank: f64,
}

/// Compares an answer with one of so many references.
pub(super) fn compare(question: &Text, reference: &Reference, answer: &Text, references: usize) -> Comparison {
    let text = &reference.text;
    let fits = fits(text, answer, question, text);
    let counts = |kind: &Kind| kind.weight * if question.has(kind.id) { ASKED } else { 1.0 };
    let recall = share(sum(text, &fits, counts), text.kinds.iter().map(counts).sum());
    let theirs = self::fits(answer, text, question, text);
    let precision = share(sum(answer, &theirs, counts), answer.kinds.iter().map(counts).sum());
    let f1 = share(2.0 * recall * precision, recall + precision);
    let is_new = |kind: &Kind| kind.is_content && !question.has(kind.id);
    let new = |kind: &Kind| f64::from(u8::from(is_new(kind)));
    let (new_met, new_all) = (sum(text, &fits, new), text.kinds.iter().map(new).sum::<f64>());
    let new_recall = if new_all > 0.0 { new_met / new_all } else { recall };
    let own = answer.kinds.iter().filter(|kind| is_new(kind)).count();
    let common: u32 =
        text.triples.iter().map(|(triple, count)| (*count).min(answer.triples.get(triple).copied().unwrap_or(0))).sum();
    let letters = share(f64::from(common), f64::from(text.triple_count));
    let covered: Vec<(f64, f64)> = reference
        .ideas
        .iter()
        .map(|idea| {
            let fit_of = |kind: &Kind| text.place(kind.id).map_or(0.0, |place| fits[place]);
            let all: f64 = idea.text.kinds.iter().map(counts).sum();
            (share(idea.text.kinds.iter().map(|kind| counts(kind) * fit_of(kind)).sum(), all), all)
        })
        .collect();
    let said = |(recall, worth): &(f64, f64)| worth * ((recall - 0.2) / 0.5).clamp(0.0, 1.0);
    let longness = (text.words.len() as f64).ln_1p();
    let detail = ((longness - SHORT) / (DETAILED - SHORT)).clamp(0.0, 1.0);
    // In a long reference something becomes more or less anyway.
    let least = if detail > 0.0 { DIRECTION } else { 0.0 };
    let has_new = text.kinds.iter().zip(&fits).any(|(kind, fit)| is_new(kind) && *fit > least);
    let length = ((answer.words.len() as f64).ln_1p() - longness).clamp(-3.0, 0.3);
    let near = ((f1 - 0.5) / 0.4).clamp(0.0, 1.0);
    let in_order = common_subsequence(&text.content, &answer.content);
    let features = Features {
        recall,
        f1,
        letters,
        letters_squared: letters * letters,
        letter_kinds: share_of(text.triples.keys(), |triple| answer.triples.contains_key(triple)).unwrap_or(0.0),
        pairs: share_of(text.pairs.iter(), |pair| answer.pairs.contains(pair)).unwrap_or(recall),
        order: share(in_order as f64, text.content.len() as f64),
        best_idea: covered.iter().map(|(recall, _)| *recall).fold(0.0, f64::max),
        ideas: share(covered.iter().map(said).sum(), covered.iter().map(|(_, worth)| worth).sum()),
        length: if reference.is_marked { 0.0 } else { detail * length },
        own_words: detail * (own as f64).ln_1p().min(3.0),
        nothing: f64::from(u8::from(new_all > 0.0 && !has_new)),
        denial: f64::from(u8::from((answer.denials > 0) != (text.denials > 0))),
        copy_denial: if answer.denials == text.denials { 0.0 } else { 6.0 * near },
        verdict: f64::from(verdict(text) * verdict(answer)),
        direction: f1 * direction::agreement(question, text, answer),
        neighbours: share_of(text.neighbours.iter(), |pair| answer.neighbours.contains(pair)).unwrap_or(recall),
        quantities: quantities::agreement(&text.quantities, &answer.quantities),
        references: if text.content.len() > 3 { (references as f64).ln() } else { 0.0 },
        marked: f64::from(u8::from(reference.is_marked)),
    };
    Comparison {
        features,
        covered: covered.into_iter().map(|(recall, _)| recall).collect(),
        detail,
        short: ((8.0 - text.words.len() as f64) / 6.0).clamp(0.0, 1.0),
        own,
        new_recall,
        rank: recall + f1 + 0.5 * letters + 0.3 * if new_all > 0.0 { new_recall } else { 0.0 },
        fits,
    }
}

/// How well `other` has each kind of word of `one`, from 0 to 1. A word that the task uses is no misspelling of another one
/// that it uses, and a word of the question stands for no other.
fn fits(one: &Text, other: &Text, question: &Text, reference: &Text) -> Vec<f64> {
    let in_task = |id: u64| reference.has(id) || question.has(id);
    let spelled: Vec<(&Kind, bool)> = other
        .kinds
        .iter()
        .filter(|kind| kind.spelling.is_some() && !question.has(kind.id))
        .take(MOST_SPELLED.min(MOST_SPELLED_PAIRS / one.kinds.len().max(1)))
        .map(|kind| (kind, in_task(kind.id)))
        .collect();
    let own = other.kinds.iter().filter(|kind| !question.has(kind.id));
    let known: HashSet<u16> = own.clone().flat_map(|kind| kind.meanings).copied().collect();
    let senses: Vec<Sense> = own.filter_map(|kind| kind.sense).collect();
    let fit = |(place, kind): (usize, &Kind)| {
        if other.has(kind.id) {
            return 1.0;
        }
        if !kind.is_content {
            return 0.0;
        }
        let is_of_task = in_task(kind.id);
        let letters = kind.spelling.as_ref().filter(|_| place < MOST_SPELLED).map_or(0.0, |spelling| {
            let others = spelled.iter().filter(|(_, of_task)| !(is_of_task && *of_task));
            others.filter_map(|(kind, _)| Some(spelling.fit(kind.spelling.as_ref()?))).fold(0.0, f64::max)
        });
        let means = kind.meanings.iter().any(|meaning| known.contains(meaning));
        let points = kind.sense.is_some_and(|sense| senses.contains(&sense));
        letters.max(if means { MEANING } else { 0.0 }).max(if points { DIRECTION } else { 0.0 })
    };
    one.kinds.iter().enumerate().map(fit).collect()
}

fn sum(text: &Text, fits: &[f64], counts: impl Fn(&Kind) -> f64) -> f64 {
    text.kinds.iter().zip(fits).map(|(kind, fit)| counts(kind) * fit).sum()
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The share of the items that are so; `None` where there are none.
fn share_of<T>(items: impl ExactSizeIterator<Item = T>, is: impl Fn(T) -> bool) -> Option<f64> {
    let count = items.len();
    (count > 0).then(|| items.filter_map(|item| is(item).then_some(())).count() as f64 / count as f64)
}

/// The length of the longest common subsequence.
fn common_subsequence(one: &[u64], other: &[u64]) -> usize {
    let (one, other) = (&one[..one.len().min(MOST_ORDERED)], &other[..other.len().min(MOST_ORDERED)]);
    let mut longest = vec![0; other.len() + 1];
    for word in one {
        let mut diagonal = 0;
        for (at, theirs) in other.iter().enumerate() {
            let above = longest[at + 1];
            longest[at + 1] = if word == theirs { diagonal + 1 } else { above.max(longest[at]) };
            diagonal = above;
        }
    }
    longest[other.len()]
}

/// 1 for a text that begins with yes or the like in its language, -1 for one that begins with no, else 0.
fn verdict(text: &Text) -> i8 {
    let Some(teaching) = language::find_teaching(text.tag) else { return 0 };
    let lists = |list: &str, word: &str| list.split(' ').any(|one| one == word && one.chars().nth(1).is_some());
    let says = |word: &super::words::Word| match word.folded.as_str() {
        word if lists(teaching.answers.truths, word) => Some(1),
        word if lists(teaching.answers.falsehoods, word) => Some(-1),
        _ => None,
    };
    text.words.iter().take(2).find_map(says).unwrap_or(0)
}
