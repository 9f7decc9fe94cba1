//! Schemas of texts that are one of some words, made from the list that the code reads them by: neither can have a word
//! that the other lacks.

use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

/// The schema of a text that is one of some words, each beside its meaning.
pub fn words<T>(words: &[(&'static str, T)], description: &str) -> Schema {
    let listed: Vec<&'static str> = words.iter().map(|(word, _)| *word).collect();
    let description = Some(description.trim()).filter(|text| !text.is_empty());
    ObjectBuilder::new().schema_type(Type::String).description(description).enum_values(Some(listed)).into()
}

/// Names the schema of a list of words. The type is for documents only: it has no values.
///
/// ```
/// const COLOURS: &[(&str, u8)] = &[("red", 1), ("blue", 2)];
///
/// edge::documented_words! {
///     /// A colour.
///     pub Colour = COLOURS
/// }
///
/// let schema = serde_json::to_value(<Colour as utoipa::PartialSchema>::schema()).unwrap();
/// assert_eq!(schema["enum"], serde_json::json!(["red", "blue"]));
/// ```
#[macro_export]
macro_rules! documented_words {
    ($(#[doc = $doc:literal])* $visibility:vis $name:ident = $words:expr) => {
        $(#[doc = $doc])*
        $visibility enum $name {}

        impl ::utoipa::PartialSchema for $name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::schema::Schema> {
                $crate::openapi::words($words, concat!($($doc),*)).into()
            }
        }

        impl ::utoipa::ToSchema for $name {}
    };
}
