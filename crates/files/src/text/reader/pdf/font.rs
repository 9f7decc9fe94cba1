//! Which characters a font's codes stand for, and how wide they are.
//!
//! What a font says of Unicode itself (`ToUnicode`) goes before its encoding. A code that nobody can name becomes
//! U+FFFD, so that it is seen to be missing.

use std::collections::HashMap;

use encoding_rs::UTF_16BE;
use lopdf::{Dictionary, Document, Encoding, Object};

use super::super::super::limits::PART_BYTES;
use super::super::super::outcome::Unread;
use super::{number, reason};

/// The parts of an em that widths are counted in.
const UNITS_PER_EM: f64 = 1000.0;
const MOST_WIDTHS: usize = 1 << 16;

pub(super) struct Font<'d> {
    codes: Codes<'d>,
    widths: Option<Widths>,
    /// Its letters are drawings of any size: how tall they are can't be told from the text's.
    pub(super) has_own_size: bool,
}

enum Codes<'d> {
    /// One byte a code: its text.
    Simple(Box<[String; 256]>),
    /// Several bytes a code, by what the font says of Unicode.
    Composite(Encoding<'d>),
    /// The codes are UTF-16.
    Utf16,
    /// Several bytes a code, and nobody knows for what.
    Nameless,
}

struct Widths {
    by_code: HashMap<u32, f64>,
    otherwise: f64,
}

impl<'d> Font<'d> {
    /// # Errors
    /// When reading it would expand too much.
    pub(super) fn read(document: &'d Document, font: &'d Dictionary) -> Result<Self, Unread> {
        let to_unicode = to_unicode(document, font)?;
        if !font.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Type0") {
            let table = simple_table(document, font, to_unicode.as_ref())?;
            let has_own_size = font.has(b"FontMatrix");
            return Ok(Self { codes: Codes::Simple(table), widths: simple_widths(document, font), has_own_size });
        }
        let name = font.get_deref(b"Encoding", document).and_then(Object::as_name).unwrap_or_default();
        let has_part = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
        let codes = match to_unicode {
            Some(encoding) => Codes::Composite(encoding),
            None if has_part(b"UCS2") || has_part(b"UTF16") => Codes::Utf16,
            None => Codes::Nameless,
        };
        Ok(Self { codes, widths: composite_widths(document, font), has_own_size: false })
    }

    /// The characters of a string.
    pub(super) fn text(&self, string: &[u8]) -> String {
        match &self.codes {
            Codes::Simple(table) => string.iter().map(|code| table[usize::from(*code)].as_str()).collect(),
            Codes::Composite(encoding) => encoding.bytes_to_string(string).unwrap_or_else(|_| nameless(string)),
            Codes::Utf16 => UTF_16BE.decode_without_bom_handling(string).0.into_owned(),
            Codes::Nameless => nameless(string),
        }
    }

    /// The width of each code, in ems, and whether it is a space that words are spaced by; `None` when the font
    /// doesn't say.
    pub(super) fn widths(&self, string: &[u8]) -> Option<Vec<(f64, bool)>> {
        let widths = self.widths.as_ref()?;
        let of = |code: u32| widths.by_code.get(&code).copied().unwrap_or(widths.otherwise) / UNITS_PER_EM;
        Some(match self.codes {
            Codes::Simple(_) => string.iter().map(|code| (of(u32::from(*code)), *code == b' ')).collect(),
            _ => string
                .chunks(2)
                .map(|code| (of(code.iter().fold(0, |all, byte| all << 8 | u32::from(*byte))), false))
                .collect(),
        })
    }
}

fn nameless(string: &[u8]) -> String {
    string.chunks(2).map(|_| char::REPLACEMENT_CHARACTER).collect()
}

/// What the font says of Unicode, if it does and it can be read.
fn to_unicode(document: &Document, font: &Dictionary) -> Result<Option<Encoding<'static>>, Unread> {
    if font.get_deref(b"ToUnicode", document).and_then(Object::as_stream).is_err() {
        return Ok(None);
    }
    // An encoding would go before it.
    let mut alone = font.clone();
    alone.remove(b"Encoding");
    alone.set("Type", "Font");
    match alone.get_font_encoding_with_limit(document, PART_BYTES) {
        Ok(Encoding::UnicodeMapEncoding(map)) => Ok(Some(Encoding::UnicodeMapEncoding(map))),
        Ok(_) => Ok(None),
        Err(error) if reason(&error) == Unread::TooLarge => Err(Unread::TooLarge),
        Err(_) => Ok(None),
    }
}

fn simple_table(
    document: &Document,
    font: &Dictionary,
    to_unicode: Option<&Encoding<'_>>,
) -> Result<Box<[String; 256]>, Unread> {
    let mut named = font.clone();
    named.remove(b"ToUnicode");
    named.set("Type", "Font");
    let encoding = match named.get_font_encoding_with_limit(document, PART_BYTES) {
        Ok(encoding) => Some(encoding),
        Err(error) if reason(&error) == Unread::TooLarge => return Err(Unread::TooLarge),
        Err(_) => None,
    };
    let is_named = |text: &String| !text.is_empty() && !text.contains(char::REPLACEMENT_CHARACTER);
    let mut table = Box::new([const { String::new() }; 256]);
    for code in 0..=u8::MAX {
        let by = |encoding: Option<&Encoding<'_>>| encoding?.bytes_to_string(&[code]).ok().filter(is_named);
        let text = by(to_unicode).or_else(|| by(encoding.as_ref()));
        table[usize::from(code)] = text.unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string());
    }
    Ok(table)
}

fn simple_widths(document: &Document, font: &Dictionary) -> Option<Widths> {
    let first = u32::try_from(font.get_deref(b"FirstChar", document).and_then(Object::as_i64).ok()?).ok()?;
    let given = font.get_deref(b"Widths", document).and_then(Object::as_array).ok()?;
    // A font of drawings has units of its own.
    let matrix = font.get_deref(b"FontMatrix", document).and_then(Object::as_array).ok();
    let unit = matrix.and_then(|matrix| number(matrix.first()?)).map_or(1.0, |unit| unit.abs() * UNITS_PER_EM);
    let width = |object| number(document.dereference(object).ok()?.1).map(|width| width * unit);
    let by_code = (first..).zip(given).take(256).filter_map(|(code, object)| Some((code, width(object)?))).collect();
    let descriptor = font.get_deref(b"FontDescriptor", document).and_then(Object::as_dict);
    let missing = descriptor.and_then(|descriptor| descriptor.get_deref(b"MissingWidth", document));
    Some(Widths { by_code, otherwise: missing.ok().and_then(number).unwrap_or(0.0) })
}

/// `W` lists runs: a first code and its and the next ones' widths, or a first and a last code and their one width.
fn composite_widths(document: &Document, font: &Dictionary) -> Option<Widths> {
    let descendants = font.get_deref(b"DescendantFonts", document).and_then(Object::as_array).ok()?;
    let descendant = document.dereference(descendants.first()?).ok()?.1.as_dict().ok()?;
    let otherwise = descendant.get_deref(b"DW", document).ok().and_then(number).unwrap_or(UNITS_PER_EM);
    let given = descendant.get_deref(b"W", document).and_then(Object::as_array);
    let mut given =
        given.map(Vec::as_slice).unwrap_or_default().iter().filter_map(|object| document.dereference(object).ok());
    let mut by_code = HashMap::new();
    while let (Some((_, first)), Some((_, second))) = (given.next(), given.next()) {
        let Some(first) = code(first) else { break };
        if let Ok(widths) = second.as_array() {
            by_code.extend((first..).zip(widths).filter_map(|(code, width)| Some((code, number(width)?))));
        } else if let (Some(last), Some(width)) = (code(second), given.next().and_then(|(_, width)| number(width))) {
            by_code.extend((first..=last).take(MOST_WIDTHS).map(|code| (code, width)));
        }
        if by_code.len() > MOST_WIDTHS {
            break;
        }
    }
    Some(Widths { by_code, otherwise })
}

fn code(object: &Object) -> Option<u32> {
    object.as_i64().ok().and_then(|code| u32::try_from(code).ok())
}
