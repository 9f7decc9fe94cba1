//! Rate limits and their headers, and a store that is away.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, EXPANSIONS, Reply, Things};

const CLASSROOMS: &str = "/v1/content/classrooms";

fn limits(reply: &Reply) -> [&str; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|name| reply.header(name))
}

#[both_stores]
async fn every_limited_answer_tells_where_the_key_stands(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (key, _) = app.mint(tenant.organization, 7, None).await;
    let (listed, created) = (app.get(CLASSROOMS), app.post(EXPANSIONS).json(&tenant.source()));
    let (invalid, unknown) = (app.post(EXPANSIONS).json(&json!({})), app.get("/v1/content/integrations/expansions/7"));
    let not_json = app.post(EXPANSIONS).raw("text/plain", "x");
    let calls = [(listed, 200), (created, 202), (invalid, 400), (unknown, 404), (not_json, 415)];
    for (remaining, (call, status)) in (2..=6).rev().zip(calls) {
        let reply = call.key(&key).send().await;
        reply.expect(status);
        assert_eq!(limits(&reply), ["7", &remaining.to_string(), "60"]);
    }
    app.test.clock.advance(Duration::from_millis(20_500));
    assert_eq!(limits(&app.get(CLASSROOMS).key(&key).send().await), ["7", "1", "40"], "rounded up");
}

#[both_stores]
async fn beyond_the_limit_is_429_until_the_window_ends(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (key, _) = app.mint(tenant.organization, 2, None).await;
    for _ in 0..2 {
        app.get(CLASSROOMS).key(&key).send().await.expect(200);
    }
    app.test.clock.advance(Duration::from_millis(59_001));
    let before = app.stored().await;
    for call in
        [app.get(CLASSROOMS), app.post(EXPANSIONS).json(&tenant.source()), app.post(EXPANSIONS).raw("text/plain", "{")]
    {
        let refused = call.key(&key).send().await;
        assert_eq!(
            refused.expect(429),
            json!({
                "statusCode": 429, "message": "The key's rate limit is exceeded.", "error": "Too Many Requests",
            })
        );
        assert_eq!((refused.header("retry-after"), limits(&refused)), ("1", ["2", "0", "1"]));
    }
    assert_eq!(app.stored().await, before);
    app.get(CLASSROOMS).key(&tenant.key).send().await.expect(200);
    app.test.clock.advance(Duration::from_millis(999));
    app.get(CLASSROOMS).key(&key).send().await.expect(200);
}

#[both_stores]
async fn of_many_requests_at_once_exactly_the_limit_is_admitted(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (key, _) = app.mint(tenant.organization, 20, None).await;
    let replies = join_all((0..40).map(|_| app.get(CLASSROOMS).key(&key).send())).await;
    let admitted = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!((admitted, replies.iter().filter(|reply| reply.status == 429).count()), (20, 20));
}

#[both_stores]
async fn answers_that_no_key_is_counted_for_have_no_limit(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    for reply in [
        app.get(CLASSROOMS).send().await,
        app.get("/nowhere").key(&things.tenant.key).send().await,
        app.get("/v1/content/organizations").cookie(&things.cookie).send().await,
    ] {
        assert_eq!(limits(&reply), [""; 3]);
    }
}

#[both_stores]
async fn a_request_id_comes_back_on_every_answer(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (call, status) in [
        (app.get(CLASSROOMS).key(&tenant.key), 200),
        (app.get(CLASSROOMS), 401),
        (app.get("/nowhere"), 404),
        (app.delete(CLASSROOMS), 405),
        (app.post(EXPANSIONS).key(&tenant.key), 415),
    ] {
        let reply = call.header("x-request-id", "order-7").send().await;
        assert_eq!((reply.status.as_u16(), reply.header("x-request-id")), (status, "order-7"));
    }
    let made = app.get(CLASSROOMS).key(&tenant.key).header("x-request-id", "two words").send().await;
    assert_ne!(made.header("x-request-id"), "two words");
}

#[both_stores]
async fn without_the_store_every_operation_is_503_and_says_when_to_come_back(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    app.test.store.close().await;
    for (operation, _) in CONTRACT.operations() {
        let call = things.call(&app, &operation).header("referer", "https://lectern.example/");
        let reply = call.key(&things.tenant.key).cookie(&things.cookie).send().await;
        let body = reply.expect(503);
        assert_eq!((reply.header("retry-after"), &body["error"]), ("5", &json!("Service Unavailable")), "{operation}");
    }
}
