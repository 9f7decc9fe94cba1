//! Input that nobody means well with: the contract's status and envelope, and nothing stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes};
use futures_util::stream;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, BODY_LIMIT_BYTES, CONTRACT, Call, EXPANSIONS, SIGN_IN_PAGE, Things};

/// The one operation whose body may be left out.
const ROTATE_SECRET: &str = "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret";

/// Calls of every operation that reads a body, with everything right but the body.
fn calls<'a>(app: &'a App, things: &Things) -> Vec<(String, Call<'a>)> {
    let operations = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    let with_a_body = operations.filter(|operation| things.body(operation).is_some());
    let calls = with_a_body.map(|operation| {
        let call = things.bare_call(app, &operation).header("referer", SIGN_IN_PAGE);
        let call = call.key(&things.tenant.key).cookie(&things.cookie).idempotency("k");
        (operation, call)
    });
    calls.collect()
}

fn nested(depth: usize) -> String {
    format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
}

/// A body, and whether anything of it was read.
fn unread() -> (Body, Arc<AtomicBool>) {
    let is_read = Arc::new(AtomicBool::new(false));
    let reading = is_read.clone();
    let chunks = stream::once(async move {
        reading.store(true, Ordering::Relaxed);
        Ok::<_, std::io::Error>(Bytes::from_static(b"{"))
    });
    (Body::from_stream(chunks), is_read)
}

#[both_stores]
async fn what_is_no_strict_json_object_is_400(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
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
            if name == ROTATE_SECRET && text.is_empty() {
                continue;
            }
            // A sign-in is short: what is longer is refused before it is parsed.
            let expected = if name.contains("/auth/login") && text.len() > 8 << 10 { 413 } else { 400 };
            let reply = call.raw("application/json", text.clone()).send().await;
            assert_eq!(reply.status.as_u16(), expected, "{name}: {} bytes", text.len());
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn fields_of_the_wrong_type_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let before = app.stored().await;
    for wrong in [json!(1), json!(-0.0), json!(1e308), json!({ "$ne": null }), json!([[[]]]), json!("\u{1}\n")] {
        for (name, call) in calls(&app, &things) {
            let fields = CONTRACT.documented_fields(&name);
            // One and zero are numbers of answers.
            let counts = wrong == json!(1) || wrong == json!(-0.0);
            if counts && fields.iter().any(|field| field == "openAnswersPerDay") {
                continue;
            }
            let body: serde_json::Map<_, _> = fields.iter().map(|field| (field.clone(), wrong.clone())).collect();
            let faults = call.json(&body.into()).send().await.faults();
            let is_named = |path: &String| fields.iter().any(|field| path.starts_with(field));
            assert!(!faults.is_empty() && faults.iter().all(is_named), "{name} with {wrong}: {faults:?}");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn only_json_is_read(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
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
            assert_eq!(reply.status.as_u16(), 415, "{name} as {content_type}");
        }
    }
    for (name, call) in calls(&app, &things).into_iter().filter(|(name, _)| name != ROTATE_SECRET) {
        assert_eq!(call.send().await.status.as_u16(), 415, "{name} without a content type");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_body_over_the_limit_is_413_whether_its_length_is_told_or_not(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let before = app.stored().await;
    let padded = |length: usize| {
        let mut text = things.tenant.source().to_string();
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
    app.post(EXPANSIONS)
        .key(&things.tenant.key)
        .raw("application/json", padded(BODY_LIMIT_BYTES))
        .send()
        .await
        .expect(202);
}

#[both_stores]
async fn a_body_that_breaks_off_is_400(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let before = app.stored().await;
    for (_, call) in calls(&app, &things) {
        let chunks = [Ok(Bytes::from("{\"name\":")), Err(std::io::Error::other("reset by the test"))];
        let reply = call.raw("application/json", Body::from_stream(stream::iter(chunks))).send().await;
        reply.expect(400);
        assert!(!reply.body.contains("reset by the test"), "no cause is shown");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn who_asks_is_judged_before_what_is_asked(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let huge = "x".repeat(BODY_LIMIT_BYTES * 2);
    for (content_type, text) in [("application/json", "{"), ("text/plain", "{}"), ("application/json", huge.as_str())] {
        app.post(EXPANSIONS).raw(content_type, text.to_owned()).send().await.expect(401);
        app.post(&things.tenant.path("api-keys")).raw(content_type, text.to_owned()).send().await.expect(401);
        let stranger = app.post(&format!("/v1/content/organizations/{}/api-keys", things.tenant.classroom));
        stranger.cookie(&things.cookie).raw(content_type, text.to_owned()).send().await.expect(403);
    }
}

#[both_stores]
async fn no_body_of_a_key_that_may_not_act_is_read(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let (limited, _) = app.mint(things.tenant.organization, 1, None).await;
    let (revoked, revoked_id) = app.mint(things.tenant.organization, 60, None).await;
    let (expiring, _) = app.mint(things.tenant.organization, 60, Some(std::time::Duration::from_secs(1))).await;
    let unknown = format!("svc_content_{}", "x".repeat(43));
    for key in [&limited, &revoked, &expiring] {
        app.post(EXPANSIONS).key(key).json(&things.tenant.source()).send().await.expect(202);
    }
    let revoke = things.tenant.path(&format!("api-keys/{revoked_id}/revoke"));
    app.post(&revoke).cookie(&things.cookie).send().await.expect(200);
    app.test.clock.advance(std::time::Duration::from_secs(1));
    for (key, status) in [(&unknown, 401), (&revoked, 401), (&expiring, 401), (&limited, 429)] {
        for length in ["100", "60000"] {
            let (body, is_read) = unread();
            let call = app.post(EXPANSIONS).key(key).header("content-length", length);
            call.raw("application/json", body).send().await.expect(status);
            // A small body of a key that has just expired may be read once.
            let may_be_read = key == &expiring && length == "100";
            assert!(may_be_read || !is_read.load(Ordering::Relaxed), "{status}, {length} bytes");
        }
    }
    let (body, is_read) = unread();
    let call = app.post(&things.tenant.path("api-keys")).cookie("jwt=nobody").header("content-length", "60000");
    call.raw("application/json", body).send().await.expect(401);
    assert!(!is_read.load(Ordering::Relaxed), "the body of an unknown session is not read either");
}

#[both_stores]
async fn odd_but_valid_sources_are_accepted_and_kept(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    for lesson in [
        format!("{{\"text\":{}}}", nested(100)),
        "{\"n\":123456789012345678901234567890}".into(),
        "{\"n\":1e308,\"m\":-1e-308,\"k\":-0.0}".into(),
        "{\"text\":\"\\ud83d\\ude00 \\u202e \\u0001 \\u007f\"}".into(),
        "{\"\":\"empty name\",\"constructor\":1,\"__proto__\":{\"a\":1}}".into(),
        "{\"text\":\"'; DROP TABLE expansion; -- $1 %s {{x}} <script>\"}".into(),
        "\"\"".into(),
        "{}".into(),
    ] {
        let body =
            format!("{{\"classroomId\":\"{}\",\"payload\":{{\"lessons\":[{lesson}]}}}}", things.tenant.classroom);
        let job = app.post(EXPANSIONS).key(&things.tenant.key).raw("application/json", body).send().await.expect(202);
        app.run_jobs().await;
        assert_eq!(app.job(&things.tenant, job["id"].as_str().unwrap()).await["status"], "completed", "{lesson}");
    }
    app.finish().await;
}

#[both_stores]
async fn odd_ids_and_queries_never_reach_the_database(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let long = "a".repeat(5000);
    for id in
        ["%00", "%ff%fe", "'%20OR%201=1", "..%2f..", "%F0%9F%98%80", "00000000-0000-0000-0000-000000000000", &long]
    {
        app.get(&format!("{EXPANSIONS}/{id}")).key(&things.tenant.key).send().await.expect(404);
        let module = app.get(&format!("/v1/content/classrooms/{}/modules/{id}", things.tenant.classroom));
        module.key(&things.tenant.key).send().await.expect(404);
        for kind in ["modules", "courses"] {
            let path = things.tenant.resources(&format!("{kind}/{id}"));
            app.patch(&path).key(&things.tenant.key).json(&json!({ "title": "a" })).send().await.expect(404);
            app.delete(&path).key(&things.tenant.key).send().await.expect(404);
        }
        app.post(&things.tenant.path(&format!("api-keys/{id}/revoke"))).cookie(&things.cookie).send().await.expect(404);
    }
    app.get("/v1/content/classrooms?limit=%00&page=x").key(&things.tenant.key).send().await.expect(400);
}
