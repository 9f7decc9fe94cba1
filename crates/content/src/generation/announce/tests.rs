use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::super::testing::{KINDS, make, make_queued, read};
use crate::expansions::OutputKind;
use crate::resources::Kind;
use crate::testing::{App, Step, Tenant};

/// A workspace that is linked to the tenant's organization.
async fn link(app: &App, tenant: &Tenant, id: &'static str) {
    let organization = tenant.organization.to_string();
    app.write(move |tx| {
        let now = tx.now();
        tx.execute(
            "INSERT INTO workspace (id, name, slug, status, rate_limit_per_minute, billing_mode, organization_id,
                                    created_at, updated_at)
             VALUES ($1, $1, $1, 'ACTIVE', 1000, 'internal_invoice', $2, $3, $3)",
            &[&id, &organization, &now],
        )
    })
    .await;
}

/// What workspaces were told, in no order: each time whom, and the body without what every event has.
async fn told(app: &App) -> Vec<(String, Value)> {
    let rows = app.read(|tx| {
        tx.query("SELECT owner_id, type, id, body FROM event WHERE surface = 'platform'", &[], |row| {
            Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<String>(2)?, row.get::<String>(3)?))
        })
    });
    let bodies = rows.await.into_iter().map(|(owner, name, id, body)| {
        let mut body: Value = serde_json::from_str(&body).unwrap();
        let fields = body.as_object_mut().unwrap();
        assert_eq!(fields.shift_remove("event"), Some(name.clone().into()));
        assert_eq!(fields.shift_remove("eventId"), Some(id.into()));
        assert!(fields.shift_remove("createdAt").unwrap().as_str().unwrap().ends_with('Z'));
        (owner, json!({ name: body }))
    });
    sorted(bodies.collect())
}

fn sorted(mut told: Vec<(String, Value)>) -> Vec<(String, Value)> {
    told.sort_by_cached_key(|(owner, event)| format!("{owner} {event}"));
    told
}

fn names(told: &[(String, Value)]) -> Vec<&str> {
    told.iter().flat_map(|(_, event)| event.as_object().unwrap().keys()).map(String::as_str).collect()
}

/// The event of a resource that was generated, with the links that the resource itself shows.
fn expected(kind: Kind, request_id: &Value, resource: &Value) -> Value {
    let (id, preview, public) = (&resource["id"], &resource["previewUrl"], &resource["publicUrl"]);
    assert!(preview.as_str().unwrap().starts_with("https://lectern.example/preview/"), "{resource}");
    match kind {
        Kind::Course => {
            json!({ "course.deployed": { "courseRequestId": request_id, "courseId": id, "status": "COMPLETED",
            "title": resource["title"], "previewUrl": preview, "publicUrl": public } })
        }
        Kind::Slide => json!({ "slide.completed": { "slideRequestId": request_id, "platformSlideId": id,
            "status": "COMPLETED", "previewUrl": preview } }),
        Kind::Video => json!({ "video.completed": { "videoRequestId": request_id, "videoId": id, "status": "COMPLETED",
            "previewUrl": preview } }),
        Kind::Test => {
            json!({ "test.deployed": { "testRequestId": request_id, "classroomTestId": id, "status": "COMPLETED",
            "title": resource["name"], "previewUrl": preview, "publicUrl": public } })
        }
        Kind::Module => unreachable!("modules are not told of"),
    }
}

#[both_stores]
async fn each_linked_workspace_is_told_what_was_generated(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let other = app.tenant("Other").await;
    for workspace in ["w1", "w2"] {
        link(&app, &tenant, workspace).await;
    }
    link(&app, &other, "w3").await;
    let mut all = Vec::new();
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        let resource = read(&app, &tenant, &path).await;
        let event = expected(kind, &resource["id"], &resource);
        all.extend([("w1".to_owned(), event.clone()), ("w2".to_owned(), event)]);
    }
    assert_eq!(told(&app).await, sorted(all));
    app.finish().await;
}

#[both_stores]
async fn a_public_resource_is_told_with_its_public_page(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    link(&app, &tenant, "w1").await;
    let body = json!({ "title": "Cells", "generate": true, "visibility": "PUBLIC" });
    let path = make(&app, &tenant, Kind::Course, &body).await;
    app.run_jobs().await;
    let resource = read(&app, &tenant, &path).await;
    assert!(resource["publicUrl"].is_string(), "{resource}");
    assert_eq!(told(&app).await[0].1, expected(Kind::Course, &resource["id"], &resource));
    app.finish().await;
}

#[both_stores]
async fn a_failed_generation_is_told_once_with_its_reason(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    link(&app, &tenant, "w1").await;
    let mut all = Vec::new();
    for kind in KINDS {
        app.script.then(kind, [Step::Fail("model_refused")]);
        let path = make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        let resource = read(&app, &tenant, &path).await;
        let (id, error) = (&resource["id"], &resource["error"]["message"]);
        assert!(error.is_string(), "{resource}");
        all.push((
            "w1".to_owned(),
            match kind {
                Kind::Course => {
                    json!({ "course.completed": { "courseRequestId": id, "status": "FAILED", "error": error } })
                }
                Kind::Test => json!({ "test.completed": { "testRequestId": id, "status": "FAILED", "error": error } }),
                Kind::Slide => {
                    json!({ "slide.completed": { "slideRequestId": id, "platformSlideId": id, "status": "FAILED",
                    "previewUrl": null } })
                }
                _ => json!({ "video.completed": { "videoRequestId": id, "videoId": id, "status": "FAILED",
                    "previewUrl": null } }),
            },
        ));
    }
    assert_eq!(told(&app).await, sorted(all));
    app.finish().await;
}

#[both_stores]
async fn the_outputs_of_an_expansion_are_told_under_its_id(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    link(&app, &tenant, "w1").await;
    app.script.then(OutputKind::ExpandedQuiz, [Step::Fail("model_refused")]);
    let id = json!(app.expand(&tenant, &tenant.source()).await);
    app.run_jobs().await;
    let told = told(&app).await;
    assert_eq!(names(&told), ["test.completed", "video.completed"], "nothing of the module");
    let video = &told[1].1["video.completed"];
    let path = tenant.resources(&format!("videos/{}", video["videoId"].as_str().unwrap()));
    assert_eq!(told[1].1, expected(Kind::Video, &id, &read(&app, &tenant, &path).await));
    let failed = &told[0].1["test.completed"];
    assert_eq!((&failed["testRequestId"], &failed["status"]), (&id, &json!("FAILED")));
    app.finish().await;
}

#[both_stores]
async fn endpoints_of_the_workspace_get_what_they_subscribed_to(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    link(&app, &tenant, "w1").await;
    app.write(|tx| {
        let now = tx.now();
        tx.execute(
            "INSERT INTO webhook_endpoint (id, surface, owner_id, url, sealed_secret, status, created_at, updated_at)
                 VALUES ('e', 'platform', 'w1', 'https://a.example', 's', 'ACTIVE', $1, $1)",
            &[&now],
        )?;
        for (position, name) in [(0, "test.deployed"), (1, "slide.deployed")] {
            tx.execute(
                "INSERT INTO webhook_subscription (endpoint_id, event_type, position) VALUES ('e', $1, $2)",
                &[&name, &position],
            )?;
        }
        Ok(())
    })
    .await;
    for kind in KINDS {
        make_queued(&app, &tenant, kind).await;
    }
    app.run_jobs().await;
    let deliveries = "SELECT count(*) FROM delivery d JOIN event e ON e.id = d.event_id";
    assert_eq!(app.count(deliveries).await, 1);
    assert_eq!(told(&app).await.len(), 4);
    app.finish().await;
}

#[both_stores]
async fn an_organization_without_a_workspace_tells_none(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for kind in KINDS {
        make_queued(&app, &tenant, kind).await;
    }
    app.expand(&tenant, &tenant.source()).await;
    app.run_jobs().await;
    assert_eq!(told(&app).await, []);
    app.finish().await;
}

#[both_stores]
async fn a_job_that_kills_its_worker_is_told_as_a_failure_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    link(&app, &tenant, "w1").await;
    make_queued(&app, &tenant, Kind::Test).await;
    app.expand(&tenant, &tenant.source()).await;
    app.write(|tx| tx.execute("UPDATE job SET lapses = 1000", &[])).await;
    app.run_jobs().await;
    assert_eq!(names(&told(&app).await), ["test.completed", "test.completed", "video.completed"]);
    app.finish().await;
}
