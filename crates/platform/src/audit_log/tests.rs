//! What is entered into the audit log, and what is not.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, EVALUATIONS, KEYS, Things, exact};

const PATH: &str = "/v1/platform/admin/audit-log";

/// Changes that no session makes, as a link is the credential; one that changes nothing; and what this service refuses.
const NOT_ENTERED: [&str; 7] = [
    "POST /v1/platform/agent/billing/session",
    "POST /v1/platform/agent/billing/webhook",
    "PATCH /v1/platform/videos/edit/{editToken}",
    "POST /v1/platform/videos/edit/{editToken}/part-drafts",
    "POST /v1/platform/videos/edit/{editToken}/render",
    "DELETE /v1/platform/videos/edit/{editToken}/render",
    "POST /v1/platform/evaluations/reviews",
];

async fn entries(app: &App, operator: &str, query: &str) -> Vec<Value> {
    let page = app.get(&format!("{PATH}?{query}")).cookie(operator).send().await.expect(200);
    page["items"].as_array().unwrap().clone()
}

#[both_stores]
async fn every_operation_that_changes_something_by_session_is_entered(test: TestStore) {
    let app = App::new(test);
    let operator = app.operator("o@example.com").await;
    let mut entered = 0;
    for (n, (operation, _)) in CONTRACT.operations().into_iter().enumerate() {
        if operation.starts_with("GET") {
            continue;
        }
        let things = Things::of(&app, Box::leak(format!("riverside-{n}").into_boxed_str())).await;
        let id = format!("audit-{n}");
        let reply = things.named_call(&app, &operation).cookie(&operator).header("x-request-id", &id).send().await;
        let newest = entries(&app, &operator, "limit=1").await;
        let is_entered = newest.iter().any(|entry| entry["requestId"] == id.as_str());
        if !is_entered {
            assert!(NOT_ENTERED.contains(&operation.as_str()), "{operation}: {} {}", reply.status, reply.body);
            continue;
        }
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
        entered += 1;
        let entry = &newest[0];
        assert_eq!(entry["operation"], CONTRACT.documented(&operation)["operationId"], "{operation}");
        assert_eq!(entry["userEmail"], "o@example.com", "{operation}");
        assert!(entry["sessionId"].is_string() && entry["keyId"].is_null(), "{operation}: {entry}");
        if matches!(
            operation.as_str(),
            "POST /v1/platform/workspaces" | "POST /v1/platform/workspaces/from-organization"
        ) {
            assert!(
                entry["workspaceId"].is_string() && entry["workspaceId"] == entry["resourceId"],
                "{operation}: {entry}"
            );
        }
        let is_of_workspace = operation.contains("/workspaces/{id}") || operation.contains("/registrations");
        assert!(!is_of_workspace || entry["workspaceId"] == json!(things.tenant.workspace), "{operation}: {entry}");
    }
    assert!(entered > 25, "{entered}");
}

#[both_stores]
async fn keys_are_entered_where_they_change_settings_and_not_for_their_daily_work(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    app.evaluate(&tenant, &exact()).await;
    let body = json!({ "name": "Nightly", "workspaceId": tenant.workspace });
    let made = app.post(KEYS).key(&tenant.key).idempotency("k").json(&body).send().await.expect(201);
    app.post(KEYS).key(&tenant.key).idempotency("k").json(&body).send().await.expect(201);
    app.post(KEYS).key(&tenant.key).json(&json!({ "name": "" })).send().await.expect(400);
    let query = format!("workspaceId={}", tenant.workspace);
    let all = entries(&app, &operator, &query).await;
    assert_eq!(all.len(), 1, "neither an evaluation, nor a replay, nor what was refused: {all:#?}");
    assert_eq!(all[0]["resourceId"], made["keyId"], "{}", all[0]);
    assert_eq!(all[0]["keyId"], json!(tenant.key_id));
    assert!(all[0]["keyPrefix"].as_str().is_some_and(|prefix| tenant.key.starts_with(prefix)));
    let text = json!(all).to_string();
    assert!(!text.contains(&tenant.key) && !text.contains("Nightly"), "{text}");
    app.finish().await;
}

#[both_stores]
async fn a_key_of_the_whole_service_is_entered_with_the_workspace_that_it_changes(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let other = app.tenant("lakeside").await;
    let operator = app.operator("o@example.com").await;
    let body = json!({ "name": "Nightly", "workspaceId": other.workspace });
    let made = app.post(KEYS).key(&things.admin_key).json(&body).send().await.expect(201);
    let of_other = entries(&app, &operator, &format!("workspaceId={}", other.workspace)).await;
    assert_eq!(of_other[0]["resourceId"], made["keyId"], "{of_other:#?}");
    assert!(of_other[0]["keyId"].is_string(), "{}", of_other[0]);
}

#[both_stores]
async fn the_log_is_read_page_by_page_and_by_filters(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let colleague = app.operator("c@example.com").await;
    for session in [&operator, &colleague, &operator] {
        app.post(&tenant.path("/suspend")).cookie(session).send().await.expect(200);
        app.test.clock.advance(std::time::Duration::from_secs(60));
        app.post(&tenant.path("/activate")).cookie(session).send().await.expect(200);
    }
    let workspace = format!("workspaceId={}", tenant.workspace);
    let all = entries(&app, &operator, &workspace).await;
    let operations: Vec<_> = all.iter().map(|entry| entry["operation"].as_str().unwrap()).collect();
    assert_eq!(operations, ["activateWorkspace", "suspendWorkspace"].repeat(3));
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("{PATH}?limit=4&{workspace}{cursor}");
        let page = app.get(&path).cookie(&operator).send().await.expect(200);
        seen.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, all);
    let colleague = &all[2]["userId"];
    let query = format!("{workspace}&userId={}", colleague.as_str().unwrap());
    assert_eq!(entries(&app, &operator, &query).await, all[2..4]);
    let suspended = format!("{workspace}&operation=suspendWorkspace");
    assert_eq!(entries(&app, &operator, &suspended).await.len(), 3);
    let since = all[1]["createdAt"].as_str().unwrap();
    assert_eq!(entries(&app, &operator, &format!("{workspace}&createdAfter={since}")).await, all[..1]);
    app.get(PATH).key(&tenant.key).send().await.expect(403);
}

#[both_stores]
async fn old_entries_are_removed_and_later_ones_stay(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    app.post(&tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    let day = std::time::Duration::from_secs(24 * 3600);
    app.test.clock.advance(day * 399);
    let operator = app.operator("c@example.com").await;
    app.post(&tenant.path("/activate")).cookie(&operator).send().await.expect(200);
    edge::maintenance::sweep_expired(&app.door).await.unwrap();
    let workspace = format!("workspaceId={}", tenant.workspace);
    assert_eq!(entries(&app, &operator, &workspace).await.len(), 2);
    app.test.clock.advance(day * 2);
    edge::maintenance::sweep_expired(&app.door).await.unwrap();
    let left = entries(&app, &operator, &workspace).await;
    assert_eq!((left.len(), &left[0]["operation"]), (1, &json!("activateWorkspace")));
    assert!(app.get(EVALUATIONS).key(&tenant.key).send().await.status.is_success());
}
