use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, Reply, Tenant, WORKSPACES, exact};
use crate::workspaces::create::NewWorkspace;

/// A workspace that has a value in every field that can be null.
async fn start(test: TestStore) -> (App, Tenant, String) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let whole = json!({
        "planCode": "standard", "processorCustomerId": "customer", "processorSubscriptionId": "subscription",
        "processorSubscriptionItemIdFast": "fast", "processorSubscriptionItemIdStandard": "standard",
        "processorSubscriptionItemIdAdvanced": "advanced",
    });
    patch(&app, &tenant, &operator, &whole).await.expect(200);
    (app, tenant, operator)
}

async fn patch(app: &App, tenant: &Tenant, operator: &str, body: &Value) -> Reply {
    app.patch(&tenant.path("")).cookie(operator).json(body).send().await
}

async fn whole(app: &App, tenant: &Tenant, operator: &str) -> Value {
    app.get(&tenant.path("")).cookie(operator).send().await.expect(200)
}

#[both_stores]
async fn each_field_changes_alone_and_the_answer_is_the_whole_workspace(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    for (name, value) in [
        ("name", json!("Riverside High")),
        ("email", json!("new@riverside.example")),
        ("rateLimitPerMinute", json!(5)),
        ("planCode", json!("gold")),
        ("billingMode", json!("processor_metered")),
        ("processorCustomerId", json!("c2")),
        ("processorSubscriptionId", json!("s2")),
        ("processorSubscriptionItemIdFast", json!("f2")),
        ("processorSubscriptionItemIdStandard", json!("s3")),
        ("processorSubscriptionItemIdAdvanced", json!("a2")),
    ] {
        let mut expected = whole(&app, &tenant, &operator).await;
        app.test.clock.advance(Duration::from_secs(1));
        let mut body = json!({});
        body[name] = value.clone();
        expected[name] = value;
        expected["updatedAt"] = json!(app.test.ambient.now());
        assert_eq!(patch(&app, &tenant, &operator, &body).await.expect(200), expected, "{name}");
        assert_eq!(whole(&app, &tenant, &operator).await, expected, "{name}");
    }
}

#[both_stores]
async fn null_clears_what_may_be_empty_and_nothing_else(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let clearable = [
        "email",
        "planCode",
        "processorCustomerId",
        "processorSubscriptionId",
        "processorSubscriptionItemIdFast",
        "processorSubscriptionItemIdStandard",
        "processorSubscriptionItemIdAdvanced",
    ];
    let nulls: serde_json::Map<_, _> = clearable.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let changed = patch(&app, &tenant, &operator, &nulls.into()).await.expect(200);
    assert!(clearable.iter().all(|name| changed[*name].is_null()), "{changed}");
    assert_eq!((&changed["name"], &changed["billingMode"]), (&json!("riverside"), &json!("internal_invoice")));
    let nulls = json!({ "name": null, "rateLimitPerMinute": null, "billingMode": null });
    let faults = patch(&app, &tenant, &operator, &nulls).await.faults();
    assert_eq!(faults, ["name", "rateLimitPerMinute", "billingMode"]);
}

#[both_stores]
async fn only_included_fields_change_and_what_can_not_be_changed_stays(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let before = whole(&app, &tenant, &operator).await;
    for body in [json!({}), json!({ "slug": "other" }), json!({ "status": "SUSPENDED", "creditBalance": 5 })] {
        assert_eq!(patch(&app, &tenant, &operator, &body).await.expect(200), before, "{body}");
    }
    patch(&app, &tenant, &operator, &json!([])).await.expect(400);
    assert_eq!(whole(&app, &tenant, &operator).await, before);
    let fixed = json!({ "planCode": "gold", "slug": "other", "status": "SUSPENDED", "creditBalance": 5,
            "organizationId": tenant.workspace, "emailVerified": false, "id": "x", "createdAt": "2020-01-01T00:00:00Z" });
    let mut expected = before;
    expected["planCode"] = json!("gold");
    assert_eq!(patch(&app, &tenant, &operator, &fixed).await.expect(200), expected);
}

#[both_stores]
async fn every_wrong_field_is_named_and_nothing_changes(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let before = whole(&app, &tenant, &operator).await;
    let wrong = json!({
        "name": "", "email": "nobody", "rateLimitPerMinute": 1_000_001, "planCode": 7, "billingMode": "cash",
        "processorCustomerId": "", "processorSubscriptionId": {}, "processorSubscriptionItemIdFast": "right",
    });
    assert_eq!(
        patch(&app, &tenant, &operator, &wrong).await.faults(),
        [
            "name",
            "email",
            "rateLimitPerMinute",
            "planCode",
            "billingMode",
            "processorCustomerId",
            "processorSubscriptionId",
        ]
    );
    assert_eq!(whole(&app, &tenant, &operator).await, before);
}

#[both_stores]
async fn a_verified_workspace_keeps_its_keys_whatever_address_it_gets(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    for email in [json!("other@example.com"), json!(null), json!("riverside@example.com")] {
        let changed = patch(&app, &tenant, &operator, &json!({ "email": email })).await.expect(200);
        assert_eq!((&changed["email"], &changed["emailVerified"]), (&email, &json!(true)));
        app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await.expect(201);
    }
    assert_eq!(app.run_jobs().await, 0, "nobody gets a mail");
}

#[both_stores]
async fn another_limit_counts_from_the_next_request_on(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    patch(&app, &tenant, &operator, &json!({ "rateLimitPerMinute": 2 })).await.expect(200);
    let reply = app.get(&tenant.path("")).key(&tenant.key).send().await;
    reply.expect(200);
    assert_eq!(reply.header("ratelimit-limit"), "2");
}

#[both_stores]
async fn an_unknown_workspace_is_404_and_nobody_else_may_change_one(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let body = json!({ "name": "Mine" });
    for id in ["0192aee1-5a3b-7c2d-8e4f-123456789abc", "riverside", "%00"] {
        app.patch(&format!("{WORKSPACES}/{id}")).cookie(&operator).json(&body).send().await.expect(404);
    }
    let refused = app.patch(&tenant.path("")).key(&tenant.key).json(&body).send().await.expect(403);
    assert_eq!(refused["error"]["code"], "platform_forbidden");
    let unnamed = app.tenant_of(NewWorkspace::named("n".into(), "n".into())).await;
    let (admin_key, _) = app.mint(tenant.workspace, true, None).await;
    app.patch(&unnamed.path("")).key(&admin_key).json(&body).send().await.expect(200);
}
