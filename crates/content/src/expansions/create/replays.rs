//! A repeated create gets the first answer and has no other effect (content-api sections 7 and 8).

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EXPANSIONS, Reply, Tenant};

async fn with_tenant(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    (app, tenant)
}

async fn create(app: &App, tenant: &Tenant, header: Option<&str>, body: &Value) -> Reply {
    let call = app.post(EXPANSIONS).key(&tenant.key).json(body);
    let call = if let Some(key) = header { call.idempotency(key) } else { call };
    call.send().await
}

fn keyed(tenant: &Tenant, key: &str) -> Value {
    let mut body = tenant.source();
    body["idempotencyKey"] = json!(key);
    body
}

#[both_stores]
async fn a_replay_is_byte_identical_also_after_the_job_ended_and_a_year_later(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let first = create(&app, &tenant, Some("k"), &tenant.source()).await;
    first.expect(202);
    assert!(!first.is_replay());
    for wait in [0, 1, 365 * 24 * 3600] {
        app.test.clock.advance(Duration::from_secs(wait));
        app.run_jobs().await;
        edge::maintenance::sweep_expired(&app.door).await.unwrap();
        let replay = create(&app, &tenant, Some("k"), &tenant.source()).await;
        assert!(replay.is_replay());
        assert_eq!((replay.status, &replay.body), (first.status, &first.body));
        assert_eq!(replay.header("content-type"), first.header("content-type"));
    }
    assert_eq!(app.count("SELECT count(*) FROM expansion").await, 1);
    app.finish().await;
}

#[both_stores]
async fn the_key_may_be_in_the_header_or_in_the_body(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let first = create(&app, &tenant, None, &keyed(&tenant, "k")).await;
    first.expect(202);
    for replay in [
        create(&app, &tenant, None, &keyed(&tenant, "k")).await,
        create(&app, &tenant, Some("k"), &tenant.source()).await,
        create(&app, &tenant, Some("k"), &keyed(&tenant, "k")).await,
    ] {
        assert!(replay.is_replay());
        assert_eq!(replay.body, first.body);
    }
    assert!(!create(&app, &tenant, Some("\"k\""), &tenant.source()).await.is_replay(), "another key");
}

#[both_stores]
async fn the_header_wins_over_the_body(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let first = create(&app, &tenant, Some("h"), &keyed(&tenant, "b")).await;
    assert!(create(&app, &tenant, Some("h"), &keyed(&tenant, "other")).await.is_replay());
    let unused = create(&app, &tenant, None, &keyed(&tenant, "b")).await;
    assert!(!unused.is_replay());
    assert_ne!(unused.expect(202)["id"], first.expect(202)["id"]);
}

#[both_stores]
async fn the_same_key_with_another_body_is_a_conflict_and_stores_nothing(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    create(&app, &tenant, Some("k"), &tenant.source()).await.expect(202);
    let before = app.stored().await;
    let mut other = tenant.source();
    other["payload"]["extra"] = json!(1);
    create(&app, &tenant, Some("k"), &other).await.expect(409);
    let mut subset = tenant.source();
    subset["requestedOutputs"] = json!(["summary_video"]);
    create(&app, &tenant, Some("k"), &subset).await.expect(409);
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn white_space_and_the_order_of_keys_make_no_other_body(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let body = |text: String| app.post(EXPANSIONS).key(&tenant.key).idempotency("k").raw("application/json", text);
    let classroom = tenant.classroom;
    body(format!(r#"{{"classroomId":"{classroom}","payload":{{"lessons":["x"]}}}}"#)).send().await.expect(202);
    let reordered = format!("{{ \"payload\" : {{\n\"lessons\": [ \"x\" ] }}, \"classroomId\": \"{classroom}\" }}");
    assert!(body(reordered).send().await.is_replay());
}

#[both_stores]
async fn a_key_counts_within_its_organization_whoever_holds_the_credential(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let other = app.tenant("Other").await;
    let first = create(&app, &tenant, Some("k"), &tenant.source()).await;
    let foreign = create(&app, &other, Some("k"), &other.source()).await;
    assert!(!foreign.is_replay());
    let (second_key, _) = app.mint(tenant.organization, 60, None).await;
    let replay = app.post(EXPANSIONS).key(&second_key).idempotency("k").json(&tenant.source()).send().await;
    assert_eq!((replay.is_replay(), &replay.body), (true, &first.body));
}

#[both_stores]
async fn a_refused_request_may_be_repeated_with_its_key(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    create(&app, &tenant, Some("k"), &json!({})).await.expect(400);
    let mut unknown = tenant.source();
    unknown["classroomId"] = json!(app.test.ambient.id::<kernel::id::ClassroomId>());
    create(&app, &tenant, Some("k"), &unknown).await.expect(404);
    let accepted = create(&app, &tenant, Some("k"), &tenant.source()).await;
    accepted.expect(202);
    assert!(!accepted.is_replay());
}

#[both_stores]
async fn keys_are_1_to_255_visible_ascii_characters(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let before = app.stored().await;
    let long = "x".repeat(256);
    for unfit in ["", " ", "a b", "a\tb", long.as_str(), "\u{e4}"] {
        let reply = create(&app, &tenant, Some(unfit), &tenant.source()).await;
        assert_eq!(reply.faults(), ["Idempotency-Key"], "{unfit:?}");
        assert_eq!(create(&app, &tenant, None, &keyed(&tenant, unfit)).await.faults(), ["idempotencyKey"], "{unfit:?}");
    }
    assert_eq!(app.stored().await, before);
    create(&app, &tenant, Some(&"x".repeat(255)), &tenant.source()).await.expect(202);
    create(&app, &tenant, None, &keyed(&tenant, &"~".repeat(255))).await.expect(202);
}

#[both_stores]
async fn of_many_requests_at_once_exactly_one_makes_a_job(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let source = tenant.source();
    let replies = join_all((0..16).map(|_| create(&app, &tenant, Some("k"), &source))).await;
    assert!(replies.iter().all(|reply| reply.status == 202 && reply.body == replies[0].body));
    assert_eq!(replies.iter().filter(|reply| !reply.is_replay()).count(), 1);
    assert_eq!(app.count("SELECT count(*) FROM expansion").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM job").await, 1);
    assert_eq!(app.run_jobs().await, 1);
    app.finish().await;
}

#[both_stores]
async fn of_two_bodies_at_once_one_makes_the_job_and_the_other_is_a_conflict(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let bodies = [tenant.source(), tenant.source_of(json!({ "lessons": ["other"] }))];
    let replies = join_all((0..8).map(|n| create(&app, &tenant, Some("k"), &bodies[n % 2]))).await;
    let accepted = replies.iter().filter(|reply| reply.status == 202).count();
    let refused = replies.iter().filter(|reply| reply.status == 409).count();
    assert_eq!((accepted, refused), (4, 4));
    assert_eq!(app.count("SELECT count(*) FROM expansion").await, 1);
}

#[both_stores]
async fn without_a_key_each_request_makes_its_own_job(test: TestStore) {
    let (app, tenant) = with_tenant(test).await;
    let (one, other) = (app.expand(&tenant, &tenant.source()).await, app.expand(&tenant, &tenant.source()).await);
    assert_ne!(one, other);
    assert_eq!(app.count("SELECT count(*) FROM idempotency").await, 0);
}
