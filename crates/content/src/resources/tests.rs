//! What holds for every kind of resource, tried with each of them.

mod paging;
mod versions;

use serde_json::{Value, json};

use crate::testing::{App, Tenant};

/// The kinds that a test makes by itself: the name in paths, a body to create one, a body that changes it.
fn kinds() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("modules", json!({ "title": "The cell" }), json!({ "description": "About cells." })),
        ("courses", json!({ "title": "Biology 7" }), json!({ "description": "About life." })),
    ]
}

/// Makes a resource; its path.
async fn made(app: &App, tenant: &Tenant, kind: &str, body: &Value) -> String {
    let made = app.make(tenant, kind, body).await;
    tenant.resources(&format!("{kind}/{}", made["id"].as_str().unwrap()))
}
