//! DOCX and HTML.

use std::io::{Cursor, Write as _};

use files::text::MOST_CHARACTERS;
use files::{FileText, Kind, Unread};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::{read, unread, whole};

const MAIN: &str = "word/document.xml";

fn docx(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let types: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");
    for (name, content) in [types].iter().chain(parts) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn document(text: &str) -> String {
    format!("<w:document><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>")
}

#[test]
fn a_document_is_read() {
    let bytes = docx(&[(MAIN, document("Photosynthesis needs light.").as_bytes())]);
    assert_eq!(read(Kind::Docx, bytes), whole("Photosynthesis needs light."));
}

#[test]
fn a_long_text_is_cut_and_the_rest_counted() {
    let long = document(&"é".repeat(MOST_CHARACTERS + 5));
    let FileText::Cut { text, omitted_characters } = read(Kind::Docx, docx(&[(MAIN, long.as_bytes())])) else {
        panic!("the text is cut");
    };
    // The paragraph's end is a character too.
    assert_eq!((text.chars().count(), omitted_characters), (MOST_CHARACTERS, 6));
}

#[test]
fn a_bomb_is_too_large() {
    let bomb = docx(&[(MAIN, &vec![b' '; 70 << 20])]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(read(Kind::Docx, bomb), unread(Unread::TooLarge));
}

#[test]
fn deep_nesting_is_too_large() {
    let deep = format!("{}{}", "<w:x>".repeat(200_000), "</w:x>".repeat(200_000));
    assert_eq!(read(Kind::Docx, docx(&[(MAIN, deep.as_bytes())])), unread(Unread::TooLarge));
}

#[test]
fn a_document_that_was_cut_off_is_damaged() {
    let bytes = docx(&[(MAIN, document("x").as_bytes())]);
    assert_eq!(read(Kind::Docx, bytes[..bytes.len() - 10].to_vec()), unread(Unread::Damaged));
}

#[test]
fn an_encrypted_part_is_encrypted() {
    let mut bytes = docx(&[(MAIN, document("x").as_bytes())]);
    // The flag of encryption in each file's header and in its directory record.
    for (signature, offset) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(signature)).collect();
        places.into_iter().for_each(|at| bytes[at + offset] |= 1);
    }
    assert_eq!(read(Kind::Docx, bytes), unread(Unread::Encrypted));
}

#[test]
fn a_page_is_read_in_its_charset() {
    assert_eq!(read(Kind::Html, "<h1>A</h1><p>b &mdash; c"), whole("A\nb — c"));
    assert_eq!(read(Kind::Html, &b"<meta charset=windows-1251><p>\xcf\xf0"[..]), whole("Пр"));
    assert_eq!(read(Kind::Html, "<p> <br>"), unread(Unread::NoText));
}
