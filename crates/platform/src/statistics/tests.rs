use std::time::Duration;

use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, exact, open};

const STATS: &str = "/v1/platform/admin/stats";

#[both_stores]
async fn sums_days_and_workspaces_agree_with_what_was_charged(test: TestStore) {
    let app = App::new(test);
    let (one, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
    let operator = app.operator("o@example.com").await;
    for _ in 0..3 {
        app.evaluate(&one, &exact()).await;
    }
    app.script.fail("model_nonsense", false);
    app.evaluate(&one, &open()).await;
    app.test.clock.advance(Duration::from_secs(24 * 3600));
    app.evaluate(&other, &open()).await;
    let all = app.get(STATS).cookie(&operator).send().await.expect(200);
    assert_eq!(
        all,
        json!({
            "totalOrganizations": 2, "totalApiKeys": 2, "totalRequests": 4, "totalCreditCost": 8,
            "totalBillableAmountUsd": 0.08, "totalFinalizedAmountUsd": 0.08, "totalInputTokens": 0, "totalOutputTokens": 0,
            "byService": [{ "service": "evaluation", "count": 4, "creditCost": 8, "billableAmountUsd": 0.08,
                            "finalizedAmountUsd": 0.08 }],
        })
    );
    let day = |date: &str, requests: i64, cost: i64, usd: f64| {
        json!({
            "date": date, "requests": requests, "creditCost": cost, "billableAmountUsd": usd, "finalizedAmountUsd": usd,
            "inputTokens": 0, "outputTokens": 0,
        })
    };
    let (first, second) = (day("2026-01-02", 3, 3, 0.03), day("2026-01-03", 1, 5, 0.05));
    let daily = format!("{STATS}/daily");
    assert_eq!(app.get(&daily).cookie(&operator).send().await.expect(200), json!([first, second]));
    let ranged = format!("{daily}?startDate=2026-01-03&endDate=2026-01-03T10:00:00Z&service=evaluation");
    assert_eq!(app.get(&ranged).cookie(&operator).send().await.expect(200), json!([second]));
    assert_eq!(app.get(&format!("{daily}?service=course")).cookie(&operator).send().await.expect(200), json!([]));
    let listed = app.get(&format!("{STATS}/organizations")).cookie(&operator).send().await.expect(200);
    assert_eq!(
        listed[0],
        json!({
            "organizationId": one.workspace, "organizationName": "riverside", "organizationSlug": "riverside",
            "totalRequests": 3, "totalCreditCost": 3, "totalBillableAmountUsd": 0.03, "totalFinalizedAmountUsd": 0.03,
        })
    );
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let own = app.get(STATS).key(&other.key).send().await.expect(200);
    assert_eq!(
        (&own["totalOrganizations"], &own["totalApiKeys"], &own["totalRequests"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let own = app.get(&format!("{STATS}/organizations")).key(&other.key).send().await.expect(200);
    assert_eq!(own.as_array().unwrap().len(), 1);
    billing::usage::roll_up_all(&app.test.store).await.unwrap();
    assert_eq!(app.get(STATS).cookie(&operator).send().await.expect(200), all, "rolled up or not");
    assert!(billing::reconcile::reconcile(&app.test.store).await.unwrap().differences.is_empty());
}

#[both_stores]
async fn wrong_days_are_named(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let path = format!("{STATS}?startDate=yesterday&endDate=2026-13-01");
    assert_eq!(app.get(&path).key(&tenant.key).send().await.faults(), ["startDate", "endDate"]);
    let admin = app.admin("a@example.com").await;
    assert_eq!(app.get(STATS).cookie(&admin).send().await.expect(403)["error"]["code"], "platform_forbidden");
    app.get(STATS).send().await.expect(401);
}
