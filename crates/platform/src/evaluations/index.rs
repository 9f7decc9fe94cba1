//! What evaluations are found by besides their own row: the concepts that they name, and whether a person should look at
//! them. Both are written in the transaction that makes them true, and erased with the learner. [`super::list`] reads them.

use kernel::id::{EvaluationId, WorkspaceId};
use kernel::time::Timestamp;
use store::{StoreError, Tx, sql};

use super::request::Asked;
use super::row::{EvaluationRow, read};

/// Adds the concepts of a new evaluation.
pub(super) fn add_concepts(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    row.asked.iter().flat_map(|asked| &asked.concept_tags).try_for_each(|concept| {
        tx.execute_later(
            "INSERT INTO evaluation_concept (workspace_id, concept, created_at, evaluation_id) VALUES ($1, $2, $3, $4)",
            &[&row.workspace, concept, &row.created_at, &row.id],
        )
    })
}

/// Notes that a person should look at a new grade, where there is a reason to.
pub(super) fn open_review(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    if row.review_reasons().is_empty() {
        return Ok(());
    }
    tx.execute_later(
        "INSERT INTO evaluation_to_review (workspace_id, created_at, evaluation_id, question_id)
         SELECT workspace_id, created_at, id, question_id FROM evaluation WHERE id = $1",
        &[&row.id],
    )
}

/// Notes that a person looked at an evaluation.
pub(super) fn close_review(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    tx.execute_later(
        "DELETE FROM evaluation_to_review WHERE workspace_id = $1 AND created_at = $2 AND evaluation_id = $3",
        &[&row.workspace, &row.created_at, &row.id],
    )
}

/// Erases what a learner's evaluations are found by. It is called before the evaluations' own rows are emptied, which say
/// which concepts they name.
pub(super) fn erase(tx: &mut Tx<'_>, workspace: WorkspaceId, learner_id: &str) -> Result<(), StoreError> {
    let found = tx.query(
        "SELECT id, created_at, request FROM evaluation WHERE workspace_id = $1 AND learner_id = $2",
        &[&workspace, &learner_id],
        |row| Ok((row.get::<EvaluationId>(0)?, row.get::<Timestamp>(1)?, row.get::<String>(2)?)),
    )?;
    let (mut reviews, mut concepts) = (Vec::new(), Vec::new());
    for (id, created_at, request) in found {
        let asked: Option<Asked> = read(&request)?;
        let tags = asked.map(|asked| asked.concept_tags).unwrap_or_default();
        concepts.extend(tags.into_iter().map(|concept| (concept, created_at, id)));
        reviews.push((created_at, id));
    }
    tx.query_each(
        &reviews,
        |(created_at, id)| {
            sql!(
                "DELETE FROM evaluation_to_review
                 WHERE workspace_id = {workspace} AND created_at = {*created_at} AND evaluation_id = {*id}
                 RETURNING evaluation_id"
            )
        },
        |_| Ok(()),
    )?;
    tx.query_each(
        &concepts,
        |(concept, created_at, id)| {
            sql!(
                "DELETE FROM evaluation_concept
                 WHERE workspace_id = {workspace} AND concept = {*concept} AND created_at = {*created_at}
                    AND evaluation_id = {*id}
                 RETURNING evaluation_id"
            )
        },
        |_| Ok(()),
    )?;
    Ok(())
}
