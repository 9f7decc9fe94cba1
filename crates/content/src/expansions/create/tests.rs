//! What is accepted, what it becomes, and what is refused with nothing stored.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EXPANSIONS, Tenant};

async fn with_tenant(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    (app, tenant)
}

async fn faults(app: &App, tenant: &Tenant, body: &Value) -> Vec<String> {
    app.post(EXPANSIONS).key(&tenant.key).json(body).send().await.faults()
}

/// The outputs and the title of the job that a body becomes.
async fn accepted(app: &App, tenant: &Tenant, body: &Value) -> (Value, Value) {
    let mut job = app.post(EXPANSIONS).key(&tenant.key).json(body).send().await.expect(202);
    (job["requestedOutputs"].take(), job["sourceTitle"].take())
}

#[both_stores]
async fn an_accepted_job_is_queued_with_one_queued_row_per_output(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let mut job = app.post(EXPANSIONS).key(&tenant.key).json(&tenant.source()).send().await.expect(202);
    let outputs = job.as_object_mut().unwrap().shift_remove("outputs").unwrap();
    let id = job.as_object_mut().unwrap().shift_remove("id").unwrap();
    let id: kernel::id::ExpansionId = id.as_str().unwrap().parse().unwrap();
    assert_eq!(id.uuid().get_version_num(), 7);
    assert_eq!(
        job,
        json!({
            "sourceType": "source_json",
            "status": "queued",
            "sourceTitle": "Biology, Cells",
            "requestedOutputs": ["interactive_module", "summary_video", "expanded_quiz"],
            "classroomId": tenant.classroom,
            "sourceResourceId": null,
            "sourceResourceType": null,
            "error": null,
            "completedAt": null,
            "createdAt": "2026-01-02T03:04:05.000Z",
            "updatedAt": "2026-01-02T03:04:05.000Z",
        })
    );
    let kinds = [("interactive_module", "module"), ("summary_video", "video"), ("expanded_quiz", "test")];
    assert_eq!(outputs.as_array().map(Vec::len), Some(kinds.len()));
    for ((kind, resource), output) in kinds.iter().zip(outputs.as_array().unwrap()) {
        let id = &output["id"];
        assert!(id.as_str().unwrap().parse::<kernel::id::OutputId>().is_ok());
        assert_eq!(
            *output,
            json!({
                "id": id, "outputType": kind, "status": "queued", "resourceType": resource, "resourceId": null,
                "manifest": null, "error": null, "completedAt": null,
            })
        );
    }
    assert_eq!(app.count("SELECT count(*) FROM job WHERE kind = 'ExpandSource' AND state = 'queued'").await, 1);
}

#[both_stores]
async fn outputs_are_a_subset_in_priority_order_without_duplicates(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let all = json!(["interactive_module", "summary_video", "expanded_quiz"]);
    for (requested, expected) in [
        (json!(["summary_video"]), json!(["summary_video"])),
        (json!(["expanded_quiz", "interactive_module"]), json!(["interactive_module", "expanded_quiz"])),
        (json!(["summary_video", "summary_video"]), json!(["summary_video"])),
        (json!(["expanded_quiz", "summary_video", "interactive_module"]), all.clone()),
        (Value::Null, all),
    ] {
        let mut body = tenant.source();
        body["requestedOutputs"] = requested;
        assert_eq!(accepted(&app, &tenant, &body).await.0, expected);
    }
}

#[both_stores]
async fn wrong_outputs_are_refused_by_name(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let before = app.stored().await;
    for (requested, expected) in [
        (json!([]), vec!["requestedOutputs"]),
        (json!("summary_video"), vec!["requestedOutputs"]),
        (json!({}), vec!["requestedOutputs"]),
        (
            json!(["summary_video", "slides", 1, "EXPANDED_QUIZ"]),
            vec!["requestedOutputs[1]", "requestedOutputs[2]", "requestedOutputs[3]"],
        ),
    ] {
        let mut body = tenant.source();
        body["requestedOutputs"] = requested;
        assert_eq!(faults(&app, &tenant, &body).await, expected);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn each_payload_variant_is_accepted_with_its_title(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let lesson = json!({ "title": "One", "text": "A cell is alive." });
    for (payload, title) in [
        (json!({ "category": "Biology", "level": { "title": "Cells", "lessons": [lesson] } }), "Biology, Cells"),
        (
            json!({ "category": { "id": "bio", "name": "Biology" }, "level": { "name": "Cells", "lessons": ["x"] } }),
            "Biology, Cells",
        ),
        (json!({ "level": { "id": "l1", "lessons": ["x"] } }), "Imported content"),
        (
            json!({ "categories": [
                { "title": "Empty", "levels": [] },
                { "title": "Skipped", "levels": [{ "title": "none", "lessons": [] }, { "title": "absent" }] },
                { "id": "chem", "levels": [{ "lessons": [] }, { "title": "Atoms", "lessons": ["x"] }, { "title": "Later", "lessons": ["y"] }] },
            ] }),
            "chem, Atoms",
        ),
        (json!({ "title": "Flat", "lessons": ["x"] }), "Imported content, Flat"),
        (json!({ "category": {}, "lessons": [lesson, "x"] }), "Imported content"),
        (
            json!({ "level": { "title": "L", "lessons": ["x"] }, "categories": [], "lessons": [] }),
            "Imported content, L",
        ),
        (
            json!({ "categories": [{ "levels": [{ "title": "C", "lessons": ["x"] }] }], "lessons": "ignored" }),
            "Imported content, C",
        ),
    ] {
        assert_eq!(accepted(&app, &tenant, &tenant.source_of(payload.clone())).await.1, title, "{payload}");
    }
}

#[both_stores]
async fn a_payload_without_a_lesson_is_refused(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let before = app.stored().await;
    for (payload, path) in [
        (json!({}), "payload"),
        (json!([]), "payload"),
        (json!("text"), "payload"),
        (Value::Null, "payload"),
        (json!({ "title": "T", "language": "en" }), "payload"),
        (json!({ "level": {} }), "payload.level.lessons"),
        (json!({ "level": { "lessons": [] } }), "payload.level.lessons"),
        (json!({ "level": { "lessons": [] }, "lessons": ["x"] }), "payload.level.lessons"),
        (json!({ "lessons": [] }), "payload.lessons"),
        (json!({ "lessons": [7] }), "payload.lessons[0]"),
        (json!({ "lessons": [null] }), "payload.lessons[0]"),
        (json!({ "categories": [] }), "payload.categories"),
        (json!({ "categories": [{}] }), "payload.categories[0].levels"),
        (json!({ "categories": [{ "levels": [{ "lessons": [] }, {}] }] }), "payload.categories"),
        (json!({ "category": "", "lessons": ["x"] }), "payload.category"),
        (json!({ "category": 5, "lessons": ["x"] }), "payload.category"),
        (json!({ "language": 5, "lessons": ["x"] }), "payload.language"),
    ] {
        assert_eq!(faults(&app, &tenant, &tenant.source_of(payload.clone())).await, [path], "{payload}");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn every_fault_is_told_at_once_with_its_path(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let body = json!({
        "classroomId": "7b",
        "requestedOutputs": ["slides"],
        "payload": { "language": 1, "level": { "title": [], "lessons": [1, { "type": 2 }] } },
        "sourceType": 5,
        "idempotencyKey": "with space",
    });
    assert_eq!(
        faults(&app, &tenant, &body).await,
        [
            "classroomId",
            "requestedOutputs[0]",
            "payload.language",
            "payload.level.title",
            "payload.level.lessons[0]",
            "payload.level.lessons[1].type",
            "sourceType",
            "idempotencyKey",
        ]
    );
    assert_eq!(faults(&app, &tenant, &json!({})).await, ["classroomId", "payload"]);
    assert_eq!(faults(&app, &tenant, &json!([])).await, [""]);
    assert_eq!(faults(&app, &tenant, &Value::Null).await, [""]);
}

#[both_stores]
async fn the_classroom_must_be_the_organizations_own(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let other = app.tenant("Other").await;
    let before = app.stored().await;
    let unknown = app.test.ambient.id::<kernel::id::ClassroomId>();
    for classroom in [json!(unknown), json!(other.classroom), json!(tenant.organization)] {
        let mut body = tenant.source();
        body["classroomId"] = classroom.clone();
        app.post(EXPANSIONS).key(&tenant.key).json(&body).idempotency("k").send().await.expect(404);
    }
    for classroom in [json!("7b"), json!(""), json!(7), json!(null), json!([tenant.classroom])] {
        let mut body = tenant.source();
        body["classroomId"] = classroom.clone();
        assert_eq!(faults(&app, &tenant, &body).await, ["classroomId"], "{classroom}");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn the_source_type_is_kept_and_source_json_by_default(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    for (given, expected) in [(json!("source_json"), "source_json"), (Value::Null, "source_json")] {
        let mut body = tenant.source();
        body["sourceType"] = given;
        let id = app.expand(&tenant, &body).await;
        assert_eq!(app.job(&tenant, &id).await["sourceType"], expected);
    }
}

#[both_stores]
async fn the_payload_is_stored_with_its_extra_fields_and_its_key_order(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let payload =
        r#"{"z":{"b":1,"a":[null,1.5,"ü\u2028"]},"lessons":[{"y":1,"title":"T","x":2}],"a":"last","language":"de"}"#;
    let body = format!(r#"{{"extra":[1],"payload":{payload},"classroomId":"{}"}}"#, tenant.classroom);
    app.post(EXPANSIONS).key(&tenant.key).raw("application/json; charset=utf-8", body).send().await.expect(202);
    let stored = app.read(|tx| tx.find("SELECT payload FROM expansion", &[], |row| row.get::<String>(0))).await;
    let expected = serde_json::from_str::<Value>(payload).unwrap().to_string();
    assert_eq!(stored, Some(expected));
}

#[both_stores]
async fn the_generator_gets_the_first_level_and_six_fields_a_lesson(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let payload = json!({
        "language": "de",
        "locale": "fr",
        "lessons": [
            { "f1": 1, "id": "x", "f2": [2], "title": "T", "f3": 3, "type": "lab", "f4": 4, "f5": 5, "f6": 6, "f7": 7 },
            "plain text",
            { "name": "N" },
        ],
    });
    app.expand(&tenant, &tenant.source_of(payload)).await;
    app.run_jobs().await;
    let (_, level) = app.script.asked().swap_remove(0);
    assert_eq!((level.language.as_str(), level.lessons.len()), ("de", 3));
    let names: Vec<_> = level.lessons[0].fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["f1", "f2", "f3", "f4", "f5", "f6"]);
    assert_eq!((level.lessons[0].title.as_deref(), level.lessons[0].kind.as_str()), (Some("T"), "lab"));
    assert_eq!(level.lessons[1].fields[0].value, "plain text");
    assert_eq!((level.lessons[2].title.as_deref(), level.lessons[2].kind.as_str()), (Some("N"), "content"));
    app.finish().await;
}
