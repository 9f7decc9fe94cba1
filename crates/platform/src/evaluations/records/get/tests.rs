use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use grading::model::replay;
use grading::{Builtin, ModelGrader, Submission};
use kernel::model::{Call, Model, Prompt, Reply, Usage};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::evaluations::{Graders, Processors};
use crate::testing::{App, EVALUATIONS, Form, Tenant, exact, open};

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

fn path(evaluation: &Value) -> String {
    format!("{EVALUATIONS}/{}/record", evaluation["id"].as_str().unwrap())
}

async fn record(app: &App, tenant: &Tenant, evaluation: &Value) -> Value {
    app.get(&path(evaluation)).key(&tenant.key).send().await.expect(200)
}

/// The submission as the grader would read it back.
fn submission(record: &Value) -> Submission {
    serde_json::from_value(record["submission"].clone()).unwrap()
}

/// What a grader saw, as a record has it: whose turn it was and the bytes of pictures are no part of it.
fn as_recorded(seen: &Submission) -> Submission {
    serde_json::from_value(serde_json::to_value(seen).unwrap()).unwrap()
}

/// A model that finds six tenths of the points in an answer.
struct Content;

#[async_trait]
impl Model for Content {
    async fn answer(&self, _prompt: &Prompt) -> Call {
        let text = json!({
            "talksToGrader": [], "strengths": ["You name the light."], "mistakes": [], "suggestions": [],
            "criteria": [{ "id": "whole", "evidence": ["blue light"], "reason": "It is named.", "points": 60 }],
            "summary": "A good start.", "nextStep": "Look up.",
        });
        let usage = Usage { input_tokens: 500, output_tokens: 40, cached_tokens: 0 };
        let (provider, model) = ("local".to_owned(), "a-model".to_owned());
        let (latency, failures) = (Duration::from_millis(7), Vec::new());
        let reply = Reply { text: text.to_string(), usage, provider, model, latency, tries: 1, failures };
        Ok(reply)
    }
}

#[both_stores]
async fn what_a_record_holds_gives_the_same_grade_again_without_asking_anybody(test: TestStore) {
    let app = App::with_graders(test, |_| {
        let processors = Processors::new(2);
        let model = ModelGrader::new(Arc::new(Content), Arc::new(processors.clone()));
        Graders::new(Arc::new(Builtin), Some(Arc::new(model)), processors)
    });
    let tenant = app.tenant("riverside").await;
    let taught = app.evaluate(&tenant, &open()).await;
    let review = json!({ "score": 9, "feedbackSummary": "Well seen." });
    app.post(&format!("{EVALUATIONS}/{}/review", taught["id"].as_str().unwrap()))
        .key(&tenant.key)
        .json(&review)
        .send()
        .await
        .expect(200);
    for (mode, graded_by) in [("model", "model"), ("builtin", "builtin")] {
        let mut body = open();
        body["processingMode"] = json!(mode);
        let form = Form::of(&body).file("answerFiles", "a.txt", "text/plain", "The light comes from the sun.").file(
            "answerFiles",
            "b.png",
            "image/png",
            b"\x89PNG\r\n\x1a\nrest",
        );
        let evaluation =
            app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await.expect(201);
        assert_eq!((&evaluation["status"], &evaluation["gradedBy"]), (&json!("COMPLETED"), &json!(graded_by)));
        let record = record(&app, &tenant, &evaluation).await;
        assert_eq!((&record["isReplayable"], record["calibratedBy"].as_array().unwrap().len()), (&json!(true), 1));
        let graded = &record["versions"][0];
        let again =
            replay(&submission(&record), &serde_json::from_value(graded["record"].clone()).unwrap()).await.unwrap();
        assert!(again.is_same_prompt, "{graded}");
        assert_eq!(json!(again.judged.grade.score).as_f64(), evaluation["score"].as_f64());
        assert_eq!(json!(again.judged.grade.feedback_summary), evaluation["feedbackSummary"]);
    }
    app.finish().await;
}

#[both_stores]
async fn why_a_person_should_look_is_told_with_the_evaluation_its_webhook_its_record_and_its_trace(test: TestStore) {
    let app = App::with_graders(test, |_| Graders::new(Arc::new(Builtin), None, Processors::new(2)));
    let tenant = app.tenant("riverside").await;
    let body = json!({
        "evaluationType": "open_ended", "questionText": "What happens to the water of a puddle on a sunny day?",
        "learnerAnswer": "It dries up because tiny bits of it get hot, fly off and mix with what we breathe.",
        "referenceAnswer": "The Sun heats the water, and it evaporates: it becomes water vapour in the air.",
    });
    let evaluation = app.evaluate(&tenant, &body).await;
    let reasons = json!(["few_shared_words"]);
    assert_eq!((&evaluation["needsReview"], &evaluation["reviewReasons"]), (&json!(true), &reasons));
    let told = async || {
        let bodies = "SELECT body FROM event WHERE type = 'evaluation.completed' ORDER BY id DESC";
        let newest = app.read(|tx| tx.query(bodies, &[], |row| row.get::<String>(0))).await.swap_remove(0);
        serde_json::from_str::<Value>(&newest).unwrap()
    };
    let traced = async || {
        let path = format!("/v1/platform/traces/{}", evaluation["id"].as_str().unwrap());
        app.get(&path).key(&tenant.key).send().await.expect(200)["evaluations"][0].clone()
    };
    let kept = record(&app, &tenant, &evaluation).await;
    for told in [&told().await, &kept, &traced().await] {
        for name in ["needsReview", "reviewReasons", "questionId"] {
            assert_eq!(told[name], evaluation[name], "{name}: {told}");
        }
    }
    let version = &kept["versions"][0];
    assert_eq!(version["grade"]["reviewReasons"], reasons);
    let again = replay(&submission(&kept), &serde_json::from_value(version["record"].clone()).unwrap()).await.unwrap();
    assert_eq!(json!(again.judged.grade.reasons_for_review()), reasons);

    let review = app.post(&path(&evaluation).replace("/record", "/review")).key(&tenant.key);
    let reviewed = review.json(&json!({ "score": 8 })).send().await.expect(200);
    let kept = record(&app, &tenant, &evaluation).await;
    for told in [&reviewed, &told().await, &kept, &traced().await] {
        assert_eq!((&told["needsReview"], &told["reviewReasons"]), (&json!(false), &json!([])), "{told}");
        assert_eq!(told["questionId"], evaluation["questionId"], "{told}");
    }
    let grades = kept["versions"].as_array().unwrap().iter().map(|version| &version["grade"]["reviewReasons"]);
    assert_eq!(grades.collect::<Vec<_>>(), [&json!([]), &reasons], "the earlier grade keeps its reasons");
    app.finish().await;
}

#[both_stores]
async fn an_exact_grade_is_explained_and_can_be_worked_out_again(test: TestStore) {
    let (app, tenant) = start(test).await;
    let body = json!({
        "evaluationType": "exact", "questionText": "What is 6 times 7?", "learnerAnswer": "41", "referenceAnswer": "42",
        "maxScore": 5, "language": "de", "feedbackOptions": { "tone": "neutral", "detailLevel": "brief" },
    });
    let evaluation = app.evaluate(&tenant, &body).await;
    assert_eq!((&evaluation["gradedBy"], &evaluation["version"]), (&json!("exact"), &json!(1)));
    let record = record(&app, &tenant, &evaluation).await;
    let version = &record["versions"][0];
    assert_eq!(
        (&record["evaluationId"], &record["version"], record["versions"].as_array().unwrap().len()),
        (&evaluation["id"], &json!(1), 1)
    );
    assert_eq!(
        (&version["gradedBy"], &version["gradedAt"], &version["reviewer"]),
        (&json!("exact"), &evaluation["completedAt"], &Value::Null)
    );
    assert!(version["record"]["version"].as_str().unwrap().starts_with("lectern "), "{version}");
    for name in [
        "score",
        "maxScore",
        "normalizedScore",
        "confidence",
        "strengths",
        "mistakes",
        "suggestions",
        "feedbackSummary",
        "nextStep",
        "integrityFlags",
        "reviewReasons",
    ] {
        assert_eq!(version["grade"][name], evaluation[name], "{name}");
    }
    assert_eq!(
        (&record["isReplayable"], &record["files"], &record["calibratedBy"]),
        (&json!(true), &json!([]), &json!([]))
    );
    let again =
        replay(&submission(&record), &serde_json::from_value(version["record"].clone()).unwrap()).await.unwrap();
    assert_eq!(
        (json!(again.judged.grade.feedback_summary), again.judged.grade.score),
        (version["grade"]["feedbackSummary"].clone(), 0.0)
    );
    app.finish().await;
}

#[both_stores]
async fn what_a_model_said_is_there_to_the_letter_whatever_it_said(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let said = "{\"score\": 5, \"why\": \"NUL \u{0}, \u{202e}, \\\"quoted\\\", \u{1f600}\"}\n";
    app.script.say(said);
    app.script.say("");
    let mut asked = open();
    asked["evaluationType"] = json!("rubric_short_answer");
    asked["rubric"] = json!({ "criteria": [
            { "name": "\"One\"", "description": "Says \"blue\".", "maxScore": 4 }, { "name": "Two", "maxScore": 6 },
        ] });
    asked["tier"] = json!("advanced");
    asked["subject"] = json!("Physics");
    for body in [open(), asked] {
        let evaluation = app.evaluate(&tenant, &body).await;
        let record = record(&app, &tenant, &evaluation).await;
        let graded = &record["versions"][0]["record"];
        assert_eq!(
            (&graded["gradedBy"], &graded["prompt"]["version"], &graded["votes"]),
            (&json!("model"), &json!("1"), &json!([0.5]))
        );
        assert_eq!(graded["prompt"]["sha256"].as_str().unwrap().len(), 64);
        assert_eq!(graded["calls"].as_array().unwrap().len(), 2);
        assert_eq!(
            graded["calls"][0],
            json!({
                "provider": "local", "model": "a-model", "output": said, "latencyMs": 1234, "tries": 2,
                "failures": [{
                    "provider": "busy", "model": "b-model", "failure": "model_busy", "latencyMs": 1000, "tries": 1,
                }],
                "usage": { "inputTokens": 700, "outputTokens": 90, "cachedTokens": 600 },
            })
        );
        assert_eq!(graded["rubricSha256"].is_string(), body["rubric"].is_object());
        assert_eq!(record["versions"][0]["grade"]["rubricBreakdown"], evaluation["rubricBreakdown"]);
        assert_eq!(submission(&record), as_recorded(app.script.seen().last().unwrap()));
        assert_eq!(record["isReplayable"], true);
    }
    app.finish().await;
}

#[both_stores]
async fn the_tokens_of_all_calls_are_counted_as_usage(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    app.script.say("one");
    app.script.say("two");
    app.evaluate(&tenant, &open()).await;
    app.evaluate(&tenant, &exact()).await;
    assert_eq!(app.count("SELECT CAST(sum(input_tokens) AS BIGINT) FROM usage").await, 1400);
    assert_eq!(app.count("SELECT CAST(sum(output_tokens) AS BIGINT) FROM usage").await, 180);
    let stats = app.get("/v1/platform/admin/stats").key(&tenant.key).send().await.expect(200);
    assert_eq!((&stats["totalInputTokens"], &stats["totalOutputTokens"]), (&json!(1400), &json!(180)));
    app.finish().await;
}

#[both_stores]
async fn files_are_there_with_their_hashes_and_with_the_text_that_was_read(test: TestStore) {
    let (app, tenant) = start(test).await;
    for body in [open(), exact()] {
        let form = Form::of(&body)
            .file("answerFiles", "a.txt", "text/plain", "More of it.")
            .file("rubricFiles", "r.md", "text/markdown", "# Rubric")
            .file("answerFiles", "b.exe", "text/plain", b"MZ\x00\x01");
        let evaluation =
            app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await.expect(201);
        let record = record(&app, &tenant, &evaluation).await;
        let files = record["files"].as_array().unwrap();
        let of = |name: &str| files.iter().find(|file| file["fileName"] == name).unwrap();
        assert_eq!(
            (&of("a.txt")["role"], &of("r.md")["role"], &of("a.txt")["size"]),
            (&json!("answer"), &json!("rubric"), &json!(11))
        );
        assert_eq!(of("a.txt")["sha256"], kernel::secret::sha256_hex(b"More of it."));
        assert_eq!(of("a.txt")["sha256"], evaluation["answerFiles"][0]["sha256"]);
        let read = &record["submission"]["answerFiles"];
        assert_eq!((&read[0]["fileName"], &read[0]["text"]), (&json!("a.txt"), &json!({ "whole": "More of it." })));
        assert!(read[1]["text"]["unread"].is_string(), "{read}");
        assert_eq!(record["isReplayable"], true);
        match body["evaluationType"].as_str() {
            Some("exact") => assert_eq!(record["submission"]["answer"], "42\nMore of it."),
            _ => assert_eq!(submission(&record), as_recorded(&app.script.seen()[0])),
        }
    }
    app.finish().await;
}

#[both_stores]
async fn the_key_of_the_workspace_and_operators_see_a_record_and_nobody_else(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let operator = app.operator("o@example.com").await;
    let evaluation = app.evaluate(&tenant, &exact()).await;
    for (id, key) in [
        (evaluation["id"].as_str().unwrap(), &other.key),
        (&tenant.workspace.to_string(), &tenant.key),
        ("7", &tenant.key),
    ] {
        let refused = app.get(&format!("{EVALUATIONS}/{id}/record")).key(key).send().await.expect(404);
        assert_eq!(refused["error"]["code"], "platform_not_found");
    }
    let seen = app.get(&path(&evaluation)).cookie(&operator).send().await.expect(200);
    assert_eq!(seen, record(&app, &tenant, &evaluation).await);
}

#[both_stores]
async fn what_has_not_ended_has_no_record_and_what_failed_says_why(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = open();
    body["mode"] = json!("async");
    app.script.fail("model_nonsense", false);
    let evaluation = app.evaluate(&tenant, &body).await;
    let refused = app.get(&path(&evaluation)).key(&tenant.key).send().await.expect(409);
    assert_eq!(refused["error"]["code"], "platform_conflict");
    app.run_jobs().await;
    let record = record(&app, &tenant, &evaluation).await;
    let version = &record["versions"][0];
    assert_eq!((&record["status"], &version["error"]["code"]), (&json!("FAILED"), &json!("model_nonsense")));
    assert_eq!(
        (&version["grade"], &version["record"], &version["gradedBy"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!((&record["isReplayable"], &record["submission"]["answer"]), (&json!(false), &body["learnerAnswer"]));
    app.finish().await;
}

#[both_stores]
async fn what_was_graded_before_records_were_kept_says_what_is_known(test: TestStore) {
    let (app, tenant) = start(test).await;
    let evaluation = app.evaluate(&tenant, &open()).await;
    let before = "UPDATE evaluation SET record = NULL, graded_by = NULL";
    app.test.store.write("test", move |tx| tx.execute(before, &[])).await.unwrap();
    let record = record(&app, &tenant, &evaluation).await;
    assert_eq!((&record["versions"][0]["record"], &record["isReplayable"]), (&Value::Null, &json!(false)));
    assert_eq!(record["versions"][0]["grade"]["score"], evaluation["score"]);
    app.finish().await;
}

#[both_stores]
async fn of_who_was_erased_nothing_is_left_but_that_there_was_something(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = open();
    body["learnerExternalId"] = json!("l");
    let evaluation = app.evaluate(&tenant, &body).await;
    app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
    let record = record(&app, &tenant, &evaluation).await;
    assert_eq!((&record["versions"], &record["submission"], &record["files"]), (&json!([]), &Value::Null, &json!([])));
    assert_eq!(app.count("SELECT count(*) FROM evaluation WHERE record IS NOT NULL").await, 0);
    app.finish().await;
}
