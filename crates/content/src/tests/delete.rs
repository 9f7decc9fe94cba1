//! `DELETE /v1/content/classrooms/{classroomId}/tests/{testId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::Test;
use crate::resources::{self, Delete, SUCCEEDED, Succeeded};

impl Delete for Test {
    type Answer = Succeeded;
    const SUMMARY: &'static str = "Deletes a test.";
    const ANSWER: &'static str = "The test was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Succeeded, Problem> {
        resources::remove(tx, &self)?;
        Ok(SUCCEEDED)
    }
}
