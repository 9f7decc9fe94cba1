//! A file as it came in, judged.

use bytes::Bytes;
use kernel::secret::sha256_hex;

use crate::kind::{self, Kind};
use crate::name;

/// The longest file unless the caller decides otherwise, in bytes: 10 MiB.
pub const MAX_FILE_BYTES: usize = 10 << 20;

/// The file has more bytes than are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file is larger than {limit_bytes} bytes")]
pub struct TooLarge {
    /// What would be taken.
    pub limit_bytes: usize,
}

/// A file with everything that is known of it without reading its text.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Its content.
    pub bytes: Bytes,
    /// What it is, by its content.
    pub kind: Kind,
    /// Its name, fit to be shown. Never part of a path.
    pub file_name: String,
    /// Lower-case hex SHA-256 of the content. It goes wherever the file is named, so that no file is taken for another.
    pub sha256: String,
}

impl Incoming {
    /// Judges a file of at most `limit_bytes` (see [`MAX_FILE_BYTES`]). What the sender says of its type and its name
    /// only tells kinds of text apart.
    ///
    /// # Errors
    /// When it is longer.
    pub fn judge(
        bytes: Bytes,
        claimed_type: Option<&str>,
        claimed_name: Option<&str>,
        limit_bytes: usize,
    ) -> Result<Self, TooLarge> {
        if bytes.len() > limit_bytes {
            return Err(TooLarge { limit_bytes });
        }
        let file_name = name::for_display(claimed_name.unwrap_or_default());
        let kind = kind::detect(&bytes, claimed_type, &file_name);
        let sha256 = sha256_hex(&bytes);
        Ok(Self { bytes, kind, file_name, sha256 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_hashed_named_and_typed_by_its_content() {
        let bytes = Bytes::from_static(b"\x89PNG\r\n\x1a\nrest");
        let file = Incoming::judge(bytes, Some("text/plain"), Some("C:\\work\\notes.txt"), 100).unwrap();
        assert_eq!((file.kind, file.kind.mime_type(), &*file.file_name), (Kind::Png, "image/png", "notes.txt"));
        let empty = Incoming::judge(Bytes::new(), None, None, 0).unwrap();
        assert_eq!(empty.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!((empty.kind, &*empty.file_name), (Kind::PlainText, "file"));
    }

    #[test]
    fn a_file_may_be_as_long_as_the_limit_and_no_longer() {
        let judge = |length| Incoming::judge(Bytes::from(vec![b'a'; length]), None, None, 10);
        assert!(judge(10).is_ok());
        assert_eq!(judge(11).unwrap_err(), TooLarge { limit_bytes: 10 });
    }
}
