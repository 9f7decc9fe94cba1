//! Trying an endpoint out, its log, redelivery and the rotation of its secret.

use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, Reply, Tenant};

/// An organization, its admin's cookie, and the path of an endpoint with its secret.
async fn start(app: &App) -> (Tenant, String, String, String) {
    let tenant = app.tenant("Riverside").await;
    let cookie = app.admin_of("a@example.com", &[&tenant]).await;
    let body = json!({ "url": "https://lms.example.com/", "events": ["content.completed"] });
    let made = app.post(&tenant.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
    let path = tenant.path(&format!("webhooks/{}", made["id"].as_str().unwrap()));
    (tenant, cookie, path, made["secret"].as_str().unwrap().to_owned())
}

async fn post(app: &App, cookie: &str, path: &str) -> Reply {
    app.post(path).cookie(cookie).send().await
}

async fn log(app: &App, cookie: &str, path: &str, query: &str) -> Reply {
    let reply = app.get(&format!("{path}/deliveries{query}")).cookie(cookie).send().await;
    reply.expect(200);
    reply
}

/// Makes it look as if every delivery had been given up.
async fn give_up(app: &App) {
    let failed = "UPDATE delivery SET state = 'failed', attempts = 4, finished_at = created_at";
    app.write(move |tx| tx.execute(failed, &[])).await;
}

#[both_stores]
async fn a_test_is_told_in_the_form_of_this_surfaces_events(test: TestStore) {
    let app = App::new(test);
    let (_, cookie, path, _) = start(&app).await;
    let queued = post(&app, &cookie, &format!("{path}/test")).await.expect(202);
    assert_eq!(
        (&queued["event"], &queued["status"], &queued["attempts"]),
        (&json!("webhook.test"), &json!("pending"), &json!([]))
    );
    let body = app.read(|tx| tx.find("SELECT body FROM event", &[], |row| row.get::<String>(0))).await.unwrap();
    let webhook = path.rsplit('/').next().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap(),
        json!({
            "id": queued["eventId"], "type": "webhook.test", "createdAt": queued["createdAt"], "data": { "webhookId": webhook },
        })
    );
    assert_eq!(log(&app, &cookie, &path, "").await.json(), json!([queued]));
}

#[both_stores]
async fn the_log_is_newest_first_in_pages_and_can_be_narrowed(test: TestStore) {
    let app = App::new(test);
    let (_, cookie, path, _) = start(&app).await;
    let mut sent = Vec::new();
    for n in 0..3 {
        sent.insert(0, post(&app, &cookie, &format!("{path}/test")).await.expect(202)["eventId"].clone());
        app.test.clock.advance(std::time::Duration::from_millis(1));
        if n == 1 {
            give_up(&app).await;
        }
    }
    let of =
        |reply: &Reply| reply.json().as_array().unwrap().iter().map(|one| one["eventId"].clone()).collect::<Vec<_>>();
    let whole = log(&app, &cookie, &path, "").await;
    assert_eq!((of(&whole), whole.header("x-total-count")), (sent.clone(), "3"));
    let failed = log(&app, &cookie, &path, "?status=failed&limit=1").await;
    assert_eq!((of(&failed), failed.header("x-total-count")), (vec![sent[1].clone()], "2"));
    let next = format!("<https://lectern.example{path}/deliveries?status=failed&limit=1&page=2>; rel=\"next\"");
    assert!(failed.header("link").contains(&next), "{}", failed.header("link"));
    let wrong = app.get(&format!("{path}/deliveries?status=lost&page=0")).cookie(&cookie).send().await;
    assert_eq!(wrong.faults(), ["page", "status"]);
}

#[both_stores]
async fn what_ended_is_delivered_once_more_and_what_has_not_is_not(test: TestStore) {
    let app = App::new(test);
    let (_, cookie, path, _) = start(&app).await;
    let event = post(&app, &cookie, &format!("{path}/test")).await.expect(202)["eventId"].as_str().unwrap().to_owned();
    let again = format!("{path}/deliveries/{event}/redeliver");
    post(&app, &cookie, &again).await.expect(409);
    give_up(&app).await;
    let send = async || app.post(&again).cookie(&cookie).idempotency("k").send().await;
    let (first, replay) = (send().await, send().await);
    assert_eq!((&first.expect(202)["status"], first.is_replay()), (&json!("pending"), false));
    assert_eq!((replay.is_replay(), &replay.body), (true, &first.body));
    for unknown in ["7", "0192aee1-5a3b-7c2d-8e4f-123456789abc"] {
        post(&app, &cookie, &format!("{path}/deliveries/{unknown}/redeliver")).await.expect(404);
    }
}

#[both_stores]
async fn a_rotated_secret_is_shown_once_and_the_former_one_signs_for_a_while(test: TestStore) {
    let app = App::new(test);
    let (_, cookie, path, former) = start(&app).await;
    let rotate = format!("{path}/rotate-secret");
    let rotated = post(&app, &cookie, &rotate).await.expect(200);
    assert_ne!(rotated["secret"], former);
    assert_eq!(rotated["previousSecretSignsUntil"], "2026-01-03T03:04:05.000Z");
    let own = json!({ "secret": "s3cret!", "overlapSeconds": 0 });
    let send = async || app.post(&rotate).cookie(&cookie).idempotency("k").json(&own).send().await;
    let (first, replay) = (send().await, send().await);
    assert_eq!((&replay.body, replay.is_replay()), (&first.body, true));
    let first = first.expect(200);
    assert_eq!((&first["secret"], &first["previousSecretSignsUntil"]), (&json!("s3cret!"), &Value::Null));
    let kept = app.read(|tx| tx.find("SELECT body FROM idempotency", &[], |row| row.get::<String>(0))).await.unwrap();
    assert!(!kept.contains("s3cret!"), "the kept answer is encrypted");
    let unfit = app.post(&rotate).cookie(&cookie).json(&json!({ "secret": "two words", "overlapSeconds": -1 }));
    assert_eq!(unfit.send().await.faults(), ["secret", "overlapSeconds"]);
    for _ in 0..3 {
        post(&app, &cookie, &rotate).await.expect(200);
    }
    post(&app, &cookie, &rotate).await.expect(409);
}

#[both_stores]
async fn a_disabled_endpoint_is_told_nothing(test: TestStore) {
    let app = App::new(test);
    let (_, cookie, path, _) = start(&app).await;
    let event = post(&app, &cookie, &format!("{path}/test")).await.expect(202)["eventId"].as_str().unwrap().to_owned();
    give_up(&app).await;
    app.write(|tx| tx.execute("UPDATE webhook_endpoint SET status = 'DISABLED'", &[])).await;
    post(&app, &cookie, &format!("{path}/test")).await.expect(409);
    post(&app, &cookie, &format!("{path}/deliveries/{event}/redeliver")).await.expect(409);
}

#[both_stores]
async fn another_organizations_endpoint_does_not_exist(test: TestStore) {
    let app = App::new(test);
    let (_, _, path, _) = start(&app).await;
    let other = app.tenant("Other").await;
    let cookie = app.admin_of("b@example.com", &[&other]).await;
    let foreign = other.path(&format!("webhooks/{}", path.rsplit('/').next().unwrap()));
    for path in [foreign, other.path("webhooks/7")] {
        app.get(&format!("{path}/deliveries")).cookie(&cookie).send().await.expect(404);
        for verb in ["test", "rotate-secret", "deliveries/7/redeliver"] {
            post(&app, &cookie, &format!("{path}/{verb}")).await.expect(404);
        }
    }
}
