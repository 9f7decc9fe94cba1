//! What holds for every kind of resource, tried with each of them.

mod get;
mod paging;
mod round_trip;
mod summary;
mod versions;

use serde_json::{Value, json};

use crate::testing::{App, Tenant};

/// The kinds that a test makes by itself: the name in paths, a body to create one, a body that changes it.
fn kinds() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("modules", json!({ "title": "The cell" }), json!({ "description": "About cells." })),
        ("courses", json!({ "title": "Biology 7" }), json!({ "description": "About life." })),
        ("videos", json!({ "title": "The cell", "scenes": [{ "script": "Alive." }] }), json!({ "aspectRatio": "1:1" })),
        (
            "slides",
            json!({ "title": "The cell", "content": "<h2>Cells</h2>" }),
            json!({ "content": "<h2>The cell</h2>" }),
        ),
        ("tests", json!({ "topicPrompt": "Cells" }), json!({ "timeLimit": 20 })),
    ]
}

/// The field that a resource is called by.
fn label(kind: &str) -> &'static str {
    if kind == "tests" { "name" } else { "title" }
}

/// A body to create a resource that is called so.
fn called(kind: &str, name: &str) -> Value {
    if kind == "tests" { json!({ "topicPrompt": "Cells", "name": name }) } else { json!({ "title": name }) }
}

/// The status of a create.
fn created(kind: &str) -> u16 {
    if kind == "slides" { 200 } else { 201 }
}

/// The status of a delete.
fn deleted(kind: &str) -> u16 {
    if kind == "videos" { 204 } else { 200 }
}

/// Makes a resource; its path.
async fn made(app: &App, tenant: &Tenant, kind: &str, body: &Value) -> String {
    let made = app.make(tenant, kind, body).await;
    tenant.resources(&format!("{kind}/{}", made["id"].as_str().unwrap()))
}
