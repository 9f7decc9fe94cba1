//! What becomes of a generation, whatever the generator, the worker or an editor does.

mod edits;
mod material;
mod models;

use std::time::Duration;

use serde_json::{Value, json};
use store::jobs;
use testkit::{TestStore, both_stores};

use crate::generation::testing::{KINDS, make, make_queued, read, status_of};
use crate::resources::Kind;
use crate::testing::{App, Step, Tenant};

async fn with_tenant(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    (app, tenant)
}

/// A worker takes the next job and is never heard of again.
async fn vanish(app: &App) {
    let claimed = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
    assert_eq!(claimed.unwrap().jobs.len(), 1);
    app.test.clock.advance(Duration::from_secs(60));
}

/// How many parts a resource has.
fn parts_of(resource: &Value) -> usize {
    let parts = ["contents", "scenes", "items"].iter().find_map(|name| resource[*name].as_array());
    parts.map_or_else(|| resource["content"].as_str().unwrap().matches("<section").count(), Vec::len)
}

#[both_stores]
async fn a_resource_moves_from_queued_over_processing_to_completed(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        app.script.then(kind, [Step::Defer("model_busy")]);
        let path = make_queued(&app, &tenant, kind).await;
        let queued = read(&app, &tenant, &path).await;
        assert_eq!((&queued["version"], parts_of(&queued)), (&json!(1), 0));
        app.run_jobs().await;
        let processing = read(&app, &tenant, &path).await;
        assert_eq!((&processing["status"], &processing["error"]), (&json!("processing"), &Value::Null));
        assert_eq!((&processing["version"], parts_of(&processing)), (&json!(2), 0), "the move is a change");
        app.test.clock.advance(Duration::from_secs(5));
        app.run_jobs().await;
        let completed = read(&app, &tenant, &path).await;
        assert_eq!((&completed["status"], &completed["error"]), (&json!("completed"), &Value::Null));
        assert_eq!(completed["version"], 3);
        assert!(parts_of(&completed) > 0, "{completed}");
        assert_eq!((&completed["createdAt"], &completed["id"]), (&queued["createdAt"], &queued["id"]));
        assert!(completed["updatedAt"].as_str() > queued["updatedAt"].as_str());
    }
    app.finish().await;
}

#[both_stores]
async fn a_generator_that_says_how_long_to_wait_is_not_asked_before_within_reason(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        app.script.then(kind, [1, 60, 86_400].map(|wait| Step::DeferFor(Duration::from_secs(wait))));
        let path = make_queued(&app, &tenant, kind).await;
        for (wait, runs) in [(0, 1), (4, 0), (1, 1), (59, 0), (1, 1), (599, 0), (1, 1)] {
            app.test.clock.advance(Duration::from_secs(wait));
            assert_eq!(app.run_jobs().await, runs, "the longer of its wait and ours, ten minutes at most");
        }
        assert_eq!(read(&app, &tenant, &path).await["status"], "completed");
    }
    app.finish().await;
}

#[both_stores]
async fn a_generated_test_has_items_a_name_and_the_places_they_came_from(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Test).await;
    app.run_jobs().await;
    let test = read(&app, &tenant, &path).await;
    assert_eq!(
        test["items"],
        json!([{
            "id": test["items"][0]["id"], "sequence": 1, "question": "What is alive?", "type": "select",
            "options": ["A cell", "A stone"], "correctAnswers": ["A cell"], "explanation": "A cell is alive.", "score": 1.0,
        }])
    );
    assert_eq!((&test["name"], &test["description"]), (&json!("Generated test"), &json!("A test.")));
    assert_eq!((&test["subject"], &test["timeLimit"], &test["level"]), (&json!("Life"), &json!(5), &json!("MEDIUM")));
    assert_eq!(
        test["metadata"],
        json!({
            "generator": "builtin", "sources": [{ "part": "items/0", "pointers": ["/topicPrompt"] }],
        })
    );
    app.finish().await;
}

#[both_stores]
async fn a_generated_slide_has_content(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Slide).await;
    app.run_jobs().await;
    let slide = read(&app, &tenant, &path).await;
    assert_eq!(slide["content"], "<section class=\"slide\"><h2>The cell</h2><ul><li>Alive</li></ul></section>");
    assert_eq!((&slide["title"], &slide["description"]), (&json!("Cells"), &json!("A deck.")));
    assert_eq!(slide["metadata"]["sources"][0], json!({ "part": "slides/0", "pointers": ["/outline"] }));
    app.finish().await;
}

#[both_stores]
async fn a_generated_video_has_scenes_in_order(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Video).await;
    app.run_jobs().await;
    let video = read(&app, &tenant, &path).await;
    let scenes = video["scenes"].as_array().unwrap();
    let scripts: Vec<_> = scenes.iter().map(|scene| (&scene["sequence"], &scene["script"])).collect();
    assert_eq!(scripts, [(&json!(1), &json!("A cell is alive.")), (&json!(2), &json!("That was the cell."))]);
    assert_eq!((&video["title"], &video["targetDurationSeconds"]), (&json!("Cells"), &json!(7)));
    assert_eq!(video["metadata"]["sources"][0], json!({ "part": "scenes/0", "pointers": ["/title"] }));
    app.finish().await;
}

#[both_stores]
async fn a_generated_course_has_modules_of_its_own_in_order(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Course).await;
    app.run_jobs().await;
    let course = read(&app, &tenant, &path).await;
    let contents = course["contents"].as_array().unwrap();
    let titles: Vec<_> = contents.iter().map(|module| (&module["sequence"], &module["title"])).collect();
    assert_eq!(titles, [(&json!(1), &json!("Cells")), (&json!(2), &json!("Tissues"))]);
    assert_eq!((&course["title"], &course["metadata"]), (&json!("Cells"), &json!({ "generator": "builtin" })));
    let module = tenant.resources(&format!("modules/{}", contents[0]["id"].as_str().unwrap()));
    let module = read(&app, &tenant, &module).await;
    assert_eq!((&module["courseId"], &module["sequence"]), (&course["id"], &json!(1)));
    assert_eq!((&module["status"], &module["quizzes"][0]["type"]), (&json!("completed"), &json!("true-false")));
    assert_eq!(
        module["metadata"],
        json!({
            "generator": "builtin", "sources": [{ "part": "sections/0", "pointers": ["/title"] }],
        })
    );
    app.finish().await;
}

#[both_stores]
async fn what_the_caller_wrote_stands(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let body = json!({
        "topicPrompt": "Cells", "name": "My test", "description": "Mine.", "timeLimit": 7,
        "metadata": { "externalId": "t-1", "sources": "a shelf" },
    });
    let path = make(&app, &tenant, Kind::Test, &body).await;
    app.run_jobs().await;
    let test = read(&app, &tenant, &path).await;
    assert_eq!(
        (&test["name"], &test["description"], &test["timeLimit"]),
        (&json!("My test"), &json!("Mine."), &json!(7))
    );
    let metadata = json!({ "externalId": "t-1", "sources": "a shelf", "generator": "builtin" });
    assert_eq!(test["metadata"], metadata);
    app.finish().await;
}

#[both_stores]
async fn a_test_that_nobody_could_pass_is_not_generated(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let body = json!({ "topicPrompt": "Cells", "passingValueType": "POINTS", "passingValue": 2 });
    let path = make(&app, &tenant, Kind::Test, &body).await;
    app.run_jobs().await;
    let failed = read(&app, &tenant, &path).await;
    assert_eq!((&failed["status"], parts_of(&failed)), (&json!("failed"), 0));
    assert_eq!(
        failed["error"],
        json!({
            "code": "passing_value_out_of_reach",
            "message": "It takes 2 points to pass, and the generated items give 1 together.",
        })
    );
    let change = app.patch(&path).key(&tenant.key).json(&json!({ "passingValue": 1 }));
    change.send().await.expect(200);
    app.post(&format!("{path}/retry")).key(&tenant.key).send().await.expect(202);
    app.run_jobs().await;
    assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    app.finish().await;
}

#[both_stores]
async fn a_failed_generation_has_its_code_and_message(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        app.script.then(kind, [Step::Fail("model_refused")]);
        let path = make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        let failed = read(&app, &tenant, &path).await;
        assert_eq!(failed["status"], "failed");
        assert_eq!(failed["error"], json!({ "code": "model_refused", "message": "Scripted: model_refused." }));
        assert_eq!((parts_of(&failed), &failed["version"]), (0, &json!(3)));
    }
    app.finish().await;
}

#[both_stores]
async fn a_passing_failure_is_tried_four_times_with_growing_waits(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    app.script.then(Kind::Test, [const { Step::Defer("model_busy") }; 9]);
    let path = make_queued(&app, &tenant, Kind::Test).await;
    app.run_jobs().await;
    for wait in [5, 15, 45] {
        assert_eq!(status_of(&app, &tenant, &path).await, "processing");
        app.test.clock.advance(Duration::from_secs(wait) - Duration::from_millis(1));
        assert_eq!(app.run_jobs().await, 0, "not before {wait} s");
        app.test.clock.advance(Duration::from_millis(1));
        assert_eq!(app.run_jobs().await, 1);
    }
    let failed = read(&app, &tenant, &path).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("model_busy")));
    assert_eq!(app.script.requested().len(), 4);
    app.finish().await;
}

#[both_stores]
async fn a_panicking_generator_fails_the_resource_and_not_the_queue(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        app.script.then(kind, [Step::Panic]);
        let path = make_queued(&app, &tenant, kind).await;
        app.test.clock.advance(Duration::from_millis(1));
        let next = make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        assert_eq!(read(&app, &tenant, &path).await["error"]["code"], "generation_crashed");
        assert_eq!(status_of(&app, &tenant, &next).await, "completed");
    }
    app.finish().await;
}

#[both_stores]
async fn a_draft_that_breaks_the_engines_rules_fails_the_resource(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        app.script.then(kind, [Step::SucceedAs("NUL: \0")]);
        let path = make_queued(&app, &tenant, kind).await;
        app.run_jobs().await;
        let failed = read(&app, &tenant, &path).await;
        assert_eq!((&failed["error"]["code"], parts_of(&failed)), (&json!("draft_invalid"), 0));
    }
    app.finish().await;
}

#[both_stores]
async fn what_the_store_refuses_fails_the_resource_and_not_the_queue(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Video).await;
    app.write(|tx| tx.execute("ALTER TABLE scene RENAME TO elsewhere", &[])).await;
    app.run_jobs().await;
    app.write(|tx| tx.execute("ALTER TABLE elsewhere RENAME TO scene", &[])).await;
    assert_eq!(read(&app, &tenant, &path).await["error"]["code"], "resource_not_stored");
    app.finish().await;
}

#[both_stores]
async fn a_damaged_row_fails_the_resource_and_does_not_keep_the_queue_busy(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let path = make_queued(&app, &tenant, Kind::Test).await;
    app.write(|tx| tx.execute("ALTER TABLE module RENAME TO elsewhere", &[])).await;
    for wait in [0, 5, 15, 45] {
        app.test.clock.advance(Duration::from_secs(wait));
        assert_eq!(app.run_jobs().await, 1);
    }
    app.write(|tx| tx.execute("ALTER TABLE elsewhere RENAME TO module", &[])).await;
    let failed = read(&app, &tenant, &path).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("records_damaged")));
    app.finish().await;
}

#[both_stores]
async fn a_job_that_can_not_even_be_failed_is_left_for_the_operator(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    make_queued(&app, &tenant, Kind::Test).await;
    app.write(|tx| tx.execute("ALTER TABLE test RENAME TO elsewhere", &[])).await;
    for _ in 0..6 {
        app.run_jobs().await;
        app.test.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(app.count("SELECT count(*) FROM job WHERE state = 'failed' AND attempt = 4").await, 1);
}

#[both_stores]
async fn a_generation_whose_worker_vanished_is_finished_by_the_next_one_time(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        for _ in 0..4 {
            vanish(&app).await;
        }
        app.script.then(kind, [Step::Defer("model_busy")]);
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(status_of(&app, &tenant, &path).await, "processing", "a vanished worker is no try");
        app.test.clock.advance(Duration::from_secs(5));
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(status_of(&app, &tenant, &path).await, "completed");
    }
    assert_eq!(app.count("SELECT count(*) FROM module").await, 2);
    assert_eq!(app.count("SELECT count(*) FROM scene").await, 2);
    app.finish().await;
}

#[both_stores]
async fn a_worker_that_was_taken_for_dead_writes_nothing(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        let pause = app.script.pause(kind);
        let successor = async {
            pause.reached().await;
            app.test.clock.advance(Duration::from_secs(60));
            assert_eq!(app.run_jobs().await, 1);
            let completed = read(&app, &tenant, &path).await;
            pause.end();
            completed
        };
        let (_, completed) = tokio::join!(app.run_jobs(), successor);
        assert_eq!(completed["status"], "completed");
        assert_eq!(read(&app, &tenant, &path).await, completed);
    }
    app.finish().await;
}

#[both_stores]
async fn a_generation_that_takes_its_workers_down_fails_at_last(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for kind in KINDS {
        let path = make_queued(&app, &tenant, kind).await;
        for _ in 0..7 {
            vanish(&app).await;
        }
        app.run_jobs().await;
        assert_eq!(read(&app, &tenant, &path).await["error"]["code"], "generation_crashed");
    }
    assert_eq!(app.script.requested().len(), 0);
    app.finish().await;
}

#[both_stores]
async fn an_unreadable_payload_is_left_for_the_operator(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for payload in [
        "{\"version\":1}",
        "{\"version\":1,\"organizationId\":\"0192aee1-5a3b-7c2d-8e4f-123456789abc\",\"kind\":\"poem\",\"resourceId\":\"\"}",
    ] {
        make_queued(&app, &tenant, Kind::Test).await;
        app.write(move |tx| tx.execute("UPDATE job SET payload = $1", &[&payload])).await;
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(app.count("SELECT count(*) FROM job WHERE state = 'failed'").await, 1);
        app.write(|tx| tx.execute("DELETE FROM job", &[])).await;
    }
}

#[both_stores]
async fn organizations_take_turns(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    make_queued(&app, &tenant, Kind::Test).await;
    let tenant_of_job = app.read(|tx| tx.find("SELECT tenant FROM job", &[], |row| row.get::<String>(0))).await;
    assert_eq!(tenant_of_job, Some(tenant.organization.to_string()));
}
