//! An upload that is being imported: its archive, its manifest, and what was found so far.

use std::collections::HashSet;

use crate::archive::{Archive, path};
use crate::error::ImportError;
use crate::limits::MAX_ITEMS;
use crate::manifest::{self, Manifest};
use crate::report::{Loss, Report};
use crate::xml::{self, Element};

/// The manifest's file.
pub(crate) const MANIFEST: &str = "imsmanifest.xml";

/// An opened package.
pub(crate) struct Upload<'a> {
    archive: Archive<'a>,
    pub(crate) manifest: Manifest,
    /// The manifest's path: some tools pack the folder instead of what is in it.
    pub(crate) manifest_path: String,
    pub(crate) report: Report,
    /// Questions so far, in all tests, also those that can't be kept.
    items: usize,
    /// Files that were looked at.
    read: HashSet<String>,
}

impl<'a> Upload<'a> {
    /// Opens the archive and reads the manifest.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let mut archive = Archive::open(bytes)?;
        let manifest_path = find_manifest(&archive).ok_or(ImportError::NoManifest)?;
        let content = archive.read_document(&manifest_path)?.ok_or(ImportError::NoManifest)?;
        let root = xml::parse(&content, &manifest_path)?;
        let mut report = Report::default();
        let manifest = manifest::read(&root, &manifest_path, &mut report)?;
        Ok(Self { archive, manifest, manifest_path, report, items: 0, read: HashSet::new() })
    }

    /// An XML file's root element. A file that is missing or broken is reported and none.
    pub(crate) fn document(&mut self, path: &str) -> Result<Option<Element>, ImportError> {
        let Some(content) = self.content(path)? else { return Ok(None) };
        match xml::parse(&content, path) {
            Ok(root) => Ok(Some(root)),
            Err(error) if error.is_about_one_file() => {
                self.report.add(path, Loss::File, error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// A file's content. A file that is missing or too large is reported and none.
    pub(crate) fn content(&mut self, path: &str) -> Result<Option<Vec<u8>>, ImportError> {
        let content = match self.archive.read_document(path) {
            Ok(content) => content,
            Err(error) if error.is_about_one_file() => {
                self.report.add(path, Loss::File, error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        self.read.insert(path.to_owned());
        if content.is_none() {
            self.report.add(path, Loss::File, "The file is not in the package.");
        }
        Ok(content)
    }

    /// All files' paths, sorted.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.archive.files()
    }

    /// Whether the file was looked at.
    pub(crate) fn was_read(&self, path: &str) -> bool {
        self.read.contains(path)
    }

    /// Follows a reference in one of the files. An address on the web is reported and none.
    pub(crate) fn follow(&mut self, from: &str, reference: &str) -> Result<Option<String>, ImportError> {
        manifest::follow(path::folder(from), reference, from, &mut self.report)
    }

    /// Counts a question.
    pub(crate) fn count_item(&mut self) -> Result<(), ImportError> {
        self.items += 1;
        if self.items > MAX_ITEMS { Err(ImportError::TooManyItems) } else { Ok(()) }
    }
}

/// The manifest at the top, or in the only folder that has one.
fn find_manifest(archive: &Archive<'_>) -> Option<String> {
    if archive.has(MANIFEST) {
        return Some(MANIFEST.to_owned());
    }
    let is_one_down = |path: &&str| path.split_once('/').is_some_and(|(_, name)| name == MANIFEST);
    let mut found = archive.files().filter(is_one_down);
    let first = found.next()?.to_owned();
    found.next().is_none().then_some(first)
}
