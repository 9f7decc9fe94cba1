//! Another question: the next best one of the material that asks nothing which is asked already.

use crate::builtin::items::{Workshop, another};
use crate::builtin::material::Material;
use crate::part::{PartContent, PartRequest, PresentQuestion};

/// Drafts the question. `nearest` is the lesson that the present one seems to be about.
pub(super) fn draft(
    request: &PartRequest,
    present: &PresentQuestion,
    material: &Material,
    nearest: Option<usize>,
) -> Option<PartContent> {
    let workshop = Workshop::new(material);
    let asked: Vec<&PresentQuestion> = request.asked().collect();
    let found = another(&workshop, &asked, (present, &request.question_kinds), nearest)?;
    Some(PartContent::Question { lesson: material.lessons[found.lesson].short.clone(), item: found.item })
}
