//! Rules for one part that is to stand in the place of another.

use language::normal::normal;

use crate::part::{Part, PartContent, PartDraft, PartRequest};

use super::{Defect, Report, html, item, scene, slides};

/// Checks a drafted part: the rules of its kind, and that nothing which is there is repeated.
///
/// # Errors
/// All defects that were found.
pub fn check_part(draft: &PartDraft, request: &PartRequest) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    let part = request.present.noun();
    let new = match &draft.content {
        PartContent::Question { item: asked, .. } => {
            item(&mut report, part, asked);
            let is_wanted = request.question_kinds.contains(&asked.kind);
            report.require(is_wanted, part, "question_type", "the resource has no questions of this type");
            let question = normal(&asked.question);
            let is_new = request.asked().all(|present| normal(&present.question) != question);
            report.require(is_new, part, "question_repeated", "the question was asked before");
            matches!(request.present, Part::Question(_)).then_some(None)
        }
        PartContent::Section(content) => {
            html::check(&mut report, part, content);
            matches!(request.present, Part::Section(_)).then(|| Some(Part::Section(content.clone())))
        }
        PartContent::Slide(content) => {
            slides::slide(&mut report, content);
            matches!(request.present, Part::Slide(_)).then(|| Some(Part::Slide(content.clone())))
        }
        PartContent::Scene(drafted) => {
            scene(&mut report, part, drafted);
            matches!(request.present, Part::Scene(_)).then(|| Some(Part::Scene(drafted.script.clone())))
        }
    };
    report.require(new.is_some(), part, "part_kind", "the part is of another kind than was asked for");
    if let Some(Some(new)) = new {
        let form = form(&new);
        let mut present = std::iter::once(&request.present).chain(&request.others);
        report.require(
            present.all(|part| self::form(part) != form),
            part,
            "part_repeated",
            "another part says the same",
        );
    }
    report.finish()
}

/// The texts of a part in normal form, by which repetitions are told.
fn form(part: &Part) -> Vec<String> {
    part.texts().iter().map(|text| normal(text)).collect()
}
