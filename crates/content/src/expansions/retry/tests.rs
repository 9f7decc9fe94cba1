use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::expansions::OutputKind::{ExpandedQuiz, InteractiveModule, SummaryVideo};
use crate::testing::{App, EXPANSIONS, Reply, Step, Tenant};

/// A job whose video failed.
async fn with_failed_job(test: TestStore) -> (App, Tenant, String) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let id = app.expand(&tenant, &tenant.source()).await;
    app.script.then(SummaryVideo, [Step::Fail("model_refused")]);
    app.run_jobs().await;
    (app, tenant, id)
}

async fn retry(app: &App, tenant: &Tenant, id: &str, key: Option<&str>) -> Reply {
    let call = app.post(&format!("{EXPANSIONS}/{id}/retry")).key(&tenant.key);
    let call = if let Some(key) = key { call.idempotency(key) } else { call };
    call.send().await
}

fn column<'a>(job: &'a Value, name: &str) -> Vec<&'a Value> {
    job["outputs"].as_array().unwrap().iter().map(|output| &output[name]).collect()
}

#[both_stores]
async fn a_retry_keeps_what_succeeded_and_makes_what_failed(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    let failed = app.job(&tenant, &id).await;
    app.test.clock.advance(Duration::from_secs(1));
    let queued = retry(&app, &tenant, &id, None).await.expect(202);
    assert_eq!(
        (&queued["status"], &queued["error"], &queued["completedAt"]),
        (&json!("queued"), &Value::Null, &Value::Null)
    );
    assert_eq!(column(&queued, "status"), ["completed", "queued", "completed"]);
    assert_eq!(column(&queued, "error"), [&Value::Null; 3]);
    assert_eq!(
        (&queued["createdAt"], &queued["updatedAt"]),
        (&failed["createdAt"], &json!("2026-01-02T03:04:06.000Z"))
    );
    assert_eq!(app.job(&tenant, &id).await, queued);
    app.run_jobs().await;
    let completed = app.job(&tenant, &id).await;
    assert_eq!(
        (&completed["status"], &completed["completedAt"]),
        (&json!("completed"), &json!("2026-01-02T03:04:06.000Z"))
    );
    for kept in [0, 2] {
        for field in ["id", "resourceId", "completedAt"] {
            assert_eq!(completed["outputs"][kept][field], failed["outputs"][kept][field]);
        }
    }
    assert_eq!(completed["outputs"][1]["id"], failed["outputs"][1]["id"]);
    let asked = app.script.asked();
    let count = |kind| asked.iter().filter(|(asked, _)| *asked == kind).count();
    assert_eq!([InteractiveModule, SummaryVideo, ExpandedQuiz].map(count), [1, 2, 1]);
    app.finish().await;
}

#[both_stores]
async fn the_end_of_a_retry_is_told_by_an_event_of_its_own(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    app.script.then(SummaryVideo, [Step::Fail("model_refused")]);
    for _ in 0..2 {
        app.test.clock.advance(Duration::from_secs(1));
        retry(&app, &tenant, &id, None).await.expect(202);
        app.test.clock.advance(Duration::from_secs(1));
        app.run_jobs().await;
    }
    let types = app
        .read(move |tx| {
            let later = "SELECT type FROM event WHERE subject_id = $1 ORDER BY created_at, type DESC";
            tx.query(later, &[&id], |row| row.get::<String>(0))
        })
        .await;
    assert_eq!(
        types,
        ["content.queued", "content.failed", "content.queued", "content.failed", "content.queued", "content.completed",]
    );
    app.finish().await;
}

#[both_stores]
async fn only_a_failed_job_can_be_retried(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let id = app.expand(&tenant, &tenant.source()).await;
    let before = app.stored().await;
    retry(&app, &tenant, &id, None).await.expect(409);
    app.script.then(SummaryVideo, [Step::Defer("model_busy")]);
    app.run_jobs().await;
    retry(&app, &tenant, &id, None).await.expect(409);
    app.test.clock.advance(Duration::from_secs(5));
    app.run_jobs().await;
    retry(&app, &tenant, &id, Some("k")).await.expect(409);
    assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM idempotency").await, 0);
    assert!(before.iter().any(|(name, rows)| name == "job" && *rows == 1));
    app.finish().await;
}

#[both_stores]
async fn unknown_malformed_and_other_organizations_jobs_are_not_found(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    let other = app.tenant("Other").await;
    let unknown = app.test.ambient.id::<kernel::id::ExpansionId>().to_string();
    let before = app.stored().await;
    for (whose, id) in [(&other, id.as_str()), (&tenant, &unknown), (&tenant, "7"), (&tenant, "%00")] {
        retry(&app, whose, id, None).await.expect(404);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_repeated_retry_has_one_effect(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    let first = retry(&app, &tenant, &id, Some("k")).await;
    first.expect(202);
    app.run_jobs().await;
    let again = retry(&app, &tenant, &id, Some("k")).await;
    assert!(again.is_replay());
    assert_eq!(again.body, first.body);
    assert_eq!(app.count("SELECT count(*) FROM event WHERE type = 'content.queued'").await, 2);
    assert_eq!(retry(&app, &tenant, &id, Some("a b")).await.faults(), ["Idempotency-Key"]);
    app.finish().await;
}

#[both_stores]
async fn of_many_retries_at_once_one_queues_the_job(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    let replies = join_all((0..8).map(|_| retry(&app, &tenant, &id, None))).await;
    let count = |status: u16| replies.iter().filter(|reply| reply.status.as_u16() == status).count();
    assert_eq!((count(202), count(409)), (1, 7));
    assert_eq!(app.run_jobs().await, 1);
    app.finish().await;
}

#[both_stores]
async fn a_retry_counts_against_the_keys_limit(test: TestStore) {
    let (app, tenant, id) = with_failed_job(test).await;
    let (key, _) = app.mint(tenant.organization, 1, None).await;
    let path = format!("{EXPANSIONS}/{id}/retry");
    app.post(&path).key(&key).send().await.expect(202);
    app.post(&path).key(&key).send().await.expect(429);
}
