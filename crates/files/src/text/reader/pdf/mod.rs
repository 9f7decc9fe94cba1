//! PDF as text: page by page what the pages draw, and what was written into their forms.
//!
//! `lopdf` reads the file, within its own limits on nesting and expansion; `page` follows the drawing operations,
//! `font` says which characters they draw, and `sight` whether they are seen.

mod font;
mod matrix;
mod page;
mod sight;

use std::io::ErrorKind;

use lopdf::{Dictionary, Document, Error, LoadOptions, Object, ObjectId, Stream};

use super::super::limits::PART_BYTES;
use super::super::outcome::Unread;
use super::super::sink::Sink;
use matrix::Matrix;
use page::Reader;
use sight::{Paint, Sight};

pub(super) fn read(bytes: &[u8], sink: &mut Sink) -> Result<(), Unread> {
    let options = LoadOptions::with_max_decompressed_size(PART_BYTES);
    let document = Document::load_mem_with_options(bytes, options).map_err(|error| reason(&error))?;
    // Without a password the document is loaded with nothing in it.
    if document.trailer.get(b"Encrypt").is_ok() && !document.was_encrypted() {
        return Err(Unread::Encrypted);
    }
    let mut reader = Reader::new(&document, sink);
    let mut pages = 0;
    for page in document.page_iter() {
        pages += 1;
        read_page(&document, page, &mut reader)?;
        reader.end_line();
    }
    if pages == 0 { Err(Unread::Damaged) } else { Ok(()) }
}

/// Why a document was not read.
fn reason(error: &Error) -> Unread {
    match error {
        Error::InvalidPassword | Error::Decryption(_) | Error::UnsupportedSecurityHandler(_) => Unread::Encrypted,
        Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => Unread::TooLarge,
        Error::IO(error) if error.kind() == ErrorKind::OutOfMemory => Unread::TooLarge,
        _ => Unread::Damaged,
    }
}

fn read_page<'d>(document: &'d Document, id: ObjectId, reader: &mut Reader<'d, '_>) -> Result<(), Unread> {
    // A page that the tree names and the file does not have was lost.
    let page = document.get_dictionary(id).map_err(|_| Unread::Damaged)?;
    let resources = inherited_resources(document, page);
    let mut content = Vec::new();
    for part in document.get_page_contents(id) {
        let stream = document.get_object(part).and_then(Object::as_stream).map_err(|_| Unread::Damaged)?;
        content.extend(expanded(stream, PART_BYTES - content.len())?);
        content.push(b'\n');
        if content.len() > PART_BYTES {
            return Err(Unread::TooLarge);
        }
    }
    reader.sight = Sight::of_page(document, page, resources);
    reader.draw(&content, resources, (Matrix::IDENTITY, Paint::default()))?;
    // Where a note's look stands on the page is not followed.
    reader.sight = Sight::default();
    for note in annotations(document, page) {
        read_annotation(document, note, reader)?;
    }
    Ok(())
}

fn expanded(stream: &Stream, limit: usize) -> Result<Vec<u8>, Unread> {
    stream.get_plain_content_with_limit(limit).map_err(|error| reason(&error))
}

/// The resources of a page, or of the nearest node above it that has any.
fn inherited_resources<'d>(document: &'d Document, page: &'d Dictionary) -> Option<&'d Dictionary> {
    nodes_above(document, page).find_map(|node| node.get_deref(b"Resources", document).and_then(Object::as_dict).ok())
}

/// A page and the nodes above it.
fn nodes_above<'d>(document: &'d Document, page: &'d Dictionary) -> impl Iterator<Item = &'d Dictionary> {
    const HIGHEST_TREE: usize = 100;
    let above = |node: &&'d Dictionary| node.get_deref(b"Parent", document).and_then(Object::as_dict).ok();
    std::iter::successors(Some(page), above).take(HIGHEST_TREE)
}

fn annotations<'d>(document: &'d Document, page: &'d Dictionary) -> impl Iterator<Item = &'d Dictionary> {
    let all = page.get_deref(b"Annots", document).and_then(Object::as_array);
    let all = all.map(Vec::as_slice).unwrap_or_default().iter();
    all.filter_map(|note| document.dereference(note).ok()?.1.as_dict().ok())
}

/// What was filled into a form's field or typed onto the page: what it looks like, else what it says.
fn read_annotation<'d>(
    document: &'d Document,
    note: &'d Dictionary,
    reader: &mut Reader<'d, '_>,
) -> Result<(), Unread> {
    let text_key: &[u8] = match note.get(b"Subtype").and_then(Object::as_name) {
        Ok(b"Widget") => b"V",
        Ok(b"FreeText") => b"Contents",
        _ => return Ok(()),
    };
    if let Some(appearance) = appearance(document, note) {
        reader.end_line();
        return reader.draw_form(appearance, None);
    }
    if let Ok(text) = note.get_deref(text_key, document).and_then(lopdf::decode_text_string) {
        reader.say(&text);
    }
    Ok(())
}

fn appearance<'d>(document: &'d Document, note: &'d Dictionary) -> Option<&'d Stream> {
    let looks = note.get_deref(b"AP", document).and_then(Object::as_dict).ok()?;
    let normal = looks.get_deref(b"N", document).ok()?;
    if let Ok(stream) = normal.as_stream() {
        return Some(stream);
    }
    let state = note.get(b"AS").and_then(Object::as_name).ok()?;
    normal.as_dict().ok()?.get_deref(state, document).and_then(Object::as_stream).ok()
}

/// A whole number or a fraction.
fn number(object: &Object) -> Option<f64> {
    match object {
        #[expect(clippy::cast_precision_loss, reason = "a place on a page")]
        Object::Integer(whole) => Some(*whole as f64),
        Object::Real(fraction) => Some(f64::from(*fraction)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
