//! Questions about single sentences: true or false, a missing number, a missing word.
//!
//! A true statement is the source's sentence as it stands. A false one differs from it in one number or one word of direction,
//! and stands nowhere in the source.

use language::fill;
use language::normal::{occurrences, positions};
use language::profile::Style;
use language::segments::is_whole;

use crate::builtin::lesson::{Lesson, Sentence};
use crate::drafts::{OmissionReason, QuizItemKind};
use crate::reading::names::{Role, has_role};
use crate::text::opposites;

use super::definitions::{same_root, written};
use super::figures::{Asked, asked_number, is_given};
use super::{Candidate, Evidence, Form, GAP, MAX_SHOWN, Rank, Workshop, fits};

/// Most sentences of a lesson that are asked about.
const MOST: usize = 16;
/// Fewest words around a gap, and in a statement that is judged.
const MIN_CONTEXT: usize = 7;
const MIN_STATEMENT: usize = 6;

/// A sentence that is asked about, and how much of its lesson it is about.
#[derive(Clone, Copy)]
struct Statement<'s> {
    lesson: usize,
    /// The sentence's place in its lesson.
    at: usize,
    weight: f64,
    sentence: &'s Sentence,
    /// It states something that can be judged.
    states: bool,
}

impl<'s> Statement<'s> {
    fn evidence(&self) -> Evidence<'s> {
        Evidence::of_sentence(self.lesson, self.at, self.sentence, self.weight)
    }
}

/// The sentences of a lesson that say most, the best first.
fn most_telling(read: &Lesson) -> Vec<usize> {
    let sentences = &read.sentences;
    let mut usable: Vec<usize> =
        (0..sentences.len()).filter(|at| sentences[*at].standalone && fits(&sentences[*at].text, MAX_SHOWN)).collect();
    usable.sort_by(|left, right| sentences[*right].score.total_cmp(&sentences[*left].score));
    usable.truncate(MOST);
    usable
}

impl Workshop<'_> {
    pub(super) fn about_statements(&self, lesson: usize, found: &mut Vec<Candidate>) {
        let read = self.lesson(lesson);
        let usable = most_telling(read);
        let count = usable.len() as f64;
        for (place, at) in usable.into_iter().enumerate() {
            let sentence = &read.sentences[at];
            let states = !read.speaks_of_itself(sentence) && read.states(sentence) && sentence.words >= MIN_STATEMENT;
            if !states {
                self.tally.note(QuizItemKind::TrueFalse, OmissionReason::NoStatement);
            }
            if read.speaks_of_itself(sentence) {
                continue;
            }
            let told = Statement { lesson, at, weight: 1.0 - place as f64 / count, sentence, states };
            self.about_number(&told, found);
            found.extend(self.judged(&told));
            found.extend(self.gap(&told));
        }
    }

    /// Questions for the number of a sentence that names a term, or for its year.
    fn about_number(&self, told: &Statement<'_>, found: &mut Vec<Candidate>) {
        let (read, Statement { sentence, .. }) = (self.lesson(told.lesson), *told);
        let telling = sentence.words >= MIN_CONTEXT && (told.states || read.profile.is_unknown() && sentence.prose);
        let alone = !read.points_elsewhere(sentence);
        let asked = asked_number(&sentence.text, read.profile)
            .filter(|asked| telling && (read.tells_of_a_term(sentence) || asked.number.is_year()));
        let asked = asked.and_then(|asked| match asked.number.is_year() {
            true => asked.among(&self.years, &sentence.text),
            false => Some(asked).filter(|asked| !is_given(read, &asked.number)),
        });
        let Some(asked) = asked else {
            if sentence.text.contains(|digit: char| digit.is_ascii_digit()) {
                self.tally.note(QuizItemKind::Select, OmissionReason::VagueNumber);
            }
            return;
        };
        let fails = self.changed(sentence, &asked);
        // "From 21 onward" changed to another number may be true as well.
        if told.states && !fails.is_empty() && (asked.has_unit || asked.number.is_year()) {
            let rank = if alone && asked.has_unit { Rank::Spare } else { Rank::Ordered };
            found.push(self.verdict(told, rank, fails));
        }
        let of_example = self.heading_above(told.lesson, sentence).is_some_and(names_examples);
        // Which year it was is a question for timelines, which name their events.
        let is_sound = asked.has_unit && alone && !of_example;
        found.push(self.number(told, if is_sound { Rank::Sound } else { Rank::Ordered }, asked));
    }

    /// The question whether a statement is true, as it stands or with its word of direction turned around.
    fn judged(&self, told: &Statement<'_>) -> Option<Candidate> {
        let (read, Statement { sentence, .. }) = (self.lesson(told.lesson), *told);
        let alone = !read.points_elsewhere(sentence);
        let turned = opposites::turned(&sentence.text, read.profile).filter(|turned| !self.said.states(turned));
        let turned = turned.filter(|_| alone && read.is_on_topic(sentence));
        let rank = match turned {
            Some(_) => Rank::Sound,
            None if alone => Rank::Spare,
            // A sentence that leans on another one is for requests that order a number of items.
            None => Rank::Ordered,
        };
        told.states.then(|| self.verdict(told, rank, turned.into_iter().collect()))
    }

    fn verdict(&self, told: &Statement<'_>, rank: Rank, fails: Vec<String>) -> Candidate {
        let holds = told.sentence.text.clone();
        let form = Form::Verdict { holds: Some(holds.clone()), fails };
        self.candidate(told.evidence(), rank, holds, form).under(self.topic(told.lesson, told.sentence, None))
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
    fn number(&self, told: &Statement<'_>, rank: Rank, asked: Asked<'_>) -> Candidate {
        let Asked { number, below, above, .. } = asked;
        let gapped = gapped(&told.sentence.text, number.start, number.text);
        let question = fill(self.phrases().cloze_number, &[("sentence", &gapped)]);
        let question = self.in_context(told.lesson, told.sentence, question, Some(number.text));
        let form = Form::Number { key: number.text.to_owned(), below, above };
        self.candidate(told.evidence(), rank, question, form)
    }

    /// The sentence without one of the lesson's terms: a learner may fill in another word as well, so it is asked only where
    /// a number of items is ordered.
    fn gap(&self, told: &Statement<'_>) -> Option<Candidate> {
        let (read, Statement { sentence, .. }) = (self.lesson(told.lesson), *told);
        let profile = read.profile;
        // Nothing is known of the words, or they carry particles that a learner would have to guess.
        let formulas = sentence.text.contains(['$', '\\']);
        if sentence.words < MIN_CONTEXT || formulas || profile.is_unknown() || profile.style == Style::Korean {
            return None;
        }
        let lower = sentence.text.to_lowercase();
        let term = read.terms.iter().find(|term| {
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
        let question = self.in_context(told.lesson, sentence, question, Some(&term.text));
        Some(self.candidate(told.evidence(), Rank::Ordered, question, written(&term.text)))
    }
}

/// "Two examples": what stands below is nothing to learn by heart.
pub(super) fn names_examples(heading: &str) -> bool {
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
