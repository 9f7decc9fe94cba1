//! Exports and imports as a client makes them.

mod exports;
mod hostile;
mod imports;
mod round_trips;

use axum::body::Bytes;
use serde_json::{Value, json};

use crate::testing::{App, Call, Reply, Tenant};

/// The call that exports a resource: `tests/{id}`, and a query with its question mark or nothing.
fn exporting<'a>(app: &'a App, tenant: &Tenant, resource: &str, query: &str) -> Call<'a> {
    app.get(&tenant.resources(&format!("{resource}/export{query}"))).key(&tenant.key)
}

/// The call that imports a package.
fn importing<'a>(app: &'a App, tenant: &Tenant, package: impl Into<Bytes>) -> Call<'a> {
    app.post(&tenant.resources("imports")).key(&tenant.key).raw("application/zip", package.into())
}

/// An exported resource, which must be there.
async fn exported(app: &App, tenant: &Tenant, resource: &str, query: &str) -> Reply {
    let reply = exporting(app, tenant, resource, query).send().await;
    assert_eq!(reply.status.as_u16(), 200, "{resource}: {}", reply.body);
    reply
}

/// A resource as it is stored: `tests/{id}`.
async fn stored(app: &App, tenant: &Tenant, kind: &str, made: &Value) -> Value {
    let path = tenant.resources(&format!("{kind}/{}", made["id"].as_str().unwrap()));
    app.get(&path).key(&tenant.key).send().await.expect(200)
}

/// What a report found: file and code of each finding.
fn findings(report: &Value) -> Vec<(String, String)> {
    let findings = report["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    findings.iter().map(|finding| (text(&finding["file"]), text(&finding["code"]))).collect()
}

/// Items of all five types, with ids and all that an item has.
fn items() -> Value {
    json!([
        {
            "id": "one", "question": "Which part keeps the DNA?", "type": "select", "score": 2.5,
            "options": ["The nucleus", "The <wall> & more", "The membrane"], "correctAnswers": ["The nucleus"],
            "explanation": "It is in the\nnucleus.",
        },
        {
            "id": "two", "question": "Which are alive?", "type": "select", "options": ["A cell", "A stone", "A leaf"],
            "correctAnswers": ["A cell", "A leaf"], "explanation": "", "score": 1.0,
        },
        {
            "id": "0198c9a0-5a3b-7c2d-8e4f-0123456789ab", "question": "A cell is alive.", "type": "true-false",
            "options": ["True", "False"], "correctAnswers": ["True"], "explanation": "細胞", "score": 1.0,
        },
        {
            "id": "gap", "question": "A ____ holds the genes.", "type": "blank", "options": [],
            "correctAnswers": ["nucleus", "cell nucleus"], "explanation": "", "score": 3.0,
        },
        {
            "id": "why", "question": "Why do cells divide?", "type": "open-ended", "options": [],
            "correctAnswers": ["To grow."], "explanation": "", "score": 0.0,
        },
        {
            "id": "draw", "question": "Draw a cell.", "type": "submission", "options": [], "correctAnswers": [],
            "explanation": "", "score": 10.0,
        },
    ])
}

/// A module with quizzes of all three types.
fn module() -> Value {
    json!({
        "title": "The cell & “more”", "description": "About cells.", "type": "markdown", "language": "en",
        "content": "<h2>The cell</h2><p>A cell is alive: 1 &lt; 2.</p>",
        "metadata": { "z": 1, "externalId": "lesson-17", "a": { "b": [1, 2.50, null] } },
        "quizzes": [
            {
                "id": "q-1", "sequence": 1, "title": "Parts", "question": "Which part?", "type": "select",
                "options": ["Nucleus", "Stone"], "correctAnswers": ["Nucleus"], "showFeedback": false,
            },
            {
                "id": "q-2", "sequence": 4, "title": "", "question": "A ____.", "type": "blank", "options": [],
                "correctAnswers": ["cell", "Zelle"], "showFeedback": true,
            },
            {
                "id": "q-3", "sequence": 7, "title": "", "question": "Alive?", "type": "true-false",
                "options": ["Yes", "No"], "correctAnswers": ["Yes"], "showFeedback": true,
            },
        ],
    })
}

/// A test that was given its items, as it is stored.
async fn make_test(app: &App, tenant: &Tenant, name: &str) -> Value {
    let made = app.make(tenant, "tests", &json!({ "topicPrompt": "Cells", "name": name })).await;
    let change = json!({
        "items": items(), "description": "What every cell has.", "subject": "Biology", "level": "HARD", "timeLimit": 45.5,
        "passingValueType": "POINTS", "passingValue": 12.5, "language": "de",
    });
    let path = tenant.resources(&format!("tests/{}", made["id"].as_str().unwrap()));
    app.patch(&path).key(&tenant.key).json(&change).send().await.expect(200);
    app.run_jobs().await;
    stored(app, tenant, "tests", &made).await
}

/// A course whose parts are copies of these modules.
async fn make_course(app: &App, tenant: &Tenant, body: &Value, modules: &[Value]) -> Value {
    let course = app.make(tenant, "courses", body).await;
    for module in modules {
        let module = app.make(tenant, "modules", module).await;
        let path = tenant.resources(&format!("modules/{}/copy-to-course", module["id"].as_str().unwrap()));
        app.post(&path).key(&tenant.key).json(&json!({ "courseId": course["id"] })).send().await.expect(201);
    }
    stored(app, tenant, "courses", &course).await
}
