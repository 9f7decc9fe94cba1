//! Reading any format: bytes come in, contents and a report of what was lost go out.

use crate::error::ImportError;
use crate::limits::MAX_PACKAGE_BYTES;
use crate::model::{CourseContent, Link, ModuleContent, TestContent};
use crate::report::Report;
use crate::upload::Upload;
use crate::{archive, cartridge, page, qti};

/// What was found in an upload. What belongs to a course is in the course and nowhere else.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// Tests by themselves.
    pub tests: Vec<TestContent>,
    /// Modules by themselves.
    pub modules: Vec<ModuleContent>,
    /// Courses with their entries.
    pub courses: Vec<CourseContent>,
    /// Links by themselves.
    pub links: Vec<Link>,
    /// Everything that could not be kept.
    pub report: Report,
}

/// Reads a QTI package (2.0 to 3.0), a Common Cartridge (1.0 to 1.3), or an HTML page. Contents are
/// recognized by what the bytes say, never by a name.
///
/// # Errors
///
/// When the upload is hostile, damaged, or holds nothing that could be kept: see [`ImportError`].
pub fn import(bytes: &[u8]) -> Result<Imported, ImportError> {
    if bytes.len() > MAX_PACKAGE_BYTES {
        return Err(ImportError::PackageTooLarge);
    }
    let imported = if bytes.starts_with(archive::SIGNATURE) {
        package(bytes)?
    } else if page::read::is_page(bytes) {
        html(bytes)?
    } else {
        return Err(ImportError::NotAPackage);
    };
    let is_empty = imported.tests.is_empty()
        && imported.modules.is_empty()
        && imported.courses.is_empty()
        && imported.links.is_empty();
    if is_empty { Err(ImportError::Nothing { report: Box::new(imported.report) }) } else { Ok(imported) }
}

fn package(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut package = Upload::open(bytes)?;
    let tests = qti::read::tests(&mut package)?;
    let mut imported = cartridge::read::contents(&mut package)?;
    imported.tests.splice(..0, tests);
    imported.report = package.report;
    Ok(imported)
}

fn html(bytes: &[u8]) -> Result<Imported, ImportError> {
    let mut report = Report::default();
    let module = page::read::module(bytes, "page.html", &mut report)?;
    Ok(Imported { modules: vec![module], report, ..Imported::default() })
}
