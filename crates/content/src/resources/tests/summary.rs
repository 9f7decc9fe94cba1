//! `?fields=summary` on the lists of resources.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::kinds;
use crate::resources::LEFT_OUT;
use crate::testing::{App, Tenant};

async fn listed(app: &App, tenant: &Tenant, kind: &str, query: &str) -> Value {
    app.get(&tenant.resources(&format!("{kind}{query}"))).key(&tenant.key).send().await.expect(200)
}

fn without_long_members(listed: &Value) -> Value {
    let mut listed = listed.clone();
    for resource in listed.as_array_mut().unwrap() {
        resource.as_object_mut().unwrap().retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
    }
    listed
}

#[both_stores]
async fn a_summary_is_the_same_object_without_the_long_members(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    app.expand(&tenant, &tenant.source()).await;
    app.run_jobs().await;
    for (kind, mut body, _) in kinds() {
        body["metadata"] = json!({ "externalId": "7" });
        app.make(&tenant, kind, &body).await;
    }
    let wanted = json!({ "title": "The cell", "targetDurationSeconds": 60, "scenes": [{ "script": "Alive." }] });
    app.make(&tenant, "videos", &wanted).await;
    for (kind, ..) in kinds() {
        let whole = listed(&app, &tenant, kind, "").await;
        let summaries = listed(&app, &tenant, kind, "?fields=summary").await;
        assert_eq!(summaries, without_long_members(&whole), "{kind}");
        assert!(whole[0].get("metadata").is_some() && summaries[0].get("version").is_some(), "{kind}");
    }
    app.run_jobs().await;
}

#[both_stores]
async fn links_of_summaries_lead_to_summaries(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for _ in 0..2 {
        app.make(&tenant, "modules", &json!({ "title": "The cell" })).await;
    }
    let path = tenant.resources("modules?fields=summary&limit=1");
    let reply = app.get(&path).key(&tenant.key).send().await;
    let next =
        format!("<https://lectern.example{}?fields=summary&limit=1&page=2>; rel=\"next\"", tenant.resources("modules"));
    assert!(reply.header("link").contains(&next), "{}", reply.header("link"));
}

#[both_stores]
async fn other_fields_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, ..) in kinds() {
        for wrong in ["fields=", "fields=all", "fields=summary,title", "fields=summary&fields=summary"] {
            let reply = app.get(&tenant.resources(&format!("{kind}?{wrong}"))).key(&tenant.key).send().await;
            assert_eq!(reply.faults(), ["fields"], "{kind}?{wrong}");
        }
    }
}

#[both_stores]
async fn a_summary_does_not_read_the_long_columns(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    app.make(&tenant, "modules", &json!({ "title": "The cell", "content": "<p>Alive.</p>" })).await;
    // No reader of the whole resource takes this.
    app.write(|tx| tx.execute("UPDATE module SET metadata = 'damaged'", &[])).await;
    assert_eq!(listed(&app, &tenant, "modules", "?fields=summary").await[0]["title"], "The cell");
}
