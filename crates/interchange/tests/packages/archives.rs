//! Archives made by hand, sound and broken.

use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The local header of a file, and its record in the directory.
const LOCAL: &[u8] = b"PK\x03\x04";
const RECORD: &[u8] = b"PK\x01\x02";

/// An archive of text files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    bytes(files.iter().map(|(name, text)| (*name, text.as_bytes())))
}

/// An archive of any files.
pub(crate) fn bytes<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An archive with a symbolic link.
pub(crate) fn with_link(name: &str, target: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
    writer.start_file("imsmanifest.xml", SimpleFileOptions::default()).unwrap();
    writer.write_all(b"<manifest/>").unwrap();
    writer.finish().unwrap().into_inner()
}

/// Replaces one text by another of the same length, everywhere.
pub(crate) fn replaced(archive: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut archive = archive.to_vec();
    for at in places(&archive, from) {
        archive[at..at + to.len()].copy_from_slice(to);
    }
    archive
}

/// Changes a field of all files' headers: where it is in the local header and in the directory's record.
pub(crate) fn patched(archive: &[u8], local: Option<usize>, record: usize, value: &[u8]) -> Vec<u8> {
    let mut archive = archive.to_vec();
    if let Some(local) = local {
        for at in places(&archive, LOCAL) {
            archive[at + local..at + local + value.len()].copy_from_slice(value);
        }
    }
    for at in places(&archive, RECORD) {
        archive[at + record..at + record + value.len()].copy_from_slice(value);
    }
    archive
}

fn places(archive: &[u8], pattern: &[u8]) -> Vec<usize> {
    (0..archive.len().saturating_sub(pattern.len() - 1)).filter(|at| archive[*at..].starts_with(pattern)).collect()
}
