//! JSON on its way out: what is JSON already is written as it is, and long texts are escaped a block at a time.
//!
//! serde_json checks a raw value when it is made and looks at a text byte by byte. Most of an answer is one or the
//! other, so both cost more than the rest of it.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

/// What serde_json calls a value that it writes as it is; the tests fail when it calls it otherwise.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// One JSON value as text that this program wrote, so that nobody has to read it to send it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// The text of a value.
    pub fn of(value: &impl Serialize) -> Self {
        Self(serde_json::to_string(value).expect("what is stored serializes"))
    }

    /// `[]`
    pub fn empty_array() -> Self {
        Self("[]".to_owned())
    }

    /// `{}`
    pub fn empty_object() -> Self {
        Self("{}".to_owned())
    }

    /// Text that [`JsonText::of`] or serde_json made. What came from elsewhere is parsed first: nobody looks at it again.
    pub fn trusted(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_raw(&self.0, serializer)
    }
}

/// Serializes a long text: `#[serde(serialize_with = "kernel::json::long_text")]`. The outcome is that of any text.
///
/// # Errors
/// Those of the serializer.
pub fn long_text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    write_raw(&quoted(text), serializer)
}

fn write_raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut raw = serializer.serialize_struct(RAW_VALUE, 1)?;
    raw.serialize_field(RAW_VALUE, json)?;
    raw.end()
}

/// The text as a JSON string.
fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + text.len() / 16 + 2);
    json.push('"');
    let mut rest = text;
    while let Some(at) = first_to_escape(rest.as_bytes()) {
        json.push_str(&rest[..at]);
        push_escaped(&mut json, rest.as_bytes()[at]);
        rest = &rest[at + 1..];
    }
    json.push_str(rest);
    json.push('"');
    json
}

/// Where the first byte is that a JSON string can't hold as it is.
fn first_to_escape(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    // Without a branch for each byte: a few instructions for all of them.
    let is_plain = |block: &&[u8; BLOCK]| !block.iter().fold(false, |found, byte| found | must_be_escaped(*byte));
    let plain = blocks.iter().take_while(is_plain).count() * BLOCK;
    bytes[plain..].iter().position(|byte| must_be_escaped(*byte)).map(|at| plain + at)
}

const fn must_be_escaped(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn push_escaped(json: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    json.push('\\');
    match byte {
        b'"' | b'\\' => json.push(char::from(byte)),
        b'\n' => json.push('n'),
        b'\r' => json.push('r'),
        b'\t' => json.push('t'),
        0x08 => json.push('b'),
        0x0c => json.push('f'),
        control => {
            json.push_str("u00");
            json.push(char::from(DIGITS[usize::from(control >> 4)]));
            json.push(char::from(DIGITS[usize::from(control & 0xf)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[derive(Serialize)]
    struct Sent {
        first: JsonText,
        #[serde(serialize_with = "long_text")]
        second: String,
    }

    #[test]
    fn serde_json_writes_raw_values_as_they_are() {
        let sent = Sent { first: JsonText::trusted("{\"b\" :1,\"a\":[ ]}".into()), second: "\"x\"\n".into() };
        let expected = "{\"first\":{\"b\" :1,\"a\":[ ]},\"second\":\"\\\"x\\\"\\n\"}";
        assert_eq!(serde_json::to_string(&sent).unwrap(), expected, "serde_json has another name for raw values");
        assert_eq!(serde_json::to_value(&sent).unwrap(), json!({ "first": { "b": 1, "a": [] }, "second": "\"x\"\n" }));
    }

    #[test]
    fn every_character_is_escaped_as_serde_json_does_wherever_it_stands() {
        for character in (0..=0x7f).map(char::from).chain("é€😀\u{2028}".chars()) {
            for before in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 5] {
                let text = format!("{}{character}{}", "x".repeat(before), "y".repeat(BLOCK + 3));
                assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_quoted_as_serde_json_does(text in "(?s:.{0,300})|[\\x00-\\x22a\\\\]{0,200}|[a-z<> \"\\n]{0,300}") {
            prop_assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
        }

        #[test]
        fn the_text_of_a_value_parses_to_the_value(numbers in proptest::collection::vec(any::<i64>(), 0..9), text in ".*") {
            let value = json!({ "numbers": numbers, "text": text });
            let json = JsonText::of(&value);
            prop_assert_eq!(super::super::parse(json.as_str().as_bytes()).ok(), (!text.contains('\0')).then_some(value));
        }
    }
}
