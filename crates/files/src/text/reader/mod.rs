//! Readers of formats. They run in a child process: a panic or an abort of theirs is the file's.

mod archive;
mod docx;
mod html;
mod pdf;
mod style;

use super::outcome::Unread;
use super::sink::Sink;

/// A format that needs a parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Pdf,
    Docx,
    Html,
}

impl Format {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Html => "html",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Pdf, Self::Docx, Self::Html].into_iter().find(|format| format.name() == name)
    }
}

/// Puts the text of a file into the sink.
pub(super) fn read(format: Format, bytes: &[u8], sink: &mut Sink) -> Result<(), Unread> {
    match format {
        Format::Pdf => pdf::read(bytes, sink),
        Format::Docx => docx::read(bytes, sink),
        Format::Html => html::read(bytes, sink),
    }
}
