//! The grader that needs nothing but the task: deterministic, offline, without any I/O.
//!
//! The way of an answer: [`guards`] take out what is no answer; [`tokens`], [`ideas`] and [`answer`] take the
//! texts apart; [`stance`] tells statements from questions; [`alignment`], [`polarity`] and [`roles`] say what of a reference is there and whether it is said
//! the right way round; [`features`] and [`calibration`] turn that into points; [`feedback`] says it to the
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
mod phrases;
mod polarity;
mod roles;
mod stance;
mod tokens;

use futures_util::future::BoxFuture;

use super::{Grade, GradedBy, Grader, GradingError, Judged, Record, Submission};
use crate::text::normal::shorten;

/// Grades rubric and open answers by comparing them with the rubric, the reference or the question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

impl Grader for Builtin {
    fn grade<'a>(&'a self, submission: &'a Submission) -> BoxFuture<'a, Result<Judged, GradingError>> {
        let record = Record::own(GradedBy::Builtin, submission);
        Box::pin(std::future::ready(Ok(Judged { grade: grade(submission), record })))
    }
}

/// The sentence, in a language, that names the files which were not read in full: `{files}` stands for them.
pub(super) fn unread_phrase(language: &str) -> &'static str {
    phrases::for_language(language).unread
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
