//! Evaluations without a grade: the grader fails, is away or is never asked.

use std::time::Duration;

use serde_json::{Value, json};
use store::jobs;
use testkit::{TestStore, both_stores};

use super::{rubric, start, with};
use crate::testing::{App, EVALUATIONS, Form, OUTAGE_DELAYS, exact, open};

#[both_stores]
async fn what_can_not_be_graded_fails_and_costs_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.fail("model_nonsense", false);
    let failed = app.evaluate(&tenant, &open()).await;
    assert_eq!(
        (&failed["status"], &failed["score"], &failed["normalizedScore"], &failed["isTerminal"]),
        (&json!("FAILED"), &Value::Null, &Value::Null, &json!(true))
    );
    assert_eq!(failed["error"]["code"], "model_nonsense");
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    app.finish().await;
}

#[both_stores]
async fn what_is_no_number_is_no_grade(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.grade(f64::NAN);
    let failed = app.evaluate(&tenant, &open()).await;
    assert_eq!((&failed["status"], &failed["score"]), (&json!("FAILED"), &Value::Null), "never a silent zero");
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    app.finish().await;
}

#[both_stores]
async fn what_was_begun_goes_on_when_the_client_goes_away(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.hold();
    let body = with(open(), json!({ "idempotencyKey": "once" }));
    let mut gone = Box::pin(app.post(EVALUATIONS).key(&tenant.key).json(&body).send());
    while app.script.seen().is_empty() {
        assert!(futures_util::poll!(gone.as_mut()).is_pending());
        tokio::task::yield_now().await;
    }
    drop(gone);
    app.script.let_go(1);
    let replay = app.post(EVALUATIONS).key(&tenant.key).json(&body).send().await;
    assert_eq!((&replay.expect(201)["status"], app.script.seen().len()), (&json!("COMPLETED"), 1));
    app.finish().await;
}

#[both_stores]
async fn more_than_so_many_that_wait_are_refused_at_once_and_cost_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    let places: Vec<_> = std::iter::from_fn(|| app.platform.grading.place().ok()).collect();
    let refused = app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await;
    assert_eq!(refused.expect(429)["error"]["code"], "platform_rate_limit_exceeded");
    assert_eq!((refused.header("retry-after"), app.balance(&tenant).await.1), ("5", json!(100)));
    app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await;
    app.evaluate(&tenant, &exact()).await;
    drop(places);
    app.evaluate(&tenant, &open()).await;
    app.run_jobs().await;
    app.finish().await;
}

#[both_stores]
async fn a_grader_that_may_do_better_is_asked_three_times(test: TestStore) {
    let (app, tenant) = start(test).await;
    (0..3).for_each(|_| app.script.fail("model_timeout", true));
    let body = with(open(), json!({ "mode": "async" }));
    let id = app.evaluate(&tenant, &body).await["id"].as_str().unwrap().to_owned();
    let path = format!("{EVALUATIONS}/{id}");
    for (wait, status) in [(0, "PROCESSING"), (5, "PROCESSING"), (30, "FAILED")] {
        app.test.clock.advance(Duration::from_secs(wait));
        app.run_jobs().await;
        assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["status"], status);
    }
    assert_eq!(app.script.seen().len(), 3);
    app.finish().await;
}

#[both_stores]
async fn restarts_and_outages_are_no_tries_of_the_grader(test: TestStore) {
    let (app, tenant) = start(test).await;
    let path = format!(
        "{EVALUATIONS}/{}",
        app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await["id"].as_str().unwrap()
    );
    for _ in 0..2 {
        let claimed = jobs::claim(&app.test.store, &mut jobs::Cursor::default(), 1, Duration::from_secs(60)).await;
        assert_eq!(claimed.unwrap().jobs.len(), 1, "a worker takes it and is never heard of again");
        app.test.clock.advance(Duration::from_secs(60));
    }
    for code in ["model_busy", "model_unavailable", "model_busy", "model_timeout", "model_output_invalid"] {
        app.script.fail(code, true);
        assert_eq!(app.run_jobs().await, 1);
        assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["status"], "PROCESSING", "{code}");
        app.test.clock.advance(Duration::from_secs(30));
    }
    app.run_jobs().await;
    assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["status"], "COMPLETED");
    app.finish().await;
}

#[both_stores]
async fn a_model_that_is_away_is_waited_for_as_long_as_the_operator_says(test: TestStore) {
    let (app, tenant) = start(test).await;
    for code in ["model_unavailable", "model_busy"] {
        let body = with(open(), json!({ "mode": "async" }));
        let path = format!("{EVALUATIONS}/{}", app.evaluate(&tenant, &body).await["id"].as_str().unwrap());
        (0..100).for_each(|_| app.script.fail(code, true));
        assert_eq!(app.run_jobs().await, 1);
        for delay in OUTAGE_DELAYS {
            assert_eq!(app.get(&path).key(&tenant.key).send().await.expect(200)["status"], "PROCESSING");
            app.test.clock.advance(delay.checked_sub(Duration::from_secs(1)).unwrap());
            assert_eq!(app.run_jobs().await, 0);
            app.test.clock.advance(Duration::from_secs(1));
            assert_eq!(app.run_jobs().await, 1);
        }
        let ended = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(
            (&ended["status"], &ended["score"], &ended["error"]["code"]),
            (&json!("FAILED"), &Value::Null, &json!(code))
        );
        app.script.forget();
    }
    assert_eq!(app.balance(&tenant).await.1, json!(100));
    app.finish().await;
}

#[both_stores]
async fn who_waits_is_told_at_once_when_the_grader_fails_and_is_charged_nothing(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.script.fail("model_unavailable", true);
    let failed = app.evaluate(&tenant, &open()).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("FAILED"), &json!("model_unavailable")));
    assert_eq!((app.script.seen().len(), app.balance(&tenant).await.1), (1, json!(100)));
    app.finish().await;
}

#[both_stores]
async fn what_is_queued_is_not_tried_again_before_the_grader_says(test: TestStore) {
    let (app, tenant) = start(test).await;
    for wait in [20, 3, 86_400] {
        app.script.fail_for(Duration::from_secs(wait));
    }
    let id = app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await["id"].as_str().unwrap().to_owned();
    for (wait, runs) in [(0, 1), (19, 0), (1, 1), (9, 0), (1, 1), (599, 0), (1, 1)] {
        app.test.clock.advance(Duration::from_secs(wait));
        assert_eq!(app.run_jobs().await, runs, "the longer of its wait and ours, ten minutes at most");
    }
    let graded = app.get(&format!("{EVALUATIONS}/{id}")).key(&tenant.key).send().await.expect(200);
    assert_eq!(graded["status"], "COMPLETED");
    app.finish().await;
}

#[both_stores]
async fn while_the_model_is_down_who_waits_is_refused_before_anything_is_stored(test: TestStore) {
    let app = App::with_model(test);
    let tenant = app.tenant("riverside").await;
    let earlier = with(open(), json!({ "idempotencyKey": "k" }));
    app.evaluate(&tenant, &earlier).await;
    app.script.set_down(Some(Duration::from_millis(28_500)));
    let before = app.stored().await;
    let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "x").into_bytes();
    for reply in [
        app.post(EVALUATIONS).key(&tenant.key).json(&open()).send().await,
        app.post(EVALUATIONS).key(&tenant.key).json(&rubric()).send().await,
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await,
    ] {
        assert_eq!(reply.expect(503)["error"]["code"], "platform_internal_error");
        assert_eq!(reply.header("retry-after"), "29");
    }
    assert_eq!((app.stored().await, app.kept_files()), (before, Vec::new()));
    assert_eq!((app.script.seen().len(), app.script.read_before().len()), (1, 1), "nobody is asked, and nothing read");
    let wrong = app.post(EVALUATIONS).key(&tenant.key).json(&with(open(), json!({ "tier": 7 }))).send().await;
    assert_eq!(wrong.faults(), ["tier"], "what is wrong is said first");
    let replay = app.post(EVALUATIONS).key(&tenant.key).json(&earlier).send().await;
    assert!(replay.is_replay(), "what there is is shown");
    app.post(EVALUATIONS).key(&tenant.key).json(&with(earlier, json!({ "maxScore": 5 }))).send().await.expect(409);
    app.evaluate(&tenant, &exact()).await;
    app.evaluate(&tenant, &with(open(), json!({ "processingMode": "builtin" }))).await;
    let queued = app.evaluate(&tenant, &with(open(), json!({ "mode": "async" }))).await;
    assert_eq!(queued["status"], "PENDING", "what is queued waits for better times");
    app.script.set_down(None);
    app.run_jobs().await;
    assert_eq!(app.evaluate(&tenant, &open()).await["status"], "COMPLETED");
    app.finish().await;
}
