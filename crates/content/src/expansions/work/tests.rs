//! What becomes of a job, whatever the generator or the worker does.

mod models;

use std::time::Duration;

use serde_json::{Value, json};
use store::jobs;
use testkit::{TestStore, both_stores};

use crate::expansions::OutputKind::{ExpandedQuiz, InteractiveModule, SummaryVideo};
use crate::testing::{App, Step, Tenant};

const ENDED: &str = "SELECT count(*) FROM event WHERE type IN ('content.completed', 'content.failed')";

async fn with_job(test: TestStore) -> (App, Tenant, String) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let id = app.expand(&tenant, &tenant.source()).await;
    (app, tenant, id)
}

fn statuses(job: &Value) -> Vec<&str> {
    let outputs = job["outputs"].as_array().unwrap().iter();
    std::iter::once(&job["status"])
        .chain(outputs.map(|output| &output["status"]))
        .map(|s| s.as_str().unwrap())
        .collect()
}

/// Modules, videos and tests that this job made.
async fn resources(app: &App, id: &str) -> [i64; 3] {
    let origin = format!("%\"expansionId\":\"{id}\"%");
    let count = move |tx: &mut store::Tx<'_>, sql| Ok(tx.find(sql, &[&origin], |row| row.get(0))?.unwrap_or(0));
    let counts = app.read(move |tx| {
        Ok([
            count(tx, "SELECT count(*) FROM module WHERE metadata LIKE $1")?,
            count(tx, "SELECT count(*) FROM video WHERE metadata LIKE $1")?,
            count(tx, "SELECT count(*) FROM test WHERE metadata LIKE $1")?,
        ])
    });
    counts.await
}

#[both_stores]
async fn a_job_moves_from_queued_over_processing_to_completed(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["queued", "queued", "queued", "queued"]);
    app.script.then(SummaryVideo, [Step::Defer("model_busy")]);
    app.test.clock.advance(Duration::from_secs(1));
    app.run_jobs().await;
    let processing = app.job(&tenant, &id).await;
    assert_eq!(statuses(&processing), ["processing", "completed", "processing", "completed"]);
    assert_eq!((&processing["completedAt"], &processing["error"]), (&Value::Null, &Value::Null));
    assert_eq!(processing["updatedAt"], "2026-01-02T03:04:06.000Z");
    assert!(processing["outputs"][0]["manifest"].is_object() && processing["outputs"][1]["manifest"].is_null());
    assert_eq!(app.count(ENDED).await, 0);
    app.test.clock.advance(Duration::from_secs(60));
    app.run_jobs().await;
    let completed = app.job(&tenant, &id).await;
    assert_eq!(statuses(&completed), ["completed"; 4]);
    assert_eq!(completed["completedAt"], "2026-01-02T03:05:06.000Z");
    assert_eq!(completed["outputs"][0]["completedAt"], "2026-01-02T03:04:06.000Z", "each output moves by itself");
    assert_eq!(app.count(ENDED).await, 1);
    app.finish().await;
}

#[both_stores]
async fn a_failed_output_leaves_the_others_work_in_place(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(InteractiveModule, [Step::Fail("model_refused")]);
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "failed", "completed", "completed"]);
    assert_eq!(
        job["error"],
        json!({
            "code": "model_refused",
            "message": "Not generated: interactive_module. Scripted: model_refused.",
        })
    );
    assert_eq!(job["completedAt"], "2026-01-02T03:04:05.000Z");
    let failed = &job["outputs"][0];
    assert_eq!(failed["error"], json!({ "code": "model_refused", "message": "Scripted: model_refused." }));
    assert_eq!((&failed["resourceId"], &failed["manifest"]), (&Value::Null, &Value::Null));
    for finished in [&job["outputs"][1], &job["outputs"][2]] {
        assert!(finished["manifest"].is_object() && finished["resourceId"].is_string() && finished["error"].is_null());
    }
    assert_eq!(resources(&app, &id).await, [0, 1, 1]);
    app.finish().await;
}

#[both_stores]
async fn a_job_whose_outputs_all_fail_names_them_all(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(InteractiveModule, [Step::Fail("source_empty")]);
    app.script.then(SummaryVideo, [Step::Fail("draft_invalid")]);
    app.script.then(ExpandedQuiz, [Step::Fail("source_empty")]);
    app.run_jobs().await;
    let error = &app.job(&tenant, &id).await["error"];
    assert_eq!(error["code"], "source_empty");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("interactive_module, summary_video, expanded_quiz"), "{message}");
    assert_eq!(resources(&app, &id).await, [0, 0, 0]);
    app.finish().await;
}

#[both_stores]
async fn a_passing_failure_is_tried_four_times_with_growing_waits(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(SummaryVideo, [Step::Defer("model_busy"), Step::Defer("model_busy"), Step::Defer("model_busy")]);
    app.run_jobs().await;
    for wait in [5, 15, 45] {
        app.test.clock.advance(Duration::from_secs(wait) - Duration::from_millis(1));
        assert_eq!(app.run_jobs().await, 0, "not before {wait} s");
        app.test.clock.advance(Duration::from_millis(1));
        assert_eq!(app.run_jobs().await, 1);
    }
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    let asked = app.script.asked();
    let count = |kind| asked.iter().filter(|(asked, _)| *asked == kind).count();
    assert_eq!([InteractiveModule, SummaryVideo, ExpandedQuiz].map(count), [1, 4, 1], "finished outputs stay");
    assert_eq!(resources(&app, &id).await, [1, 1, 1]);
    app.finish().await;
}

#[both_stores]
async fn a_vanished_worker_is_no_try(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    for _ in 0..4 {
        let vanished = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
        assert_eq!(vanished.unwrap().jobs.len(), 1);
        app.test.clock.advance(Duration::from_secs(60));
    }
    app.script.then(SummaryVideo, [Step::Defer("model_busy")]);
    app.run_jobs().await;
    assert_eq!(statuses(&app.job(&tenant, &id).await)[0], "processing");
    app.test.clock.advance(Duration::from_secs(5));
    app.run_jobs().await;
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    app.finish().await;
}

#[both_stores]
async fn a_failure_that_does_not_pass_fails_its_output_alone(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(ExpandedQuiz, [const { Step::Defer("model_busy") }; 9]);
    for _ in 0..9 {
        app.run_jobs().await;
        app.test.clock.advance(Duration::from_secs(60));
    }
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "completed", "failed"]);
    assert_eq!(job["error"]["code"], "model_busy");
    assert_eq!(app.script.asked().len(), 6);
    app.finish().await;
}

#[both_stores]
async fn a_panicking_generator_fails_its_output_alone(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(SummaryVideo, [Step::Panic]);
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "failed", "completed"]);
    assert_eq!(job["outputs"][1]["error"]["code"], "generation_crashed");
    app.finish().await;
}

#[both_stores]
async fn a_draft_that_breaks_the_engines_rules_fails_its_output_and_not_the_queue(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(SummaryVideo, [Step::SucceedAs("NUL: \0")]);
    app.script.then(ExpandedQuiz, [Step::SucceedAs("")]);
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "failed", "failed"]);
    assert_eq!(job["outputs"][1]["error"]["code"], "draft_invalid");
    assert_eq!(resources(&app, &id).await, [1, 0, 0]);
    app.finish().await;
}

#[both_stores]
async fn what_the_store_refuses_fails_its_output_and_not_the_queue(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.write(|tx| tx.execute("ALTER TABLE video RENAME TO elsewhere", &[])).await;
    app.run_jobs().await;
    app.write(|tx| tx.execute("ALTER TABLE elsewhere RENAME TO video", &[])).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "failed", "completed"]);
    assert_eq!(job["error"]["code"], "resource_not_stored");
    assert_eq!(resources(&app, &id).await, [1, 0, 1]);
    app.finish().await;
}

#[both_stores]
async fn a_damaged_row_fails_the_job_with_a_code_and_does_not_keep_the_queue_busy(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.script.then(SummaryVideo, [Step::Defer("model_busy")]);
    app.run_jobs().await;
    app.write(|tx| tx.execute("UPDATE expansion_output SET manifest = '{' WHERE position = 1", &[])).await;
    for wait in [5, 15, 45] {
        assert_eq!(app.count(ENDED).await, 0);
        app.test.clock.advance(Duration::from_secs(wait));
        assert_eq!(app.run_jobs().await, 1);
    }
    assert_eq!(app.count("SELECT count(*) FROM job").await, 0);
    let (_, told) = last_event(&app, "content.failed").await;
    app.write(|tx| {
            tx.execute("UPDATE expansion_output SET manifest = '{\"title\":\"\",\"description\":\"\",\"raw\":{}}' WHERE position = 1", &[])
        }).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "failed", "completed"]);
    assert_eq!((&job["error"]["code"], &job["outputs"][1]["error"]), (&json!("records_damaged"), &job["error"]));
    assert_eq!((&told["jobId"], &told["data"]["status"]), (&json!(id), &json!("failed")));
    assert_eq!(
        told["data"]["outputs"][1],
        json!({
            "outputType": "summary_video", "status": "failed", "resourceType": "video", "resourceId": null,
        })
    );
    assert_eq!(told["data"]["classroomId"], json!(tenant.classroom));
    app.finish().await;
}

#[both_stores]
async fn a_job_that_can_not_even_be_failed_is_left_for_the_operator(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.write(|tx| tx.execute("ALTER TABLE expansion_output RENAME TO elsewhere", &[])).await;
    for _ in 0..6 {
        app.run_jobs().await;
        app.test.clock.advance(Duration::from_secs(60));
    }
    app.write(|tx| tx.execute("ALTER TABLE elsewhere RENAME TO expansion_output", &[])).await;
    assert_eq!(app.count("SELECT count(*) FROM job WHERE state = 'failed' AND attempt = 4").await, 1);
    assert_eq!(statuses(&app.job(&tenant, &id).await)[0], "queued");
}

#[both_stores]
async fn a_source_that_this_version_can_not_read_fails_the_job(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    app.write(|tx| tx.execute("UPDATE expansion SET payload = '{\"level\":5}'", &[])).await;
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed"; 4]);
    assert_eq!((&job["error"]["code"], app.count(ENDED).await), (&json!("source_unreadable"), 1));
    app.finish().await;
}

#[both_stores]
async fn a_job_whose_worker_vanished_is_finished_by_the_next(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    let vanished = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
    assert_eq!(vanished.unwrap().jobs.len(), 1);
    assert_eq!(app.run_jobs().await, 0, "leased");
    app.test.clock.advance(Duration::from_secs(60));
    assert_eq!(app.run_jobs().await, 1);
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    assert_eq!((resources(&app, &id).await, app.count(ENDED).await), ([1, 1, 1], 1));
    app.finish().await;
}

#[both_stores]
async fn a_job_that_takes_its_workers_down_fails_at_last(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    for _ in 0..7 {
        let vanished = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
        assert_eq!(vanished.unwrap().jobs.len(), 1);
        app.test.clock.advance(Duration::from_secs(60));
    }
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed"; 4]);
    assert_eq!(job["error"]["code"], "generation_crashed");
    assert_eq!((app.script.asked().len(), app.count(ENDED).await), (0, 1));
    app.finish().await;
}

#[both_stores]
async fn a_job_without_its_expansion_or_with_an_unreadable_payload_ends(test: TestStore) {
    let (app, _, _) = with_job(test).await;
    app.write(|tx| tx.execute("UPDATE job SET payload = '{\"version\":1}'", &[])).await;
    assert_eq!(app.run_jobs().await, 1);
    assert_eq!(app.count("SELECT count(*) FROM job WHERE state = 'failed'").await, 1, "left for the operator");
    assert_eq!(app.run_jobs().await, 0);
}

#[both_stores]
async fn one_event_tells_the_outcome_to_those_who_asked_for_it(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    let other = app.tenant("Other").await;
    let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
    for (owner, events) in [
        (&tenant, json!(["content.completed"])),
        (&tenant, json!(["content.completed", "content.failed"])),
        (&tenant, json!(["content.failed"])),
        (&other, json!(["content.completed"])),
    ] {
        let body = json!({ "url": "https://lms.example.com/", "events": events });
        app.post(&owner.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
    }
    app.run_jobs().await;
    let job = app.job(&tenant, &id).await;
    let outputs = job["outputs"].as_array().unwrap().iter().map(|output| {
        json!({
            "outputType": output["outputType"], "status": "completed",
            "resourceType": output["resourceType"], "resourceId": output["resourceId"],
        })
    });
    let (event, body) = last_event(&app, "content.completed").await;
    assert_eq!(
        body,
        json!({
            "id": event,
            "type": "content.completed",
            "createdAt": "2026-01-02T03:04:05.000Z",
            "jobId": id,
            "data": {
                "jobId": id,
                "status": "completed",
                "classroomId": tenant.classroom,
                "sourceTitle": "Biology, Cells",
                "outputs": outputs.collect::<Vec<_>>(),
            },
        })
    );
    assert_eq!(app.count(ENDED).await, 1);
    assert_eq!(app.count("SELECT count(*) FROM delivery").await, 2);
    app.finish().await;
}

#[both_stores]
async fn the_event_of_a_failed_job_tells_which_outputs_there_are(test: TestStore) {
    let (app, tenant, id) = with_job(test).await;
    let cookie = app.admin_of("a@example.com", &[&tenant]).await;
    let body = json!({ "url": "https://lms.example.com/", "events": ["content.failed"] });
    app.post(&tenant.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
    app.script.then(InteractiveModule, [Step::Fail("model_refused")]);
    app.run_jobs().await;
    let (_, body) = last_event(&app, "content.failed").await;
    assert_eq!((&body["type"], &body["jobId"]), (&json!("content.failed"), &json!(id)));
    assert_eq!(body["data"]["status"], "failed");
    assert_eq!(
        body["data"]["outputs"][0],
        json!({
            "outputType": "interactive_module", "status": "failed", "resourceType": "module", "resourceId": null,
        })
    );
    assert_eq!(body["data"]["outputs"][2]["status"], "completed");
    assert_eq!((app.count(ENDED).await, app.count("SELECT count(*) FROM delivery").await), (1, 1));
    app.finish().await;
}

async fn last_event(app: &App, kind: &'static str) -> (String, Value) {
    let found = app.read(move |tx| {
        tx.find("SELECT id, body FROM event WHERE type = $1", &[&kind], |row| Ok((row.get(0)?, row.get::<String>(1)?)))
    });
    let (id, body) = found.await.unwrap();
    (id, serde_json::from_str(&body).unwrap())
}
