//! Updates follow the stored resource object (content-api section 4): what is read may be changed and sent back whole.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{kinds, label, made};
use crate::testing::{App, Tenant};

/// Reads a resource, gives it another label and sends the whole of it back; what changed besides.
async fn sent_back(app: &App, tenant: &Tenant, kind: &str, path: &str) -> Vec<String> {
    let read = app.get(path).key(&tenant.key).send().await.expect(200);
    let mut changed = read.clone();
    changed[label(kind)] = json!("Another");
    app.patch(path).key(&tenant.key).json(&changed).send().await.expect(200);
    let now = app.get(path).key(&tenant.key).send().await.expect(200);
    let members = now.as_object().unwrap().iter();
    members.filter(|(name, value)| read[name.as_str()] != **value).map(|(name, _)| name.clone()).collect()
}

#[both_stores]
async fn a_resource_as_it_is_read_can_be_sent_back(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let long = vec![json!({ "script": "a", "duration": 3600 }); 25];
    let more = [
        ("videos", json!({ "title": "No scenes" })),
        ("videos", json!({ "title": "Longer than a day", "scenes": long })),
        ("modules", json!({ "title": "a", "content": "<p>b</p>" })),
    ];
    for (kind, body) in kinds().into_iter().map(|(kind, body, _)| (kind, body)).chain(more) {
        let path = made(&app, &tenant, kind, &body).await;
        assert_eq!(sent_back(&app, &tenant, kind, &path).await, [label(kind), "version"], "{kind} {body}");
    }
    app.run_jobs().await;
}

#[both_stores]
async fn what_an_expansion_made_can_be_sent_back(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let mut source = tenant.source();
    source["payload"]["language"] = json!("en_GB");
    let id = app.expand(&tenant, &source).await;
    app.run_jobs().await;
    for output in app.result(&tenant, &id).await["outputs"].as_array().unwrap() {
        let kind = format!("{}s", output["resourceType"].as_str().unwrap());
        let path = tenant.resources(&format!("{kind}/{}", output["resourceId"].as_str().unwrap()));
        assert_eq!(sent_back(&app, &tenant, &kind, &path).await, [label(&kind), "version"], "{kind}");
    }
    app.finish().await;
}

#[both_stores]
async fn a_length_that_is_the_scenes_own_stays_theirs_when_it_is_sent_back(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path =
        made(&app, &tenant, "videos", &json!({ "title": "a", "scenes": [{ "script": "b", "duration": 5 }] })).await;
    let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await.expect(200);
    assert_eq!(patch(json!({ "targetDurationSeconds": 5 })).await["targetDurationSeconds"], 5);
    let longer = json!({ "scenes": [{ "script": "b", "duration": 7 }] });
    assert_eq!(patch(longer.clone()).await["targetDurationSeconds"], 7);
    assert_eq!(patch(json!({ "targetDurationSeconds": 60 })).await["targetDurationSeconds"], 60);
    assert_eq!(patch(longer).await["targetDurationSeconds"], 60);
    assert_eq!(patch(json!({ "targetDurationSeconds": 0 })).await["targetDurationSeconds"], 7);
}
