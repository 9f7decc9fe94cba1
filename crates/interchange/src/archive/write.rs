//! Writing an archive. The same files give the same bytes: entries keep their order, times are fixed.

use std::io::{self, Seek, Write};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

/// An archive that is written file by file.
pub(crate) struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Archive<W> {
    /// An archive without files.
    pub(crate) fn new(out: W) -> Self {
        Self { zip: ZipWriter::new(out) }
    }

    /// Writes a file. Paths must be unique and safe; the formats' writers make them.
    pub(crate) fn add(&mut self, path: impl Into<String>, content: impl AsRef<[u8]>) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::DEFAULT)
            .unix_permissions(0o644);
        self.zip.start_file(path.into(), options)?;
        self.zip.write_all(content.as_ref())
    }

    /// Writes the directory; gives back where it was written to, with nothing left in a buffer.
    pub(crate) fn finish(self) -> io::Result<W> {
        let mut out = self.zip.finish()?;
        out.flush()?;
        Ok(out)
    }
}
