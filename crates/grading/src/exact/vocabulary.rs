//! Words that say something about an answer without being it, of all languages of [`language::Answers`] together.
//!
//! They are folded (lower case, no diacritics), as [`super::folding`] makes them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use language::Answers;

use super::folding;

/// Words that do something in any language.
static NEGATORS: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.negators));
static ALTERNATIVES: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.alternatives));
static FUNCTION_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.function_words));
static COPULAS: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.copulas));
static TRUTHS: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.truths));
static FALSEHOODS: LazyLock<HashSet<&str>> = LazyLock::new(|| collect(|answers| answers.falsehoods));

fn collect(list: fn(&Answers) -> &'static str) -> HashSet<&'static str> {
    language::taught().flat_map(|(_, teaching)| list(&teaching.answers).split_whitespace()).collect()
}

/// What text that talks to whoever grades it says. Lower case, diacritics kept.
const ORDERS: [&str; 60] = [
    "ignore the above",
    "ignore the reference",
    "ignore the rubric",
    "ignore the instruction",
    "ignore the previous",
    "ignore the question",
    "ignore all",
    "ignore any",
    "ignore previous",
    "ignore your",
    "ignore everything",
    "disregard",
    "forget the above",
    "forget all",
    "forget previous",
    "mark this",
    "mark it",
    "mark my",
    "mark as",
    "mark the answer",
    "mark correct",
    "full marks",
    "full credit",
    "full score",
    "full points",
    "maximum score",
    "maximum points",
    "give me",
    "award ",
    "grade this",
    "grade it",
    "grade my",
    "score this",
    "score: ",
    "score of",
    "correct answer is now",
    "reference is now",
    "reference answer is",
    "new instruction",
    "system:",
    "system prompt",
    "assistant:",
    "dear grader",
    "as a grader",
    "the grader",
    "you are a",
    "you are now",
    "ignoriere",
    "volle punktzahl",
    "bewerte",
    "ignora ",
    "ignore tout",
    "ignorez",
    "note maximale",
    "игнорируй",
    "忽略",
    "满分",
    "無視",
    "<|system",
    "</",
];

/// The word without marks, as the lists have it.
fn unmarked(word: &str) -> Cow<'_, str> {
    if word.is_ascii() { Cow::Borrowed(word) } else { Cow::Owned(folding::words(word, "en").concat()) }
}

pub(super) fn is_negator(word: &str) -> bool {
    NEGATORS.contains(&*unmarked(word))
}

pub(super) fn is_alternative(word: &str) -> bool {
    ALTERNATIVES.contains(&*unmarked(word))
}

/// Words that begin a clause that corrects the one before.
pub(super) fn corrections() -> impl Iterator<Item = &'static str> {
    language::taught().flat_map(|(_, teaching)| teaching.answers.corrections.split_whitespace())
}

pub(super) fn is_correction(word: &str) -> bool {
    corrections().any(|correction| correction == word)
}

pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.contains(&*unmarked(word))
}

pub(super) fn is_copula(word: &str) -> bool {
    COPULAS.contains(&*unmarked(word))
}

/// What a word says of the truth.
pub(super) fn truth(word: &str) -> Option<bool> {
    let word = &*unmarked(word);
    if TRUTHS.contains(word) { Some(true) } else { FALSEHOODS.contains(word).then_some(false) }
}

/// Whether a sentence talks to whoever grades it.
pub(super) fn is_order(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ORDERS.iter().any(|order| lower.contains(order))
}
