use std::time::Duration;

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::expiring::tell_of_expiring_keys;
use super::{Notice, tell};
use crate::testing::{App, EVALUATIONS, Tenant, exact, open};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// The bodies of the events that money and keys brought about, in their order.
async fn told(app: &App) -> Vec<Value> {
    let read = app.read(|tx| {
        tx.query(
            "SELECT body FROM event WHERE type LIKE 'billing.%' OR type LIKE 'key.%' ORDER BY created_at, id",
            &[],
            |row| row.get::<String>(0),
        )
    });
    read.await.iter().map(|body| serde_json::from_str(body).unwrap()).collect()
}

/// Sends what is queued; the mails that were sent so far.
async fn mails(app: &App) -> Vec<String> {
    while app.run_jobs().await > 0 {}
    app.mails()
}

async fn buy(app: &App, tenant: &Tenant, operator: &str, credits: u32) {
    let body = json!({ "amount": credits });
    app.post(&tenant.path("/credits")).cookie(operator).json(&body).send().await.expect(200);
}

#[both_stores]
async fn a_low_balance_is_told_by_webhook_and_mail_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let endpoint = json!({ "url": "https://receiver.example.com/", "events": ["billing.low_balance"] });
    app.post("/v1/platform/webhooks").key(&tenant.key).json(&endpoint).send().await.expect(201);
    buy(&app, &tenant, &operator, 403).await;
    for _ in 0..3 {
        app.evaluate(&tenant, &exact()).await;
    }
    assert!(told(&app).await.is_empty(), "USD 5 are left");
    for _ in 0..2 {
        app.evaluate(&tenant, &exact()).await;
    }
    let told = told(&app).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["event"], "billing.low_balance");
    assert_eq!(told[0]["workspaceId"], json!(tenant.workspace));
    assert_eq!((&told[0]["balanceUsd"], &told[0]["thresholdUsd"]), (&json!(4.99), &json!(5)));
    assert_eq!(app.count("SELECT count(*) FROM delivery").await, 1);
    let mails = mails(&app).await;
    assert_eq!(mails.len(), 2, "to the workspace and to the operator");
    for to in ["riverside@example.com", "operator@lectern.example"] {
        let mail = mails.iter().find(|mail| mail.contains(&format!("To: {to}"))).unwrap();
        assert!(mail.contains("4.99 USD"), "{mail}");
    }
    app.finish().await;
}

#[both_stores]
async fn caps_are_told_once_a_period_and_level(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let caps = json!({ "dailySoftUsd": 0.02, "dailyHardUsd": 0.03 });
    app.put(&tenant.path("/caps")).cookie(&operator).json(&caps).send().await.expect(200);
    let path = format!("/v1/platform/api-keys/{}/caps", tenant.key_id);
    app.put(&path).cookie(&operator).json(&json!({ "monthlySoftUsd": 0.01 })).send().await.expect(200);
    for _ in 0..3 {
        app.evaluate(&tenant, &exact()).await;
    }
    app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await.expect(402);
    let fields = |event: &Value| {
        let name = |field: &str| event[field].as_str().unwrap().to_owned();
        (event["keyId"].is_null(), name("period"), name("level"), event["spentUsd"].clone())
    };
    let told: Vec<_> = told(&app).await.iter().map(fields).collect();
    let expected = |is_own: bool, period: &str, level: &str, spent: f64| {
        (is_own, period.to_owned(), level.to_owned(), json!(spent))
    };
    assert_eq!(
        told,
        [
            expected(false, "month", "soft", 0.01),
            expected(true, "day", "soft", 0.02),
            expected(true, "day", "hard", 0.03),
        ]
    );
    assert_eq!(mails(&app).await.len(), 6);
    app.finish().await;
}

#[both_stores]
async fn a_refused_request_leaves_no_event_and_no_job(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    let caps = json!({ "dailySoftUsd": 0, "dailyHardUsd": 0.04 });
    app.put(&tenant.path("/caps")).cookie(&operator).json(&caps).send().await.expect(200);
    let before = app.stored().await;
    app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await.expect(402);
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_failed_payment_is_told(test: TestStore) {
    let app = App::new(test);
    let workspace = app.tenant("riverside").await.workspace;
    let notice = Notice::PaymentFailed {
        amount_usd: Some(12.into()),
        amount: Some("12.00".to_owned()),
        currency: Some("USD".to_owned()),
        reason: "card_declined".to_owned(),
    };
    app.test.store.write("test", move |tx| tell(tx, workspace, notice.clone())).await.unwrap();
    assert_eq!(told(&app).await[0]["reason"], "card_declined");
    assert!(mails(&app).await.iter().all(|mail| mail.contains("12.00 USD")));
    app.finish().await;
}

#[both_stores]
async fn a_key_that_ends_is_told_of_14_3_and_1_days_before(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (_, id) = app.mint(tenant.workspace, false, Some(DAY * 20)).await;
    let (_, short) = app.mint(tenant.workspace, false, Some(DAY * 2)).await;
    let mut days = Vec::new();
    for day in 0..21 {
        for _ in 0..2 {
            tell_of_expiring_keys(&app.test.store).await.unwrap();
        }
        let told = told(&app).await;
        days.extend(told[days.len()..].iter().map(|event| (day, event["keyId"].clone(), event["days"].clone())));
        app.test.clock.advance(DAY);
    }
    let of = |key: kernel::id::KeyId, day: i32, days: i64| (day, json!(key), json!(days));
    assert_eq!(days, [of(short, 1, 1), of(id, 6, 14), of(id, 17, 3), of(id, 19, 1)]);
    let mails = mails(&app).await;
    assert_eq!(mails.len(), 8);
    app.finish().await;
}
