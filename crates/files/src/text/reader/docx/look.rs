//! Whether a run of text is seen, by what the document says of it directly. Named styles are not followed.

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use super::super::style::{UNREADABLE_POINTS, is_white_hex};

/// What is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Described {
    Run,
    Paragraph,
    Table,
    Cell,
    Other,
}

impl Described {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "rPr" => Self::Run,
            "pPr" => Self::Paragraph,
            "tblPr" => Self::Table,
            "tcPr" => Self::Cell,
            "trPr" | "sectPr" => Self::Other,
            _ => return None,
        })
    }
}

/// How the run that is being read looks.
#[derive(Debug, Default)]
pub(super) struct Look {
    vanishes: bool,
    is_tiny: bool,
    is_white: bool,
    /// Something that is not white is behind the run, its paragraph, or the page.
    run_is_backed: bool,
    paragraph_is_backed: bool,
    page_is_backed: bool,
    /// For each table around, whether it has colours and whether its cell has.
    tables: Vec<(bool, bool)>,
    /// Boxes of text around, which have colours of their own.
    boxes: usize,
}

impl Look {
    pub(super) fn is_hidden(&self) -> bool {
        self.vanishes || self.is_tiny || self.is_white && !self.is_backed()
    }

    fn is_backed(&self) -> bool {
        let backed_cell = self.tables.iter().any(|(table, cell)| *table || *cell);
        self.run_is_backed || self.paragraph_is_backed || self.page_is_backed || backed_cell || self.boxes > 0
    }

    pub(super) fn start(&mut self, name: &str) {
        match name {
            "r" => {
                (self.vanishes, self.is_tiny, self.is_white, self.run_is_backed) = (false, false, false, false);
            }
            "p" => self.paragraph_is_backed = false,
            "tbl" => self.tables.push((false, false)),
            "tc" => self.set_cell(false),
            "txbxContent" => self.boxes += 1,
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        match name {
            // What is outside of runs looks like nothing in particular.
            "r" => self.start("r"),
            "tbl" => {
                self.tables.pop();
            }
            "tc" => self.set_cell(false),
            "txbxContent" => self.boxes = self.boxes.saturating_sub(1),
            _ => {}
        }
    }

    /// The colour of the page.
    pub(super) fn page(&mut self, tag: &BytesStart<'_>) {
        self.page_is_backed |= attribute(tag, "color").is_some_and(|colour| is_colour(&colour));
    }

    /// A property of what is described.
    pub(super) fn describe(&mut self, described: Described, tag: &BytesStart<'_>) {
        let value = attribute(tag, "val");
        let value = value.as_deref().unwrap_or_default();
        let is_on = !matches!(value, "0" | "false" | "off" | "none");
        match (described, tag.local_name().as_ref()) {
            (Described::Run, "vanish") => self.vanishes = is_on,
            (Described::Run, "color") => self.is_white = is_white_hex(value),
            // In half points.
            (Described::Run, "sz") => {
                self.is_tiny = value.parse().is_ok_and(|size: f64| size <= 2.0 * UNREADABLE_POINTS);
            }
            (Described::Run, "highlight") => self.run_is_backed |= is_on && value != "white",
            (Described::Run, "shd") => self.run_is_backed |= is_shaded(tag),
            (Described::Paragraph, "shd") => self.paragraph_is_backed |= is_shaded(tag),
            (Described::Cell, "shd") => self.set_cell(is_shaded(tag)),
            (Described::Table, "tblStyle") if !matches!(value, "TableGrid" | "TableNormal") => self.set_table(),
            (Described::Table, "shd") if is_shaded(tag) => self.set_table(),
            _ => {}
        }
    }

    fn set_table(&mut self) {
        if let Some((table, _)) = self.tables.last_mut() {
            *table = true;
        }
    }

    fn set_cell(&mut self, is_backed: bool) {
        if let Some((_, cell)) = self.tables.last_mut() {
            *cell = is_backed;
        }
    }
}

/// Whether shading has a colour. A pattern has one of its own.
fn is_shaded(tag: &BytesStart<'_>) -> bool {
    let has_pattern =
        attribute(tag, "val").is_some_and(|pattern| !matches!(pattern.as_str(), "clear" | "nil" | "none" | ""));
    has_pattern
        || attribute(tag, "fill").is_some_and(|fill| is_colour(&fill))
        || attribute(tag, "themeFill").is_some_and(|fill| fill != "background1")
}

fn is_colour(digits: &str) -> bool {
    digits.len() == 6 && !is_white_hex(digits)
}

/// An attribute by its name without its prefix.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let own = tag.attributes().filter_map(Result::ok).find(|own| own.key.local_name().as_ref() == name)?;
    own.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
}
