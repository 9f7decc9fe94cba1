//! A video on request: what the description tells and what the material says of it, topic by topic.

use crate::builtin::material::{Material, speakable};
use crate::builtin::video;
use crate::drafts::VideoDraft;
use crate::generator::GenerationError;
use crate::request::VideoRequest;

use super::Requested;
use super::brief::{Brief, Tongue, summary, title_of};
use super::parts::{self, Part};
use super::sections::Sections;
use super::topics;

/// Most sections of the material that are told.
const MAX_SECTIONS: usize = 12;
/// Most topics of the description that have scenes of their own.
const MAX_TOPICS: usize = 40;

/// Drafts the video.
pub(super) fn draft(request: &VideoRequest) -> Result<Requested<VideoDraft>, GenerationError> {
    let tongue = Tongue::of(&request.language, &[&request.title, &request.description]);
    let brief = Brief::read(&request.description, &tongue);
    let own = title_of(&request.title);
    let title = if speakable(&own) { own.clone() } else { brief.title.clone() };
    let told = topics::lessons("/description", &title, &brief.nodes, MAX_TOPICS);
    let sought = format!("{title}\n{}\n{}", brief.title, brief.topics.join("\n"));
    let mut sections = Sections::read(&request.material, &told, &tongue);
    sections.keep_near(&sought, MAX_SECTIONS);
    let mut named: Vec<Part> = told.into_iter().map(|lesson| Part::of(lesson, &title)).collect();
    if named.is_empty() && sections.readings.is_empty() && speakable(&title) {
        let name = if speakable(&own) { "/title" } else { "/description" };
        named.push(Part::of(topics::lesson(name, &title, &[]), &title));
    }
    let (parts, untold) = parts::filled(named, sections, 1);
    let lessons = parts.into_iter().flat_map(|part| part.lessons).collect();
    let material = Material::assemble(&tongue.language, title, String::new(), lessons)
        .ok_or_else(GenerationError::request_empty)?;
    let mut draft = video::draft(&material);
    if let Some(description) = summary(&request.description, &tongue) {
        draft.description = description;
    }
    if speakable(&own) {
        draft.title = own;
    }
    Ok(Requested { draft, untold })
}
