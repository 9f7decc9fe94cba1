//! A deck of slides: a headline and a few short points each.

use crate::drafts::{Citation, SlideDraft};
use crate::text::normal::shorten;

use super::material::Material;
use super::page::{Page, escaped};

/// Most points of a slide, and the longest one in words and characters.
const MAX_POINTS: usize = 6;
const POINT: (usize, usize) = (24, 160);

/// Drafts a slide for each lesson.
pub(super) fn draft(material: &Material) -> SlideDraft {
    let mut page = Page::default();
    let mut citations = Vec::new();
    let attributes = format!("class=\"slide\" lang=\"{}\" dir=\"{}\"", escaped(&material.language), material.direction);
    for (at, lesson) in material.lessons.iter().take(60).enumerate() {
        citations.push(Citation { part: format!("slides/{at}"), pointers: vec![lesson.reading.pointer.written()] });
        page.element("section", &attributes, |page| {
            page.text_element("h2", "", &lesson.short);
            if !lesson.sentences.is_empty() {
                page.element("ul", "", |page| {
                    for sentence in lesson.sentences.iter().take(MAX_POINTS) {
                        page.text_element("li", "", &shorten(&sentence.text, POINT.0, POINT.1));
                    }
                });
            }
        });
        page.line();
    }
    SlideDraft {
        title: material.title.clone(),
        description: material.description(material.phrases().module_description),
        language: material.language.clone(),
        content_html: page.finish(),
        citations,
    }
}
