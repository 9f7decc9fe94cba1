//! Binary kinds, by their first bytes, and for documents that are archives by their parts.

use std::io::Cursor;

use zip::read::{ArchiveOffset, Config, ZipArchive};

use super::{Kind, charset};

/// How far into a file the header of a PDF may stand.
const PDF_HEADER_WITHIN: usize = 1024;
const ZIP: &[u8] = b"PK\x03\x04";
const ZIP_DIRECTORY_RECORD: &[u8] = b"PK\x01\x02";
/// More parts than any document has.
const MOST_ZIP_RECORDS: usize = 10_000;

/// The kind that the bytes show; `None` for what may be text.
pub(super) fn binary_kind(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Kind::Png),
        [0xff, 0xd8, 0xff, ..] => Some(Kind::Jpeg),
        // A picture ends its blocks with a zero byte; a text about pictures has none.
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', rest @ ..] if rest.contains(&0) => Some(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
        _ if bytes.starts_with(ZIP) => Some(if is_docx(bytes) { Kind::Docx } else { Kind::Unknown }),
        _ if is_pdf(bytes) => Some(Kind::Pdf),
        _ => None,
    }
}

/// Readers take a header that something stands before. A text may speak of one.
fn is_pdf(bytes: &[u8]) -> bool {
    let is_header = |window: &[u8]| window.starts_with(b"%PDF-") && window[5].is_ascii_digit() && window[6] == b'.';
    let beginning = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    match beginning.windows(7).position(is_header) {
        None => false,
        Some(0) => true,
        Some(_) => charset::decode(bytes).is_none() || bytes.windows(5).any(|window| window == b"%%EOF"),
    }
}

fn is_docx(bytes: &[u8]) -> bool {
    let records = bytes.windows(ZIP_DIRECTORY_RECORD.len()).filter(|window| *window == ZIP_DIRECTORY_RECORD);
    if records.take(MOST_ZIP_RECORDS + 1).count() > MOST_ZIP_RECORDS {
        return false;
    }
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let Ok(archive) = ZipArchive::with_config(config, Cursor::new(bytes)) else {
        // A document that was cut off still is one, and the reader of its text says that it is damaged.
        let beginning = &bytes[..bytes.len().min(1 << 16)];
        return beginning.windows(5).any(|window| window == b"word/");
    };
    let names = (0..archive.len()).filter_map(|place| archive.by_index_data(place).ok());
    let names: Vec<String> = names.filter_map(|entry| Some(entry.name().ok()?.into_owned())).collect();
    let is_main = |name: &String| name.starts_with("word/document") && name.ends_with(".xml");
    names.iter().any(|name| name == "[Content_Types].xml") && names.iter().any(is_main)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn archive(names: &[&str]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(b"<x/>").unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some(Kind::Png)),
            (b"\xff\xd8\xff\xe0", Some(Kind::Jpeg)),
            (b"GIF89a\x01\0\x01\0\0;", Some(Kind::Gif)),
            (b"GIF89a is a format of pictures", None),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(Kind::WebP)),
            (b"RIFF\x10\0\0\0WAVEfmt ", None),
            (b"", None),
        ] {
            assert_eq!(binary_kind(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn a_pdf_may_have_something_before_its_header_and_a_text_may_speak_of_it() {
        assert_eq!(binary_kind(b"%PDF-1.4\n"), Some(Kind::Pdf));
        assert_eq!(binary_kind(b"\0\0junk%PDF-1.4\n"), Some(Kind::Pdf));
        assert_eq!(binary_kind(b"\n%PDF-1.4\n1 0 obj\n%%EOF"), Some(Kind::Pdf));
        assert_eq!(binary_kind(b"A PDF begins with %PDF-1.4 and a line feed."), None);
        assert_eq!(binary_kind(b"%PDF-"), None);
    }

    #[test]
    fn a_docx_is_told_from_other_archives_by_its_parts() {
        let parts = ["[Content_Types].xml", "_rels/.rels", "word/document.xml"];
        assert_eq!(binary_kind(&archive(&parts)), Some(Kind::Docx));
        assert_eq!(binary_kind(&archive(&["[Content_Types].xml", "word/document2.xml"])), Some(Kind::Docx));
        assert_eq!(binary_kind(&archive(&["[Content_Types].xml", "xl/workbook.xml"])), Some(Kind::Unknown));
        assert_eq!(binary_kind(&archive(&["word/document.xml"])), Some(Kind::Unknown));
        assert_eq!(binary_kind(&archive(&["a.txt"])), Some(Kind::Unknown));
        let whole = archive(&parts);
        assert_eq!(binary_kind(&whole[..whole.len() - 30]), Some(Kind::Docx), "a document that was cut off");
    }
}
