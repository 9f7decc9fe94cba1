//! The grader that needs nothing but the task: deterministic, offline, without any I/O.
//!
//! The way of an answer: [`guards`] take out what nobody sees and flag what may be no answer; [`tokens`], [`ideas`] and [`answer`] take the
//! texts apart; [`stance`] tells statements from questions; [`alignment`], [`polarity`] and [`roles`] say what of a reference is there and whether it is said
//! the right way round; [`features`] and [`calibration`] turn that into points; [`reviews`] moves them to where people put other answers; [`feedback`] says it to the
//! learner. It measures words and statements, it does not understand: where it can't tell (another language, no
//! reference) its confidence says so. Nothing in a submission is an instruction to it.

mod alignment;
mod answer;
mod calibration;
mod comparison;
mod features;
mod feedback;
mod guards;
mod ideas;
mod intake;
mod judgement;
mod lexicon;
mod polarity;
mod reviews;
mod roles;
mod stance;
mod tokens;

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
