//! Learners: what they master, and their erasure. They exist only as the ids that evaluations name.

pub mod erase;
pub mod mastery;

use edge::problem::Problem;

/// The learner that a path names. An id is any text that the workspace chose, but for the character NUL, which PostgreSQL
/// keeps in no text: nobody has such an id.
fn learner_param(text: &str) -> Result<&str, Problem> {
    if text.contains('\0') { Err(Problem::NotFound("Learner")) } else { Ok(text) }
}
