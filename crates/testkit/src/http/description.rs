//! What a document must say so that clients can be made from it, whatever the operation.

use serde_json::Value;

/// Ids that are any text.
const FREE_IDS: [&str; 2] = ["learnerId", "questionId"];

/// What is missing, each with the place and what to do. Empty for a document that is complete.
pub fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if document["servers"][0]["url"].as_str().is_none_or(str::is_empty) {
        faults.push("servers: name where the service is".to_owned());
    }
    for (member, is_ours) in [("paths", true), ("webhooks", false)] {
        for (path, item) in document[member].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                let about = format!("{} {path}", method.to_uppercase());
                let tag = &operation["tags"][0];
                let mut described = document["tags"].as_array().into_iter().flatten();
                if !described.any(|known| known["name"] == *tag && known["description"].is_string()) {
                    faults
                        .push(format!("{about}: describe its tag {tag} in `TAGS` of the surface's `api/document.rs`"));
                }
                if ["summary", "description"].iter().any(|text| operation[*text].as_str().is_none_or(str::is_empty)) {
                    faults.push(format!("{about}: give it a summary and a description"));
                }
                judge_security(operation, &about, is_ours, &mut faults);
                judge_requests(operation, &about, &mut faults);
            }
        }
    }
    judge_schemas(document, "#", &mut faults);
    faults
}

/// Public operations say so, and why.
fn judge_security(operation: &Value, about: &str, is_ours: bool, faults: &mut Vec<String>) {
    let Some(options) = operation["security"].as_array() else {
        return faults.push(format!("{about}: say with `security` who may call it, `security(())` for anybody"));
    };
    let is_public =
        options.is_empty() || options.iter().any(|option| option.as_object().is_none_or(serde_json::Map::is_empty));
    if is_public && !is_ours {
        faults.push(format!("{about}: say with `security` how the receiver knows who sent it"));
    } else if is_public && !operation["description"].as_str().unwrap_or_default().contains("nybody") {
        faults.push(format!("{about}: say in the description that anybody may call it, and why that is safe"));
    }
}

fn judge_requests(operation: &Value, about: &str, faults: &mut Vec<String>) {
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let (name, schema) = (parameter["name"].as_str().unwrap_or_default(), &parameter["schema"]);
        if schema["type"].is_array() || schema.get("oneOf").is_some() {
            faults.push(format!("{about}: the parameter {name} is never null; leave `null` out of its type"));
        }
        let is_id = parameter["in"] != "header" && (name == "id" || name.ends_with("Id"));
        if is_id && !FREE_IDS.contains(&name) && schema["format"] != "uuid" {
            faults.push(format!("{about}: the parameter {name} needs the format uuid"));
        }
    }
    for (media_type, media) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
        let options = media["schema"]["oneOf"].as_array();
        if options.is_some_and(|options| options.iter().any(|option| option["type"] == "null")) {
            faults.push(format!("{about}: a body of {media_type} is not null; make it optional"));
        }
    }
}

/// Objects of which nothing is said are taken for objects without members by generated clients.
fn judge_schemas(value: &Value, at: &str, faults: &mut Vec<String>) {
    if at.ends_with("/example") || at.ends_with("/examples") {
        return;
    }
    if let Value::Object(members) = value {
        let types = [&value["type"], &value["type"][0], &value["type"][1]];
        let is_object = types.iter().any(|name| **name == "object");
        if is_object && !members.contains_key("properties") && !members.contains_key("additionalProperties") {
            faults.push(format!("{at}: describe the object's members, or make it an `AnyObject`"));
        }
    }
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| judge_schemas(member, &format!("{at}/{name}"), faults));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| judge_schemas(item, &format!("{at}/{index}"), faults));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_place() {
        let document = json!({
            "paths": {
                "/a/{id}": { "get": { "tags": ["T"], "description": "Anybody may.", "parameters": [{ "name": "id", "schema": { "type": "string" } }] } },
                "/b": { "post": { "tags": ["T"], "summary": "B.", "description": "All.", "security": [{}], "requestBody": { "content": { "application/json": {
                    "schema": { "oneOf": [{ "type": "null" }, { "type": "string" }] } } } } } },
            },
            "tags": [{ "name": "T", "description": "All." }],
            "webhooks": { "c": { "post": { "tags": ["T"], "summary": "C.", "description": "All.", "security": [] } } },
            "components": { "schemas": { "D": { "type": ["object", "null"], "example": { "type": "object" } } } },
        });
        let starts = [
            "servers",
            "GET /a/{id}: give it a summary",
            "GET /a/{id}: say",
            "GET /a/{id}: the parameter id",
            "POST /b: say",
            "POST /b: a body",
            "POST c: say",
            "#/components/schemas/D",
        ];
        let found = faults(&document);
        assert_eq!(found.len(), starts.len(), "{found:#?}");
        for (fault, start) in found.iter().zip(starts) {
            assert!(fault.starts_with(start), "{fault} is not about {start}");
        }
    }
}
