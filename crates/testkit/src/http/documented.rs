//! What a surface promises of all of its answers: its OpenAPI document, and its error envelope.

use http::{Method, StatusCode};
use serde_json::Value;

use super::{Reply, schema};

/// The promises of a surface.
pub struct Contract {
    /// The OpenAPI document as a client reads it.
    pub document: Value,
    /// Fails for a refusal that isn't in the surface's envelope.
    pub assert_envelope: fn(&Reply, &str),
}

/// Headers that are said of some answers only.
const TOLD: [&str; 11] = [
    "etag",
    "idempotent-replayed",
    "link",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
    "set-cookie",
    "www-authenticate",
    "x-request-id",
    "x-total-count",
];

impl Contract {
    /// Every operation as `GET /path/{with}/names`, with the statuses that it lists.
    pub fn operations(&self) -> Vec<(String, Vec<String>)> {
        let mut operations = Vec::new();
        for (path, item) in self.document["paths"].as_object().unwrap() {
            for (method, operation) in
                item.as_object().unwrap().iter().filter(|(_, value)| value.get("responses").is_some())
            {
                let statuses = operation["responses"].as_object().unwrap().keys().cloned().collect();
                operations.push((format!("{} {path}", method.to_uppercase()), statuses));
            }
        }
        operations
    }

    /// What the document says of an operation (`GET /path/{with}/names`).
    pub fn documented(&self, operation: &str) -> &Value {
        let (method, path) = operation.split_once(' ').unwrap();
        &self.document["paths"][path][method.to_lowercase()]
    }

    /// The JSON body that an operation takes: its schema, and its example. `None` where it takes none.
    pub fn documented_body(&self, operation: &str) -> Option<(&Value, &Value)> {
        let media = self.documented(operation)["requestBody"]["content"].get("application/json")?;
        Some((schema::resolved(&self.document, &media["schema"]), &media["example"]))
    }

    /// The fields that an operation's body may have.
    pub fn documented_fields(&self, operation: &str) -> Vec<String> {
        let (schema, _) =
            self.documented_body(operation).unwrap_or_else(|| panic!("{operation} does not document its body"));
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    /// Fails when the operation that this request called doesn't list the answer's status, its headers or its members.
    /// What is no operation is free.
    fn assert_documented(&self, method: &Method, path: &str, reply: &Reply) {
        let operations = self.operations();
        let templates = operations.iter().filter_map(|(operation, _)| Some(operation.split_once(' ')?.1));
        // As the router chooses: a word goes before a name.
        let called =
            templates.filter(|template| matches(template, path)).min_by_key(|template| template.matches('{').count());
        let called = called
            .and_then(|template| operations.iter().find(|(operation, _)| *operation == format!("{method} {template}")));
        if let Some((operation, _)) = called {
            let status = reply.status.as_u16().to_string();
            let listed = self.documented(operation)["responses"].get(&status);
            let listed = listed.unwrap_or_else(|| panic!("the OpenAPI document doesn't list {status} for {operation}"));
            let about = format!("{status} of {operation}");
            let is_for_keys_alone = self.documented(operation)["security"].as_array().is_none_or(|all| all.len() < 2);
            assert_headers(listed, reply, is_for_keys_alone, &about);
            self.assert_body(listed, reply, &about);
        }
    }

    /// Fails unless an answer keeps every promise.
    pub(super) fn assert_kept(&self, method: &Method, path: &str, reply: &Reply) {
        let about = format!("{method} {path}: {} {}", reply.status, reply.body);
        if reply.status.is_client_error() || reply.status.is_server_error() {
            (self.assert_envelope)(reply, &about);
            let must_wait = matches!(reply.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
            let wait = reply.header("retry-after").parse::<u64>().unwrap_or(0);
            assert_eq!(must_wait, wait > 0, "{about}");
        }
        self.assert_documented(method, path, reply);
    }

    fn assert_body(&self, listed: &Value, reply: &Reply, about: &str) {
        let media_type = reply.header("content-type").split(';').next().unwrap_or_default();
        if media_type != "application/json" && listed["content"].get(media_type).is_some() {
            return;
        }
        let Some(media) = listed["content"].get("application/json") else {
            let is_empty = listed.get("content").is_some() || reply.body.is_empty();
            return assert!(is_empty, "{about}: the OpenAPI document doesn't list a body");
        };
        let faults = schema::faults(&self.document, &media["schema"], &reply.json());
        assert!(faults.is_empty(), "{about}: {faults:#?} in {}", reply.body);
    }
}

/// What is sent is listed, and what is listed is sent; only a replay says that it is one, and a list that does not tell its
/// total links to a next page only where there is one. Whether a request was counted
/// is open where the service was broken, the path could not be read, or some other credential than a key will do.
fn assert_headers(listed: &Value, reply: &Reply, is_for_keys_alone: bool, about: &str) {
    let listed: Vec<String> =
        listed["headers"].as_object().into_iter().flatten().map(|(name, _)| name.to_lowercase()).collect();
    for name in TOLD {
        let (is_listed, is_sent) = (listed.iter().any(|listed| listed == name), reply.headers.contains_key(name));
        let is_open = match name {
            "idempotent-replayed" => is_listed,
            "link" => is_listed && !listed.iter().any(|listed| listed == "x-total-count"),
            _ if !name.starts_with("ratelimit-") => false,
            _ if reply.status.is_server_error() || reply.status == StatusCode::NOT_FOUND => true,
            _ => is_listed && !is_for_keys_alone,
        };
        assert!(is_open || is_listed == is_sent, "{about}: {name} is listed: {is_listed}, sent: {is_sent}");
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
