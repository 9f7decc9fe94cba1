//! Resources to generate, for tests.

use serde_json::{Value, json};

use crate::resources::Kind;
use crate::testing::{App, Tenant};

/// The kinds that can be generated.
pub(super) const KINDS: [Kind; 4] = [Kind::Course, Kind::Video, Kind::Slide, Kind::Test];

/// A body that creates a resource which is to be generated.
pub(super) fn body_of(kind: Kind) -> Value {
    match kind {
        Kind::Course | Kind::Video => json!({ "title": "Cells", "generate": true }),
        Kind::Slide => json!({ "title": "Cells", "outline": "- What a cell is" }),
        _ => json!({ "topicPrompt": "Cells" }),
    }
}

/// Creates a resource which is to be generated; its path.
pub(super) async fn make_queued(app: &App, tenant: &Tenant, kind: Kind) -> String {
    make(app, tenant, kind, &body_of(kind)).await
}

/// As [`make_queued`], from a body of the test's own.
pub(super) async fn make(app: &App, tenant: &Tenant, kind: Kind, body: &Value) -> String {
    let made = app.make(tenant, kind.plural(), body).await;
    assert_eq!(made["status"], "queued", "{made}");
    tenant.resources(&format!("{}/{}", kind.plural(), made["id"].as_str().unwrap()))
}

/// The resource at a path.
pub(super) async fn read(app: &App, tenant: &Tenant, path: &str) -> Value {
    app.get(path).key(&tenant.key).send().await.expect(200)
}

/// The status of the resource at a path.
pub(super) async fn status_of(app: &App, tenant: &Tenant, path: &str) -> String {
    read(app, tenant, path).await["status"].as_str().unwrap().to_owned()
}
