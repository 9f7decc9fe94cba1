//! `DELETE /v1/content/classrooms/{classroomId}/slides/{slideId}` (content-api section 4).

use edge::problem::Problem;
use store::Tx;

use super::Slide;
use crate::resources::{self, Delete};

impl Delete for Slide {
    type Answer = Self;
    const SUMMARY: &'static str = "Deletes a slide, and answers with it as it was last.";
    const ANSWER: &'static str = "The deleted slide";

    fn delete(self, tx: &mut Tx<'_>) -> Result<Self, Problem> {
        resources::remove(tx, &self)?;
        Ok(self)
    }
}
