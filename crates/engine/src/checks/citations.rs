//! Rules for citations: they name parts that the draft has, and places that the source has.

use std::collections::HashMap;

use serde_json::Value;

use crate::drafts::Citation;
use crate::request::{CourseRequest, SlideRequest, SourceModule, TestRequest, VideoRequest};
use crate::source::{SourceLesson, SourceLevel};

use super::{Defect, Report};

/// What citations can point into.
///
/// In a level they are pointers into the payload, inside of a lesson. In a request they are the names
/// of its prompts as the API spells them (`/topicPrompt`, `/targetPrompt`, `/title`, `/description`,
/// `/outline`, `/level`) or a module of its material: `/material/{id}`, `/material/{id}/title`,
/// `/material/{id}/content`.
pub trait Citable {
    /// Tells of a pointer whether the source has a value there that is not blank.
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_>;
}

impl Citable for SourceLevel {
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_> {
        let lessons: HashMap<&str, &SourceLesson> =
            self.lessons.iter().map(|lesson| (lesson.pointer.as_str(), lesson)).collect();
        Box::new(move |pointer| points_into(pointer, &lessons))
    }
}

impl Citable for TestRequest {
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_> {
        let prompts = [
            ("/topicPrompt", self.topic_prompt.as_str()),
            ("/targetPrompt", &self.target_prompt),
            ("/level", &self.level),
        ];
        Box::new(move |pointer| is_prompt(pointer, &prompts) || is_material(pointer, &self.material))
    }
}

impl Citable for SlideRequest {
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_> {
        let prompts =
            [("/title", self.title.as_str()), ("/description", &self.description), ("/outline", &self.outline)];
        Box::new(move |pointer| is_prompt(pointer, &prompts) || is_material(pointer, &self.material))
    }
}

impl Citable for CourseRequest {
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_> {
        let prompts = [("/title", self.title.as_str()), ("/description", &self.description), ("/level", &self.level)];
        Box::new(move |pointer| is_prompt(pointer, &prompts) || is_material(pointer, &self.material))
    }
}

impl Citable for VideoRequest {
    fn places(&self) -> Box<dyn Fn(&str) -> bool + '_> {
        let prompts = [("/title", self.title.as_str()), ("/description", &self.description)];
        Box::new(move |pointer| is_prompt(pointer, &prompts) || is_material(pointer, &self.material))
    }
}

fn is_prompt(pointer: &str, prompts: &[(&str, &str)]) -> bool {
    prompts.iter().any(|(name, text)| *name == pointer && !text.trim().is_empty())
}

fn is_material(pointer: &str, material: &[SourceModule]) -> bool {
    let Some((id, field)) = pointer.strip_prefix("/material/").map(|rest| rest.split_once('/').unwrap_or((rest, "")))
    else {
        return false;
    };
    let id = id.replace("~1", "/").replace("~0", "~");
    material.iter().any(|module| {
        module.id == id
            && match field {
                "" => !pointer.ends_with('/'),
                "title" => !module.title.trim().is_empty(),
                "content" => !module.html.trim().is_empty(),
                _ => false,
            }
    })
}

/// Checks that citations point to values that the source has.
///
/// # Errors
/// All defects that were found.
pub fn check_citations<'c>(
    citations: impl IntoIterator<Item = &'c Citation>,
    source: &impl Citable,
) -> Result<(), Vec<Defect>> {
    let mut report = Report::default();
    let has = source.places();
    for citation in citations {
        for pointer in &citation.pointers {
            report.require(has(pointer), &citation.part, "pointer", "a citation points to a value of the source");
        }
    }
    report.finish()
}

/// The lesson is found by the pointer's own ancestors, however many lessons there are.
fn points_into(pointer: &str, lessons: &HashMap<&str, &SourceLesson>) -> bool {
    let ancestors = std::iter::successors(Some(pointer), |path| path.rsplit_once('/').map(|(parent, _)| parent));
    ancestors.filter_map(|path| lessons.get(path)).any(|lesson| {
        pointer == lesson.pointer
            || lesson.fields.iter().any(|field| {
                let rest = pointer.strip_prefix(&field.pointer);
                rest.is_some_and(|rest| field.value.pointer(rest).is_some_and(|value| *value != Value::Null))
            })
            || ["/title", "/name", "/type"].iter().any(|own| pointer[lesson.pointer.len()..] == **own)
    })
}

/// Citations name parts that exist, each with at least one pointer of RFC 6901. `within` stands in
/// front of the parts in the report.
pub(super) fn parts(report: &mut Report, within: &str, citations: &[Citation], lists: &[(&str, usize)]) {
    for citation in citations {
        let exists = citation.part.split_once('/').is_some_and(|(list, index)| {
            let length = lists.iter().find(|(name, _)| *name == list).map_or(0, |(_, length)| *length);
            index.parse::<usize>().is_ok_and(|index| index < length)
        });
        let part = format!("{within}{}", citation.part);
        report.require(exists, &part, "citation_part", "the cited part does not exist");
        report.require(!citation.pointers.is_empty(), &part, "citation_empty", "a citation needs a pointer");
        let valid = citation.pointers.iter().all(|pointer| is_pointer(pointer));
        report.require(valid, &part, "citation_pointer", "a pointer breaks RFC 6901");
    }
}

fn is_pointer(pointer: &str) -> bool {
    let escapes = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    (pointer.is_empty() || pointer.starts_with('/')) && escapes
}
