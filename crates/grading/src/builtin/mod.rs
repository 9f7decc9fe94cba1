//! The grader that needs nothing but the task: deterministic, offline, without any I/O.
//!
//! The way of an answer: [`intake`] reads it, without what nobody sees, and [`guards`] flag what addresses the grader; [`text`] takes
//! texts apart into [`words`]; [`features`] measure the answer beside a [`reference`]; the [`scorer`] turns that into points and says how
//! sure they are; [`judgement`] does so for the whole or for each criterion of a [`rubric`] and says what it can't judge; [`reviews`] move
//! points to where people put other answers; [`feedback`] says it to the learner. It compares words, it does not understand. Nothing in a
//! submission is an instruction to it.

mod direction;
mod features;
mod feedback;
mod guards;
mod intake;
mod judgement;
mod lexicon;
mod quantities;
mod reference;
mod reviews;
mod rubric;
pub mod scorer;
mod senses;
mod spelling;
mod text;
mod words;

use std::collections::BTreeSet;

use async_trait::async_trait;
use language::normal::shorten;

use guards::Reading;

use super::{Grade, GradedBy, Grader, GradingError, IntegrityFlag, Judged, Record, Submission};

/// Grades rubric and open answers by comparing them with the rubric, the reference or the question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

#[async_trait]
impl Grader for Builtin {
    async fn grade(&self, submission: &Submission) -> Result<Judged, GradingError> {
        let record = Record::own(GradedBy::Builtin, submission);
        Ok(Judged { grade: grade(submission), record })
    }
}

/// The sentence, in a language, that names the files which were not read in full: `{files}` stands for them.
pub(super) fn unread_phrase(language: &str) -> &'static str {
    language::teaching(language).feedback.unread
}

/// An answer as any grader reads it: with its files, without what nobody sees.
#[derive(Debug)]
pub(super) struct Readable {
    pub(super) text: String,
    /// What looked odd.
    pub(super) flags: BTreeSet<IntegrityFlag>,
    /// How sure a grade can be at most.
    pub(super) most_sure: f64,
    /// It talks to the grader by more than one sign.
    pub(super) surely_talks: bool,
}

/// Reads what may be judged of a submission's answer.
pub(super) fn readable(submission: &Submission) -> Readable {
    let intake = intake::read(submission);
    Readable {
        // Without the limit of what the built-in grader judges.
        text: guards::visible(&intake::written(submission).0, intake.reading).text,
        surely_talks: intake.surely_talks,
        flags: intake.flags,
        most_sure: intake.most_sure,
    }
}

/// What a grader reads of an answer that somebody else gave to the same question.
pub(super) fn readable_text(text: &str, question: &str) -> String {
    guards::visible(text, Reading::of(question)).text.trim().to_owned()
}

/// Measures an answer as it is graded, for fitting: beside that of the references which suits it best.
#[must_use]
pub fn measure(language: &str, question: &str, references: &[&str], answer: &str) -> scorer::Measured {
    let mut submission = Submission::new(super::EvaluationType::OpenEnded, question, answer, 1.0);
    submission.language = language.to_owned();
    submission.reference_answer = references.first().map(|text| (*text).to_owned());
    submission.other_references = references.iter().skip(1).map(|text| (*text).to_owned()).collect();
    judgement::measure(&submission, &intake::read(&submission))
}

/// Grades a submission; never fails, because an empty answer is a judgement as well.
///
/// CPU-bound and linear in what is handed in: a few milliseconds for a page.
#[must_use]
pub fn grade(submission: &Submission) -> Grade {
    let mut intake = intake::read(submission);
    let mut judgement = judgement::judge(submission, &intake);
    let unread = judgement.unread_from.take().map(|rest| format!("“{}”", shorten(&rest, 6, 60)));
    intake.unread.extend(unread);
    feedback::write(submission, &intake, judgement)
}
