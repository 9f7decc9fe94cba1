//! What people make of grades: a review is a further version of an evaluation's grade, and the newest version counts.
//!
//! A review changes what is said of an answer and what follows from that (mastery, events, what later grades learn). It costs
//! nothing and is no usage: what was paid for is that the service graded, and what it failed at stays unpaid.

pub mod create;
mod request;
#[cfg(test)]
mod tests;

use edge::problem::Problem;
use grading::{AttachmentText, GradedBy, Record, ReviewedAnswer, Submission};
use store::{StoreError, Tx, sql};

use super::end::announce;
use super::grade::{Graded, points, share_of};
use super::records::{KeptRecord, attach};
use super::row::{CriterionScore, EvaluationRow, Feedback, read};
use super::{Role, Status};
use super::{calibration, index};
use crate::learners::mastery;
use request::{Judgement, Review};

/// Versions of an evaluation, so that nobody fills the database with opinions on one answer.
const MOST_VERSIONS: i64 = 100;

const RUNNING: Problem = Problem::Conflict("The evaluation has not ended yet.");
const ERASED: Problem = Problem::Conflict("The learner's data was erased.");
const TOO_MANY: Problem = Problem::Conflict("The evaluation was reviewed too often.");

/// Gives an evaluation, which nobody else may change meanwhile ([`EvaluationRow::hold`]), its next version.
///
/// # Errors
/// 409 for what has not ended, was erased or was reviewed too often.
fn apply(tx: &mut Tx<'_>, row: EvaluationRow, review: &Review) -> Result<EvaluationRow, Problem> {
    if !row.status.is_terminal() {
        return Err(RUNNING);
    }
    let Some(asked) = row.asked.clone() else { return Err(ERASED) };
    if row.version >= MOST_VERSIONS {
        return Err(TOO_MANY);
    }
    let former = row.score;
    let submission = asked.submission(row.evaluation_type, row.max_score, row.tier());
    let graded = grade(&row, &submission, review);
    let answer = whole_answer(tx, &row, submission)?;
    supersede(tx, &row)?;
    let reviewed = reviewed(row, graded, review);
    save(tx, &reviewed)?;
    let row = reviewed.row;
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

/// Keeps the version that there is, before the next one takes its place. Its record may be large: it stays in the database.
fn supersede(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    tx.execute_later(
        "INSERT INTO evaluation_grade (evaluation_id, version, graded_by, score, confidence, feedback, error_code, error_message,
            reviewer, graded_at, record)
         SELECT id, version, graded_by, score, confidence, feedback, error_code, error_message, reviewer,
            COALESCE(reviewed_at, completed_at), record
         FROM evaluation WHERE id = $1",
        &[&row.id],
    )
}

/// A row with its new version, and what only the database keeps of that.
struct Reviewed {
    row: EvaluationRow,
    record: KeptRecord,
    reviewer: Option<String>,
}

fn reviewed(mut row: EvaluationRow, graded: Graded, review: &Review) -> Reviewed {
    let Graded { score, confidence, feedback, record } = graded;
    row.version += 1;
    row.status = Status::Completed;
    row.failure = None;
    row.graded_by = Some(record.graded_by());
    (row.score, row.confidence, row.feedback) = (Some(score), Some(confidence), Some(feedback));
    Reviewed { row, record, reviewer: review.said.reviewer.clone() }
}

/// What had failed was not paid for, and is not because a person did the work.
fn save(tx: &mut Tx<'_>, reviewed: &Reviewed) -> Result<(), StoreError> {
    let Reviewed { row, record, reviewer } = reviewed;
    let (now, feedback, record) = (tx.now(), store::Value::json(&row.feedback)?, store::Value::json(record)?);
    sql!(
        "UPDATE evaluation SET is_unpaid = CASE WHEN status = 'FAILED' THEN 1 ELSE is_unpaid END, status = {row.status},
            version = {row.version}, graded_by = {row.graded_by}, reviewer = {reviewer}, reviewed_at = {now},
            score = {row.score}, confidence = {row.confidence}, feedback = {feedback}, error_code = NULL,
            error_message = NULL, record = {record}
         WHERE id = {row.id}"
    )
    .execute_later(tx)
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
    }
}
