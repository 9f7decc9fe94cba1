//! Writing a format: the content goes out, a package and a report of what it can't hold come back.

use std::io::{self, Cursor, Seek, Write};

use crate::cartridge;
use crate::model::{CourseContent, ModuleContent, TestContent};
use crate::page::{self, Pictures};
use crate::qti::{self, Dialect};
use crate::report::Report;

/// A version of QTI that tests are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestFormat {
    /// QTI 2.1, which most systems read.
    Qti21,
    /// QTI 3.0.
    Qti30,
}

impl TestFormat {
    /// The name for a query: `qti-2.1` or `qti-3.0`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qti21 => "qti-2.1",
            Self::Qti30 => "qti-3.0",
        }
    }

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Qti21, Self::Qti30].into_iter().find(|format| format.name() == name)
    }
}

/// A file to be handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// What a file name ends in, with the dot: `.qti30.zip`.
    pub file_name_suffix: &'static str,
    /// For `Content-Type`.
    pub media_type: &'static str,
    /// The same content gives the same bytes.
    pub bytes: Vec<u8>,
    /// What the format can't hold.
    pub report: Report,
}

/// What a course is written as: the end of the file's name, and the type for `Content-Type`.
pub const COURSE_FILE: (&str, &str) = (".imscc", "application/vnd.ims.imsccv1p3");

const IN_MEMORY: &str = "writing to memory does not fail, and the writers make no path twice";

/// A test as a QTI package. Never fails: what can't be held is in the report.
pub fn export_test(test: &TestContent, format: TestFormat) -> Package {
    let (dialect, file_name_suffix) = match format {
        TestFormat::Qti21 => (Dialect::V21, ".qti21.zip"),
        TestFormat::Qti30 => (Dialect::V30, ".qti30.zip"),
    };
    let mut bytes = Vec::new();
    let report = qti::write::package(test, dialect, Cursor::new(&mut bytes)).expect(IN_MEMORY);
    Package { file_name_suffix, media_type: "application/zip", bytes, report }
}

/// A course as a Common Cartridge 1.3 in memory. Never fails: what can't be held is in the report.
pub fn export_course(course: &CourseContent) -> Package {
    let mut bytes = Vec::new();
    let report = write_course(course, Cursor::new(&mut bytes)).expect(IN_MEMORY);
    let (file_name_suffix, media_type) = COURSE_FILE;
    Package { file_name_suffix, media_type, bytes, report }
}

/// Writes a course as a Common Cartridge 1.3 to a file, one entry after the other. What can't be held is in the report.
///
/// # Errors
/// When the file can't be written to.
pub fn write_course(course: &CourseContent, out: impl Write + Seek) -> io::Result<Report> {
    cartridge::write::package(course, out)
}

/// A module as a page that works offline. Never fails: what can't be held is in the report.
pub fn export_module(module: &ModuleContent) -> Package {
    let (html, report) = page::write::page(module, Pictures::None, "page.html");
    Package { file_name_suffix: ".html", media_type: "text/html; charset=utf-8", bytes: html.into_bytes(), report }
}
