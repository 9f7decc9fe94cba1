//! Another section: what a lesson says and no section says yet.

use std::collections::HashSet;

use language::normal::normal;
use language::sentences;

use super::known::KnownSentences;
use crate::builtin::material::Material;
use crate::builtin::module;
use crate::builtin::page::Page;
use crate::part::{Part, PartRequest};
use crate::reading::blocks::{Block, Body};
use crate::reading::flat::each_text;
use crate::reading::inline::Passage;

/// Drafts the section, as HTML.
pub(super) fn draft(
    request: &PartRequest,
    mut material: Material,
    near: &[usize],
    known: &KnownSentences,
) -> Option<String> {
    let Part::Section(present) = &request.present else { return None };
    let own = request.present.heading().map(|heading| normal(&heading));
    // A lesson that has another section is told there.
    let taken: HashSet<String> =
        request.others.iter().filter_map(Part::heading).map(|heading| normal(&heading)).collect();
    for at in near {
        let lesson = &mut material.lessons[*at];
        let title = normal(&lesson.title);
        if taken.contains(&title) && own.as_ref() != Some(&title) {
            continue;
        }
        let blocks = std::mem::take(&mut lesson.reading.blocks);
        let new: Vec<Block> = blocks.into_iter().filter_map(|block| unknown(block, known, lesson.profile)).collect();
        if new.iter().any(|block| tells(&block.body)) {
            let blocks = without_empty_headings(new);
            return Some(in_place_of(present, &lesson.title, |page| module::blocks(page, &blocks, &HashSet::new())));
        }
    }
    None
}

/// What a block says that is not known; none where that is nothing.
fn unknown(block: Block, known: &KnownSentences, profile: &language::profile::Profile) -> Option<Block> {
    let Block { pointer, purpose, body } = block;
    let body = match body {
        heading @ Body::Heading { .. } => heading,
        Body::Questions(_) => return None,
        Body::Paragraph(passage) => {
            let all = sentences::split(&passage.text, profile);
            let new: Vec<&str> = all.iter().copied().filter(|sentence| !known.contains(sentence)).collect();
            match new.len() {
                0 => return None,
                kept if kept == all.len() => Body::Paragraph(passage),
                _ => Body::Paragraph(Passage::plain(&sentences::joined(new.into_iter()))),
            }
        }
        Body::List { steps: false, mut items } => {
            items.retain(|item| !known.contains(&item.text.text));
            Body::List { steps: false, items }
        }
        Body::Definitions(mut pairs) => {
            pairs.retain(|pair| !known.contains(&pair.definition));
            Body::Definitions(pairs)
        }
        // Of steps, rows and the like a part makes no sense.
        whole => {
            let mut texts = Vec::new();
            each_text(&whole, &mut |text| texts.push(text.to_owned()));
            if known.contains_any(&texts) {
                return None;
            }
            whole
        }
    };
    let is_empty = match &body {
        Body::List { items, .. } => items.is_empty(),
        Body::Definitions(pairs) => pairs.is_empty(),
        _ => false,
    };
    (!is_empty).then_some(Block { pointer, purpose, body })
}

/// Whether a block says something by itself. Headings, formulas, pictures and code belong to what stands beside them.
fn tells(body: &Body) -> bool {
    !matches!(body, Body::Heading { .. } | Body::Formula(_) | Body::Picture(_) | Body::Code(_))
}

/// Without headings that nothing stands under any more.
fn without_empty_headings(blocks: Vec<Block>) -> Vec<Block> {
    let mut kept: Vec<Block> = Vec::new();
    for block in blocks.into_iter().rev() {
        let level = |block: &Block| match block.body {
            Body::Heading { level, .. } => Some(level),
            _ => None,
        };
        let is_empty =
            level(&block).is_some_and(|own| kept.last().is_none_or(|next| level(next).is_some_and(|next| next <= own)));
        if !is_empty {
            kept.push(block);
        }
    }
    kept.reverse();
    kept
}

/// A section in the form of the present one: an element of its own, with its id, or a heading with what stands under it.
pub(crate) fn in_place_of(present: &str, heading: &str, inside: impl FnOnce(&mut Page)) -> String {
    let mut page = Page::default();
    match (section_tag(present), id_of(present)) {
        (Some(_), Some(id)) => page.section(id, heading, inside),
        (Some(_), None) => {
            page.element("section", "", |page| {
                page.line();
                page.plain_element("h2", "", heading);
                page.line();
                inside(page);
            });
            page.line();
        }
        (None, _) => {
            page.plain_element("h2", "", heading);
            page.line();
            inside(&mut page);
        }
    }
    page.finish()
}

/// The attributes of the `<section>` that a part begins with.
fn section_tag(present: &str) -> Option<&str> {
    let attributes = present.trim_start().strip_prefix("<section")?;
    attributes.starts_with([' ', '>', '\n']).then(|| attributes.split('>').next().unwrap_or_default())
}

/// Its id, where it is one that needs no escape.
fn id_of(present: &str) -> Option<&str> {
    let (_, value) = section_tag(present)?.split_once(" id=\"")?;
    let id = value.split('"').next()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!id.is_empty() && id.len() <= 100 && id.bytes().all(plain)).then_some(id)
}
