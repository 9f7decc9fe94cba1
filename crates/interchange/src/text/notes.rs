//! What plain text could not hold.

use std::collections::BTreeSet;

use crate::report::{Loss, Report, shown};

/// What was reduced or left out of some markup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// Emphasis, code, superscripts and the like.
    pub(crate) has_formatting: bool,
    pub(crate) has_table: bool,
    pub(crate) has_formula: bool,
    /// Films, sound, drawings, embedded objects and frames.
    pub(crate) has_medium: bool,
    /// Addresses of pictures.
    pub(crate) pictures: BTreeSet<String>,
    /// Addresses of links.
    pub(crate) links: BTreeSet<String>,
}

impl Notes {
    pub(crate) fn merge(&mut self, other: Self) {
        self.has_formatting |= other.has_formatting;
        self.has_table |= other.has_table;
        self.has_formula |= other.has_formula;
        self.has_medium |= other.has_medium;
        self.pictures.extend(other.pictures);
        self.links.extend(other.links);
    }

    /// A finding for each kind of loss in a file.
    pub(crate) fn report(&self, report: &mut Report, file: &str) {
        if self.has_formatting {
            report.add(file, Loss::Markup, "Formatting was reduced to plain text.");
        }
        if self.has_table {
            report.add(file, Loss::Markup, "A table was reduced to lines of text.");
        }
        if self.has_formula {
            report.add(file, Loss::Media, "A formula was reduced to its characters.");
        }
        if self.has_medium {
            report.add(file, Loss::Media, "A film, a sound, a drawing or an embedded page was left out.");
        }
        for picture in &self.pictures {
            let message = format!("The picture “{}” was left out; its description is kept as text.", shown(picture));
            report.add(file, Loss::Media, message);
        }
        for link in &self.links {
            let message = format!("The address of a link was left out: “{}”. Its text is kept.", shown(link));
            report.add(file, Loss::Link, message);
        }
    }
}
