//! Texts and metadata fields of QTI 1.2.

use std::collections::HashMap;

use crate::text::{GAP, Notes, flatten_html};
use crate::xml::Element;

/// Metadata fields by label.
pub(super) type Fields = HashMap<String, String>;

/// The metadata of an assessment or an item.
pub(super) fn fields(element: &Element) -> Fields {
    let holder = element.first("itemmetadata").unwrap_or(element);
    let all = holder.all("qtimetadata").flat_map(|metadata| metadata.all("qtimetadatafield"));
    let text = |field: &Element, name| field.first(name).map(Element::text).unwrap_or_default().trim().to_owned();
    let mut fields: Fields = all.map(|field| (text(field, "fieldlabel"), text(field, "fieldentry"))).collect();
    // Older tools write the type as an element.
    for name in ["qmd_itemtype", "qmd_weighting"] {
        if let Some(own) = holder.first(name) {
            fields.entry(name.to_owned()).or_insert_with(|| own.text().trim().to_owned());
        }
    }
    fields
}

/// Collects the texts inside an element.
pub(super) struct Text {
    is_own: bool,
    pieces: Vec<String>,
    notes: Notes,
}

impl Text {
    pub(super) fn new(is_own: bool) -> Self {
        Self { is_own, pieces: Vec::new(), notes: Notes::default() }
    }

    /// Takes all material inside.
    pub(super) fn take(&mut self, element: &Element) {
        match element.name.as_str() {
            "mattext" | "matemtext" => self.text(element),
            "matimage" | "mataudio" | "matvideo" | "matapplet" | "matapplication" => self.notes.has_medium = true,
            _ => element.elements().for_each(|child| self.take(child)),
        }
    }

    /// Puts the sign for a gap behind what was taken so far.
    pub(super) fn gap(&mut self, label: &str) {
        let gap = format!("{label}{GAP}");
        match self.pieces.last_mut() {
            Some(last) => {
                last.push(' ');
                last.push_str(&gap);
            }
            None => self.pieces.push(gap),
        }
    }

    /// The texts, one a line, and what plain text could not hold.
    pub(super) fn finish(self) -> (String, Notes) {
        (self.pieces.join("\n"), self.notes)
    }

    fn text(&mut self, element: &Element) {
        let text = element.text();
        let is_html = element.attribute("texttype").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"));
        if is_html || (!self.is_own && looks_like_html(&text)) {
            let (text, notes) = flatten_html(&text);
            self.notes.merge(notes);
            self.piece(text);
        } else if self.is_own {
            self.piece(text);
        } else {
            self.piece(text.trim().to_owned());
        }
    }

    fn piece(&mut self, text: String) {
        if self.is_own || !text.is_empty() {
            self.pieces.push(text);
        }
    }
}

/// Much that calls itself plain text is HTML.
fn looks_like_html(text: &str) -> bool {
    ["</", "<p>", "<br", "<div", "<span", "<img", "&nbsp;", "&lt;"].iter().any(|sign| text.contains(sign))
}
