//! From bytes to text: UTF-8, UTF-16 with a byte order mark, and Latin-1 where a file declares it.

use std::borrow::Cow;

/// Not in a readable encoding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// How far the XML declaration is looked for, in bytes.
const DECLARATION_BYTES: usize = 200;

/// Decodes a file by its byte order mark, then by its XML declaration, then as UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Unreadable> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => match declared(bytes).as_deref() {
            // A declared UTF-16 without a mark that reads as ASCII is a mislabelled UTF-8.
            None | Some("utf-8" | "utf8" | "us-ascii" | "ascii" | "utf-16") => utf8(bytes),
            Some("iso-8859-1" | "latin1" | "iso-latin-1") => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
            Some(_) => Err(Unreadable),
        },
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Unreadable> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Unreadable)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, Unreadable> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Unreadable);
    }
    char::decode_utf16(units.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .map(Cow::Owned)
        .map_err(|_| Unreadable)
}

/// The encoding that `<?xml … encoding="…"?>` names, in lower case.
fn declared(bytes: &[u8]) -> Option<String> {
    let start = bytes.get(..DECLARATION_BYTES.min(bytes.len()))?;
    let start: String = start.iter().map(|byte| char::from(*byte)).collect();
    let declaration = start.trim_start().strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_declarations_are_followed() {
        let utf16 = |text: &str| -> Vec<u8> {
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        };
        assert_eq!(decode("\u{feff}<a>ü</a>".as_bytes()).unwrap(), "<a>ü</a>");
        assert_eq!(decode(&utf16("<a>ü😀</a>")).unwrap(), "<a>ü😀</a>");
        assert_eq!(
            decode(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xfc</a>").unwrap().chars().rev().nth(4),
            Some('ü')
        );
        assert!(decode("<?xml version=\"1.0\" encoding=\"utf-16\"?><a/>".as_bytes()).is_ok());
    }

    #[test]
    fn wrong_encodings_are_not_guessed() {
        for bytes in [
            &b"<a>\xff</a>"[..],
            b"<?xml version='1.0' encoding='shift_jis'?><a/>",
            b"\xff\xfea",
            b"\xff\xfe\x00\xd8",
            b"<?xml version='1.0' encoding='utf-8'?><a>\xfc</a>",
        ] {
            assert_eq!(decode(bytes), Err(Unreadable));
        }
    }
}
