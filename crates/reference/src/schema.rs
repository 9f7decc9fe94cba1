//! Schemas in words: “array of Scene”, “string, date-time, or null”.

use serde_json::Value;

use crate::html::Html;
use crate::markdown;
use crate::sample;

/// A type in words; `link` leads to the schema that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TypeName {
    pub(crate) before: String,
    /// A schema's name; may be empty.
    pub(crate) link: String,
    pub(crate) after: String,
}

/// A member of an object, or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// `path`, `query` or `header`; empty for members.
    pub(crate) place: String,
    pub(crate) type_name: TypeName,
    /// Bounds and default in words; may be empty.
    pub(crate) limits: String,
    pub(crate) is_required: bool,
    pub(crate) description: Html,
    /// On one line; may be empty.
    pub(crate) example: String,
}

/// The members of an object; of one of several objects, those of each, of which none is always there.
pub(crate) fn fields(schema: &Value) -> Vec<Field> {
    if let Some(options) = schema["oneOf"].as_array() {
        let of_each = options.iter().flat_map(fields);
        return of_each.map(|field| Field { is_required: false, ..field }).collect();
    }
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let members = schema["properties"].as_object().into_iter().flatten();
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        place: String::new(),
        type_name: type_name(schema),
        limits: limits(schema),
        is_required: required.contains(&name.as_str()),
        description: markdown::inline_prose(&text(schema, "description")),
        example: example(schema),
    };
    members.map(field).collect()
}

/// A schema's type.
pub(crate) fn type_name(schema: &Value) -> TypeName {
    if let Some(reference) = schema["$ref"].as_str() {
        let link = reference.rsplit('/').next().unwrap_or_default().to_owned();
        return TypeName { link, ..TypeName::default() };
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(options) = schema[choice].as_array() {
            return of_choice(options);
        }
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    };
    let or_null = if types.contains(&"null") { " or null" } else { "" };
    let own: Vec<&str> = types.into_iter().filter(|name| *name != "null").collect();
    if own == ["array"] {
        let items = type_name(&schema["items"]);
        return TypeName {
            before: format!("array of {}", items.before),
            link: items.link,
            after: format!("{}{or_null}", items.after),
        };
    }
    let mut before = own.join(" or ");
    if let Some(format) = schema["format"].as_str() {
        before.push_str(&format!(" ({format})"));
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        before.push_str(&format!(": {}", values.join(", ")));
    }
    TypeName { before: before + or_null, ..TypeName::default() }
}

/// One of several types; mostly a type or null.
fn of_choice(options: &[Value]) -> TypeName {
    let is_null = |option: &&Value| option["type"] == "null";
    let or_null = if options.iter().any(|option| is_null(&option)) { " or null" } else { "" };
    let named: Vec<TypeName> = options.iter().filter(|option| !is_null(option)).map(told_apart).collect();
    match &named[..] {
        [one] => TypeName { after: format!("{}{or_null}", one.after), ..one.clone() },
        several => {
            let names = several.iter().map(|one| format!("{}{}{}", one.before, one.link, one.after));
            TypeName { before: names.collect::<Vec<_>>().join(" or ") + or_null, ..TypeName::default() }
        }
    }
}

/// An object without a name is known by its members.
fn told_apart(option: &Value) -> TypeName {
    let Some(members) = option["properties"].as_object() else { return type_name(option) };
    let names: Vec<&str> = members.keys().map(String::as_str).collect();
    TypeName { before: format!("{{ {} }}", names.join(", ")), ..TypeName::default() }
}

/// The first example as JSON on one line, without the quotes of a text; empty without one.
fn example(holder: &Value) -> String {
    sample::written(holder)
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        .unwrap_or_default()
}

/// A parameter of an operation.
pub(crate) fn parameter(parameter: &Value) -> Field {
    Field {
        name: text(parameter, "name"),
        place: text(parameter, "in"),
        type_name: type_name(&parameter["schema"]),
        limits: limits(&parameter["schema"]),
        is_required: parameter["required"].as_bool().unwrap_or_default(),
        description: markdown::inline_prose(&text(parameter, "description")),
        example: example(parameter),
    }
}

/// The bounds of a value in words: “1 to 255 characters”, “at most 100 items”, “default 20”.
fn limits(schema: &Value) -> String {
    let range = |least: &str, most: &str, unit: &str| {
        let bound = |name: &str| schema.get(name).filter(|value| value.is_number()).map(Value::to_string);
        match (bound(least), bound(most)) {
            (Some(least), Some(most)) if least == most => Some(format!("exactly {least}{unit}")),
            (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
            (Some(least), None) if least != "0" => Some(format!("at least {least}{unit}")),
            (None, Some(most)) => Some(format!("at most {most}{unit}")),
            _ => None,
        }
    };
    let default = schema.get("default").filter(|value| !value.is_null()).map(|value| format!("default {value}"));
    let parts = [
        range("minLength", "maxLength", " characters"),
        range("minimum", "maximum", ""),
        range("minItems", "maxItems", " items"),
        default,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(crate) fn text(holder: &Value, name: &str) -> String {
    holder[name].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_said_in_words() {
        for (schema, words) in [
            (json!({ "type": "string", "format": "uuid" }), "string (uuid)"),
            (json!({ "type": ["string", "null"] }), "string or null"),
            (json!({ "type": "array", "items": { "$ref": "#/components/schemas/Scene" } }), "array of Scene"),
            (json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/x/Failure" }] }), "Failure or null"),
            (json!({ "type": "string", "enum": ["A", "B"] }), "string: \"A\", \"B\""),
            (json!({ "oneOf": [{ "type": "string" }, { "type": "object" }] }), "string or object"),
            (
                json!({ "oneOf": [
                    { "type": "object", "properties": { "whole": { "type": "string" } } },
                    { "type": "object", "properties": { "cut": { "$ref": "#/x/Cut" }, "size": {} } },
                ] }),
                "{ whole } or { cut, size }",
            ),
            (json!({}), "any"),
        ] {
            let name = type_name(&schema);
            assert_eq!(format!("{}{}{}", name.before, name.link, name.after), words);
        }
    }
    #[test]
    fn bounds_are_said_in_words() {
        for (schema, words) in [
            (json!({ "minLength": 1, "maxLength": 255 }), "1 to 255 characters"),
            (json!({ "minimum": 0, "maximum": 100, "default": 20 }), "0 to 100, default 20"),
            (json!({ "maxItems": 100 }), "at most 100 items"),
            (json!({ "minLength": 6, "maxLength": 6 }), "exactly 6 characters"),
            (json!({ "minLength": 0 }), ""),
        ] {
            assert_eq!(limits(&schema), words);
        }
    }
}
