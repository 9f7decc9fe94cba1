//! Whether a value is of the form that a schema of the OpenAPI document gives it: exactly its members, no others.

use kernel::time::{Day, Timestamp};
use regex::Regex;
use serde_json::{Map, Value, json};

/// What is wrong with a value, each fault with its place. Empty for a value of the schema's form.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    judge(document, schema, value, "", &mut faults);
    faults
}

/// The schema itself where it is only named.
pub fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let named = document.pointer(reference.trim_start_matches('#'));
            resolved(document, named.unwrap_or_else(|| panic!("{reference} is not in the document")))
        }
        None => schema,
    }
}

fn judge(document: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let schema = resolved(document, schema);
    for choice in ["oneOf", "anyOf"] {
        if let Some(options) = schema[choice].as_array() {
            let tried: Vec<Vec<String>> = options.iter().map(|option| judged(document, option, value, at)).collect();
            if !tried.iter().any(Vec::is_empty) {
                faults.extend(tried.into_iter().max_by_key(Vec::len).unwrap_or_default());
            }
            return;
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return judge(document, &together(document, parts), value, at, faults);
    }
    if !is_of_type(&schema["type"], value) {
        return faults.push(format!("{at}: {value} is no {}", schema["type"]));
    }
    if let Some(words) = schema["enum"].as_array().filter(|words| !words.contains(value)) {
        faults.push(format!("{at}: {value} is none of {words:?}"));
    }
    match value {
        Value::Object(members) => {
            for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !members.contains_key(name) {
                    faults.push(format!("{at}.{name} is missing"));
                }
            }
            if let Some(known) = schema["properties"].as_object() {
                for (name, value) in members {
                    match known.get(name) {
                        Some(schema) => judge(document, schema, value, &format!("{at}.{name}"), faults),
                        None => faults.push(format!("{at}.{name} is unknown")),
                    }
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                judge(document, &schema["items"], item, &format!("{at}[{index}]"), faults);
            }
        }
        Value::String(text) if !is_of_format(&schema["format"], text) => {
            faults.push(format!("{at}: {text:?} is no {}", schema["format"]));
        }
        Value::String(text) if !matches_pattern(&schema["pattern"], text) => {
            faults.push(format!("{at}: {text:?} does not match {}", schema["pattern"]));
        }
        _ => {}
    }
}

/// One schema with the members of several objects.
fn together(document: &Value, parts: &[Value]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        let part = resolved(document, part);
        assert_eq!(part["type"], "object", "of the schemas of allOf only objects are understood here");
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn judged(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut faults = Vec::new();
    judge(document, schema, value, at, &mut faults);
    faults
}

fn is_of_type(names: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    };
    match names {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

fn matches_pattern(pattern: &Value, text: &str) -> bool {
    pattern.as_str().is_none_or(|pattern| Regex::new(pattern).expect("patterns of documents are valid").is_match(text))
}

fn is_of_format(format: &Value, text: &str) -> bool {
    match format.as_str() {
        // Version 7: what the service makes.
        Some("uuid") => text.parse::<kernel::id::EventId>().is_ok() && text.as_bytes()[14] == b'7',
        Some("date-time") => Timestamp::parse_rfc3339(text).is_some(),
        Some("date") => Day::parse(text).is_some(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_exactly_the_members_of_their_schema() {
        let document = json!({ "components": { "schemas": { "Part": {
            "type": "object", "required": ["id"], "properties": { "id": { "type": "string", "format": "uuid" } },
        } } } });
        let part = json!({ "$ref": "#/components/schemas/Part" });
        let schema = json!({ "type": "object", "required": ["a"], "properties": {
            "a": { "type": ["integer", "null"] }, "parts": { "type": "array", "items": part },
            "part": { "oneOf": [{ "type": "null" }, part] }, "free": { "type": "object" }, "word": { "enum": ["x"] },
            "slug": { "type": "string", "pattern": "^[a-z]+$" }, "day": { "type": "string", "format": "date" },
        } });
        let id = "01a1ff30-2df1-7b4f-bb6e-45abf1da3e1c";
        for right in [
            json!({ "a": null }),
            json!({ "a": 1, "parts": [], "part": null, "free": { "b": 1 }, "word": "x", "slug": "a", "day": "2026-02-28" }),
            json!({ "a": 1, "parts": [{ "id": id }], "part": { "id": id } }),
        ] {
            assert_eq!(faults(&document, &schema, &right), Vec::<String>::new());
        }
        for wrong in [
            json!({}),
            json!([]),
            json!(null),
            json!({ "a": "1" }),
            json!({ "a": 1, "slug": "A" }),
            json!({ "a": 1, "day": "2026-02-30" }),
            json!({ "a": 1.5 }),
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1, "parts": [{}] }),
            json!({ "a": 1, "parts": [{ "id": "7" }] }),
            json!({ "a": 1, "parts": null }),
            json!({ "a": 1, "part": { "id": id, "more": 1 } }),
            json!({ "a": 1, "word": "y" }),
            json!({ "a": 1, "part": { "id": id.replace("-7", "-4") } }),
        ] {
            assert_eq!(faults(&document, &schema, &wrong).len(), 1, "{wrong}");
        }
    }
}
