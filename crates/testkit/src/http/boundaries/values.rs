//! Values that fit a schema, that fill it to a length, and that do not fit it.

use regex::Regex;
use serde_json::{Map, Value, json};

use super::{type_of, without_null};

/// A value that fits a schema: its example, or something made from what it says.
pub(super) fn sample(document: &Value, schema: &Value) -> Value {
    let (schema, _) = without_null(document, schema);
    if let Some(known) = schema.get("example").or_else(|| schema["enum"].get(0)) {
        return known.clone();
    }
    match type_of(schema) {
        "string" => match schema["format"].as_str() {
            Some("uuid") => json!("01a1ff30-2df1-7b4f-bb6e-45abf1da3e1c"),
            Some("date-time") => json!("2099-01-01T00:00:00Z"),
            Some("date") => json!("2026-11-01"),
            _ => json!(filler(schema, schema["minLength"].as_u64().unwrap_or(1).max(1))),
        },
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(true),
        "array" => json!([sample(document, &schema["items"])]),
        _ => {
            let members = schema["properties"].as_object().into_iter().flatten();
            let made = members.map(|(name, member)| (name.clone(), sample(document, member)));
            made.collect::<Map<_, _>>().into()
        }
    }
}

/// A text of so many characters, of the format and the pattern where such a text exists.
pub(super) fn filler(schema: &Value, length: u64) -> String {
    let length = usize::try_from(length).expect("a text in a test fits the memory");
    if length == 0 {
        return String::new();
    }
    let cut = |text: String| text.chars().take(length).collect::<String>();
    match schema["format"].as_str() {
        Some("uri") => return cut(format!("https://lms.example.com/{}", "a".repeat(length))),
        Some("email") => return email(length),
        _ => {}
    }
    // The second is a language tag.
    let candidates = [cut("a".repeat(length)), cut(format!("aa-x-{}", "aaaaaaaa-".repeat(length)))];
    let fitting = pattern(schema).and_then(|pattern| candidates.iter().find(|text| pattern.is_match(text)).cloned());
    fitting.unwrap_or_else(|| candidates.into_iter().next().expect("there are two"))
}

/// An address of so many characters, with labels as short as names have them.
fn email(length: usize) -> String {
    const END: &str = ".com";
    let local = length.saturating_sub(END.len() + 2).clamp(1, 64);
    let domain = length.saturating_sub(local + 1 + END.len()).max(1);
    let mut labels: String = "aaaaaaaaa.".chars().cycle().take(domain).collect();
    if labels.ends_with('.') {
        labels.replace_range(domain - 1.., "a");
    }
    format!("{}@{labels}{END}", "a".repeat(local))
}

/// Texts that break what the schema says of its texts, each with the rule that it breaks.
pub(super) fn unfit(schema: &Value) -> Vec<(String, &'static str)> {
    let format = schema["format"].as_str().and_then(|name| {
        // A uuid but for its last digit; a day that no month has.
        let text = match name {
            "uuid" => "01a1ff30-2df1-7b4f-bb6e-45abf1da3e1",
            "date-time" => "2099-02-30T00:00:00Z",
            "date" => "2026-02-30",
            "email" | "uri" => "nothing of the kind",
            // The others tell how a text is shown, not which texts are right.
            _ => return None,
        };
        Some((format!("format {name}"), text))
    });
    let word = schema.get("enum").map(|_| ("enum".to_owned(), "no-such-word"));
    let pattern = pattern(schema).map(|pattern| {
        let texts = ["a b", "-", "\u{e4}\n", "a", "1"];
        let text = texts.into_iter().find(|text| !pattern.is_match(text));
        (format!("pattern {pattern}"), text.unwrap_or_else(|| panic!("no text is known that breaks {pattern}")))
    });
    format.into_iter().chain(word).chain(pattern).collect()
}

fn pattern(schema: &Value) -> Option<Regex> {
    let text = schema["pattern"].as_str()?;
    Some(Regex::new(text).unwrap_or_else(|error| panic!("{text} is no pattern: {error}")))
}
