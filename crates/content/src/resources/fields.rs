//! Checks of the fields that several kinds have.

use edge::body::{At, label, object, one_of, text};
use kernel::language::{LONGEST_TAG, is_tag};
use serde_json::Value;

use super::Visibility;

/// The longest title or name, in characters.
pub(crate) const LONGEST_TITLE: usize = 255;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 5_000;
/// The longest content, in characters.
const LONGEST_CONTENT: usize = 1_000_000;
/// The longest metadata, in bytes of JSON: that of what was generated says of each part where it came from.
const LONGEST_METADATA: usize = 512 * 1024;

/// A title or name.
pub(crate) fn title(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=LONGEST_TITLE)(value, at)
}

/// A description; it may be empty.
pub(crate) fn description(value: &Value, at: &mut At<'_>) -> Option<String> {
    text(0..=LONGEST_DESCRIPTION)(value, at)
}

/// HTML or other markup, kept as it is; pages make it harmless when they show it.
pub(crate) fn content(value: &Value, at: &mut At<'_>) -> Option<String> {
    text(0..=LONGEST_CONTENT)(value, at)
}

/// A language tag such as `en` or `pt-BR`.
pub(crate) fn language(value: &Value, at: &mut At<'_>) -> Option<String> {
    let tag = label(1..=LONGEST_TAG)(value, at)?;
    if is_tag(&tag) { Some(tag) } else { at.refuse("must be a language tag such as en or pt-BR") }
}

/// The language that a source says it is in, or a stored resource of such a source, which may be sent back whole. What
/// is no tag is kept all the same: sources say `pt_BR` and `English` too.
pub(crate) fn stored_language(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=LONGEST_TAG)(value, at)
}

/// The caller's own data, kept as it is. `externalId` is a text, so that it can be looked for.
pub(crate) fn metadata(value: &Value, at: &mut At<'_>) -> Option<Value> {
    let metadata = object(LONGEST_METADATA)(value, at)?;
    if let Some(id) = metadata.get("externalId").filter(|id| !id.is_null()) {
        text(1..=LONGEST_TITLE)(id, &mut at.member("externalId"))?;
    }
    Some(metadata)
}

/// A number above 0.
pub(crate) fn positive(highest: f64) -> impl Fn(&Value, &mut At<'_>) -> Option<f64> {
    move |value, at| {
        let Some(number) = value.as_f64() else { return at.refuse("must be a number") };
        let is_within = number > 0.0 && number <= highest;
        is_within.then_some(number).or_else(|| at.refuse(format!("must be more than 0 and at most {highest}")))
    }
}

/// `PRIVATE` or `PUBLIC`.
pub(crate) fn visibility(value: &Value, at: &mut At<'_>) -> Option<Visibility> {
    one_of(Visibility::WORDS)(value, at)
}

#[cfg(test)]
mod tests {
    use edge::body::{Fields, JsonBody};
    use serde_json::json;

    use super::*;

    fn accepts<T>(value: Value, check: impl Fn(&Value, &mut At<'_>) -> Option<T>) -> bool {
        JsonBody::of(json!({ "field": value })).read(|fields: &mut Fields<'_>| fields.required("field", check)).is_ok()
    }

    #[test]
    fn a_language_is_a_tag_and_a_stored_one_a_short_text() {
        for tag in ["en", "pt-BR", "zh-Hant-TW"] {
            assert!(accepts(json!(tag), language) && accepts(json!(tag), stored_language), "{tag}");
        }
        for text in ["pt_BR", "English", "en-"] {
            assert!(!accepts(json!(text), language) && accepts(json!(text), stored_language), "{text}");
        }
        for wrong in [json!(""), json!("a\nb"), json!("x".repeat(36)), json!(1), json!(null)] {
            assert!(!accepts(wrong.clone(), language) && !accepts(wrong.clone(), stored_language), "{wrong}");
        }
    }

    #[test]
    fn an_external_id_is_a_text() {
        assert!(accepts(json!({ "externalId": "a-1", "x": [1] }), metadata));
        assert!(accepts(json!({ "externalId": null }), metadata) && accepts(json!({}), metadata));
        for wrong in [
            json!({ "externalId": 1 }),
            json!({ "externalId": "" }),
            json!([]),
            json!("{}"),
            json!({ "x": "a".repeat(600_000) }),
        ] {
            assert!(!accepts(wrong, metadata));
        }
    }
}
