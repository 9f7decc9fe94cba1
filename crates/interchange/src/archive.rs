//! ZIP archives: reading hostile ones within limits, writing the same bytes for the same files.
//!
//! Nothing is ever unpacked to a disk. A name is judged before anything is read; contents are read one
//! file at a time, and every byte counts against the limits of [`crate::limits`]. See [`path`] for
//! what a safe path is.

pub(crate) mod path;
pub(crate) mod write;

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::CompressionMethod;
use zip::read::{ArchiveOffset, Config, ZipArchive};
use zip::result::ZipError;

use crate::error::ImportError;
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_EXPANDED_BYTES, MAX_FILE_BYTES, MAX_FILES, MAX_PACKAGE_BYTES, MAX_RATIO};
use crate::report::shown;

/// The beginning of a ZIP archive that has files.
pub(crate) const SIGNATURE: &[u8] = b"PK\x03\x04";
/// The beginning of a file's record in the directory at the end.
const DIRECTORY_RECORD: &[u8] = b"PK\x01\x02";
/// Directory records that are counted before the directory is parsed. A stored file may be an archive
/// itself, so there may be more than [`MAX_FILES`].
const MAX_DIRECTORY_RECORDS: usize = 10 * MAX_FILES;
/// From this size on the ratio is looked at: 1 MiB.
const RATIO_FROM_BYTES: u64 = 1 << 20;
const UNIX_FILE_TYPE: u32 = 0o170_000;
const UNIX_REGULAR: u32 = 0o100_000;
const UNIX_FOLDER: u32 = 0o040_000;

/// An archive whose directory was found to be sound.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Files by path, without folders.
    places: BTreeMap<String, usize>,
    /// What may still be expanded, in bytes.
    remaining: u64,
}

impl<'a> Archive<'a> {
    /// Reads the directory and judges every file by it. No content is read yet.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        if bytes.len() > MAX_PACKAGE_BYTES {
            return Err(ImportError::PackageTooLarge);
        }
        if count(bytes, DIRECTORY_RECORD) > MAX_DIRECTORY_RECORDS {
            return Err(ImportError::TooManyFiles);
        }
        let config = Config { archive_offset: ArchiveOffset::Known(0) };
        let mut zip = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|_| ImportError::Damaged)?;
        if zip.len() > MAX_FILES {
            return Err(ImportError::TooManyFiles);
        }
        if zip.has_duplicate_names() {
            return Err(ImportError::DuplicateFile);
        }
        let places = directory(&zip)?;
        if zip.has_overlapping_entries().map_err(|_| ImportError::Damaged)? {
            return Err(ImportError::Overlapping);
        }
        Ok(Self { zip, places, remaining: MAX_EXPANDED_BYTES })
    }

    /// All files' paths, sorted.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// The content of a page or an XML file; none when there is no such file.
    pub(crate) fn read_document(&mut self, path: &str) -> Result<Option<Vec<u8>>, ImportError> {
        let Some(&place) = self.places.get(path) else { return Ok(None) };
        let damaged = |error| match error {
            ZipError::Io(_) | ZipError::InvalidArchive(_) => ImportError::Damaged,
            _ => ImportError::Compression { file: shown(path) },
        };
        let file = self.zip.by_index(place).map_err(damaged)?;
        let allowed = self.remaining.min(MAX_DOCUMENT_BYTES as u64);
        let mut content = Vec::new();
        // One byte more than allowed shows that there is more, whatever size the archive claims.
        file.take(allowed + 1).read_to_end(&mut content).map_err(|_| ImportError::Damaged)?;
        // What is refused counts too: it was work.
        let size = content.len() as u64;
        self.remaining = self.remaining.checked_sub(size).ok_or(ImportError::ExpandsTooMuch)?;
        if size > MAX_DOCUMENT_BYTES as u64 {
            return Err(ImportError::FileTooLarge { file: shown(path) });
        }
        Ok(Some(content))
    }
}

/// Judges every entry of the directory; the files' places by path.
fn directory(zip: &ZipArchive<Cursor<&[u8]>>) -> Result<BTreeMap<String, usize>, ImportError> {
    let mut places = BTreeMap::new();
    let mut expanded = 0_u64;
    for place in 0..zip.len() {
        let entry = zip.by_index_data(place).map_err(|_| ImportError::Damaged)?;
        let name = entry.name().map_err(|_| ImportError::Damaged)?;
        let file = shown(&name);
        let is_folder = name.ends_with('/');
        path::check(name.strip_suffix('/').unwrap_or(&name))
            .map_err(|_| ImportError::UnsafePath { file: file.clone() })?;
        if entry.encrypted() {
            return Err(ImportError::Encrypted { file });
        }
        let expected = if is_folder { UNIX_FOLDER } else { UNIX_REGULAR };
        let kind = entry.unix_mode().unwrap_or_default() & UNIX_FILE_TYPE;
        if kind != 0 && kind != expected {
            return Err(ImportError::SpecialFile { file });
        }
        if is_folder {
            continue;
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ImportError::Compression { file });
        }
        if entry.size() > MAX_FILE_BYTES {
            return Err(ImportError::FileTooLarge { file });
        }
        if entry.size() >= RATIO_FROM_BYTES && entry.size() / entry.compressed_size().max(1) > MAX_RATIO {
            return Err(ImportError::Ratio { file });
        }
        expanded = expanded.saturating_add(entry.size());
        if expanded > MAX_EXPANDED_BYTES {
            return Err(ImportError::ExpandsTooMuch);
        }
        places.insert(name.into_owned(), place);
    }
    Ok(places)
}

fn count(bytes: &[u8], pattern: &[u8]) -> usize {
    bytes.windows(pattern.len()).filter(|window| *window == pattern).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_an_unknown_one_is_none() {
        let mut package = write::Archive::new(Cursor::new(Vec::new()));
        package.add("a/b.txt", b"hello").unwrap();
        let bytes = package.finish().unwrap().into_inner();
        let mut archive = Archive::open(&bytes).unwrap();
        assert_eq!(archive.files().collect::<Vec<_>>(), ["a/b.txt"]);
        assert_eq!(archive.read_document("a/b.txt").unwrap().unwrap(), b"hello");
        assert_eq!(archive.read_document("a/c.txt").unwrap(), None);
        assert!(archive.has("a/b.txt") && !archive.has("a"));
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let build = || {
            let mut package = write::Archive::new(Cursor::new(Vec::new()));
            package.add("x.xml", [b'x'; 4000]).unwrap();
            package.add("a.xml", b"a").unwrap();
            package.finish().unwrap().into_inner()
        };
        assert_eq!(build(), build());
    }

    #[test]
    fn every_truncation_is_damage_and_no_panic() {
        let mut package = write::Archive::new(Cursor::new(Vec::new()));
        package.add("imsmanifest.xml", b"<manifest/>".repeat(20)).unwrap();
        let bytes = package.finish().unwrap().into_inner();
        for length in 0..bytes.len() {
            assert_eq!(Archive::open(&bytes[..length]).err(), Some(ImportError::Damaged), "{length}");
        }
    }
}
