//! The sentences of faults whose limits the document can't show as they are judged.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::App;

#[both_stores]
async fn a_fault_names_the_limit_that_holds_here(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let video = app.make(&tenant, "videos", &json!({ "title": "Film" })).await;
    let video = format!("videos/{}", video["id"].as_str().unwrap());
    let module = |item: Value| json!({ "title": "Cells", "quizzes": [item] });
    let points = |value: Value| json!({ "topicPrompt": "Cells", "passingValueType": "POINTS", "passingValue": value });
    for (method, path, body, fault) in [
        ("POST", "modules", json!({ "title": "Cells", "language": "" }), ("language", "must not be empty")),
        (
            "POST",
            "modules",
            json!({ "title": "Cells", "language": "e" }),
            ("language", "must be a language tag such as en or pt-BR"),
        ),
        (
            "POST",
            "modules",
            module(json!({ "question": "Alive?", "type": "true-false" })),
            ("quizzes[0].correctAnswers", "must have 1 item"),
        ),
        (
            "POST",
            "modules",
            module(json!({ "question": "Which?", "type": "select", "options": ["a", "b"], "correctAnswers": null })),
            ("quizzes[0].correctAnswers", "must have at least 1 item(s)"),
        ),
        (
            "POST",
            "tests",
            json!({ "topicPrompt": "Cells", "passingValue": -1 }),
            ("passingValue", "must be from 0 to 100"),
        ),
        (
            "POST",
            "tests",
            json!({ "topicPrompt": "Cells", "passingValue": 2e6 }),
            ("passingValue", "must be from 0 to 100"),
        ),
        ("POST", "tests", points(json!(-1)), ("passingValue", "must be from 0 to 1000000")),
        (
            "PATCH",
            &video,
            json!({ "targetDurationSeconds": -5 }),
            ("targetDurationSeconds", "must be from 1 to 7200000"),
        ),
        (
            "PATCH",
            &video,
            json!({ "targetDurationSeconds": 0.0 }),
            ("targetDurationSeconds", "must be from 1 to 7200000"),
        ),
    ] {
        let path = tenant.resources(path);
        let call = if method == "POST" { app.post(&path) } else { app.patch(&path) };
        let refused = call.key(&tenant.key).json(&body).send().await.expect(400);
        assert_eq!(refused["details"], json!([{ "path": fault.0, "message": fault.1 }]), "{body}");
    }
}
