//! Prices change while evaluations are open.

use super::*;
use crate::testing::{DEARER_FROM, WORKSPACES};

#[both_stores]
async fn an_evaluation_costs_what_it_cost_when_it_was_ordered(test: TestStore) {
    let (app, tenant) = start(test).await;
    let queued = app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await;
    let until_then = DEARER_FROM.duration_since(app.test.ambient.now());
    app.test.clock.advance(until_then);
    let dearer = app.evaluate(&tenant, &exact()).await;
    assert_eq!(dearer["priceSnapshot"]["amountUsd"], json!(0.02));
    assert_eq!(dearer["priceSnapshot"]["catalogVersion"], "dearer");
    app.run_jobs().await;
    let path = format!("{EVALUATIONS}/{}", queued["id"].as_str().unwrap());
    let graded = app.get(&path).key(&tenant.key).send().await.expect(200);
    assert_eq!((&graded["status"], &graded["priceSnapshot"]["amountUsd"]), (&json!("COMPLETED"), &json!(0.05)));
    assert_eq!(graded["priceSnapshot"]["catalogVersion"], "1");
    assert_eq!(graded["priceSnapshot"]["source"], "catalog");
    assert_eq!(app.balance(&tenant).await.1, json!(93));
    app.finish().await;
}

#[both_stores]
async fn a_workspace_gets_the_grant_of_the_day_on_which_it_is_made(test: TestStore) {
    let app = App::new(test);
    app.test.clock.advance(DEARER_FROM.duration_since(app.test.ambient.now()));
    let operator = app.operator("o@example.com").await;
    let body = json!({ "name": "Riverside", "slug": "riverside" });
    let made = app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(201);
    assert_eq!(made["freeCreditBalance"], json!(50));
}
