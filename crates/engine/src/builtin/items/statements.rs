//! Questions about single sentences: true or false, a missing number, a missing word.
//!
//! A true statement is the source's sentence as it stands. A false one differs from it in one number, so that it is really
//! false, and stands nowhere in the source.

use language::fill;
use language::normal::{occurrences, positions};
use language::profile::Style;
use language::segments::is_whole;

use crate::builtin::lesson::Sentence;
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::names::{Role, has_role};
use crate::text::opposites;

use super::definitions::same_root;
use super::figures::{Asked, asked_number};
use super::{Candidate, Evidence, Form, GAP, MAX_SHOWN, Rank, Workshop, fits};

/// Most sentences of a lesson that are asked about.
const MOST: usize = 16;
/// Fewest words around a gap, and in a statement that is judged.
const MIN_CONTEXT: usize = 7;
const MIN_STATEMENT: usize = 6;

impl Workshop<'_> {
    pub(super) fn about_statements(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let read = self.lesson(lesson);
        let sentences = &read.sentences;
        let mut usable: Vec<usize> = (0..sentences.len())
            .filter(|at| sentences[*at].standalone && fits(&sentences[*at].text, MAX_SHOWN))
            .collect();
        usable.sort_by(|left, right| sentences[*right].score.total_cmp(&sentences[*left].score));
        usable.truncate(MOST);
        let count = usable.len() as f64;
        for (place, at) in usable.into_iter().enumerate() {
            let sentence = &sentences[at];
            let weight = 1.0 - place as f64 / count;
            if read.speaks_of_itself(sentence) {
                self.tally.note(QuizItemKind::TrueFalse, OmissionReason::NoStatement);
                continue;
            }
            let evidence = || Evidence::of_sentence(lesson, at, sentence, weight);
            let states = read.states(sentence) && sentence.words >= MIN_STATEMENT;
            if !states {
                self.tally.note(QuizItemKind::TrueFalse, OmissionReason::NoStatement);
            }
            // A sentence that leans on another one is for requests that order a number of items.
            let alone = !read.points_elsewhere(sentence);
            let spare = if alone { Rank::Spare } else { Rank::Ordered };
            let topic = self.topic(lesson, sentence, "");
            let telling = sentence.words >= MIN_CONTEXT && (states || read.profile.is_unknown() && sentence.prose);
            match asked_number(&sentence.text, read.profile).filter(|asked| {
                let is_dated = asked.number.is_year() && read.is_on_topic(sentence) && names_somebody(&sentence.text);
                telling && (read.tells_of_a_term(sentence) || alone && is_dated)
            }) {
                Some(asked) => {
                    let (holds, fails) = (sentence.text.clone(), self.changed(sentence, &asked));
                    // "From 21 onward" changed to another number may be true as well.
                    if states && !fails.is_empty() && (asked.has_unit || asked.number.is_year()) {
                        let form = Form::Verdict { holds: Some(holds.clone()), fails };
                        found.push(self.candidate(evidence(), spare, holds, form).under(topic));
                    }
                    found.push(self.number(evidence(), sentence, asked, alone));
                }
                None if sentence.text.contains(|digit: char| digit.is_ascii_digit()) => {
                    self.tally.note(QuizItemKind::Select, OmissionReason::VagueNumber);
                }
                None => {}
            }
            let turned = opposites::turned(&sentence.text, read.profile).filter(|turned| !self.said.states(turned));
            if let Some(turned) = turned.filter(|_| states && alone && read.is_on_topic(sentence)) {
                let holds = sentence.text.clone();
                let form = Form::Verdict { holds: Some(holds.clone()), fails: vec![turned] };
                found.push(self.candidate(evidence(), Rank::Sound, holds, form).under(topic));
            } else if states {
                let holds = sentence.text.clone();
                let form = Form::Verdict { holds: Some(holds.clone()), fails: Vec::new() };
                found.push(self.candidate(evidence(), spare, holds, form).under(topic));
            }
            found.extend(self.gap(lesson, evidence(), sentence));
        }
    }

    /// The sentence with its number changed, so that the source nowhere says it.
    fn changed(&self, sentence: &Sentence, asked: &Asked<'_>) -> Vec<String> {
        let end = asked.number.start + asked.number.text.len();
        let changed =
            |other: &String| format!("{}{other}{}", &sentence.text[..asked.number.start], &sentence.text[end..]);
        // The nearest would be a trap.
        let near = [&asked.below, &asked.above].into_iter().filter_map(|side| side.get(1).or(side.first()));
        near.map(changed).filter(|statement| !self.said.states(statement)).collect()
    }

    /// The sentence without its number.
    fn number(&self, evidence: Evidence<'_>, sentence: &Sentence, asked: Asked<'_>, alone: bool) -> Candidate {
        let Asked { number, has_unit, below, above } = asked;
        let question =
            fill(self.phrases().cloze_number, &[("sentence", &gapped(&sentence.text, number.start, number.text))]);
        let question = self.in_context(evidence.lesson, sentence, question, number.text);
        let form = Form::Number { key: number.text.to_owned(), below, above };
        let of_example = self.heading_above(evidence.lesson, sentence).is_some_and(names_examples);
        let is_dated = number.is_year() && names_somebody(&sentence.text);
        let rank = if (has_unit || is_dated) && alone && !of_example { Rank::Sound } else { Rank::Ordered };
        self.candidate(evidence, rank, question, form)
    }

    /// The sentence without one of the lesson's terms: a learner may fill in another word as well, so it is asked only where
    /// a number of items is ordered.
    fn gap(&self, lesson: usize, evidence: Evidence<'_>, sentence: &Sentence) -> Option<Candidate> {
        let profile = self.lesson(lesson).profile;
        // Nothing is known of the words, or they carry particles that a learner would have to guess.
        let formulas = sentence.text.contains(['$', '\\']);
        if sentence.words < MIN_CONTEXT || formulas || profile.is_unknown() || profile.style == Style::Korean {
            return None;
        }
        let lower = sentence.text.to_lowercase();
        let term = self.lesson(lesson).terms.iter().find(|term| {
            let once =
                occurrences(&sentence.text, &term.text) == 1 && lower.matches(&term.text.to_lowercase()).count() == 1;
            let bare = term.text.chars().any(char::is_alphabetic)
                && term.text.chars().count() >= 2
                && term.text.split(' ').count() <= 3;
            let whole = |at: usize| is_whole(&sentence.text, at..at + term.text.len());
            once && bare
                && positions(&sentence.text, &term.text).all(whole)
                && !same_word_nearby(&lower, &term.text.to_lowercase())
        })?;
        let at = positions(&sentence.text, &term.text).next()?;
        let question = fill(self.phrases().blank, &[("sentence", &gapped(&sentence.text, at, &term.text))]);
        let form = Form::Written { kind: QuizItemKind::Blank, keys: vec![term.text.clone()] };
        Some(self.candidate(evidence, Rank::Ordered, question, form))
    }
}

/// Whether a sentence holds a name of two words: a year belongs to an event, and events have names.
fn names_somebody(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase) && word.chars().count() > 2;
    words.iter().skip(1).zip(words.iter().skip(2)).any(|(one, next)| is_capital(one) && is_capital(next))
}

/// "Two examples": what stands below is nothing to learn by heart.
fn names_examples(heading: &str) -> bool {
    heading.split(|sign: char| !sign.is_alphanumeric()).any(|word| has_role(word, Role::Example))
}

/// A text with a gap in the place of a part of it.
pub(super) fn gapped(text: &str, at: usize, part: &str) -> String {
    format!("{}{GAP}{}", &text[..at], &text[at + part.len()..])
}

/// Another form of the term stands in the sentence and would give it away.
fn same_word_nearby(sentence: &str, term: &str) -> bool {
    sentence.split(|character: char| !character.is_alphanumeric()).any(|word| same_root(word, term) && word != term)
}
