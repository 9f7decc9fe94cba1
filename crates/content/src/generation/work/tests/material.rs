//! What a generator is given to read: the classroom's own modules, and nobody else's.

use kernel::id::ClassroomId;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{make_queued, with_tenant};
use crate::generation::testing::KINDS;
use crate::resources::Kind;
use crate::testing::{App, Tenant};

fn about_cells(title: &str) -> Value {
    json!({ "title": title, "content": format!("<p>{title}: a cell is alive.</p>") })
}

/// The titles of the material of the last request.
fn handed_over(app: &App) -> Vec<String> {
    let (_, request) = app.script.requested().pop().unwrap();
    request["material"].as_array().unwrap().iter().map(|module| module["title"].as_str().unwrap().to_owned()).collect()
}

async fn make_in(app: &App, tenant: &Tenant, classroom: ClassroomId, body: &Value) {
    let path = format!("/v1/content/classrooms/{classroom}/modules");
    app.post(&path).key(&tenant.key).json(body).send().await.expect(201);
}

#[both_stores]
async fn material_is_what_the_own_classroom_has_on_the_topic(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let other = app.tenant("Other").await;
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    make_in(&app, &other, other.classroom, &about_cells("Cells of others")).await;
    make_in(&app, &tenant, beside.id, &about_cells("Cells of the next room")).await;
    make_in(&app, &tenant, tenant.classroom, &about_cells("Cells")).await;
    let volcanoes = json!({ "title": "Volcanoes", "content": "<p>Lava is hot.</p>" });
    make_in(&app, &tenant, tenant.classroom, &volcanoes).await;
    make_in(&app, &tenant, tenant.classroom, &json!({ "title": "Cells without a word" })).await;
    // A course's modules are modules of the classroom, so courses come last.
    for kind in KINDS.into_iter().rev() {
        make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        assert_eq!(handed_over(&app), ["Cells"], "{kind:?}");
    }
    app.finish().await;
}

#[both_stores]
async fn an_empty_classroom_has_none(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    make_queued(&app, &tenant, Kind::Test).await;
    app.run_jobs().await;
    assert_eq!(handed_over(&app), Vec::<String>::new());
    app.finish().await;
}

#[both_stores]
async fn material_has_the_modules_id_and_content(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let module = app.make(&tenant, "modules", &about_cells("Cells")).await;
    make_queued(&app, &tenant, Kind::Test).await;
    app.run_jobs().await;
    let (_, request) = app.script.requested().pop().unwrap();
    assert_eq!(request["material"], json!([{ "id": module["id"], "title": "Cells", "html": module["content"] }]));
    assert_eq!((&request["topic_prompt"], &request["language"]), (&json!("Cells"), &json!("en")));
    app.finish().await;
}
