use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, KEYS, Tenant, WORKSPACES, exact};

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

fn named(tenant: &Tenant) -> Value {
    json!({ "name": "production", "workspaceId": tenant.workspace })
}

/// The key as the list has it.
async fn listed(app: &App, tenant: &Tenant, made: &Value) -> Value {
    let listed = app.get(&format!("{KEYS}?workspaceId={}", tenant.workspace)).key(&tenant.key).send().await.expect(200);
    listed.as_array().unwrap().iter().find(|key| key["id"] == made["keyId"]).unwrap().clone()
}

#[both_stores]
async fn either_name_of_the_workspace_will_do_and_both_when_they_agree(test: TestStore) {
    let (app, tenant) = start(test).await;
    let id = tenant.workspace;
    for body in [
        json!({ "name": "production", "organizationId": id }),
        json!({ "name": "production", "workspaceId": id }),
        json!({ "name": "production", "organizationId": id, "workspaceId": id }),
        json!({ "name": "production", "organizationId": null, "workspaceId": id }),
    ] {
        let made = app.post(KEYS).key(&tenant.key).json(&body).send().await.expect(201);
        let members: Vec<_> = made.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["apiKey", "keyId", "keyPrefix", "name"]);
        let listed = listed(&app, &tenant, &made).await;
        assert_eq!(
            (&made["name"], &listed["scopes"], &listed["expiresAt"]),
            (&json!("production"), &json!([]), &Value::Null)
        );
        let raw = made["apiKey"].as_str().unwrap();
        assert!(raw.starts_with("svc_platform_") && raw.starts_with(made["keyPrefix"].as_str().unwrap()));
        app.post(EVALUATIONS).key(raw).json(&exact()).send().await.expect(201);
        app.get(&tenant.path("")).key(raw).send().await.expect(200);
    }
    app.finish().await;
}

#[both_stores]
async fn every_wrong_field_is_named_at_once(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let before = app.stored().await;
    let wrong =
        json!({ "name": "", "organizationId": "7", "workspaceId": 7, "expiresAt": "tomorrow", "scopes": ["root"] });
    let faults = app.post(KEYS).key(&tenant.key).json(&wrong).send().await.faults();
    assert_eq!(faults, ["name", "organizationId", "workspaceId", "expiresAt", "scopes[0]"]);
    assert_eq!(app.post(KEYS).key(&tenant.key).json(&json!({})).send().await.faults(), ["name", "organizationId"]);
    let differing = json!({ "name": "a", "organizationId": tenant.workspace, "workspaceId": other.workspace });
    assert_eq!(app.post(KEYS).key(&tenant.key).json(&differing).send().await.faults(), ["workspaceId"]);
    for (field, value) in [
        ("expiresAt", json!("2026-01-02T03:04:05.000Z")),
        ("expiresAt", json!("2020-01-01T00:00:00Z")),
        ("expiresAt", json!(5)),
        ("name", json!("x".repeat(201))),
        ("scopes", json!("platform:admin")),
    ] {
        let mut body = named(&tenant);
        body[field] = value;
        assert_eq!(app.post(KEYS).key(&tenant.key).json(&body).send().await.faults(), [field]);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_key_stops_at_its_expiry_and_says_so(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = named(&tenant);
    body["expiresAt"] = json!("2026-01-02T04:04:06+01:00");
    let made = app.post(KEYS).key(&tenant.key).json(&body).send().await.expect(201);
    assert_eq!(listed(&app, &tenant, &made).await["expiresAt"], "2026-01-02T03:04:06.000Z");
    let raw = made["apiKey"].as_str().unwrap();
    app.get(WORKSPACES).key(raw).send().await.expect(200);
    app.test.clock.advance(Duration::from_secs(1));
    for call in [app.get(WORKSPACES), app.post(EVALUATIONS).json(&exact())] {
        let refused = call.key(raw).send().await.expect(401);
        assert_eq!(refused["error"]["code"], "platform_api_key_expired");
    }
    assert_eq!(listed(&app, &tenant, &made).await["status"], "EXPIRED");
    assert_eq!(listed(&app, &tenant, &json!({ "keyId": tenant.key_id })).await["status"], "ACTIVE");
}

#[both_stores]
async fn a_key_may_last_until_the_last_second_that_can_be_written(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = named(&tenant);
    body["expiresAt"] = json!("9999-12-31T23:59:59Z");
    let made = app.post(KEYS).key(&tenant.key).json(&body).send().await.expect(201);
    assert_eq!(listed(&app, &tenant, &made).await["expiresAt"], "9999-12-31T23:59:59.000Z");
    app.get(WORKSPACES).key(made["apiKey"].as_str().unwrap()).send().await.expect(200);
}

#[both_stores]
async fn only_an_operators_session_gives_a_key_its_scope(test: TestStore) {
    let (app, tenant) = start(test).await;
    let operator = app.operator("o@example.com").await;
    let (admin_key, _) = app.mint(tenant.workspace, true, None).await;
    let mut body = named(&tenant);
    body["scopes"] = json!(["platform:admin"]);
    let before = app.stored().await;
    for key in [&tenant.key, &admin_key] {
        let refused = app.post(KEYS).key(key).json(&body).send().await.expect(403);
        assert_eq!(refused["error"]["code"], "platform_forbidden");
    }
    assert_eq!(app.stored().await, before);
    let made = app.post(KEYS).cookie(&operator).json(&body).send().await.expect(201);
    assert_eq!(listed(&app, &tenant, &made).await["scopes"], json!(["platform:admin"]));
    let new = json!({ "name": "Hillside", "slug": "hillside" });
    app.post(WORKSPACES).key(made["apiKey"].as_str().unwrap()).json(&new).send().await.expect(201);
    app.post(WORKSPACES).key(&tenant.key).json(&new).send().await.expect(403);
}

#[both_stores]
async fn a_key_makes_keys_for_its_own_workspace_and_who_manages_the_service_for_all(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let (admin_key, _) = app.mint(other.workspace, true, None).await;
    let operator = app.operator("o@example.com").await;
    let admin = app.admin("a@example.com").await;
    let before = app.stored().await;
    app.post(KEYS).key(&other.key).json(&named(&tenant)).send().await.expect(404);
    app.post(KEYS).cookie(&admin).json(&named(&tenant)).send().await.expect(403);
    let unknown = json!({ "name": "a", "workspaceId": "0192aee1-5a3b-7c2d-8e4f-123456789abc" });
    app.post(KEYS).cookie(&operator).json(&unknown).send().await.expect(404);
    app.post(KEYS).key(&tenant.key).json(&unknown).send().await.expect(404);
    assert_eq!(app.stored().await, before);
    for call in [app.post(KEYS).cookie(&operator), app.post(KEYS).key(&admin_key)] {
        let made = call.json(&named(&tenant)).send().await.expect(201);
        app.get(&tenant.path("")).key(made["apiKey"].as_str().unwrap()).send().await.expect(200);
    }
}

#[both_stores]
async fn a_replay_is_the_same_without_the_raw_key_also_when_the_expiry_has_passed(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut body = named(&tenant);
    body["expiresAt"] = json!("2026-01-02T03:05:00Z");
    let send = |body: &Value| app.post(KEYS).key(&tenant.key).idempotency("k").json(body);
    let first = send(&body).send().await;
    assert!(!first.is_replay());
    let mut expected = first.expect(201);
    expected["apiKey"] = Value::Null;
    app.test.clock.advance(Duration::from_secs(3600));
    let replay = send(&body).send().await;
    assert!(replay.is_replay());
    assert_eq!(replay.expect(201), expected);
    let mut other = named(&tenant);
    other["name"] = json!("another");
    send(&other).send().await.expect(409);
    assert_eq!(app.post(KEYS).key(&tenant.key).idempotency("other").json(&body).send().await.faults(), ["expiresAt"]);
    assert_eq!(app.count("SELECT count(*) FROM api_key").await, 2);
}

#[both_stores]
async fn nothing_secret_is_stored(test: TestStore) {
    let (app, tenant) = start(test).await;
    let made = app.post(KEYS).key(&tenant.key).idempotency("k").json(&named(&tenant)).send().await.expect(201);
    let raw = made["apiKey"].as_str().unwrap().to_owned();
    let kept = app.read(|tx| tx.find("SELECT body FROM idempotency", &[], |row| row.get::<String>(0))).await;
    assert!(!kept.unwrap().contains(&raw));
    let hash = app
        .read(|tx| tx.query("SELECT token_hash || prefix || name FROM api_key", &[], |row| row.get::<String>(0)))
        .await;
    assert!(hash.iter().all(|row| !row.contains(&raw)));
}
