//! Example values: those of the document, and where it has none, values that fit the schema.

use serde_json::{Map, Value, json};

/// How deep schemas are followed; recursive ones end there.
const MAX_DEPTH: usize = 6;
/// An example of an id.
pub(crate) const ID: &str = "01a1ff30-4e17-7e2a-9587-f5f1cee6fae7";

/// Values for fields by their names, where a document has a string without an example.
const WORDS: [(&str, &str); 29] = [
    ("questionText", "Why are leaves green?"),
    ("learnerAnswer", "Their chlorophyll reflects green light."),
    ("referenceAnswer", "Chlorophyll absorbs red and blue light and reflects green light."),
    ("feedbackSummary", "Right: chlorophyll reflects green light."),
    ("learnerId", "learner-29"),
    ("name", "Riverside School"),
    ("title", "The cell"),
    ("description", "What all living things are made of."),
    ("reviewer", "Ms Curie"),
    ("criterion", "Colour"),
    ("email", "admin@example.com"),
    ("password", "correct horse battery staple"),
    ("newPassword", "correct horse battery staple"),
    ("code", "123456"),
    ("recoveryCode", "7f3k-92md-q4xw"),
    ("slug", "riverside-school"),
    ("language", "en"),
    ("currency", "USD"),
    ("mediaType", "application/json"),
    ("issuer", "https://lms.example.com"),
    ("clientId", "lectern-client"),
    ("deploymentId", "1"),
    ("reason", "Requested by the customer"),
    ("note", "Requested by the customer"),
    ("message", "Nothing is wrong."),
    ("token", "exampleTokenThatOpensNothing00000000000000"),
    ("editToken", "exampleEditTokenThatOpensNothing0000000000"),
    ("number", "2026-0001"),
    ("provider", "school"),
];

/// What is made of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What a request needs, and what the document has examples of.
    Required,
    /// Every member.
    Whole,
}

/// The first example beside a schema, a parameter or a body.
pub(crate) fn written(holder: &Value) -> Option<&Value> {
    let first = holder["examples"].as_array().and_then(|examples| examples.first());
    let named = holder["examples"].as_object().and_then(|examples| examples.values().next()).map(|one| &one["value"]);
    holder.get("example").or(first).or(named)
}

/// An example of a body: its own, or one of its schema.
pub(crate) fn of_media(document: &Value, media: &Value, extent: Extent) -> Value {
    written(media).cloned().unwrap_or_else(|| of_schema(document, &media["schema"], "", extent))
}

/// An example of a parameter.
pub(crate) fn of_parameter(document: &Value, parameter: &Value) -> Value {
    let name = parameter["name"].as_str().unwrap_or_default();
    written(parameter).cloned().unwrap_or_else(|| of_schema(document, &parameter["schema"], name, Extent::Required))
}

/// An example of a schema; `name` is that of the member that has it.
pub(crate) fn of_schema(document: &Value, schema: &Value, name: &str, extent: Extent) -> Value {
    made(document, schema, name, extent, 0)
}

fn made(document: &Value, schema: &Value, name: &str, extent: Extent, depth: usize) -> Value {
    if let Some(example) = written(schema) {
        return example.clone();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let named = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
        return named
            .filter(|_| depth < MAX_DEPTH)
            .map_or(Value::Null, |named| made(document, named, name, extent, depth + 1));
    }
    if let Some(value) = schema.get("const").or(schema.get("default").filter(|value| !value.is_null())) {
        return value.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(options) = schema[choice].as_array() {
            let option = options.iter().find(|option| option["type"] != "null");
            return option.map_or(Value::Null, |option| made(document, option, name, extent, depth + 1));
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let objects = parts.iter().map(|part| made(document, part, name, extent, depth + 1));
        return Value::Object(objects.filter_map(|part| part.as_object().cloned()).flatten().collect());
    }
    of_type(document, schema, name, extent, depth)
}

fn of_type(document: &Value, schema: &Value, name: &str, extent: Extent, depth: usize) -> Value {
    let types = schema["type"].as_array().into_iter().flatten().chain(Some(&schema["type"]));
    let kind = types.filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or_default();
    match kind {
        "object" => Value::Object(members(document, schema, extent, depth)),
        "array" => {
            let item = made(document, &schema["items"], name.trim_end_matches('s'), extent, depth + 1);
            json!(if item.is_null() { vec![] } else { vec![item] })
        }
        "integer" => json!(schema["minimum"].as_i64().unwrap_or(1).max(1)),
        "number" => json!(schema["minimum"].as_f64().unwrap_or(1.0).max(1.0)),
        "boolean" => json!(true),
        "string" => json!(string(schema, name)),
        _ if schema["properties"].is_object() => Value::Object(members(document, schema, extent, depth)),
        _ => json!({}),
    }
}

fn members(document: &Value, schema: &Value, extent: Extent, depth: usize) -> Map<String, Value> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let all = || schema["properties"].as_object().into_iter().flatten();
    let is_shown =
        |name: &str, member: &Value| extent == Extent::Whole || required.contains(&name) || written(member).is_some();
    // A change of nothing says nothing: without a required member, the first one stands for the others.
    let first = all().next().filter(|_| required.is_empty()).map(|(name, _)| name.as_str());
    let chosen = all().filter(|(name, member)| is_shown(name, member) || first == Some(name.as_str()));
    let chosen = chosen.filter(|_| depth < MAX_DEPTH);
    chosen.map(|(name, member)| (name.clone(), made(document, member, name, extent, depth + 1))).collect()
}

fn string(schema: &Value, name: &str) -> String {
    if let Some((_, word)) = WORDS.iter().find(|(known, _)| *known == name) {
        return (*word).to_owned();
    }
    match schema["format"].as_str().unwrap_or_default() {
        "uuid" => ID.to_owned(),
        "date-time" => "2026-11-21T17:38:45.007Z".to_owned(),
        "date" => "2026-11-21".to_owned(),
        "uri" => "https://example.com/lectern".to_owned(),
        "email" => "admin@example.com".to_owned(),
        _ if name.ends_with("Id") => ID.to_owned(),
        _ if name.ends_with("At") => "2026-11-21T17:38:45.007Z".to_owned(),
        _ if name.ends_with("url") || name.ends_with("Url") || name.ends_with("Uri") => {
            "https://example.com/lectern".to_owned()
        }
        _ => "text".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_without_an_example_has_one_that_fits() {
        let document = json!({ "components": { "schemas": { "Tree": { "type": "object", "required": ["id", "children"], "properties": {
            "id": { "type": "string", "format": "uuid" },
            "size": { "type": ["integer", "null"], "minimum": 3 },
            "children": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } },
        } } } } });
        let tree = json!({ "$ref": "#/components/schemas/Tree" });
        let sample = of_schema(&document, &tree, "", Extent::Required);
        assert_eq!((&sample["id"], sample.get("size")), (&json!(ID), None));
        assert_eq!(of_schema(&document, &tree, "", Extent::Whole)["size"], 3);
        assert_eq!(of_schema(&document, &json!({ "enum": ["fast", "slow"] }), "", Extent::Whole), "fast");
        let change =
            json!({ "type": "object", "properties": { "title": { "type": "string" }, "note": { "type": "string" } } });
        assert_eq!(of_schema(&document, &change, "", Extent::Required), json!({ "title": "The cell" }));
    }
}
