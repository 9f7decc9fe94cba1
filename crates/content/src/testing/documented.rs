//! Whether the OpenAPI document tells what the service does.

use std::sync::LazyLock;

use http::{Method, StatusCode};
use serde_json::Value;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(crate::api::openapi()).expect("the document serializes"));

/// Every operation as `GET /path/{with}/names`, with the statuses that it lists.
pub(crate) fn operations() -> Vec<(String, Vec<String>)> {
    let mut operations = Vec::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in
            item.as_object().unwrap().iter().filter(|(_, value)| value.get("responses").is_some())
        {
            let statuses = operation["responses"].as_object().unwrap().keys().cloned().collect();
            operations.push((format!("{} {path}", method.to_uppercase()), statuses));
        }
    }
    operations
}

/// The fields that an operation's body may have.
pub(crate) fn documented_fields(operation: &str) -> Vec<String> {
    let (method, path) = operation.split_once(' ').unwrap();
    let body = &DOCUMENT["paths"][path][method.to_lowercase()]["requestBody"]["content"]["application/json"]["schema"];
    let name = body["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
    let name = name.unwrap_or_else(|| panic!("{operation} does not document its body"));
    DOCUMENT["components"]["schemas"][name]["properties"].as_object().unwrap().keys().cloned().collect()
}

/// Fails when the operation that this request called doesn't list the status. What is no operation is free.
pub(super) fn assert_lists(method: &Method, path: &str, status: StatusCode) {
    let operations = operations();
    let templates = operations.iter().filter_map(|(operation, _)| Some(operation.split_once(' ')?.1));
    // As the router chooses: a word goes before a name.
    let called =
        templates.filter(|template| matches(template, path)).min_by_key(|template| template.matches('{').count());
    let called = called
        .and_then(|template| operations.iter().find(|(operation, _)| *operation == format!("{method} {template}")));
    if let Some((operation, statuses)) = called {
        assert!(
            statuses.iter().any(|listed| *listed == status.as_u16().to_string()),
            "the OpenAPI document doesn't list {status} for {operation}"
        );
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(name), Some(value)) if name == value || (name.starts_with('{') && !value.is_empty()) => {}
            _ => return false,
        }
    }
}
