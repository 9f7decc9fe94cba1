//! A resource that somebody edits or deletes while it waits or is made.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{make_queued, parts_of, read, status_of, with_tenant};
use crate::generation::testing::KINDS;
use crate::resources::Kind;
use crate::testing::{App, Tenant};

/// Runs the jobs; while the generator is at work, somebody else acts.
async fn meanwhile<T>(app: &App, kind: Kind, act: impl Future<Output = T>) -> T {
    let pause = app.script.pause(kind);
    let rival = async {
        pause.reached().await;
        let done = act.await;
        pause.end();
        done
    };
    tokio::join!(app.run_jobs(), rival).1
}

async fn patch(app: &App, tenant: &Tenant, path: &str, body: &Value) {
    app.patch(path).key(&tenant.key).json(body).send().await.expect(200);
}

/// Changes that fill a resource by hand.
fn filled(kind: Kind) -> Value {
    match kind {
        Kind::Video => json!({ "scenes": [{ "script": "By hand." }] }),
        Kind::Slide => json!({ "content": "<section class=\"slide\"><h2>By hand</h2></section>" }),
        _ => json!({ "items": [{ "question": "By hand?", "type": "open-ended" }] }),
    }
}

#[both_stores]
async fn what_is_deleted_while_it_waits_or_is_made_ends_quietly(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        app.delete(&path).key(&tenant.key).send().await;
        assert_eq!(app.run_jobs().await, 1);
        let path = make_queued(&app, &tenant, kind).await;
        meanwhile(&app, kind, async { app.delete(&path).key(&tenant.key).send().await }).await;
        app.get(&path).key(&tenant.key).send().await.expect(404);
        assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
    }
    assert_eq!(app.count("SELECT count(*) FROM module").await + app.count("SELECT count(*) FROM scene").await, 0);
    assert_eq!(app.count("SELECT coalesce(sum(total), 0) FROM resource_total").await, 0);
    app.finish().await;
}

#[both_stores]
async fn what_is_filled_by_hand_meanwhile_stays_as_it_is(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in [Kind::Video, Kind::Slide, Kind::Test] {
        let path = make_queued(&app, &tenant, kind).await;
        let edit = async {
            patch(&app, &tenant, &path, &filled(kind)).await;
            read(&app, &tenant, &path).await
        };
        let edited = meanwhile(&app, kind, edit).await;
        assert_eq!((&edited["status"], parts_of(&edited)), (&json!("completed"), 1));
        assert_eq!(read(&app, &tenant, &path).await, edited);
    }
    app.finish().await;
}

#[both_stores]
async fn what_is_filled_by_hand_while_it_waits_is_not_made_at_all(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in [Kind::Video, Kind::Slide, Kind::Test] {
        let path = make_queued(&app, &tenant, kind).await;
        patch(&app, &tenant, &path, &filled(kind)).await;
        let edited = read(&app, &tenant, &path).await;
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(read(&app, &tenant, &path).await, edited);
    }
    assert_eq!(app.script.requested().len(), 0);
    app.finish().await;
}

#[both_stores]
async fn edited_prompts_make_the_generation_begin_anew(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for (kind, field) in
        [(Kind::Course, "title"), (Kind::Video, "description"), (Kind::Slide, "outline"), (Kind::Test, "topicPrompt")]
    {
        let path = make_queued(&app, &tenant, kind).await;
        let change = json!({ field: "Tissues" });
        meanwhile(&app, kind, patch(&app, &tenant, &path, &change)).await;
        let requests: Vec<_> = app.script.requested().into_iter().filter(|(asked, _)| *asked == kind).collect();
        let name = if field == "topicPrompt" { "topic_prompt" } else { field };
        assert_eq!((requests.len(), &requests[1].1[name]), (2, &json!("Tissues")));
        let completed = read(&app, &tenant, &path).await;
        assert_eq!((&completed["status"], &completed[field]), (&json!("completed"), &json!("Tissues")));
        assert!(parts_of(&completed) > 0);
    }
    app.finish().await;
}

#[both_stores]
async fn edited_labels_stand(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Test).await;
    let change = json!({
        "name": "My test", "description": "Mine.", "metadata": { "externalId": "t-1" }, "visibility": "PUBLIC",
    });
    meanwhile(&app, Kind::Test, patch(&app, &tenant, &path, &change)).await;
    let test = read(&app, &tenant, &path).await;
    let labels = ["name", "description", "visibility"].map(|name| test[name].as_str().unwrap());
    assert_eq!(labels, ["My test", "Mine.", "PUBLIC"]);
    assert_eq!((&test["metadata"]["externalId"], &test["metadata"]["generator"]), (&json!("t-1"), &json!("builtin")));
    assert_eq!((&test["status"], &test["version"], parts_of(&test)), (&json!("completed"), &json!(4), 1));
    assert_eq!(app.script.requested().len(), 1, "no prompt was edited");
    app.finish().await;
}

#[both_stores]
async fn what_was_said_of_a_test_is_not_generated_over_it(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    // The name that the test would have until it is generated, and values that say that there is none.
    let given = json!({ "topicPrompt": "Rivers", "name": "Rivers", "description": "", "timeLimit": 0 });
    let made = app.make(&tenant, "tests", &given).await;
    let changed = app.make(&tenant, "tests", &json!({ "topicPrompt": "Rivers" })).await;
    let path = |test: &Value| tenant.resources(&format!("tests/{}", test["id"].as_str().unwrap()));
    let change = json!({ "name": "Rivers", "description": null, "timeLimit": null, "subject": null });
    meanwhile(&app, Kind::Test, patch(&app, &tenant, &path(&changed), &change)).await;
    app.run_jobs().await;
    for test in [&made, &changed] {
        let test = read(&app, &tenant, &path(test)).await;
        assert_eq!((&test["status"], &test["name"]), (&json!("completed"), &json!("Rivers")));
        assert_eq!((&test["description"], &test["timeLimit"]), (&json!(""), &json!(0)));
    }
    assert_eq!(read(&app, &tenant, &path(&changed)).await["subject"], "");
    app.finish().await;
}

#[both_stores]
async fn a_generation_whose_prompts_never_rest_is_kept_at_last(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Slide).await;
    let pauses: Vec<_> = (0..4).map(|_| app.script.pause(Kind::Slide)).collect();
    let restless = async {
        for (n, pause) in pauses.iter().enumerate() {
            pause.reached().await;
            patch(&app, &tenant, &path, &json!({ "outline": format!("- {n}") })).await;
            pause.end();
        }
    };
    tokio::join!(app.run_jobs(), restless);
    let slide = read(&app, &tenant, &path).await;
    assert_eq!((&slide["status"], &slide["outline"], parts_of(&slide)), (&json!("completed"), &json!("- 3"), 1));
    app.finish().await;
}

#[both_stores]
async fn modules_that_are_copied_into_a_course_meanwhile_stay_in_front(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Course).await;
    let module = app.make(&tenant, "modules", &json!({ "title": "By hand" })).await;
    let copy = tenant.resources(&format!("modules/{}/copy-to-course", module["id"].as_str().unwrap()));
    let body = json!({ "courseId": path.rsplit('/').next().unwrap() });
    let copied = app.post(&copy).key(&tenant.key).json(&body);
    meanwhile(&app, Kind::Course, async { copied.send().await.expect(201) }).await;
    let course = read(&app, &tenant, &path).await;
    let titles: Vec<_> = course["contents"].as_array().unwrap().iter().map(|module| &module["title"]).collect();
    assert_eq!(titles, [&json!("By hand"), &json!("Cells"), &json!("Tissues")]);
    app.finish().await;
}

#[both_stores]
async fn an_editor_who_saw_the_resource_before_it_was_filled_is_told(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Slide).await;
    let seen = app.get(&path).key(&tenant.key).send().await;
    app.run_jobs().await;
    let change = app.patch(&path).key(&tenant.key).json(&filled(Kind::Slide));
    change.header("if-match", seen.header("etag")).send().await.expect(412);
    assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    app.finish().await;
}
