//! Questions: what learners' answers are evaluated for, and the work of teachers on them.
//!
//! Evaluations of one workspace with the same type, question, reference and rubric have one question, which is found or added in
//! the transaction that makes an evaluation. A question is the customer's text and outlives the learners who answered it. Start at
//! [`get`] for what is known of a question; [`review_queue`] says which answers to review, and [`regrade`] grades again what reviews
//! have taught.

pub mod get;
pub mod list;
pub mod regrade;
pub mod review_queue;
mod row;
mod statistics;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use row::{assign, find_or_add};

use edge::problem::Problem;
use store::Tx;

use crate::callers::Caller;
use row::Question;

const NOT_FOUND: Problem = Problem::NotFound("Question");

/// A question by its id, as a path has it, where the caller may see it.
fn load(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<Question, Problem> {
    let id = id.parse().map_err(|_| NOT_FOUND)?;
    Question::find(tx, id)?.filter(|question| caller.sees(question.workspace)).ok_or(NOT_FOUND)
}
