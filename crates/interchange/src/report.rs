//! What could not be kept, by file and reason. A format never loses something without a finding here.

use std::collections::HashSet;

use serde::Serialize;

use crate::limits::MAX_FINDINGS;

/// What an export or an import could not keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// In the order in which they were found; at most [`MAX_FINDINGS`], none twice.
    pub findings: Vec<Finding>,
    /// How many more there were.
    pub more: usize,
    #[serde(skip)]
    seen: HashSet<Finding>,
}

/// One thing that was not kept as it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The file in the package, or what stands for it in an export (`items/3`).
    pub file: String,
    /// The kind of loss.
    pub code: Loss,
    /// A sentence for the customer.
    pub message: String,
}

/// The kind of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// A question of a type that has no equal here; it was left out or became another type.
    Question,
    /// An answer key that could not be read or kept.
    Answer,
    /// Points, partial credit, or a rule that computes them.
    Scoring,
    /// Feedback that depended on the answer.
    Feedback,
    /// Shuffling, selection, attempts, preconditions, time limits of parts.
    Behaviour,
    /// Formatting or HTML that was reduced or removed.
    Markup,
    /// Pictures, sound, films, formulas, attachments.
    Media,
    /// Folders and sections that were flattened, or a question bank that became a test.
    Structure,
    /// A resource that is no test, page or link.
    Resource,
    /// A file that could not be read, or that the package names and does not have.
    File,
    /// A description of the whole, such as a language or keywords.
    Metadata,
    /// An address that is not on the web.
    Link,
    /// Characters that the format can't hold.
    Characters,
}

impl Report {
    /// Notes one loss. The same one twice is noted once.
    pub fn add(&mut self, file: &str, code: Loss, message: impl Into<String>) {
        let finding = Finding { file: shown(file), code, message: message.into() };
        if self.seen.contains(&finding) {
            return;
        }
        if self.findings.len() >= MAX_FINDINGS {
            self.more += 1;
            return;
        }
        self.seen.insert(finding.clone());
        self.findings.push(finding);
    }

    /// Adds another report's findings behind its own.
    pub fn extend(&mut self, other: Self) {
        for finding in other.findings {
            self.add(&finding.file, finding.code, finding.message);
        }
        self.more += other.more;
    }

    /// Whether everything was kept.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A name out of a package as it may stand in a sentence: one line, at most 120 characters.
pub(crate) fn shown(name: &str) -> String {
    const LONGEST: usize = 120;
    let mut shown: String = name.chars().filter(|c| !is_invisible(*c)).take(LONGEST).collect();
    if name.chars().count() > LONGEST {
        shown.push('…');
    }
    shown
}

/// Control characters, and those that turn the reading direction.
fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_noted_once_and_the_list_ends_somewhere() {
        let mut report = Report::default();
        report.add("a.xml", Loss::Markup, "Once.");
        report.add("a.xml", Loss::Markup, "Once.");
        assert_eq!(report.findings.len(), 1);
        for n in 0..MAX_FINDINGS + 4 {
            report.add("b.xml", Loss::Media, n.to_string());
        }
        assert_eq!((report.findings.len(), report.more), (MAX_FINDINGS, 5));
    }

    #[test]
    fn a_name_is_shown_on_one_line_and_cut() {
        assert_eq!(shown("a\n\u{202e}b"), "ab");
        assert_eq!(shown(&"x".repeat(200)).chars().count(), 121);
    }
}
