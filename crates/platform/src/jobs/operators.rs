//! Operators look at background jobs and act on one.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, Tenant, open};

const JOBS: &str = "/v1/platform/admin/jobs";
const QUEUES: &str = "/v1/platform/admin/queues";

/// Queues an answer; the evaluation's id.
async fn queue(app: &App, tenant: &Tenant) -> String {
    let mut body = open();
    body["mode"] = json!("async");
    app.evaluate(tenant, &body).await["id"].as_str().unwrap().to_owned()
}

async fn jobs(app: &App, operator: &str, query: &str) -> Vec<Value> {
    let page = app.get(&format!("{JOBS}?{query}")).cookie(operator).send().await.expect(200);
    page["items"].as_array().unwrap().clone()
}

#[both_stores]
async fn jobs_are_listed_with_the_ids_of_what_they_are_about_alone(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
    let operator = app.operator("o@example.com").await;
    let evaluation = queue(&app, &tenant).await;
    app.test.clock.advance(Duration::from_secs(1));
    let foreign = queue(&app, &other).await;
    let all = jobs(&app, &operator, "").await;
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["about"], json!({ "evaluationId": evaluation }));
    assert_eq!((&all[0]["kind"], &all[0]["state"]), (&json!("GradeAnswer"), &json!("queued")));
    assert!(!json!(all).to_string().contains("sky"), "no text of a customer's is shown");
    for (query, expected) in [
        (format!("about={foreign}"), &all[1..]),
        (format!("about={}", tenant.workspace), &all[..1]),
        ("kind=GradeAnswer".to_owned(), &all[..]),
        ("kind=SendNotice".to_owned(), &[]),
        ("state=failed".to_owned(), &[]),
    ] {
        assert_eq!(jobs(&app, &operator, &query).await, expected, "{query}");
    }
    let first = app.get(&format!("{JOBS}?limit=1")).cookie(&operator).send().await.expect(200);
    assert_eq!(first["items"], json!(all[..1]));
    let next = first["nextCursor"].as_str().unwrap();
    let second = app.get(&format!("{JOBS}?limit=1&cursor={next}")).cookie(&operator).send().await.expect(200);
    assert_eq!((&second["items"], &second["nextCursor"]), (&json!(all[1..]), &Value::Null));
    let other_list = app.get(&format!("{JOBS}?state=failed&cursor={next}")).cookie(&operator).send().await;
    assert_eq!(other_list.faults(), ["cursor"]);
    while app.run_jobs().await > 0 {}
    app.finish().await;
}

#[both_stores]
async fn a_job_is_run_sooner_or_dropped_with_what_it_was_to_do(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let evaluation = queue(&app, &tenant).await;
    app.script.fail("model_timeout", true);
    app.run_jobs().await;
    let waiting = jobs(&app, &operator, "").await;
    let path = format!("{JOBS}/{}", waiting[0]["id"].as_str().unwrap());
    assert!(waiting[0]["runAt"].as_str() > waiting[0]["updatedAt"].as_str(), "it waits: {}", waiting[0]);
    let retried = app.post(&format!("{path}/retry")).cookie(&operator).send().await.expect(200);
    assert_eq!(retried, json!({ "id": waiting[0]["id"], "state": "queued" }));
    assert_eq!(jobs(&app, &operator, "").await[0]["runAt"], jobs(&app, &operator, "").await[0]["updatedAt"]);
    app.delete(&path).key(&tenant.key).send().await.expect(403);
    app.delete(&path).cookie(&operator).send().await.expect(204);
    app.delete(&path).cookie(&operator).send().await.expect(404);
    app.post(&format!("{path}/retry")).cookie(&operator).send().await.expect(404);
    let failed = app.get(&format!("{EVALUATIONS}/{evaluation}")).key(&tenant.key).send().await.expect(200);
    assert_eq!(failed["error"]["code"], "cancelled");
    app.finish().await;
}

#[both_stores]
async fn the_queues_tell_what_is_due_what_waits_and_what_failed(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let of_kind = |queues: &Value, kind: &str| {
        queues["jobs"].as_array().unwrap().iter().find(|queue| queue["kind"] == kind).cloned().unwrap()
    };
    let idle = app.get(QUEUES).cookie(&operator).send().await.expect(200);
    let nothing = json!({ "kind": "GradeAnswer", "due": 0, "oldestDueAt": null, "later": 0, "running": 0, "failed": 0, "lastFailure": null });
    assert_eq!(of_kind(&idle, "GradeAnswer"), nothing);
    assert_eq!((&idle["worksHere"], &idle["isComplete"]), (&json!(false), &json!(true)));
    queue(&app, &tenant).await;
    queue(&app, &tenant).await;
    let due_at = app.test.ambient.now();
    let fail = "UPDATE job SET state = 'failed', last_error = 'no model', updated_at = updated_at + 5
        WHERE id = (SELECT min(id) FROM job)";
    app.test.store.write("test", move |tx| tx.execute(fail, &[])).await.unwrap();
    app.platform.note_work();
    let busy = app.get(QUEUES).cookie(&operator).send().await.expect(200);
    let graded = of_kind(&busy, "GradeAnswer");
    assert_eq!((&graded["due"], &graded["failed"], &graded["later"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!(graded["oldestDueAt"], json!(due_at));
    assert_eq!(graded["lastFailure"]["error"], "no model");
    assert_eq!(busy["worksHere"], true);
    assert_eq!((&busy["deliveries"]["pending"], &busy["deliveries"]["failedToday"]), (&json!(0), &json!(0)));
    app.get(QUEUES).key(&tenant.key).send().await.expect(403);
}

#[both_stores]
async fn the_failures_of_one_kind_hide_none_of_another(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    for _ in 0..4 {
        queue(&app, &tenant).await;
    }
    let fail = "UPDATE job SET state = 'failed', kind = CASE WHEN id = (SELECT max(id) FROM job) THEN 'B' ELSE 'A' END";
    app.test.store.write("test", move |tx| tx.execute(fail, &[])).await.unwrap();
    let health = app.test.store.read("test", |tx| store::jobs::health(tx, &["A", "B"], 2)).await.unwrap();
    let failed: Vec<_> = health.kinds.iter().map(|kind| (kind.kind.as_str(), kind.failed)).collect();
    assert_eq!((failed, health.is_complete), (vec![("A", 2), ("B", 1)], false));
}
