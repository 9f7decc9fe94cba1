//! Questions: their shape, what makes one unusable, and how one becomes an item of a quiz or a module.
//!
//! The gate of [`crate::checks`] stands behind all of this. Here a question is also held against the material, its
//! explanation against its key, and questions against each other; and the options are put in an order of our own, because
//! models have favourite places for the right one.

use std::collections::HashSet;

use language::normal::{mentions, normal, stable_hash};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation;

use super::ground::Ground;
use super::prompt;
use super::wording::{self, line};
use crate::builtin::items::{GAP, score};
use crate::checks::item_defects;
use crate::drafts::{QuizItem, QuizItemKind};
use crate::part::QuestionIdentity;

/// Longest question, option, key of an open question, and explanation, in characters.
const QUESTION: usize = 700;
const OPTION: usize = 220;
const ANSWER: usize = 1_500;
const EXPLANATION: usize = 1_200;
/// Fewest options of a choice; the gate says how many there may be.
const FEWEST_OPTIONS: usize = 3;

/// What is said of questions to every writer of some.
pub(super) const RULES: &str = "\
Rules for questions:
- `select`: one or more of 4 options are right, the wrong ones are plausible, of the same kind and length, and clearly wrong \
by the excerpts. `true-false`: a statement and the two options True and False in the language of the text; about half of the \
statements are false. `blank`: a sentence with ____ for the missing words, which are a term and not a little word; no \
options. `open-ended`: a task to be answered in a few sentences; `correctAnswers` holds a model answer; no options. \
`submission`: a piece of work to hand in; `correctAnswers` says what good work holds; no options.
- `correctAnswers` repeats right options letter for letter. No option is \"all\" or \"none of the above\".
- `explanation` says why the key is right, in one or two sentences. It agrees with the key, names the right answer by its \
words, and never by a letter or a place.
- No question gives its own answer away, needs the text at hand, or asks what another one asks.";

/// A question as a model writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Item {
    #[serde(rename = "type")]
    pub(super) kind: QuizItemKind,
    pub(super) question: String,
    pub(super) options: Vec<String>,
    pub(super) correct_answers: Vec<String>,
    pub(super) explanation: String,
    pub(super) excerpts: Vec<u32>,
}

/// What a question is held against.
pub(super) struct Bar<'a> {
    pub(super) ground: &'a Ground,
    /// The excerpts that were given, from 0.
    pub(super) given: &'a [usize],
    /// The types that were asked for.
    pub(super) kinds: &'a [QuizItemKind],
}

/// The shape of a question.
pub(super) fn schema(kinds: &[QuizItemKind]) -> Value {
    prompt::object(json!({
        "type": { "type": "string", "enum": kinds },
        "question": prompt::text("The question or task, or the statement or sentence."),
        "options": prompt::list(prompt::plain_text()),
        "correctAnswers": prompt::list(prompt::plain_text()),
        "explanation": prompt::text("Why the key is right."),
        "excerpts": prompt::numbers(),
    }))
}

/// A type by its name on the wire.
pub(super) fn word(kind: QuizItemKind) -> &'static str {
    match kind {
        QuizItemKind::Select => "select",
        QuizItemKind::TrueFalse => "true-false",
        QuizItemKind::Blank => "blank",
        QuizItemKind::OpenEnded => "open-ended",
        QuizItemKind::Submission => "submission",
    }
}

impl Item {
    /// With clean texts, without letters in front of options, and with keys as their options are written.
    pub(super) fn fitted(self) -> Self {
        let mut options: Vec<String> = self.options.iter().map(|option| line(option)).collect();
        let lettered =
            options.len() > 1 && options.iter().zip('A'..).all(|(option, letter)| unlettered(option, letter).is_some());
        if lettered {
            options = options
                .iter()
                .zip('A'..)
                .map(|(option, letter)| unlettered(option, letter).unwrap_or(option).to_owned())
                .collect();
        }
        let mut keys: Vec<String> = Vec::new();
        for key in &self.correct_answers {
            let key = as_option(&line(key), &options);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let question = line(&self.question);
        let question = if self.kind == QuizItemKind::Blank { gapped(&question) } else { question };
        Self { question, options, correct_answers: keys, explanation: line(&self.explanation), ..self }
    }

    /// What is wrong with a fitted question.
    pub(super) fn faults(&self, bar: &Bar<'_>) -> Vec<String> {
        let mut faults: Vec<String> = self.lengths();
        if !bar.kinds.contains(&self.kind) {
            faults.push(format!("the type {} was not asked for", word(self.kind)));
        }
        faults.extend(excerpt_faults(&self.excerpts, bar.given));
        faults.extend(item_defects(&self.item()).iter().map(|defect| format!("{} ({})", defect.message, defect.rule)));
        if self.kind == QuizItemKind::Blank && !self.question.contains(GAP) {
            faults.push(format!("the sentence of a blank has a gap, {GAP}"));
        }
        if self.kind == QuizItemKind::Select && self.options.len() < FEWEST_OPTIONS {
            faults.push("a select has 4 options".to_owned());
        }
        if self.kind == QuizItemKind::Select && self.gives_away() {
            faults.push("the question holds its own answer".to_owned());
        }
        faults.extend(self.explanation_faults());
        faults.extend(self.inventions(bar.ground));
        faults
    }

    /// The item as quizzes hold it, its options in an order of our own.
    pub(super) fn into_item(self) -> QuizItem {
        let mut item = self.item();
        if item.kind == QuizItemKind::Select {
            shuffle(&mut item.options, stable_hash(&item.question));
        }
        item
    }

    /// Its type, text and key, by which it is told from other questions.
    pub(super) fn identity(&self) -> QuestionIdentity<'_> {
        QuestionIdentity { kind: self.kind, question: &self.question, correct_answers: &self.correct_answers }
    }

    fn item(&self) -> QuizItem {
        QuizItem {
            question: self.question.clone(),
            kind: self.kind,
            options: self.options.clone(),
            correct_answers: self.correct_answers.clone(),
            explanation: self.explanation.clone(),
            score: score(self.kind),
        }
    }

    fn lengths(&self) -> Vec<String> {
        let answers = if self.options.is_empty() { ANSWER } else { OPTION };
        let one = [("the question", &self.question, QUESTION), ("the explanation", &self.explanation, EXPLANATION)];
        let many = self.options.iter().map(|option| ("an option", option, OPTION));
        let keys = self.correct_answers.iter().map(|key| ("a correct answer", key, answers));
        // Signs can be an option: "<", "+".
        let signs = |text: &str| !text.is_empty() && text.chars().count() <= 3;
        let all = one.into_iter().chain(many).chain(keys);
        all.filter(|(_, text, _)| !signs(text))
            .filter_map(|(what, text, most)| wording::length(what, text, most))
            .collect()
    }

    fn gives_away(&self) -> bool {
        let question = normal(&self.question);
        let shown = self.options.iter().filter(|option| mentions(&question, &normal(option))).count();
        // A choice between parts of what the question shows gives nothing away.
        shown == 1 && self.correct_answers.iter().any(|key| mentions(&question, &normal(key)))
    }

    /// Where the explanation does not agree with the key, or names options by letters.
    fn explanation_faults(&self) -> Vec<String> {
        let said = normal(&self.explanation);
        let names = |option: &&String| mentions(&said, &normal(option));
        let is_key = |option: &&String| self.correct_answers.contains(option);
        let wrong_named = self.options.iter().filter(|option| !is_key(option)).any(|option| names(&option));
        let right_named = self.options.iter().filter(is_key).any(|option| names(&option));
        let mut faults = Vec::new();
        if wrong_named && !right_named {
            faults.push("the explanation names a wrong option and not the right one".to_owned());
        }
        if !self.options.is_empty() && names_letter(&said) {
            faults.push("the explanation names an option by its letter".to_owned());
        }
        faults
    }

    /// Wrong options and false statements may name what they like.
    fn inventions(&self, ground: &Ground) -> Vec<String> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let mut found = ground.inventions_beside(&self.explanation, &[&options[..], &[&self.question]].concat());
        if self.kind != QuizItemKind::TrueFalse {
            found.extend(ground.inventions_beside(&self.question, &options));
            found.extend(self.correct_answers.iter().flat_map(|key| ground.inventions(key)));
        }
        found
    }
}

/// What is wrong with the numbers of excerpts that a part names.
pub(super) fn excerpt_faults(named: &[u32], given: &[usize]) -> Option<String> {
    if named.is_empty() {
        return Some("`excerpts` is empty: name the excerpts that were used".to_owned());
    }
    if named.len() > given.len() {
        return Some("`excerpts` names more than you were given".to_owned());
    }
    let strange: Vec<u32> = named.iter().copied().filter(|number| !is_given(*number, given)).collect();
    (!strange.is_empty()).then(|| format!("`excerpts` names {strange:?}, which you were not given"))
}

/// The numbers of excerpts that were given, each once.
pub(super) fn given_of(named: Vec<u32>, given: &[usize]) -> Vec<u32> {
    let mut seen = HashSet::new();
    named.into_iter().filter(|number| seen.insert(*number) && is_given(*number, given)).collect()
}

/// Whether an excerpt is among those that were given (from 0).
fn is_given(number: u32, given: &[usize]) -> bool {
    usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).is_some_and(|at| given.contains(&at))
}

/// The first of questions that ask the same, in order, and how many were dropped.
pub(super) fn different(items: Vec<Item>) -> (Vec<Item>, usize) {
    let mut kept: Vec<Item> = Vec::new();
    let mut dropped = 0;
    for item in items {
        if kept.iter().any(|other| alike(other, &item)) {
            dropped += 1;
        } else {
            kept.push(item);
        }
    }
    (kept, dropped)
}

fn alike(one: &Item, other: &Item) -> bool {
    one.identity().asks_the_same(other.identity())
}

/// "B) Paris" without its letter.
fn unlettered(option: &str, letter: char) -> Option<&str> {
    let rest = option.strip_prefix('(').unwrap_or(option);
    let rest = rest.strip_prefix(letter).or_else(|| rest.strip_prefix(letter.to_ascii_lowercase()))?;
    let rest = rest.strip_prefix([')', '.', ':'])?.trim_start();
    (!rest.is_empty()).then_some(rest)
}

/// A key as the option that it means is written: the same but for white space, case and marks, or an option's letter.
fn as_option(key: &str, options: &[String]) -> String {
    if options.is_empty() || options.iter().any(|option| option == key) {
        return key.to_owned();
    }
    let form = normal(key);
    let by_form = || {
        let mut same = options.iter().filter(|option| normal(option) == form);
        same.next().filter(|_| same.next().is_none())
    };
    let by_letter = || {
        let mut letters = form.chars();
        let letter = letters.next().filter(|letter| letters.next().is_none() && letter.is_ascii_lowercase())?;
        options.get(usize::from(letter as u8 - b'a'))
    };
    let by_lettered = || {
        let bare = ('A'..='L').zip(options).find(|(letter, _)| unlettered(key, *letter).is_some())?;
        Some(bare.1).filter(|option| unlettered(key, bare.0).is_some_and(|key| normal(key) == normal(option)))
    };
    by_form().or_else(by_letter).or_else(by_lettered).cloned().unwrap_or_else(|| key.to_owned())
}

/// A gap as it is shown here, however long the model drew it.
fn gapped(question: &str) -> String {
    let mut text = String::with_capacity(question.len());
    let mut rest = question;
    while let Some(at) = rest.find("__") {
        text.push_str(&rest[..at]);
        text.push_str(GAP);
        rest = rest[at..].trim_start_matches('_');
    }
    text + rest
}

/// "option b", "answer c is": a letter in the place of words.
fn names_letter(said: &str) -> bool {
    let words: Vec<&str> = said.unicode_words().collect();
    words.windows(2).any(|pair| {
        language::cues(|cues| cues.option_names).any(|name| name == pair[0])
            && pair[1].len() == 1
            && pair[1].starts_with(|letter: char| matches!(letter, 'b'..='f'))
    }) || language::cues(|cues| cues.option_names)
        .any(|word| said.contains(&format!("{word} a is")) || said.ends_with(&format!("{word} a")))
}

/// An order that depends on nothing but the seed (Fisher and Yates, xorshift).
fn shuffle(options: &mut [String], seed: u64) {
    let mut state = seed | 1;
    for last in (1..options.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let bound = u64::try_from(last + 1).unwrap_or(u64::MAX);
        options.swap(last, usize::try_from(state % bound).unwrap_or(0));
    }
}

#[cfg(test)]
#[path = "items/tests.rs"]
mod tests;
