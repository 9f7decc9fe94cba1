//! Changes of tests: fields, items, what it takes to pass.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, Tenant};

/// A test with something in every field; its path and what it is.
async fn full(app: &App, tenant: &Tenant) -> (String, Value) {
    let body = json!({
        "topicPrompt": "Cells", "targetPrompt": "Year 7", "level": "HARD", "passingValue": 50, "name": "The cell",
        "description": "About cells.", "visibility": "PUBLIC", "language": "fr", "timeLimit": 30, "metadata": { "externalId": "a" },
    });
    let made = app.make(tenant, "tests", &body).await;
    let path = tenant.resources(&format!("tests/{}", made["id"].as_str().unwrap()));
    let items =
        json!([{ "question": "Alive?", "type": "true-false", "correctAnswers": ["True"], "score": 4 }, essay()]);
    app.patch(&path).key(&tenant.key).json(&json!({ "items": items })).send().await.expect(200);
    let read = app.get(&path).key(&tenant.key).send().await.expect(200);
    (path, read)
}

fn essay() -> Value {
    json!({ "question": "What is a cell?", "type": "open-ended", "score": 6 })
}

#[both_stores]
async fn a_change_of_a_field_leaves_the_others_alone(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, mut expected) = full(&app, &tenant).await;
    let changes = [
        json!({ "name": "Cells" }),
        json!({ "timeLimit": 20 }),
        json!({ "description": "More." }),
        json!({ "subject": "Biology" }),
        json!({ "level": "EASY" }),
        json!({ "passingValueType": "POINTS", "passingValue": 10.0 }),
        json!({ "passingValue": 2.5 }),
        json!({ "passingValueType": "PERCENTAGE" }),
        json!({ "topicPrompt": "Cells, again" }),
        json!({ "targetPrompt": "Year 8" }),
        json!({ "visibility": "PRIVATE" }),
        json!({ "language": "en" }),
        json!({ "metadata": { "b": 1 } }),
        json!({ "items": [] }),
        json!({ "name": "Both", "timeLimit": 40_320, "unknown": 1, "status": "failed", "slug": "x", "version": 9 }),
    ];
    for (version, change) in (3..).zip(&changes) {
        app.test.clock.advance(std::time::Duration::from_secs(1));
        let reply = app.patch(&path).key(&tenant.key).json(change).send().await;
        assert_eq!(reply.expect(200), json!({ "success": true }));
        assert_eq!(reply.header("etag"), format!("\"{version}\""));
        for (field, value) in change.as_object().unwrap() {
            if !["unknown", "status", "slug", "version"].contains(&field.as_str()) {
                expected[field] = value.clone();
            }
        }
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        expected["version"] = json!(version);
        for given in ["updatedAt", "publicUrl"] {
            expected[given] = read[given].clone();
        }
        assert_eq!(read, expected, "{change}");
    }
}

#[both_stores]
async fn null_clears_what_can_be_cleared_and_nothing_else(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, made) = full(&app, &tenant).await;
    let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
    for field in ["name", "items", "level", "passingValueType", "passingValue", "topicPrompt", "visibility", "language"]
    {
        assert_eq!(patch(json!({ field: null, "description": "x" })).await.faults(), [field]);
    }
    for empty in [json!({}), json!({ "unknown": 1 }), json!({ "id": "x", "status": "queued", "title": "x" })] {
        assert_eq!(patch(empty.clone()).await.faults(), [""], "{empty}");
    }
    assert_eq!(app.get(&path).key(&tenant.key).send().await.json(), made);
    let cleared =
        json!({ "description": null, "subject": null, "timeLimit": null, "targetPrompt": null, "metadata": null });
    patch(cleared).await.expect(200);
    let read = app.get(&path).key(&tenant.key).send().await.json();
    for (field, value) in [
        ("description", json!("")),
        ("subject", json!("")),
        ("timeLimit", json!(0)),
        ("targetPrompt", json!(null)),
        ("metadata", json!({})),
        ("items", made["items"].clone()),
    ] {
        assert_eq!(read[field], value, "{field}");
    }
}

#[both_stores]
async fn every_wrong_field_is_named_at_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, _) = full(&app, &tenant).await;
    let before = app.stored().await;
    let faults = async |body: &Value| app.patch(&path).key(&tenant.key).json(body).send().await.faults();
    let fields = [
        "name",
        "timeLimit",
        "items",
        "description",
        "subject",
        "level",
        "passingValueType",
        "passingValue",
        "topicPrompt",
        "targetPrompt",
        "visibility",
        "language",
        "metadata",
    ];
    for wrong in [json!(-7), json!(true), json!(1e300)] {
        let body: serde_json::Map<_, _> = fields.iter().map(|field| ((*field).to_owned(), wrong.clone())).collect();
        assert_eq!(faults(&body.into()).await, fields, "{wrong}");
    }
    for (body, fault) in [
        (json!({ "timeLimit": -1 }), "timeLimit"),
        (json!({ "timeLimit": 40_321 }), "timeLimit"),
        (json!({ "timeLimit": 40_320.5 }), "timeLimit"),
        (json!({ "timeLimit": 9e18 }), "timeLimit"),
        (json!({ "timeLimit": "20" }), "timeLimit"),
        (json!({ "passingValue": 100.5 }), "passingValue"),
        (json!({ "passingValueType": "PERCENTAGE", "passingValue": 101 }), "passingValue"),
        (json!({ "items": [7] }), "items[0]"),
        (json!({ "items": {} }), "items"),
        (json!({ "items": vec![essay(); 501] }), "items"),
    ] {
        assert_eq!(faults(&body).await, [fault]);
    }
    for text in
        ["{\"name\":\"\\u0000\"}", "{\"name\":\"\\udc00\"}", "{\"timeLimit\":1e999}", "{\"timeLimit\":Infinity}"]
    {
        app.patch(&path).key(&tenant.key).raw("application/json", text).send().await.expect(400);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn more_points_than_there_are_can_not_be_asked_for(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, _) = full(&app, &tenant).await;
    let patch = async |body: Value| app.patch(&path).key(&tenant.key).json(&body).send().await;
    assert_eq!(patch(json!({ "passingValueType": "POINTS" })).await.faults(), ["passingValueType"]);
    assert_eq!(patch(json!({ "passingValueType": "POINTS", "passingValue": 10.5 })).await.faults(), ["passingValue"]);
    patch(json!({ "passingValueType": "POINTS", "passingValue": 10 })).await.expect(200);
    assert_eq!(patch(json!({ "items": [essay()] })).await.faults(), ["items"]);
    patch(json!({ "items": [essay()], "passingValue": 6 })).await.expect(200);
    patch(json!({ "name": "Cells" })).await.expect(200);
    patch(json!({ "items": [] })).await.expect(200);
    patch(json!({ "passingValue": 500 })).await.expect(200);
    assert_eq!(patch(json!({ "passingValueType": "PERCENTAGE" })).await.faults(), ["passingValueType"]);
    patch(json!({ "passingValueType": "PERCENTAGE", "passingValue": 100 })).await.expect(200);
}

#[both_stores]
async fn who_gives_a_test_items_ends_its_generation(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let made = app.make(&tenant, "tests", &json!({ "topicPrompt": "Cells" })).await;
    let path = tenant.resources(&format!("tests/{}", made["id"].as_str().unwrap()));
    let patch = async |body: Value| {
        app.patch(&path).key(&tenant.key).json(&body).send().await.expect(200);
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        (read["status"].as_str().unwrap().to_owned(), read["error"].clone())
    };
    assert_eq!(patch(json!({ "name": "The cell", "timeLimit": 20, "items": [] })).await.0, "queued");
    assert_eq!(patch(json!({ "items": [essay()] })).await.0, "completed");
    app.write(|tx| tx.execute("UPDATE test SET status = 'failed', error_code = 'x', error_message = 'y'", &[])).await;
    assert_eq!(patch(json!({ "topicPrompt": "Leaves" })).await.0, "failed");
    assert_eq!(patch(json!({ "items": [essay()] })).await, ("completed".to_owned(), json!(null)));
}

#[both_stores]
async fn items_are_kept_as_they_are_given(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (path, _) = full(&app, &tenant).await;
    let item = |kind: &str, options: Value, answers: Value, score: f64| {
        json!({
            "question": format!("A {kind} question\n<b>?</b>"), "type": kind, "options": options, "correctAnswers": answers,
            "explanation": "Because.", "score": score,
        })
    };
    let items = json!([
        item("select", json!(["a", "b", "c"]), json!(["a", "c"]), 2.0),
        item("blank", json!([]), json!(["cell", "Cell"]), 0.5),
        item("open-ended", json!([]), json!(["A model answer."]), 10_000.0),
        item("true-false", json!(["Yes", "No"]), json!(["No"]), 1.0),
        item("submission", json!([]), json!([]), 1e-3),
    ]);
    app.patch(&path).key(&tenant.key).json(&json!({ "items": items })).send().await.expect(200);
    let read = app.get(&path).key(&tenant.key).send().await.expect(200);
    for (n, item) in items.as_array().unwrap().iter().enumerate() {
        for (field, value) in item.as_object().unwrap() {
            assert_eq!(&read["items"][n][field], value, "{field}");
        }
        assert_eq!(read["items"][n]["sequence"], n + 1);
    }
    app.patch(&path).key(&tenant.key).json(&json!({ "items": read["items"] })).send().await.expect(200);
    let again = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!(again["items"], read["items"], "what was read can be sent back");
}
