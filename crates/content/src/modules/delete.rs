//! `DELETE /v1/content/classrooms/{classroomId}/modules/{moduleId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::{Module, places};
use crate::courses;
use crate::resources::{self, Delete, SUCCEEDED, Succeeded};

impl Delete for Module {
    type Answer = Succeeded;
    const SUMMARY: &'static str = "Deletes a module. The later modules of its course move up.";
    const ANSWER: &'static str = "The module was deleted";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Succeeded, Problem> {
        let place = self.course_id.zip(self.sequence);
        if let Some((course, _)) = place {
            courses::touch(tx, self.organization_id, course)?;
        }
        resources::remove(tx, &self)?;
        if let Some((course, sequence)) = place {
            places::close_gap(tx, self.organization_id, course, sequence)?;
        }
        Ok(SUCCEEDED)
    }
}
