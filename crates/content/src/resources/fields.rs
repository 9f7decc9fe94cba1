//! Checks of the fields that several kinds have.

use edge::body::{Check, Plain, label, object, one_of, text};
use kernel::json::JsonText;
use kernel::language::{LONGEST_TAG, is_tag};

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
pub(crate) fn title() -> impl Check<Value = String> {
    label(1..=LONGEST_TITLE)
}

/// A description; it may be empty.
pub(crate) fn description() -> impl Check<Value = String> {
    text(0..=LONGEST_DESCRIPTION)
}

/// HTML or other markup, kept as it is; pages make it harmless when they show it.
pub(crate) fn content() -> impl Check<Value = String> {
    text(0..=LONGEST_CONTENT)
}

/// A language tag such as `en` or `pt-BR`.
pub(crate) fn language() -> impl Check<Value = String> {
    let tag = label(1..=LONGEST_TAG);
    let tag = tag.parsed(|tag| if is_tag(&tag) { Ok(tag) } else { Err("must be a language tag such as en or pt-BR") });
    tag.shown_like(label(0..=LONGEST_TAG).pattern("^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"))
}

/// The language that a source says it is in, or a stored resource of such a source, which may be sent back whole. What
/// is no tag is kept all the same: sources say `pt_BR` and `English` too.
pub(crate) fn stored_language() -> impl Check<Value = String> {
    label(1..=LONGEST_TAG)
}

/// The caller's own data, kept as it is. `externalId` is a text, so that it can be looked for.
pub(crate) fn metadata() -> impl Check<Value = JsonText> {
    object(LONGEST_METADATA).then(|metadata, at| {
        if let Some(id) = metadata.get("externalId").filter(|id| !id.is_null()) {
            text(1..=LONGEST_TITLE).read(id, &mut at.member("externalId"))?;
        }
        Some(JsonText::of(&metadata))
    })
}

impl Plain for Visibility {
    fn check() -> impl Check<Value = Self> {
        one_of(Self::WORDS).shown_as::<Self>()
    }
}

#[cfg(test)]
mod tests {
    use edge::body::JsonBody;
    use serde_json::{Value, json};

    use super::*;

    fn accepts<T>(value: Value, check: impl Check<Value = T>) -> bool {
        JsonBody::of(json!({ "field": value })).read_fields(|fields| fields.required("field", check)).is_ok()
    }

    #[test]
    fn a_language_is_a_tag_and_a_stored_one_a_short_text() {
        for tag in ["en", "pt-BR", "zh-Hant-TW"] {
            assert!(accepts(json!(tag), language()) && accepts(json!(tag), stored_language()), "{tag}");
        }
        for text in ["pt_BR", "English", "en-"] {
            assert!(!accepts(json!(text), language()) && accepts(json!(text), stored_language()), "{text}");
        }
        for wrong in [json!(""), json!("a\nb"), json!("x".repeat(36)), json!(1), json!(null)] {
            assert!(!accepts(wrong.clone(), language()) && !accepts(wrong.clone(), stored_language()), "{wrong}");
        }
    }

    #[test]
    fn an_external_id_is_a_text() {
        assert!(accepts(json!({ "externalId": "a-1", "x": [1] }), metadata()));
        assert!(accepts(json!({ "externalId": null }), metadata()) && accepts(json!({}), metadata()));
        for wrong in [
            json!({ "externalId": 1 }),
            json!({ "externalId": "" }),
            json!([]),
            json!("{}"),
            json!({ "x": "a".repeat(600_000) }),
        ] {
            assert!(!accepts(wrong, metadata()));
        }
    }
}
