//! Writing an archive. The same files give the same bytes: entries keep their order, times are fixed.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

/// Files to be packed, in order.
#[derive(Default)]
pub(crate) struct Archive {
    files: Vec<(String, Vec<u8>)>,
}

impl Archive {
    /// Adds a file. Paths must be unique and safe; the formats' writers make them.
    pub(crate) fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.push((path.into(), content.into()));
    }

    /// The archive.
    pub(crate) fn finish(self) -> Vec<u8> {
        const IN_MEMORY: &str = "writing to memory does not fail, and the writers make no path twice";
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::DEFAULT)
            .unix_permissions(0o644);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in self.files {
            zip.start_file(path, options).expect(IN_MEMORY);
            zip.write_all(&content).expect(IN_MEMORY);
        }
        zip.finish().expect(IN_MEMORY).into_inner()
    }
}
