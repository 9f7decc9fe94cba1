//! A question as it is stored.

use kernel::id::{QuestionId, WorkspaceId};
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use crate::evaluations::{Asked, EvaluationRow, EvaluationType, RubricCriterion, question_key_of};

/// A row of `question`.
#[derive(Clone, Debug, Record)]
#[record(table = "question")]
pub(super) struct Question {
    pub(super) id: QuestionId,
    #[column(name = "workspace_id")]
    pub(super) workspace: WorkspaceId,
    /// What identifies it within the workspace.
    pub(super) question_key: String,
    pub(super) evaluation_type: EvaluationType,
    pub(super) question_text: String,
    pub(super) reference_answer: Option<String>,
    #[column(json)]
    pub(super) criteria: Vec<RubricCriterion>,
    pub(super) language: String,
    pub(super) max_score: f64,
    pub(super) created_at: Timestamp,
}

impl Question {
    /// A question by its id.
    pub(super) fn find(tx: &mut Tx<'_>, id: QuestionId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {Question::*} FROM question WHERE id = {id}").find(tx, Self::from_row)
    }

    /// Questions in the order of their ids.
    pub(super) fn find_all(tx: &mut Tx<'_>, ids: &[String]) -> Result<Vec<Self>, StoreError> {
        tx.query_each(ids, |id| sql!("SELECT {Question::*} FROM question WHERE id = {*id}"), Self::from_row)
    }
}

/// The question of an evaluation that is being made: the one of its key, or a new one with what was asked.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn find_or_add(
    tx: &mut Tx<'_>,
    row: &EvaluationRow,
    asked: &Asked,
    key: &str,
) -> Result<QuestionId, StoreError> {
    let found = sql!("SELECT id FROM question WHERE workspace_id = {row.workspace} AND question_key = {key}")
        .find(tx, |row| row.get(0))?;
    if let Some(id) = found {
        return Ok(id);
    }
    let (id, criteria): (QuestionId, _) = (tx.ambient().id(), store::Value::json(&asked.criteria)?);
    // Of two at once, one adds it and the other gets its id.
    let added = sql!(
        "INSERT INTO question (id, workspace_id, question_key, evaluation_type, question_text, reference_answer, criteria,
            language, max_score, created_at)
         VALUES ({id}, {row.workspace}, {key}, {row.evaluation_type}, {asked.question_text}, {asked.reference_answer},
            {criteria}, {asked.language}, {row.max_score}, {row.created_at})
         ON CONFLICT (workspace_id, question_key) DO UPDATE SET question_key = excluded.question_key RETURNING id"
    )
    .find(tx, |row| row.get(0))?;
    added.ok_or_else(|| StoreError::Unexpected("a question was neither found nor added".into()))
}

/// Gives an evaluation its question, where it has none and its learner was not erased. The caller writes the row.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn assign(tx: &mut Tx<'_>, row: &mut EvaluationRow) -> Result<(), StoreError> {
    if row.question.is_none()
        && let Some((asked, key)) = row.asked.as_ref().zip(question_key_of(row))
    {
        row.question = Some(find_or_add(tx, row, asked, &key)?);
    }
    Ok(())
}
