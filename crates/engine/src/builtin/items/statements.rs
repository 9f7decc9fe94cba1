//! Questions about single sentences: true or false, a missing word, a missing number.
//!
//! A true statement is the source's sentence as it stands. A false one differs from it in a number or
//! a term, never in grammar, so that it is really false.

use language::fill;
use language::normal::{occurrences, positions, stable_hash};
use language::script::is_unspaced;

use crate::builtin::lesson::Sentence;
use crate::drafts::QuizItemKind;
use crate::text::numbers::{self, Number};

use super::options::{arrange, pick};
use super::{Evidence, GAP, Item, MAX_SHOWN, Workshop, fits};

/// Most sentences of a lesson that are asked about.
const MOST: usize = 16;
/// Fewest words around a gap.
const MIN_CONTEXT: usize = 7;

impl Workshop<'_> {
    pub(super) fn about_statements(&self, lesson: usize, items: &mut Vec<Item>) {
        let sentences = &self.lesson(lesson).sentences;
        let mut usable: Vec<usize> = (0..sentences.len())
            .filter(|at| sentences[*at].standalone && fits(&sentences[*at].text, MAX_SHOWN))
            .collect();
        usable.sort_by(|left, right| sentences[*right].score.total_cmp(&sentences[*left].score));
        usable.truncate(MOST);
        for at in usable {
            let sentence = &sentences[at];
            let fact = format!("sentence {lesson} {at}");
            items.extend(self.gap(lesson, sentence, &fact));
            items.extend(self.number(lesson, sentence, &fact));
            items.extend(self.judge(lesson, sentence, &fact));
        }
    }

    /// True as it stands, and false by a number; which of them is asked is chosen with the others.
    fn judge(&self, lesson: usize, sentence: &Sentence, fact: &str) -> Vec<Item> {
        let verdict =
            |statement: &str, holds| self.verdict(statement, holds, Evidence::of_sentence(lesson, sentence, fact));
        let mut items = Vec::new();
        if let Some((number, near)) = asked_number(&sentence.text) {
            let end = number.start + number.text.len();
            let changed =
                near.first().map(|near| format!("{}{near}{}", &sentence.text[..number.start], &sentence.text[end..]));
            items.extend(changed.map(|statement| verdict(&statement, false)));
        }
        if sentence.words >= 6 {
            items.push(verdict(&sentence.text, true));
        }
        if pick(&sentence.text, 2) == 0 {
            items.reverse();
        }
        items
    }

    /// A true-or-false item.
    pub(super) fn verdict(&self, statement: &str, holds: bool, evidence: Evidence<'_>) -> Item {
        let phrases = self.phrases();
        let key = if holds { phrases.answer_true } else { phrases.answer_false };
        let mut item = self.item(
            evidence,
            QuizItemKind::TrueFalse,
            fill(phrases.true_false, &[("statement", statement)]),
            vec![phrases.answer_true.to_owned(), phrases.answer_false.to_owned()],
            vec![key.to_owned()],
        );
        item.item.explanation = format!("{key}{}{}", phrases.sentence_end, item.item.explanation);
        item
    }

    /// The sentence without one of the lesson's terms.
    fn gap(&self, lesson: usize, sentence: &Sentence, fact: &str) -> Option<Item> {
        let found = self.lesson(lesson);
        if sentence.words < MIN_CONTEXT {
            return None;
        }
        let lower = sentence.text.to_lowercase();
        let term = found.terms.iter().find(|term| {
            let once =
                occurrences(&sentence.text, &term.text) == 1 && lower.matches(&term.text.to_lowercase()).count() == 1;
            let bare = term.text.chars().any(char::is_alphabetic)
                && term.text.chars().count() >= 2
                && term.text.split(' ').count() <= 3;
            once && bare && !same_word_nearby(&lower, &term.text.to_lowercase())
        })?;
        let at = positions(&sentence.text, &term.text).next()?;
        let gapped = format!("{}{GAP}{}", &sentence.text[..at], &sentence.text[at + term.text.len()..]);
        let question = fill(self.phrases().blank, &[("sentence", &gapped)]);
        Some(self.free(Evidence::of_sentence(lesson, sentence, fact), QuizItemKind::Blank, question, term.text.clone()))
    }

    /// The sentence without its number.
    fn number(&self, lesson: usize, sentence: &Sentence, fact: &str) -> Option<Item> {
        let (number, near) = asked_number(&sentence.text)?;
        let end = number.start + number.text.len();
        let gapped = format!("{}{GAP}{}", &sentence.text[..number.start], &sentence.text[end..]);
        let question = fill(self.phrases().cloze_number, &[("sentence", &gapped)]);
        let mut options = arrange(number.text, near.into_iter(), 3, &question)?;
        options.sort_by(|left, right| value(left).total_cmp(&value(right)));
        Some(self.choice(Evidence::of_sentence(lesson, sentence, fact), question, options, number.text.to_owned()))
    }
}

fn value(number: &str) -> f64 {
    number.replace(',', ".").parse().unwrap_or(0.0)
}

/// Another form of the term stands in the sentence and would give it away.
fn same_word_nearby(sentence: &str, term: &str) -> bool {
    sentence
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| super::definitions::same_root(word, term) && *word != term)
        .count()
        > 0
}

/// A number worth asking for, with near ones that the sentence does not hold.
fn asked_number(text: &str) -> Option<(Number<'_>, Vec<String>)> {
    if text.contains(['$', '\\', '=', '^']) {
        return None;
    }
    let found = numbers::find(text);
    let exact: Vec<Number<'_>> = found
        .iter()
        .copied()
        .filter(|number| number.text.len() > 1 || number.text > "2")
        .filter(|number| !is_vague(&text[..number.start]))
        .collect();
    let years: Vec<Number<'_>> = exact.iter().copied().filter(Number::is_year).collect();
    let choice = if years.is_empty() { &exact } else { &years };
    let number = *choice.get(pick(text, choice.len()))?;
    let near: Vec<String> = numbers::near(number, stable_hash(text))
        .into_iter()
        .filter(|near| !found.iter().any(|other| other.text == near))
        .collect();
    (near.len() >= 3).then_some((number, near))
}

fn is_vague(before: &str) -> bool {
    let words: Vec<String> = before.split_whitespace().rev().take(2).map(str::to_lowercase).collect();
    let is_hedge =
        |hedge: &str| words.iter().any(|word| word.trim_matches(|part: char| !part.is_alphanumeric()) == hedge);
    language::cues(|cues| cues.hedges)
        .any(|hedge| if hedge.starts_with(is_unspaced) { before.ends_with(hedge) } else { is_hedge(hedge) })
}
