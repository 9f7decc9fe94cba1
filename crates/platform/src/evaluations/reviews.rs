//! What people make of grades: a review is a further version of an evaluation's grade, and the newest version counts.
//!
//! A review changes what is said of an answer and what follows from that (mastery, events, what later grades learn). It costs
//! nothing and is no usage: what was paid for is that the service graded, and what it failed at stays unpaid.

pub mod create;
pub mod create_many;
mod documented;
mod request;
#[cfg(test)]
mod tests;

use edge::idempotency::Claim;
use edge::problem::Problem;
use grading::{AttachmentText, GradedBy, Record, ReviewedAnswer, Submission};
use kernel::id::EvaluationId;
use store::{StoreError, Tx};

use super::end::announce;
use super::grade::{Graded, points, share_of};
use super::records::{KeptRecord, attach};
use super::row::{CriterionScore, EvaluationRow, Feedback, read};
use super::versions::{self, MOST_VERSIONS, NextVersion};
use super::{NOT_FOUND, Role, calibration, index};
use crate::Platform;
use crate::learners::mastery;
use crate::questions;
use request::{Judgement, Review};

const RUNNING: Problem = Problem::Conflict("The evaluation has not ended yet.");
const ERASED: Problem = Problem::Conflict("The learner's data was erased.");
const TOO_MANY: Problem = Problem::Conflict("The evaluation was reviewed too often.");

/// Reviews an evaluation once, whatever is repeated: how it stands then, and whether an earlier request did it.
///
/// # Errors
/// 404 for what is gone, 409 as [`apply`] or for a key that was used for another request.
fn once(
    tx: &mut Tx<'_>,
    platform: &Platform,
    id: EvaluationId,
    review: &Review,
    claim: Option<&Claim>,
) -> Result<(EvaluationRow, bool), Problem> {
    let reviewed = versions::once(tx, &platform.door.idempotency, claim, |tx| {
        let row = EvaluationRow::hold(tx, id)?.ok_or(NOT_FOUND)?;
        apply(tx, row, review)
    })?;
    match reviewed {
        Some(row) => Ok((row, false)),
        None => Ok((EvaluationRow::find(tx, id)?.ok_or(NOT_FOUND)?, true)),
    }
}

/// Gives an evaluation, which nobody else may change meanwhile ([`EvaluationRow::hold`]), its next version.
///
/// # Errors
/// 409 for what has not ended, was erased or was reviewed too often.
fn apply(tx: &mut Tx<'_>, mut row: EvaluationRow, review: &Review) -> Result<EvaluationRow, Problem> {
    if !row.status.is_terminal() {
        return Err(RUNNING);
    }
    let Some(asked) = row.asked.clone() else { return Err(ERASED) };
    if row.version >= MOST_VERSIONS {
        return Err(TOO_MANY);
    }
    questions::assign(tx, &mut row)?;
    let former = row.score;
    let submission = asked.submission(row.evaluation_type, row.max_score, row.tier());
    let graded = grade(&row, &submission, review);
    let answer = whole_answer(tx, &row, submission)?;
    let row = NextVersion::of(row, graded, review.said.reviewer.clone()).save(tx)?;
    index::close_review(tx, &row)?;
    if let Some(answer) = answer {
        calibration::keep(tx, &row, &asked, &teaches(&row, answer, review))?;
    }
    mastery::revise(tx, &row, former)?;
    announce(tx, &row)?;
    Ok(row)
}

/// The grade that a person gives: where there is a rubric, the total is what the criteria add up to. What the person does not
/// say stays as it was said before.
fn grade(row: &EvaluationRow, submission: &Submission, review: &Review) -> Graded {
    let before = row.feedback.clone().unwrap_or_default();
    let (score, rubric_breakdown) = match &review.judgement {
        Judgement::Score(score) => (*score, None),
        Judgement::Criteria(criteria) => {
            let was = before.rubric_breakdown.unwrap_or_default();
            let part = |(index, criterion): (usize, &request::JudgedCriterion)| CriterionScore {
                criterion: criterion.name.clone(),
                score: points(criterion.score, criterion.max_score),
                max_score: criterion.max_score,
                feedback: match (&criterion.feedback, was.get(index)) {
                    (Some(feedback), _) => feedback.clone(),
                    (None, Some(was)) => was.feedback.clone(),
                    (None, None) => String::new(),
                },
            };
            let parts: Vec<CriterionScore> = criteria.iter().enumerate().map(part).collect();
            (share_of(&parts).unwrap_or_default() * row.max_score, Some(parts))
        }
    };
    Graded {
        score: points(score, row.max_score),
        confidence: 1.0,
        feedback: Feedback {
            rubric_breakdown,
            strengths: review.said.strengths.clone().unwrap_or(before.strengths),
            mistakes: review.said.mistakes.clone().unwrap_or(before.mistakes),
            suggestions: review.said.suggestions.clone().unwrap_or(before.suggestions),
            feedback_summary: review.said.feedback_summary.clone().unwrap_or(before.feedback_summary),
            next_step: review.said.next_step.clone().unwrap_or(before.next_step),
            integrity: before.integrity,
            review_reasons: Vec::new(),
        },
        record: KeptRecord::alone(Record { version: None, ..Record::own(GradedBy::Reviewer, submission) }),
    }
}

/// Everything that the learner of an evaluation wrote, as a review keeps it. `None` where the grader did not read all files whole,
/// and once the learner was erased.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn text_of_answer(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<Option<String>, StoreError> {
    let Some(asked) = &row.asked else { return Ok(None) };
    whole_answer(tx, row, asked.submission(row.evaluation_type, row.max_score, row.tier()))
}

/// Everything that the learner wrote, in files too; `None` where the grader did not read all of them whole. The words beside
/// a photo ("see the photo") are not the answer that a person graded: others write them too.
fn whole_answer(
    tx: &mut Tx<'_>,
    row: &EvaluationRow,
    mut submission: Submission,
) -> Result<Option<String>, StoreError> {
    let files = row.files.iter().filter(|file| file.role == Role::Answer).count();
    if files > 0 && calibration::is_calibrated(row.evaluation_type) {
        let kept = tx.find(
            "SELECT record FROM evaluation WHERE id = $1 AND version = 1
             UNION ALL SELECT record FROM evaluation_grade WHERE evaluation_id = $1 AND version = 1",
            &[&row.id],
            |row| row.get::<Option<String>>(0),
        )?;
        if let Some(kept) = kept.flatten() {
            attach(&mut submission, &read::<KeptRecord>(&kept)?.files);
        }
    }
    let mut texts = vec![submission.answer];
    for file in &submission.answer_files {
        let AttachmentText::Whole(text) = &file.text else { return Ok(None) };
        texts.push(text.clone());
    }
    // What failed before its files were read has no text of theirs.
    Ok((texts.len() == files + 1).then(|| texts.join("\n").trim().to_owned()))
}

/// What later grades of the same question learn from this one.
fn teaches(row: &EvaluationRow, answer: String, review: &Review) -> ReviewedAnswer {
    let share = |score: f64, max_score: f64| if max_score > 0.0 { (score / max_score).clamp(0.0, 1.0) } else { 0.0 };
    let parts = row.feedback.as_ref().and_then(|feedback| feedback.rubric_breakdown.as_deref()).unwrap_or_default();
    ReviewedAnswer {
        answer,
        share: share(row.score.unwrap_or_default(), row.max_score),
        criteria: parts.iter().map(|part| share(part.score, part.max_score)).collect(),
        feedback: review.said.feedback_summary.clone().unwrap_or_default(),
        // Kept with the grade that the review supersedes, where reading finds it.
        model_share: None,
    }
}
