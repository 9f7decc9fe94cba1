use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::generation::testing::{KINDS, make_queued, status_of};
use crate::resources::Kind;
use crate::testing::{App, Reply, Step, Tenant};

/// A resource whose generation failed; its path.
async fn failed(app: &App, tenant: &Tenant, kind: Kind) -> String {
    app.script.then(kind, [Step::Fail("model_refused")]);
    let path = make_queued(app, tenant, kind).await;
    app.run_jobs().await;
    assert_eq!(status_of(app, tenant, &path).await, "failed");
    path
}

async fn retry(app: &App, tenant: &Tenant, path: &str, key: Option<&str>) -> Reply {
    let call = app.post(&format!("{path}/retry")).key(&tenant.key);
    let call = if let Some(key) = key { call.idempotency(key) } else { call };
    call.send().await
}

#[both_stores]
async fn a_retry_queues_what_failed_and_answers_with_it(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for kind in KINDS {
        let path = failed(&app, &tenant, kind).await;
        let before = app.get(&path).key(&tenant.key).send().await.expect(200);
        let reply = retry(&app, &tenant, &path, None).await;
        let queued = reply.expect(202);
        assert_eq!(
            (&queued["status"], &queued["error"], &queued["id"]),
            (&json!("queued"), &Value::Null, &before["id"])
        );
        let version = before["version"].as_i64().unwrap() + 1;
        assert_eq!((&queued["version"], reply.header("etag")), (&json!(version), format!("\"{version}\"").as_str()));
        assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), queued);
        app.run_jobs().await;
        assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    }
    app.finish().await;
}

#[both_stores]
async fn only_what_failed_can_be_retried(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        retry(&app, &tenant, &path, None).await.expect(409);
        assert_eq!(app.run_jobs().await, 1);
        retry(&app, &tenant, &path, Some("k")).await.expect(409);
        assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    }
    app.finish().await;
}

#[both_stores]
async fn another_classroom_or_organization_does_not_have_it(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    for kind in KINDS {
        let path = failed(&app, &tenant, kind).await;
        let before = app.stored().await;
        retry(&app, &other, &path, None).await.expect(404);
        let id = path.rsplit('/').next().unwrap();
        for classroom in [beside.id, other.classroom] {
            let path = format!("/v1/content/classrooms/{classroom}/{}/{id}", kind.plural());
            retry(&app, &tenant, &path, None).await.expect(404);
        }
        retry(&app, &tenant, &tenant.resources(&format!("{}/7", kind.plural())), None).await.expect(404);
        let path = format!("/v1/content/classrooms/7b/{}/{id}", kind.plural());
        assert_eq!(retry(&app, &tenant, &path, None).await.faults(), ["classroomId"]);
        assert_eq!(app.stored().await, before);
    }
}

#[both_stores]
async fn a_repeated_retry_has_one_effect(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path = failed(&app, &tenant, Kind::Test).await;
    let first = retry(&app, &tenant, &path, Some("k")).await;
    first.expect(202);
    app.run_jobs().await;
    let again = retry(&app, &tenant, &path, Some("k")).await;
    assert!(again.is_replay());
    assert_eq!((&again.body, again.header("etag")), (&first.body, first.header("etag")));
    assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    let other = failed(&app, &tenant, Kind::Test).await;
    retry(&app, &tenant, &other, Some("k")).await.expect(409);
    assert_eq!(status_of(&app, &tenant, &other).await, "failed");
    app.finish().await;
}

#[both_stores]
async fn of_many_retries_at_once_one_queues_the_generation(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path = failed(&app, &tenant, Kind::Video).await;
    let replies = join_all((0..8).map(|_| retry(&app, &tenant, &path, None))).await;
    let count = |status: u16| replies.iter().filter(|reply| reply.status.as_u16() == status).count();
    assert_eq!((count(202), count(409)), (1, 7));
    assert_eq!(app.run_jobs().await, 1);
    app.finish().await;
}

#[both_stores]
async fn a_stale_version_is_not_retried(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path = failed(&app, &tenant, Kind::Slide).await;
    let call = |version: &str| app.post(&format!("{path}/retry")).key(&tenant.key).header("if-match", version);
    call("\"1\"").send().await.expect(412);
    assert_eq!(call("1").send().await.faults(), ["If-Match"]);
    assert_eq!(status_of(&app, &tenant, &path).await, "failed");
    call("\"3\"").send().await.expect(202);
    app.run_jobs().await;
    app.finish().await;
}

#[both_stores]
async fn what_was_edited_since_the_failure_is_what_it_is_made_from(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path = failed(&app, &tenant, Kind::Course).await;
    app.patch(&path).key(&tenant.key).json(&json!({ "title": "Tissues" })).send().await.expect(200);
    retry(&app, &tenant, &path, None).await.expect(202);
    app.run_jobs().await;
    let (_, request) = app.script.requested().pop().unwrap();
    assert_eq!(request["title"], "Tissues");
    app.finish().await;
}

#[both_stores]
async fn a_retry_counts_against_the_keys_limit(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let path = failed(&app, &tenant, Kind::Test).await;
    let (key, _) = app.mint(tenant.organization, 1, None).await;
    let path = format!("{path}/retry");
    app.post(&path).key(&key).send().await.expect(202);
    app.post(&path).key(&key).send().await.expect(429);
}
