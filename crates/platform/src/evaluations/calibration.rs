//! Reviewed answers, for later grades of the same question: graders learn from them where a teacher draws the line.
//!
//! The same question is the same type, question, reference and rubric, in the same workspace: what one customer's teachers
//! say never shows in another's grades. With an answer goes the share that a model gave it before the review: by those shares a
//! model's grader knows how often people confirm it. Texts are cut, so that no answer, however long, makes later grades dear.

use grading::ReviewedAnswer;
use kernel::id::WorkspaceId;
use serde_json::json;
use store::{Group as _, StoreError, Tx, sql};

use super::files::FileRow;
use super::records::AnswerVersion;
use super::request::Asked;
use super::row::EvaluationRow;
use super::{EvaluationType, Role};

/// Reviewed answers that a grade is calibrated by, at most: the newest.
pub const MOST_ANSWERS: usize = 40;
/// Of a reviewed answer, in characters. Whoever grades by forty of them reads no more than two long answers.
pub const LONGEST_ANSWER: usize = 8_000;
/// Of what a person said to a learner, in characters.
const LONGEST_FEEDBACK: usize = 2_000;
/// The share that the model's last grade before a review gave, in a statement about `reviewed_answer reviewed`.
const MODEL_SHARE: &str = "(SELECT earlier.score / graded.max_score
    FROM evaluation_grade earlier JOIN evaluation graded ON graded.id = earlier.evaluation_id
    WHERE earlier.evaluation_id = reviewed.evaluation_id AND earlier.version < reviewed.version
        AND earlier.graded_by = 'model' AND graded.max_score > 0
    ORDER BY earlier.version DESC LIMIT 1)";

/// What identifies the question of an evaluation; `None` once the learner was erased.
pub(crate) fn key_of(row: &EvaluationRow) -> Option<String> {
    let asked = row.asked.as_ref()?;
    Some(question_key(row.evaluation_type, asked, &row.files))
}

/// What identifies a question within a workspace: a SHA-256 in hex. Rubrics in files count by their bytes.
pub(crate) fn question_key<'a>(
    evaluation_type: EvaluationType,
    asked: &Asked,
    files: impl IntoIterator<Item = &'a FileRow>,
) -> String {
    let rubric_files = files.into_iter().filter(|file| file.role == Role::Rubric);
    kernel::json::canonical_sha256(&json!({
        "type": evaluation_type,
        "question": asked.question_text.trim(),
        "reference": asked.reference_answer.as_deref().map(str::trim),
        "criteria": asked.criteria,
        "rubricFiles": rubric_files.map(|file| &file.sha256).collect::<Vec<_>>(),
    }))
}

/// Whether graders of this type learn from reviewed answers; code that compares values does not.
pub(super) fn is_calibrated(evaluation_type: EvaluationType) -> bool {
    evaluation_type != EvaluationType::Exact
}

/// The newest reviewed answers to the question of an evaluation that is about to be graded.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn list(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    question_key: &str,
) -> Result<Vec<(AnswerVersion, ReviewedAnswer)>, StoreError> {
    let most = i64::try_from(MOST_ANSWERS).unwrap_or(i64::MAX);
    sql!(
        "SELECT evaluation_id, version, answer, share, criteria, feedback, {const MODEL_SHARE} AS model_share
         FROM reviewed_answer reviewed
         WHERE workspace_id = {workspace} AND question_key = {question_key} AND is_current = 1
         ORDER BY reviewed_at DESC, evaluation_id DESC LIMIT {most}"
    )
    .query(tx, |row| {
        let version = AnswerVersion { evaluation_id: row.get(0)?, version: row.get(1)? };
        Ok((version, StoredAnswer::read_at(row, 2)?.into()))
    })
}

/// The reviewed answers that a record names, in its order; those of learners who were erased are gone.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn find_all(tx: &mut Tx<'_>, versions: &[AnswerVersion]) -> Result<Vec<ReviewedAnswer>, StoreError> {
    tx.query_each(
        versions,
        |AnswerVersion { evaluation_id, version }| {
            sql!(
                "SELECT answer, share, criteria, feedback, {const MODEL_SHARE} AS model_share
                 FROM reviewed_answer reviewed WHERE evaluation_id = {*evaluation_id} AND version = {*version}"
            )
        },
        |row| StoredAnswer::read_at(row, 0).map(Into::into),
    )
}

/// A reviewed answer as it is stored.
#[derive(store::Record)]
struct StoredAnswer {
    answer: String,
    share: f64,
    #[column(json)]
    criteria: Vec<f64>,
    feedback: String,
    /// What the model's last grade before the review gave, null where the model gave none.
    model_share: Option<f64>,
}

impl From<StoredAnswer> for ReviewedAnswer {
    fn from(stored: StoredAnswer) -> Self {
        let StoredAnswer { answer, share, criteria, feedback, model_share } = stored;
        Self { answer, share, criteria, feedback, model_share }
    }
}

/// Keeps a reviewed answer instead of the one that an earlier review of the same evaluation made. It is the whole answer, or
/// not to be kept: later answers that look like a part of it would inherit its grade. One without any text teaches nothing
/// and is not kept.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn keep(
    tx: &mut Tx<'_>,
    row: &EvaluationRow,
    asked: &Asked,
    answer: &ReviewedAnswer,
) -> Result<(), StoreError> {
    if !is_calibrated(row.evaluation_type) || answer.answer.trim().is_empty() {
        return Ok(());
    }
    let now = tx.now();
    tx.execute_later(
        "UPDATE reviewed_answer SET is_current = 0 WHERE evaluation_id = $1 AND is_current = 1",
        &[&row.id],
    )?;
    let question_key = question_key(row.evaluation_type, asked, &row.files);
    let (text, feedback) = (beginning(&answer.answer, LONGEST_ANSWER), beginning(&answer.feedback, LONGEST_FEEDBACK));
    let criteria = store::Value::json(&answer.criteria)?;
    sql!(
        "INSERT INTO reviewed_answer (evaluation_id, version, workspace_id, question_key, answer, share, criteria, feedback,
            is_current, reviewed_at)
         VALUES ({row.id}, {row.version}, {row.workspace}, {question_key}, {text}, {answer.share}, {criteria}, {feedback}, 1,
            {now})"
    )
    .execute_later(tx)
}

fn beginning(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}
