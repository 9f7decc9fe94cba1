//! Expansions that a language model writes: part by part, kept between tries, with or without a fall-back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{GenerationError, Generator, ModuleDraft, SourceLevel, Workbench};
use kernel::model::ModelError;
use store::jobs::ClaimedJob;

use super::*;
use crate::expansions::payload::source_level;
use crate::generation::attempts::Interruption;
use crate::generation::bench::Bench;
use crate::testing::Scripted;

const PARTS: &str = "SELECT count(*) FROM generation_part";

async fn with_long_job(test: TestStore) -> (App, Tenant, String) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let id = app.expand(&tenant, &tenant.long_source()).await;
    (app, tenant, id)
}

fn times(model: &Scripted, name: &str) -> usize {
    model.names().iter().filter(|asked| **asked == name).count()
}

#[both_stores]
async fn a_model_writes_a_whole_expansion(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::good();
    assert_eq!(app.run_jobs_by(model.drafter()).await, 1);
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["completed"; 4], "{job}");
    let outputs = job["outputs"].as_array().unwrap();
    assert_eq!(outputs[1]["manifest"]["raw"]["mode"], "model");
    assert_eq!(outputs[2]["manifest"]["raw"]["mode"], "model");
    assert!(outputs[0]["manifest"]["raw"].get("fallbackFrom").is_none());
    let path = tenant.resources(&format!("modules/{}", outputs[0]["resourceId"].as_str().unwrap()));
    let module = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(module["metadata"]["generator"], "model");
    assert_eq!(module["metadata"]["sources"][1]["pointers"], json!(["/level/lessons/0/text"]));
    assert!(module["content"].as_str().unwrap().contains("Muscle moves the bones."));
    assert!(model.tenants().iter().all(|asked| *asked == tenant.organization.to_string()));
    assert_eq!(app.count(PARTS).await, 0);
    app.finish().await;
}

#[both_stores]
async fn a_prompt_holds_a_lessons_type_and_the_json_of_its_first_six_other_fields_in_key_order(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let mut source = tenant.long_source();
    source["payload"]["level"]["lessons"] = json!([
        {
            "zone": { "b": [1, { "y": 2.5, "a": null }], "a": "<b>Salt</b> melts." }, "id": "secret-id", "steps": ["Stir.", "Wait."],
            "type": "lab work", "minutes": 45, "name": "Salt", "isHard": true, "updatedAt": "2026-01-02", "note": null,
            "seventh": "never", "eighth": ["never"],
        },
        "Sugar is **sweet**.\n\nIt melts as well.",
    ]);
    app.expand(&tenant, &source).await;
    let model = Scripted::good();
    app.run_jobs_by(model.drafter()).await;
    let materials = model.materials();
    let expected = json!([
        { "role": "material", "type": "lab work", "title": "Salt", "excerpts": [
            { "n": 1, "field": "zone", "value": { "b": [1, { "y": 2.5, "a": null }], "a": "<b>Salt</b> melts." } },
            { "n": 2, "field": "steps", "value": ["Stir.", "Wait."] },
            { "n": 3, "field": "minutes", "value": 45 },
            { "n": 4, "field": "isHard", "value": true },
            { "n": 5, "field": "updatedAt", "value": "2026-01-02" },
            { "n": 6, "field": "note", "value": null },
        ] },
        { "role": "material", "type": "content", "title": "", "excerpts": [
            { "n": 7, "text": "Sugar is **sweet**.\n\nIt melts as well." },
        ] },
    ]);
    assert_eq!(materials[0]["lessons"].to_string(), expected.to_string());
    assert!(
        materials.iter().all(|shown| !shown.to_string().contains("never") && !shown.to_string().contains("secret-id"))
    );
}

#[both_stores]
async fn what_is_written_survives_a_failure_and_is_not_asked_for_again(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let away = Arc::new(AtomicBool::new(true));
    let is_away = away.clone();
    let model = Scripted::failing(move |asked| {
        (asked.data["section"] == "Tissue" && is_away.load(Ordering::SeqCst)).then_some(ModelError::TimedOut)
    });
    app.run_jobs_by(model.drafter()).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["processing", "processing", "completed", "completed"], "the others are done");
    assert_eq!(app.count(PARTS).await, 2, "the module's outline and its other section; ended outputs keep nothing");
    away.store(false, Ordering::SeqCst);
    app.test.clock.advance(Duration::from_secs(5));
    app.run_jobs_by(model.drafter()).await;
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    assert_eq!((times(&model, "module_outline"), times(&model, "section"), times(&model, "scenes")), (1, 3, 2));
    assert_eq!(app.count(PARTS).await, 0);
    app.finish().await;
}

#[both_stores]
async fn a_crash_between_parts_costs_none_that_is_done(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let vanished = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
    let job: ClaimedJob = vanished.unwrap().jobs.remove(0);
    let model = Scripted::good();
    let bench = Bench::open(&app.test.store, &job, "interactive_module").await.unwrap();
    let payload = tenant.long_source()["payload"].clone();
    let level = source_level(&payload).unwrap();
    let dying = Arc::new(Dying { level, bench });
    let last_words = Scripted::failing(|asked| (asked.data["section"] == "Tissue").then_some(ModelError::TimedOut));
    dying.write(&last_words).await.unwrap_err();
    assert_eq!(app.count(PARTS).await, 2);
    app.test.clock.advance(Duration::from_secs(61));
    app.run_jobs_by(model.drafter()).await;
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    assert_eq!((times(&model, "module_outline"), times(&model, "section")), (0, 1));
    let late = dying.write(&Scripted::good()).await.unwrap_err();
    assert_eq!((late.code, app.count(PARTS).await), ("interrupted", 0), "the job has ended");
    app.finish().await;
}

#[both_stores]
async fn a_worker_that_lost_its_job_keeps_nothing_more(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let claim = || async {
        let claimed = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
        claimed.unwrap().jobs.remove(0)
    };
    let job = claim().await;
    let bench = Bench::open(&app.test.store, &job, "interactive_module").await.unwrap();
    app.test.clock.advance(Duration::from_secs(61));
    let _successor = claim().await;
    let payload = tenant.long_source()["payload"].clone();
    let level = source_level(&payload).unwrap();
    let model = Scripted::good();
    let error = Dying { level, bench: bench.clone() }.write(&model).await.unwrap_err();
    assert_eq!((error.code, model.names().len(), app.count(PARTS).await), ("interrupted", 1, 0));
    assert!(matches!(bench.interruption(), Some(Interruption::LeaseLost)));
    app.test.clock.advance(Duration::from_secs(61));
    app.run_jobs_by(Scripted::good().drafter()).await;
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    app.finish().await;
}

#[both_stores]
async fn a_model_that_stays_away_fails_the_outputs_with_its_code(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|_| Some(ModelError::Unavailable { retry_after: None }));
    for wait in [0, 5, 15, 45] {
        app.test.clock.advance(Duration::from_secs(wait));
        assert_eq!(app.run_jobs_by(model.drafter()).await, 1);
    }
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed"; 4]);
    assert_eq!(job["outputs"][0]["error"]["code"], "model_unavailable");
    app.finish().await;
}

#[both_stores]
async fn outputs_are_tried_again_when_it_is_worth_it_for_the_one_that_waits_longest(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|asked| {
        let seconds = if asked.name == "video_outline" { 90 } else { 20 };
        Some(ModelError::Busy { retry_after: Some(Duration::from_secs(seconds)) })
    });
    app.run_jobs_by(model.drafter()).await;
    for (wait, runs) in [(89, 0), (1, 1)] {
        app.test.clock.advance(Duration::from_secs(wait));
        assert_eq!(app.run_jobs_by(Scripted::good().drafter()).await, runs);
    }
    assert_eq!(statuses(&app.job(&tenant, &id).await), ["completed"; 4]);
    app.finish().await;
}

#[both_stores]
async fn the_operators_fall_back_has_its_turn_last_and_is_told(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|asked| {
        (asked.name == "video_outline").then_some(ModelError::Unavailable { retry_after: None })
    });
    let drafter = || model.drafter().with_fallback(Arc::new(engine::Builtin), "builtin");
    for wait in [0, 5, 15] {
        app.test.clock.advance(Duration::from_secs(wait));
        app.run_jobs_by(drafter()).await;
        assert_eq!(statuses(&app.job(&tenant, &id).await)[2], "processing", "not before the last try");
    }
    app.test.clock.advance(Duration::from_secs(45));
    app.run_jobs_by(drafter()).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["completed"; 4]);
    let raw = |at: usize| &job["outputs"][at]["manifest"]["raw"];
    assert_eq!((&raw(1)["mode"], &raw(1)["fallbackFrom"]), (&json!("builtin"), &json!("model")));
    assert_eq!((&raw(2)["mode"], raw(2).get("fallbackFrom")), (&json!("model"), None));
    let video = tenant.resources(&format!("videos/{}", job["outputs"][1]["resourceId"].as_str().unwrap()));
    let video = app.get(&video).key(&tenant.key).send().await.expect(200);
    assert_eq!(
        (&video["metadata"]["generator"], &video["metadata"]["fallbackFrom"]),
        (&json!("builtin"), &json!("model"))
    );
    app.finish().await;
}

#[both_stores]
async fn what_will_not_pass_goes_to_the_fall_back_at_once(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|_| Some(ModelError::Declined));
    app.run_jobs_by(model.drafter().with_fallback(Arc::new(engine::Builtin), "builtin")).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["completed"; 4]);
    assert_eq!(job["outputs"][0]["manifest"]["raw"]["fallbackFrom"], "model");
    app.finish().await;
}

#[both_stores]
async fn a_cancelled_job_leaves_no_parts(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|asked| (asked.name == "section").then_some(ModelError::TimedOut));
    app.run_jobs_by(model.drafter()).await;
    assert!(app.count(PARTS).await > 0);
    app.cancel_jobs().await;
    assert_eq!((app.count(PARTS).await, statuses(&app.job(&tenant, &id).await)[1]), (0, "failed"));
    app.finish().await;
}

#[both_stores]
async fn a_model_that_panics_fails_nothing_but_its_output(test: TestStore) {
    let (app, tenant, id) = with_long_job(test).await;
    let model = Scripted::failing(|asked| {
        assert!(asked.name != "quiz_outline", "scripted");
        None
    });
    app.run_jobs_by(model.drafter()).await;
    let job = app.job(&tenant, &id).await;
    assert_eq!(statuses(&job), ["failed", "completed", "completed", "failed"]);
    assert_eq!(job["outputs"][2]["error"]["code"], "generation_crashed");
    app.finish().await;
}

/// A worker that writes and then is gone.
struct Dying {
    level: SourceLevel,
    bench: Arc<Bench>,
}

impl Dying {
    async fn write(&self, model: &Arc<Scripted>) -> Result<ModuleDraft, GenerationError> {
        let bench: &dyn Workbench = &*self.bench;
        engine::Authored::new(model.clone()).module(&self.level, bench).await
    }
}

#[tokio::test]
async fn drafts_that_wait_hold_no_processor() {
    let (app, tenant, id) = with_long_job(TestStore::new(testkit::Engine::Sqlite).await).await;
    let claimed = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
    let job = claimed.unwrap().jobs.remove(0);
    let bench = Bench::bare(&app.test.store, &job, "interactive_module");
    let drafter = Scripted::good().drafter();
    let more_than_processors = std::thread::available_parallelism().unwrap().get() + 1;
    let barrier = Arc::new(tokio::sync::Barrier::new(more_than_processors));
    let drafts = (0..more_than_processors).map(|_| {
        let barrier = barrier.clone();
        drafter.draft("a draft", &bench, false, move |_, _| {
            let barrier = barrier.clone();
            Box::pin(async move {
                barrier.wait().await;
                Ok(())
            })
        })
    });
    let ended = futures_util::future::join_all(drafts).await;
    assert!(ended.iter().all(Result::is_ok));
    assert_eq!(statuses(&app.job(&tenant, &id).await)[0], "queued");
}

#[both_stores]
async fn the_manifest_of_a_built_in_test_counts_what_it_does_not_ask(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let text = "A baby has about 300 bones. The femur is the longest bone of the body. The stapes is the smallest bone of the body.";
    let payload = json!({ "lessons": [{ "title": "Bones", "text": text }] });
    let id = app.expand(&tenant, &tenant.source_of(payload)).await;
    let model = Scripted::failing(|_| Some(ModelError::Declined));
    app.run_jobs_by(model.drafter().with_fallback(Arc::new(engine::Builtin), "builtin")).await;
    let job = app.job(&tenant, &id).await;
    let omitted = job["outputs"][2]["manifest"]["raw"]["omitted"].as_array().expect("a list");
    assert!(
        omitted.iter().all(|omission| omission["type"].is_string() && omission["count"].as_u64() > Some(0)),
        "{omitted:?}"
    );
    assert!(omitted.iter().any(|omission| omission["reason"] == "vague_number"), "{omitted:?}");
    app.finish().await;
}
