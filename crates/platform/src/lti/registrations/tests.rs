use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, REGISTRATIONS, Tenant, registration};

async fn register(app: &App, tenant: &Tenant, client_id: &str) -> Value {
    app.post(REGISTRATIONS).key(&tenant.key).json(&registration(client_id)).send().await.expect(201)
}

fn path(registration: &Value) -> String {
    format!("{REGISTRATIONS}/{}", registration["id"].as_str().unwrap())
}

async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    (app, tenant)
}

#[both_stores]
async fn a_registration_is_what_was_asked_for_and_active(test: TestStore) {
    let (app, tenant) = start(test).await;
    let made = register(&app, &tenant, "tool-1").await;
    let expected = json!({
        "id": made["id"], "platformWorkspaceId": tenant.workspace, "name": "Riverside Moodle",
        "issuer": "https://lms.example.com", "clientId": "tool-1",
        "authorizationEndpoint": "https://lms.example.com/auth", "tokenEndpoint": "https://lms.example.com/token",
        "jwksEndpoint": "https://lms.example.com/jwks", "status": "active", "metadata": null,
        "createdAt": "2026-01-02T03:04:05.000Z", "updatedAt": "2026-01-02T03:04:05.000Z",
    });
    assert_eq!(made, expected);
    assert_eq!(app.get(&path(&made)).key(&tenant.key).send().await.expect(200), expected);
}

#[both_stores]
async fn issuer_and_client_id_together_belong_to_one_registration_of_the_whole_service(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    register(&app, &tenant, "tool-1").await;
    let second = register(&app, &tenant, "tool-2").await;
    for key in [&tenant.key, &other.key] {
        let refused = app.post(REGISTRATIONS).key(key).json(&registration("tool-1")).send().await.expect(409);
        assert_eq!(refused["error"]["code"], "platform_conflict");
    }
    let change = json!({ "clientId": "tool-1" });
    let refused = app.put(&path(&second)).key(&tenant.key).json(&change).send().await.expect(409);
    assert_eq!(refused["error"]["code"], "platform_conflict");
    let mut elsewhere = registration("tool-1");
    elsewhere["issuer"] = "https://lms.example.com/".into();
    app.post(REGISTRATIONS).key(&other.key).json(&elsewhere).send().await.expect(201);
}

#[both_stores]
async fn a_repeated_request_registers_once(test: TestStore) {
    let (app, tenant) = start(test).await;
    let call = |body: &Value| app.post(REGISTRATIONS).key(&tenant.key).idempotency("k-1").json(body);
    let first = call(&registration("tool-1")).send().await;
    let again = call(&registration("tool-1")).send().await;
    assert_eq!((again.status.as_u16(), &again.body), (201, &first.body));
    call(&registration("tool-2")).send().await.expect(409);
}

#[both_stores]
async fn a_list_is_newest_first_with_limit_offset_and_status(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    register(&app, &other, "foreign").await;
    let mut made = Vec::new();
    for n in 0..3 {
        app.test.clock.advance(Duration::from_millis(1));
        made.insert(0, register(&app, &tenant, &format!("tool-{n}")).await);
    }
    let change = json!({ "status": "inactive" });
    made[1] = app.put(&path(&made[1])).key(&tenant.key).json(&change).send().await.expect(200);
    let list =
        async |query: &str| app.get(&format!("{REGISTRATIONS}{query}")).key(&tenant.key).send().await.expect(200);
    assert_eq!(list("").await, json!({ "items": made, "total": 3 }));
    assert_eq!(list("?limit=2").await, json!({ "items": made[..2], "total": 3 }));
    assert_eq!(list("?limit=2&offset=2").await, json!({ "items": made[2..], "total": 3 }));
    assert_eq!(list("?offset=9223372036854775807").await, json!({ "items": [], "total": 3 }));
    assert_eq!(list("?status=INACTIVE").await, json!({ "items": [made[1]], "total": 1 }));
    assert_eq!(list("?status=Active&limit=1").await, json!({ "items": [made[0]], "total": 2 }));
    for wrong in ["limit=0", "limit=101", "offset=-1", "offset=x", "status=deleted", "status="] {
        let reply = app.get(&format!("{REGISTRATIONS}?{wrong}")).key(&tenant.key).send().await;
        assert_eq!(reply.faults(), [wrong.split_once('=').unwrap().0]);
    }
}

#[both_stores]
async fn a_change_leaves_what_it_does_not_name(test: TestStore) {
    let (app, tenant) = start(test).await;
    let mut expected = register(&app, &tenant, "tool-1").await;
    let path = path(&expected);
    for (member, value) in [
        ("name", json!("Hillside Canvas")),
        ("issuer", json!("https://canvas.example.com")),
        ("clientId", json!("10000000000001")),
        ("authorizationEndpoint", json!("https://canvas.example.com/auth")),
        ("tokenEndpoint", json!("https://canvas.example.com/token")),
        ("jwksEndpoint", json!("https://canvas.example.com/jwks")),
        ("status", json!("inactive")),
        ("metadata", json!({ "launchUrl": "https://app.example.com/lti?x=1", "deploymentIds": ["1"], "own": [1.50] })),
    ] {
        app.test.clock.advance(Duration::from_secs(1));
        let changed = app.put(&path).key(&tenant.key).json(&json!({ member: value })).send().await.expect(200);
        expected[member] = value;
        assert_ne!(changed["updatedAt"], expected["updatedAt"]);
        expected["updatedAt"] = changed["updatedAt"].clone();
        assert_eq!(changed, expected, "{member}");
    }
    assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200), expected);
    let cleared = app.put(&path).key(&tenant.key).json(&json!({ "metadata": null })).send().await.expect(200);
    assert_eq!(cleared["metadata"], Value::Null);
    let active = app.put(&path).key(&tenant.key).json(&json!({ "status": "ACTIVE" })).send().await.expect(200);
    assert_eq!(active["status"], "active");
}

#[both_stores]
async fn every_fault_of_a_body_is_named(test: TestStore) {
    let (app, tenant) = start(test).await;
    let faults = async |body: &Value| app.post(REGISTRATIONS).key(&tenant.key).json(body).send().await.faults();
    let required = ["name", "issuer", "clientId", "authorizationEndpoint", "tokenEndpoint", "jwksEndpoint"];
    assert_eq!(faults(&json!({})).await, required);
    let mut wrong = registration("tool-1");
    for endpoint in ["authorizationEndpoint", "tokenEndpoint", "jwksEndpoint"] {
        wrong[endpoint] = "https://10.0.0.1/".into();
    }
    wrong["metadata"] = json!({ "launchUrl": "javascript:alert(1)", "deploymentIds": ["ü"] });
    let expected =
        ["metadata.launchUrl", "metadata.deploymentIds", "authorizationEndpoint", "tokenEndpoint", "jwksEndpoint"];
    let mut found = faults(&wrong).await;
    found.sort_unstable();
    let mut expected = expected.map(str::to_owned);
    expected.sort_unstable();
    assert_eq!(found, expected);
    let made = register(&app, &tenant, "tool-1").await;
    for change in [json!({ "name": null }), json!({ "status": "deleted" }), json!({ "tokenEndpoint": "http://x" })] {
        let reply = app.put(&path(&made)).key(&tenant.key).json(&change).send().await;
        assert_eq!(reply.faults(), [change.as_object().unwrap().keys().next().unwrap().as_str()]);
    }
    assert_eq!(app.get(&path(&made)).key(&tenant.key).send().await.expect(200), made);
}

#[both_stores]
async fn what_is_deleted_is_gone_and_may_be_registered_again(test: TestStore) {
    let (app, tenant) = start(test).await;
    let made = register(&app, &tenant, "tool-1").await;
    let deleted = app.delete(&path(&made)).key(&tenant.key).send().await.expect(200);
    assert_eq!(deleted, json!({ "success": true }));
    app.get(&path(&made)).key(&tenant.key).send().await.expect(404);
    app.delete(&path(&made)).key(&tenant.key).send().await.expect(404);
    register(&app, &tenant, "tool-1").await;
}

#[both_stores]
async fn a_registration_of_another_workspace_does_not_exist(test: TestStore) {
    let (app, tenant) = start(test).await;
    let other = app.tenant("hillside").await;
    let made = register(&app, &tenant, "tool-1").await;
    let unknown = format!("{REGISTRATIONS}/{}", other.workspace);
    for path in [path(&made), unknown, format!("{REGISTRATIONS}/x")] {
        for call in [app.get(&path), app.delete(&path), app.put(&path).json(&json!({ "name": "Mine" }))] {
            let refused = call.key(&other.key).send().await.expect(404);
            assert_eq!(refused["error"]["code"], "platform_not_found");
        }
    }
    assert_eq!(app.get(&path(&made)).key(&tenant.key).send().await.expect(200), made);
}
