//! Schemas in words: “array of Scene”, “string, date-time, or null”.

use serde_json::{Map, Value};

use super::Prose;
use crate::pages::Markup;

/// A type in words; `link` leads to the schema that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TypeName {
    pub(super) before: String,
    /// A schema's name; may be empty.
    pub(super) link: String,
    pub(super) after: String,
}

/// A member of an object, or a parameter.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// `path`, `query` or `header`; empty for members.
    pub(super) place: String,
    pub(super) type_name: TypeName,
    pub(super) is_required: bool,
    pub(super) description: Markup,
    /// As JSON; may be empty.
    pub(super) example: String,
}

/// A named schema.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) name: String,
    pub(super) description: Markup,
    pub(super) type_name: TypeName,
    pub(super) fields: Vec<Field>,
    /// As JSON; may be empty.
    pub(super) example: String,
}

/// The schemas that operations refer to, by name.
pub(super) fn named_schemas(prose: &Prose, document: &Value) -> Vec<Schema> {
    let empty = Map::new();
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&empty);
    let mut named: Vec<Schema> = schemas
        .iter()
        .map(|(name, schema)| Schema {
            name: name.clone(),
            description: prose.write(&text(schema, "description")),
            type_name: type_name(schema),
            fields: fields(prose, schema),
            example: example(schema),
        })
        .collect();
    named.sort_by(|one, other| one.name.cmp(&other.name));
    named
}

/// The members of an object; of one of several objects, those of each, of which none is always there.
fn fields(prose: &Prose, schema: &Value) -> Vec<Field> {
    if let Some(options) = schema["oneOf"].as_array() {
        let of_each = options.iter().flat_map(|option| fields(prose, option));
        return of_each.map(|field| Field { is_required: false, ..field }).collect();
    }
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let members = schema["properties"].as_object().into_iter().flatten();
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        place: String::new(),
        type_name: type_name(schema),
        is_required: required.contains(&name.as_str()),
        description: prose.write(&text(schema, "description")),
        example: example(schema),
    };
    members.map(field).collect()
}

/// A schema's type.
pub(super) fn type_name(schema: &Value) -> TypeName {
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

/// The first example as JSON; empty without one.
pub(super) fn example(holder: &Value) -> String {
    let first = holder["examples"].as_array().and_then(|examples| examples.first());
    let named = holder["examples"].as_object().and_then(|examples| examples.values().next()).map(|one| &one["value"]);
    let found = holder.get("example").or(first).or(named);
    found.and_then(|value| serde_json::to_string_pretty(value).ok()).unwrap_or_default()
}

pub(super) fn text(holder: &Value, name: &str) -> String {
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
}
