//! From bytes to text: UTF-8, UTF-16 with a byte order mark, and else the Latin-1 that is really Windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Of so many characters one may be a control character that no text has: a stray byte makes no file binary.
const CHARACTERS_PER_CONTROL: usize = 100;
/// How far into a page its charset is declared.
const DECLARATION_WITHIN: usize = 1024;

/// The text, without its byte order mark; `None` when the bytes are no text.
pub(crate) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(std::str::from_utf8(rest).ok()?),
        [0xff, 0xfe, rest @ ..] => UTF_16LE.decode_without_bom_handling_and_without_replacement(rest)?,
        [0xfe, 0xff, rest @ ..] => UTF_16BE.decode_without_bom_handling_and_without_replacement(rest)?,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => latin_1(bytes)?,
        },
    };
    is_text(&text).then_some(text)
}

/// The text of a page, by its mark, by what it is, and then by the charset that it declares.
pub(crate) fn decode_html(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let has_mark = matches!(bytes, [0xef, 0xbb, 0xbf, ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if has_mark || std::str::from_utf8(bytes).is_ok() {
        return decode(bytes);
    }
    match declared(bytes) {
        Some(encoding) => Some(encoding.decode_without_bom_handling(bytes).0),
        None => decode(bytes),
    }
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let beginning: String = bytes.iter().take(DECLARATION_WITHIN).map(|byte| char::from(*byte)).collect();
    let beginning = beginning.to_ascii_lowercase();
    let (_, after) = beginning.split_once("charset")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let label: String = value.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_:".contains(*c)).collect();
    // A page that could declare UTF-16 in ASCII is not in UTF-16.
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// A guess, and refused where a control character or an undefined byte speaks against it.
fn latin_1(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let speaks_against =
        |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1f | 0x7f | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
    let is_guessed = !bytes.iter().any(speaks_against);
    is_guessed.then(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

fn is_text(text: &str) -> bool {
    let is_stray = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    let controls = text.chars().filter(is_stray).count();
    controls == 0 || controls * CHARACTERS_PER_CONTROL <= text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_wrong_utf_16_is_no_text() {
        assert_eq!(decode("\u{feff}a".as_bytes()).as_deref(), Some("a"));
        assert_eq!(decode(b"\xff\xfea\0b\0").as_deref(), Some("ab"));
        assert_eq!(decode(b"\xfe\xff\0a\0b").as_deref(), Some("ab"));
        assert_eq!(decode(b"\xff\xfea\0b"), None, "half a character");
        assert_eq!(decode(b"\xff\xfe\0\xd8"), None, "half a pair");
        assert_eq!(decode(b"\xef\xbb\xbf\xff"), None);
    }

    #[test]
    fn what_is_not_utf_8_is_taken_for_windows_1252_unless_something_speaks_against_it() {
        assert_eq!(decode(b"na\xefve \x80 5").as_deref(), Some("naïve € 5"));
        for binary in [&b"\xff\0"[..], b"\xff\x81", b"\xc3\x28\x07", b"\xd0\xcf\x11\xe0"] {
            assert_eq!(decode(binary), None, "{binary:?}");
        }
    }

    #[test]
    fn a_stray_control_character_makes_no_text_binary() {
        let long = format!("{}\0", "a".repeat(CHARACTERS_PER_CONTROL));
        assert!(decode(long.as_bytes()).is_some());
        assert!(decode(b"short\0").is_none());
    }

    #[test]
    fn a_page_declares_its_charset() {
        let page = |charset: &str| [format!("<meta charset={charset}>").as_bytes(), b"\xcf\xf0"].concat();
        let text = |charset| decode_html(&page(charset)).map(|text| text.chars().rev().take(2).collect::<String>());
        assert_eq!(text("\"windows-1251\"").as_deref(), Some("рП"));
        assert_eq!(text("utf-16").as_deref(), Some("ðÏ"));
        assert_eq!(text("nonsense").as_deref(), Some("ðÏ"));
        assert_eq!(decode_html("<meta charset=windows-1251>П".as_bytes()).map(|text| text.ends_with('П')), Some(true));
    }
}
