//! Finds the questions of evaluations that an earlier version of the program made, a few at a time. Each step is a transaction of
//! its own: whatever is cut off is gone on with by the next run.

use kernel::id::EvaluationId;
use store::{Store, StoreError, Tx, sql};

use super::row::EvaluationRow;
use crate::questions;

/// Evaluations in one step: each may have a megabyte.
const STEP: i64 = 50;

/// Gives every evaluation without a question its question.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) async fn locate_all(store: &Store) -> Result<u64, StoreError> {
    let (mut from, mut located) = (String::new(), 0);
    loop {
        let after = from.clone();
        let (last, count) = store.claim("evaluations.locate", move |tx| step(tx, &after)).await?;
        located += count;
        match last {
            Some(last) => from = last.to_string(),
            None => return Ok(located),
        }
    }
}

/// The last evaluation that was looked at, and how many got their question; `None` at the end.
fn step(tx: &mut Tx<'_>, after: &str) -> Result<(Option<EvaluationId>, u64), StoreError> {
    let found = sql!(
        "SELECT id FROM evaluation WHERE question_id IS NULL AND erased_at IS NULL AND id > {after} ORDER BY id LIMIT {STEP}"
    )
    .query(tx, |row| row.get::<EvaluationId>(0))?;
    let mut located = 0;
    for id in &found {
        // A learner who is erased at this moment is erased before this or after it.
        let Some(mut row) = EvaluationRow::hold(tx, *id)? else { continue };
        if row.question.is_some() || row.asked.is_none() {
            continue;
        }
        questions::assign(tx, &mut row)?;
        sql!("UPDATE evaluation SET question_id = {row.question} WHERE id = {row.id}").execute_later(tx)?;
        sql!(
            "UPDATE evaluation_to_review SET question_id = {row.question}
             WHERE workspace_id = {row.workspace} AND created_at = {row.created_at} AND evaluation_id = {row.id}"
        )
        .execute_later(tx)?;
        located += 1;
    }
    Ok((found.last().copied(), located))
}
