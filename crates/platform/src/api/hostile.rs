//! Input that nobody means well with: the contract's status and envelope, and nothing stored.

use axum::body::{Body, Bytes};
use futures_util::stream;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, BODY_LIMIT_BYTES, CONTRACT, Call, EVALUATIONS, KEYS, Things, WORKSPACES, exact};

/// An id that nothing has.
const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// The operations whose body may be left out.
const WITHOUT_A_BODY: [&str; 4] = [
    "POST /v1/platform/webhooks/{id}/rotate-secret",
    "POST /v1/platform/questions/{id}/regrade",
    "POST /v1/platform/agent/billing/session",
    "POST /v1/platform/videos/edit/{editToken}/render",
];

/// Calls of every operation that reads a body, with everything right but the body.
fn calls<'a>(app: &'a App, things: &Things) -> Vec<(String, Call<'a>)> {
    let operations = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    let with_a_body = operations.filter(|operation| things.body(operation).is_some());
    let calls = with_a_body.map(|operation| {
        let call = things.bare_call(app, &operation, "").key(&things.admin_key).idempotency("k");
        (operation, call)
    });
    calls.collect()
}

/// The documented parameters of an operation: their names, and whether they are of the path, the query or the header.
fn parameters(operation: &str) -> Vec<(String, String)> {
    let documented = CONTRACT.documented(operation)["parameters"].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    documented.iter().map(|parameter| (text(&parameter["name"]), text(&parameter["in"]))).collect()
}

fn nested(depth: usize) -> String {
    format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn every_documented_body_is_among_the_walked_ones() {
    for (operation, _) in CONTRACT.operations() {
        let has_body = CONTRACT.documented(&operation).get("requestBody").is_some();
        assert_eq!(has_body, Things::sample_body(&operation).is_some(), "{operation} needs a body in Things");
    }
}

#[both_stores]
async fn what_is_no_strict_json_object_is_400(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    let texts: Vec<Vec<u8>> = [
        "",
        " ",
        "{",
        "}",
        "{]",
        "nonsense",
        "{\"a\":}",
        "{'a':1}",
        "{\"a\":1,}",
        "{\"a\":1} x",
        "{}{}",
        "\u{feff}{}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "{\"a\":\"\\u0000\"}",
        "{\"\\u0000\":1}",
        "{\"a\":\"\\ud800\"}",
        "{\"\\udc00\":1}",
        "{\"a\":\"\\ud800\\u0041\"}",
        "{\"a\":1e400}",
        "{\"a\":-1e999999}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "// {}",
        "[]",
        "null",
        "5",
        "\"text\"",
        "true",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .chain([
        b"\xff\xfe{\x00}\x00".to_vec(),
        b"{\"a\":\"\xc3\x28\"}".to_vec(),
        b"{\"a\":\"\xed\xa0\x80\"}".to_vec(),
        nested(129).into_bytes(),
        format!("{{\"a\":{}}}", nested(20_000)).into_bytes(),
        "{\"a\":".repeat(10_000).into_bytes(),
    ])
    .collect();
    for text in texts {
        for (name, call) in calls(&app, &things) {
            if text.is_empty() && WITHOUT_A_BODY.contains(&name.as_str()) {
                continue;
            }
            let reply = call.raw("application/json", text.clone()).send().await;
            assert_eq!(reply.status.as_u16(), 400, "{name}: {}", String::from_utf8_lossy(&text));
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn fields_of_the_wrong_type_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    for wrong in [
        json!(1),
        json!(-0.0),
        json!(1e308),
        json!({ "$ne": null }),
        json!([[[]]]),
        json!("\u{1}\n"),
        json!(true),
        serde_json::from_str("123456789012345678901234567890").unwrap(),
    ] {
        for (name, call) in calls(&app, &things) {
            // Every field of theirs is an amount.
            if name.ends_with("/caps") && wrong == json!(1) {
                continue;
            }
            let fields = CONTRACT.documented_fields(&name);
            let body: serde_json::Map<_, _> = fields.iter().map(|field| (field.clone(), wrong.clone())).collect();
            let faults = call.json(&body.into()).send().await.faults();
            let is_named = |path: &String| fields.iter().any(|field| path.starts_with(field));
            assert!(!faults.is_empty() && faults.iter().all(is_named), "{name} with {wrong}: {faults:?}");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn only_json_is_read_and_forms_where_they_are_documented(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/jsonx",
        "json",
    ] {
        for (name, call) in calls(&app, &things) {
            let reply = call.raw(content_type, "{}").send().await;
            let is_form = name == "POST /v1/platform/evaluations" && content_type.starts_with("multipart");
            assert_eq!(reply.status.as_u16(), if is_form { 400 } else { 415 }, "{name} as {content_type}");
        }
    }
    for (name, call) in calls(&app, &things).into_iter().filter(|(name, _)| !WITHOUT_A_BODY.contains(&name.as_str())) {
        assert_eq!(call.send().await.status.as_u16(), 415, "{name} without a content type");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_body_over_the_limit_is_413_whether_its_length_is_told_or_not(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    let padded = |length: usize| {
        let mut text = exact().to_string();
        text.push_str(&" ".repeat(length - text.len()));
        text
    };
    for (name, call) in calls(&app, &things) {
        let text = padded(BODY_LIMIT_BYTES + 1);
        let told = call.header("content-length", &text.len().to_string()).raw("application/json", text).send().await;
        assert_eq!(told.status.as_u16(), 413, "{name}");
    }
    for (name, call) in calls(&app, &things) {
        let chunks = (0..=BODY_LIMIT_BYTES / 1024).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 1024])));
        let untold = call.raw("application/json", Body::from_stream(stream::iter(chunks))).send().await;
        assert_eq!(untold.status.as_u16(), 413, "{name}");
    }
    assert_eq!(app.stored().await, before);
    let longest = padded(BODY_LIMIT_BYTES);
    app.post(EVALUATIONS).key(&things.tenant.key).raw("application/json", longest).send().await.expect(201);
}

#[both_stores]
async fn a_body_that_breaks_off_is_400(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    for content_type in ["application/json", "multipart/form-data; boundary=x"] {
        for (name, call) in calls(&app, &things) {
            if content_type != "application/json" && name != "POST /v1/platform/evaluations" {
                continue;
            }
            let chunks = [Ok(Bytes::from("{\"name\":")), Err(std::io::Error::other("reset by the test"))];
            let reply = call.raw(content_type, Body::from_stream(stream::iter(chunks))).send().await;
            reply.expect(400);
            assert!(!reply.body.contains("reset by the test"), "no cause is shown");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn unfit_idempotency_keys_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let before = app.stored().await;
    let long = "x".repeat(256);
    let operations = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    let takes_one = |operation: &String| {
        let parameters = CONTRACT.documented(operation)["parameters"].as_array().cloned().unwrap_or_default();
        parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key")
    };
    let operations: Vec<_> = operations.filter(takes_one).collect();
    assert!(operations.len() >= 10, "{operations:?}");
    for operation in operations {
        for unfit in ["", "a b", "\u{e9}", &long] {
            let call = things.named_call(&app, &operation).key(&things.admin_key).idempotency(unfit);
            assert_eq!(call.send().await.faults(), ["Idempotency-Key"], "{operation} with {unfit:?}");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn who_asks_is_judged_before_what_is_asked(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let huge = "x".repeat(BODY_LIMIT_BYTES * 2);
    for (content_type, text) in [
        ("application/json", "{"),
        ("text/plain", "{}"),
        ("application/json", huge.as_str()),
        ("multipart/form-data", "x"),
    ] {
        for path in [EVALUATIONS, KEYS, WORKSPACES] {
            app.post(path).raw(content_type, text.to_owned()).send().await.expect(401);
        }
        let plain = app.post(WORKSPACES).key(&things.tenant.key).raw(content_type, text.to_owned());
        plain.send().await.expect(403);
    }
}

#[both_stores]
async fn what_a_client_keeps_with_an_evaluation_comes_back_to_the_letter(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    for metadata in [
        "{\"b\":1,\"a\":{\"z\":[],\"y\":123456789012345678901234567890}}",
        "{\"n\":1e308,\"m\":-1e-308}",
        "{\"\":\"empty name\",\"constructor\":1,\"__proto__\":{\"a\":1}}",
        "{\"text\":\"'; DROP TABLE evaluation; -- $1 %s {{x}} <script>\"}",
    ] {
        let body = exact().to_string().replacen('{', &format!("{{\"clientMetadata\":{metadata},"), 1);
        let reply = app.post(EVALUATIONS).key(&tenant.key).raw("application/json", body).send().await;
        let made = reply.expect(201);
        let shown = app.get(&format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap())).key(&tenant.key).send().await;
        let kept: serde_json::Value = serde_json::from_str(metadata).unwrap();
        for reply in [reply, shown] {
            assert!(reply.body.contains(&kept.to_string()), "{metadata}: {}", reply.body);
        }
    }
    app.finish().await;
}

#[both_stores]
async fn odd_ids_and_queries_never_reach_the_database(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let long = "a".repeat(5000);
    let before = app.stored().await;
    for id in ["%00", "%ff%fe", "'%20OR%201=1", "..%2f..", "%F0%9F%98%80", NIL, &long] {
        for (operation, _) in CONTRACT.operations() {
            for (name, place) in parameters(&operation) {
                let call = match place.as_str() {
                    "path" => things.bare_call(&app, &operation.replace(&format!("{{{name}}}"), id), ""),
                    // A signed link has its own tests.
                    "query" if !operation.contains("{fileId}") => {
                        things.bare_call(&app, &operation, &format!("{name}={id}"))
                    }
                    _ => continue,
                };
                let call = call.key(&things.admin_key);
                let body = things.body(&operation);
                let status = match &body {
                    Some(body) => call.json(body),
                    None => call,
                }
                .send()
                .await
                .status
                .as_u16();
                let is_right = match (place.as_str(), name.as_str(), id) {
                    ("query", _, "%00") => status == 400,
                    ("path", "learnerId", "%ff%fe" | "%00") => status == 404,
                    ("path", "learnerId", _) | ("query", "service", _) => [200, 204].contains(&status),
                    ("query", "learnerId" | "conceptTag" | "questionId" | "operation", _) => {
                        status == if id == long { 400 } else { 200 }
                    }
                    ("query", "kind", _) if operation.ends_with("/jobs") => {
                        status == if id == long { 400 } else { 200 }
                    }
                    // A filter by an id that nothing has finds nothing.
                    ("query", "testId" | "about" | "userId" | "keyId", NIL) => status == 200,
                    ("query", "organizationId" | "workspaceId", NIL) if operation.ends_with("/audit-log") => {
                        status == 200
                    }
                    ("query", _, _) => [400, 404].contains(&status),
                    _ => status == 404,
                };
                assert!(is_right, "{operation} with {name} {id}: {status}");
            }
        }
    }
    assert_eq!(app.stored().await, before);
}
