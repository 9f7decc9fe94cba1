use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, EVALUATIONS, KEYS, Tenant, exact, open};

async fn start(test: TestStore) -> (App, Tenant, String) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    (app, tenant, operator)
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

#[both_stores]
async fn caps_are_set_and_read_back_with_what_was_spent(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let path = tenant.path("/caps");
    let none = app.get(&path).cookie(&operator).send().await.expect(200);
    let mut expected = json!({
        "dailySoftUsd": null, "dailyHardUsd": null, "monthlySoftUsd": null, "monthlyHardUsd": null,
        "spentTodayUsd": null, "spentThisMonthUsd": null, "lowBalanceUsd": null,
    });
    assert_eq!(none, expected);
    app.evaluate(&tenant, &exact()).await;
    let body = json!({ "dailySoftUsd": 0.5, "monthlyHardUsd": 100, "lowBalanceUsd": 0 });
    let set = app.put(&path).cookie(&operator).json(&body).send().await.expect(200);
    for (name, value) in [("dailySoftUsd", 0.5), ("spentTodayUsd", 0.01), ("spentThisMonthUsd", 0.01)] {
        expected[name] = json!(value);
    }
    (expected["monthlyHardUsd"], expected["lowBalanceUsd"]) = (json!(100), json!(0));
    assert_eq!(set, expected);
    assert_eq!(app.get(&path).cookie(&operator).send().await.expect(200), expected);
    let taken_away = app.put(&path).cookie(&operator).json(&json!({})).send().await.expect(200);
    assert_eq!(taken_away, none);
}

#[both_stores]
async fn caps_that_make_no_sense_are_refused(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    for (body, field) in [
        (json!({ "dailyHardUsd": -1 }), "dailyHardUsd"),
        (json!({ "dailyHardUsd": "10" }), "dailyHardUsd"),
        (json!({ "dailyHardUsd": 0.0000001 }), "dailyHardUsd"),
        (json!({ "monthlyHardUsd": 1e12 }), "monthlyHardUsd"),
        (json!({ "dailySoftUsd": 2, "dailyHardUsd": 1 }), "dailySoftUsd"),
        (json!({ "monthlySoftUsd": 2, "monthlyHardUsd": 1 }), "monthlySoftUsd"),
    ] {
        let paths = [tenant.path("/caps"), format!("{KEYS}/{}/caps", tenant.key_id)];
        for path in paths {
            assert_eq!(app.put(&path).cookie(&operator).json(&body).send().await.faults(), [field], "{body}");
        }
    }
}

#[both_stores]
async fn of_fifty_requests_at_a_cap_none_exceeds_it_and_the_refusal_names_it(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    app.put(&tenant.path("/caps")).cookie(&operator).json(&json!({ "dailyHardUsd": 0.1 })).send().await.expect(200);
    let requests = (0..50).map(|n| {
        let body = if n % 2 == 0 { exact() } else { with(open(), "tier", json!("fast")) };
        async { app.post(EVALUATIONS).key(&tenant.key).json(&{ body }).send().await }
    });
    let replies = join_all(requests).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 10);
    let refused = replies.iter().find(|reply| reply.status != 201).unwrap().expect(402);
    assert_eq!(refused["error"]["code"], "platform_insufficient_credits");
    let message = "The daily spending cap of the workspace, USD 0.1, does not allow it.";
    assert_eq!(refused["error"]["message"], message);
    assert_eq!(app.balance(&tenant).await.1, json!(90));
    assert_eq!(app.count("SELECT count(*) FROM event WHERE type = 'billing.cap_reached'").await, 1);
    app.run_jobs().await;
    app.finish().await;
}

#[both_stores]
async fn what_is_not_graded_is_given_back_to_the_cap(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let path = format!("{KEYS}/{}/caps", tenant.key_id);
    app.put(&path).cookie(&operator).json(&json!({ "monthlyHardUsd": 0.05 })).send().await.expect(200);
    let queued = with(with(open(), "mode", json!("async")), "learnerExternalId", json!("l"));
    app.evaluate(&tenant, &queued).await;
    let refused = app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await.expect(402);
    assert_eq!(refused["error"]["message"], "The monthly spending cap of the API key, USD 0.05, does not allow it.");
    app.delete("/v1/platform/learners/l").key(&tenant.key).send().await.expect(204);
    app.run_jobs().await;
    let caps = app.get(&path).cookie(&operator).send().await.expect(200);
    assert_eq!(caps["spentThisMonthUsd"], json!(0));
    app.evaluate(&tenant, &exact()).await;
    let (other, _) = app.mint(tenant.workspace, false, None).await;
    app.post(EVALUATIONS).key(&other).json(&open()).send().await.expect(201);
}

#[both_stores]
async fn a_key_that_is_rotated_takes_its_caps_along(test: TestStore) {
    let (app, tenant, operator) = start(test).await;
    let caps = json!({ "dailyHardUsd": 0.02 });
    app.put(&format!("{KEYS}/{}/caps", tenant.key_id)).cookie(&operator).json(&caps).send().await.expect(200);
    app.evaluate(&tenant, &exact()).await;
    let rotated = app.post(&format!("{KEYS}/{}/rotate", tenant.key_id)).key(&tenant.key).send().await.expect(200);
    let path = format!("{KEYS}/{}/caps", rotated["keyId"].as_str().unwrap());
    let caps = app.get(&path).cookie(&operator).send().await.expect(200);
    assert_eq!((&caps["dailyHardUsd"], &caps["spentTodayUsd"]), (&json!(0.02), &json!(0.01)));
}
