//! The parts of a document that is a ZIP archive, read within limits.

use std::io::{self, Cursor, ErrorKind, Read as _};

use zip::read::{ArchiveOffset, Config, ZipArchive};

use super::super::limits::{ARCHIVE_PARTS, DOCUMENT_BYTES, PART_BYTES};
use super::super::outcome::Unread;

const DIRECTORY_RECORD: &[u8] = b"PK\x01\x02";

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// What may still be expanded, in bytes.
    remaining: usize,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Unread> {
        let records = bytes.windows(DIRECTORY_RECORD.len()).filter(|window| *window == DIRECTORY_RECORD);
        if records.take(ARCHIVE_PARTS + 1).count() > ARCHIVE_PARTS {
            return Err(Unread::TooLarge);
        }
        let config = Config { archive_offset: ArchiveOffset::Known(0) };
        let zip = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|_| Unread::Damaged)?;
        Ok(Self { zip, remaining: DOCUMENT_BYTES })
    }

    /// The content of a part; `None` when there is none of the name.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unread> {
        let Some(place) = self.place(name) else { return Ok(None) };
        let is_encrypted = self.zip.by_index_data(place).is_ok_and(|entry| entry.encrypted());
        if is_encrypted {
            return Err(Unread::Encrypted);
        }
        let part = self.zip.by_index(place).map_err(|_| Unread::Damaged)?;
        let allowed = self.remaining.min(PART_BYTES);
        let mut content = Vec::new();
        // A buffer that grows step by step takes a multiple of the memory.
        let claimed = usize::try_from(part.size()).unwrap_or(usize::MAX);
        content.try_reserve_exact(claimed.min(allowed) + 1).map_err(|_| Unread::TooLarge)?;
        // One byte more than allowed shows that there is more, whatever size the archive claims.
        part.take(allowed as u64 + 1).read_to_end(&mut content).map_err(|error| reason(&error))?;
        if content.len() > allowed {
            return Err(Unread::TooLarge);
        }
        self.remaining -= content.len();
        Ok(Some(content))
    }

    fn place(&self, name: &str) -> Option<usize> {
        (0..self.zip.len()).find(|place| {
            let entry = self.zip.by_index_data(*place).ok();
            entry.is_some_and(|entry| entry.name().is_ok_and(|own| own == name))
        })
    }
}

fn reason(error: &io::Error) -> Unread {
    if error.kind() == ErrorKind::OutOfMemory { Unread::TooLarge } else { Unread::Damaged }
}
