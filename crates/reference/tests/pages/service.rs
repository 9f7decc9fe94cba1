//! The reference of the reviewed documents, and the reference of a document that attacks.

use axum::Router;
use reference::Documents;
use serde_json::Value;

/// The path of the service's public address.
pub(crate) const ROOT: &str = "/school";

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn documents() -> Documents {
    Documents {
        content: || read(include_str!("../../../../openapi/content.json")),
        platform: || read(include_str!("../../../../openapi/platform.json")),
        identity: || serde_json::to_value(identity::api::openapi()).unwrap(),
    }
}

pub(crate) fn router(root: &str) -> Router {
    reference::router(root, documents())
}
