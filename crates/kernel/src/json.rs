//! JSON from outside: parsed strictly, key order kept. How JSON is sent is in `json/text.rs`.
//!
//! What two parsers may read differently is refused instead of guessed: duplicate keys, lone
//! surrogates, numbers beyond a double's range, NUL characters (no PostgreSQL text holds them), nesting
//! deeper than 128.

mod number;
mod text;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

pub use number::{plain_number, plain_number_or_null};
pub use text::{JsonText, long_text};

/// Why a text is not acceptable JSON: a sentence for the sender, with line and column.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JsonError(String);

/// Parses a whole document. Keys keep their order.
pub fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let strict: Strict = serde_json::from_slice(text).map_err(|error| JsonError(error.to_string()))?;
    Ok(strict.0)
}

/// SHA-256 (hex) of a value's canonical form: white space dropped, object keys sorted, so that two
/// requests that say the same have the same digest.
pub fn canonical_sha256(value: &Value) -> String {
    let mut canonical = Vec::with_capacity(256);
    write_canonical(value, &mut canonical);
    hex::encode(Sha256::digest(&canonical))
}

fn write_canonical(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| key.as_str());
            write_delimited(out, b'{', b'}', sorted, |out, (key, member)| {
                write_scalar(out, key);
                out.push(b':');
                write_canonical(member, out);
            });
        }
        Value::Array(items) => write_delimited(out, b'[', b']', items, |out, item| write_canonical(item, out)),
        scalar => write_scalar(out, scalar),
    }
}

fn write_delimited<T>(
    out: &mut Vec<u8>,
    open: u8,
    close: u8,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(close);
}

fn write_scalar<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, scalar: &T) {
    serde_json::to_writer(out, scalar).expect("text and numbers always serialize into memory");
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl StrictVisitor {
    fn text<E: Error>(text: String) -> Result<String, E> {
        if text.contains('\0') {
            return Err(E::custom("a text contains the NUL character"));
        }
        Ok(text)
    }
}

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Self::text(text).map(Value::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match object.entry(Self::text(key)?) {
                Entry::Occupied(taken) => {
                    return Err(A::Error::custom(format_args!("duplicate key {:?}", taken.key())));
                }
                Entry::Vacant(free) => free.insert(members.next_value::<Strict>()?.0),
            };
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ambiguous_documents_are_refused() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        let refused = [
            r#"{"a":1,"a":2}"#,
            r#"{"x":{"a":1,"a":1}}"#,
            r#""\u0000""#,
            r#"{"\u0000":1}"#,
            r#""\ud800""#,
            r#""\udc00x""#,
            "1e400",
            "-1e400",
            "NaN",
            "{} {}",
            "",
            "{",
            "\u{feff}{}",
            deep.as_str(),
        ];
        for text in refused {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn key_order_is_kept() {
        let text = r#"{"z":1,"a":{"y":2,"b":3}}"#;
        assert_eq!(serde_json::to_string(&parse(text.as_bytes()).unwrap()).unwrap(), text);
    }

    #[test]
    fn the_canonical_digest_ignores_white_space_and_key_order_only() {
        let digest = |text: &str| canonical_sha256(&parse(text.as_bytes()).unwrap());
        assert_eq!(digest(r#"{"a":1,"b":[1,2]}"#), digest("{ \"b\" : [1, 2],\n\"a\":1 }"));
        assert_ne!(digest(r#"{"a":[1,2]}"#), digest(r#"{"a":[2,1]}"#));
        assert_ne!(digest(r#"{"a":"1"}"#), digest(r#"{"a":1}"#));
        assert_ne!(digest(r#"{"a":null}"#), digest("{}"));
    }

    proptest! {
        #[test]
        fn any_bytes_parse_or_are_refused_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }

        #[test]
        fn what_parses_prints_to_something_equal(text in "[\\[\\]{}\":,0-9a-c \\\\u]{0,40}") {
            if let Ok(value) = parse(text.as_bytes()) {
                let printed = serde_json::to_vec(&value).unwrap();
                prop_assert_eq!(parse(&printed).unwrap(), value);
            }
        }
    }
}
