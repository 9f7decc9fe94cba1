//! Whether words stand in sentences: a list of keywords and shuffled words hold the right words and say nothing.

use language::profile::Style;

use crate::builtin::answer::Answer;
use crate::builtin::features::Features;
use crate::builtin::ideas::Reference;
use crate::builtin::tokens::{Reader, Word};

/// Fewest words that can be told to be a list.
const MIN_WORDS: usize = 9;
/// Fewest words that can be told to be shuffled: a short sentence can be put in many ways with the same words.
const MIN_SHUFFLED: usize = 20;
/// Share of little words below which words are no sentences.
const MIN_LITTLE: f64 = 0.12;
/// A shuffled text has nearly all words of its source and hardly any of its neighbours.
const SHUFFLED_WORDS: f64 = 0.7;
const SHUFFLED_NEIGHBOURS: f64 = 0.22;
/// An answer many times as long has the words by chance.
const MAX_TIMES: usize = 2;

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builtin) enum Form {
    /// Sentences, or too little to tell.
    Sentences,
    /// A list of words.
    Keywords,
    /// Words without order.
    Salad,
}

/// Looks at an answer beside its reference.
pub(in crate::builtin) fn form(answer: &Answer, reference: &Reference, features: &Features, reader: &Reader) -> Form {
    if reference.words.len() >= MIN_SHUFFLED
        && answer.words.len() >= MIN_SHUFFLED
        && answer.words.len() <= MAX_TIMES * reference.words.len()
        && features.all_words >= SHUFFLED_WORDS
        && features.all_neighbours <= SHUFFLED_NEIGHBOURS
        || stumbles(&answer.words)
    {
        return Form::Salad;
    }
    // Without spaces, articles and the like, sentences can't be told from lists by their words.
    let telling = matches!(reader.profile.style, Style::Copula) && reader.profile.knows_openers();
    let (_, asked) = little(&reference.words);
    let (words, share) = little(&answer.words);
    let list = telling && asked >= 2.0 * MIN_LITTLE && words >= MIN_WORDS && share < MIN_LITTLE;
    if list { Form::Keywords } else { Form::Sentences }
}

/// How many words there are, and the share of little ones. Numbers and single letters are formulas, no list.
fn little(words: &[Word]) -> (usize, f64) {
    let spelled = || words.iter().filter(|word| !word.number && word.lower.chars().nth(1).is_some());
    let (all, little) = (spelled().count(), spelled().filter(|word| !word.is_content()).count());
    (all, if all == 0 { 0.0 } else { little as f64 / all as f64 })
}

/// Words that follow themselves, again and again: nobody writes "the the the is is".
fn stumbles(words: &[Word]) -> bool {
    let doubled = words
        .windows(2)
        .filter(|pair| pair[0].lower == pair[1].lower && !pair[0].number && pair[0].lower.is_ascii())
        .count();
    words.len() >= MIN_WORDS && doubled >= 3 && doubled * 16 >= words.len()
}
