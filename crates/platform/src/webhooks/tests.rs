use std::time::Duration;

use http::Method;
use kernel::id::EndpointId;
use serde_json::{Value, json};
use store::{StoreError, Tx};
use testkit::{TestStore, both_stores};

use crate::testing::{App, Call, Reply, Tenant};

const WEBHOOKS: &str = "/v1/platform/webhooks";
const URL: &str = "https://lms.example.com/hooks?x=1";

async fn post(app: &App, tenant: &Tenant, path: &str, body: &Value) -> Reply {
    app.post(path).key(&tenant.key).json(body).send().await
}

/// A request without a body.
async fn bare(app: &App, tenant: &Tenant, path: &str) -> Reply {
    app.post(path).key(&tenant.key).send().await
}

async fn get(app: &App, tenant: &Tenant, path: &str) -> Reply {
    app.get(path).key(&tenant.key).send().await
}

/// An endpoint of a tenant: its path, and the answer to its creation.
async fn endpoint(app: &App, tenant: &Tenant) -> (String, Value) {
    let made = post(app, tenant, WEBHOOKS, &asked()).await.expect(201);
    (format!("{WEBHOOKS}/{}", made["id"].as_str().unwrap()), made)
}

async fn write<T: Send + 'static>(
    app: &App,
    write: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
) -> T {
    app.test.store.write("test", write).await.unwrap()
}

fn asked() -> Value {
    json!({ "url": URL, "events": ["evaluation.completed", "evaluation.failed"] })
}

fn with(field: &str, value: Value) -> Value {
    let mut body = asked();
    body[field] = value;
    body
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[both_stores]
async fn the_secret_is_in_the_answer_to_the_creation_and_nowhere_else(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (_, made) = endpoint(&app, &tenant).await;
    assert_eq!(names(&made), ["id", "url", "events", "secret", "createdAt"]);
    assert_eq!(made["url"], URL);
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    let listed = get(&app, &tenant, WEBHOOKS).await.expect(200);
    let fields = ["id", "platformWorkspaceId", "url", "events", "status", "signatureVersion", "createdAt", "updatedAt"];
    assert_eq!((listed.as_array().unwrap().len(), names(&listed[0])), (1, fields.to_vec()));
    assert_eq!(listed[0]["signatureVersion"], "plain");
    assert_eq!((&listed[0]["platformWorkspaceId"], &listed[0]["status"]), (&json!(tenant.workspace), &json!("active")));
    assert_eq!((&listed[0]["events"], &listed[0]["createdAt"]), (&made["events"], &made["createdAt"]));
}

#[both_stores]
async fn a_workspace_may_bring_its_own_secret_and_choose_what_keys_the_header(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let wanted =
        json!({ "url": URL, "events": ["lti.grade_synced"], "secret": "s3cret!", "signatureVersion": "hashed" });
    let made = post(&app, &tenant, WEBHOOKS, &wanted).await.expect(201);
    let listed = get(&app, &tenant, WEBHOOKS).await.expect(200);
    assert_eq!((&made["secret"], &listed[0]["signatureVersion"]), (&json!("s3cret!"), &json!("hashed")));
    assert!(post(&app, &tenant, WEBHOOKS, &with("secret", Value::Null)).await.expect(201)["secret"].is_string());
    for unfit in [json!(""), json!("two words"), json!("x".repeat(256)), json!("ключ"), json!(5)] {
        assert_eq!(post(&app, &tenant, WEBHOOKS, &with("secret", unfit)).await.faults(), ["secret"]);
    }
    for unknown in [json!("sha1"), json!("PLAIN"), json!(1)] {
        let faults = post(&app, &tenant, WEBHOOKS, &with("signatureVersion", unknown)).await.faults();
        assert_eq!(faults, ["signatureVersion"]);
    }
}

#[both_stores]
async fn every_unknown_event_is_named_and_reserved_ones_are_accepted(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let wrong = json!(["evaluation.completed", "evaluation.started", "webhook.test", 5, "content.completed", "*"]);
    let faults = post(&app, &tenant, WEBHOOKS, &with("events", wrong)).await.faults();
    assert_eq!(faults, ["events[1]", "events[2]", "events[3]", "events[4]", "events[5]"]);
    for wrong in [json!([]), json!("evaluation.completed"), json!({}), Value::Null] {
        assert_eq!(post(&app, &tenant, WEBHOOKS, &with("events", wrong)).await.faults(), ["events"]);
    }
    assert_eq!(app.count("SELECT count(*) FROM webhook_endpoint").await, 0);
    let all: Vec<_> = events::platform::SUBSCRIBABLE.iter().map(|(name, _)| *name).collect();
    let made = post(&app, &tenant, WEBHOOKS, &with("events", json!(all))).await.expect(201);
    assert_eq!(made["events"], json!(all));
}

#[both_stores]
async fn only_public_https_addresses_are_taken(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    for url in [
        json!("http://lms.example.com/"),
        json!("https://127.0.0.1/"),
        json!("https://[::ffff:10.0.0.1]/"),
        json!("https://169.254.169.254/latest"),
        json!("https://100.64.0.1/"),
        json!("/hooks"),
        json!(5),
        Value::Null,
    ] {
        assert_eq!(post(&app, &tenant, WEBHOOKS, &with("url", url)).await.faults(), ["url"]);
    }
    let nothing = post(&app, &tenant, WEBHOOKS, &json!({})).await.faults();
    assert_eq!(nothing, ["url", "events"]);
}

#[both_stores]
async fn a_replay_is_identical_and_another_request_conflicts(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let send = |body: Value| app.post(WEBHOOKS).key(&tenant.key).idempotency("k").json(&body).send();
    let (first, replay) = (send(asked()).await, send(asked()).await);
    assert!(!first.is_replay() && replay.is_replay());
    assert_eq!((replay.status, &replay.body), (first.status, &first.body));
    let first = first.expect(201);
    send(with("url", json!("https://b.example.com/"))).await.expect(409);
    assert_eq!(app.count("SELECT count(*) FROM webhook_endpoint").await, 1);
    let kept =
        app.test.store.read("test", |tx| tx.find("SELECT body FROM idempotency", &[], |row| row.get::<String>(0)));
    let kept: Result<Option<String>, StoreError> = kept.await;
    assert!(!kept.unwrap().unwrap().contains(first["secret"].as_str().unwrap()), "kept answers are sealed");
}

#[both_stores]
async fn a_deleted_endpoint_is_gone(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, _) = endpoint(&app, &tenant).await;
    let gone = app.delete(&path).key(&tenant.key).send().await;
    assert_eq!(gone.expect(204), Value::Null);
    app.delete(&path).key(&tenant.key).send().await.expect(404);
    assert_eq!(get(&app, &tenant, WEBHOOKS).await.expect(200), json!([]));
}

#[both_stores]
async fn what_is_anothers_does_not_exist(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("other").await);
    let (foreign, _) = endpoint(&app, &other).await;
    let unknown = format!("{WEBHOOKS}/{}", app.test.ambient.id::<EndpointId>());
    let event = post(&app, &other, &format!("{foreign}/test"), &json!({})).await.expect(202);
    let redelivery = format!("/deliveries/{}/redeliver", event["eventId"].as_str().unwrap());
    for path in [foreign.as_str(), &unknown, &format!("{WEBHOOKS}/no-uuid")] {
        app.delete(path).key(&tenant.key).send().await.expect(404);
        get(&app, &tenant, &format!("{path}/deliveries")).await.expect(404);
        for verb in ["/rotate-secret", "/test", &redelivery] {
            bare(&app, &tenant, &format!("{path}{verb}")).await.expect(404);
        }
    }
    let named = format!("{WEBHOOKS}?workspaceId={}", other.workspace);
    get(&app, &tenant, &named).await.expect(404);
    post(&app, &tenant, &named, &asked()).await.expect(404);
    post(&app, &tenant, WEBHOOKS, &with("organizationId", json!(other.workspace))).await.expect(404);
    assert_eq!(get(&app, &other, WEBHOOKS).await.expect(200).as_array().unwrap().len(), 1);
}

#[both_stores]
async fn an_operator_and_a_key_with_the_scope_act_on_the_workspace_that_they_name(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("other").await);
    let (admin, _) = app.mint(other.workspace, true, None).await;
    let operator = app.operator("o@example.com").await;
    let credentials: [&(dyn Fn(Call<'_>) -> Call<'_> + Sync); 2] =
        [&|call| call.cookie(&operator), &|call| call.key(&admin)];
    for by in credentials {
        let named = format!("{WEBHOOKS}?organizationId={}", tenant.workspace);
        by(app.post(&named)).json(&asked()).send().await.expect(201);
        by(app.post(WEBHOOKS)).json(&with("workspaceId", json!(tenant.workspace))).send().await.expect(201);
        let listed = by(app.get(&named)).send().await.expect(200);
        assert_eq!(listed, get(&app, &tenant, WEBHOOKS).await.expect(200));
        assert_eq!(listed.as_array().unwrap().len(), 2);
        for endpoint in listed.as_array().unwrap() {
            let path = format!("{WEBHOOKS}/{}", endpoint["id"].as_str().unwrap());
            by(app.delete(&format!("{path}?workspaceId={}", other.workspace))).send().await.expect(404);
            by(app.post(&format!("{path}/test"))).send().await.expect(202);
            by(app.delete(&path)).send().await.expect(204);
        }
        let both = by(app.post(&named)).json(&with("workspaceId", json!(other.workspace)));
        assert_eq!(both.send().await.faults(), ["workspaceId"]);
    }
    assert_eq!(app.get(WEBHOOKS).cookie(&operator).send().await.faults(), ["workspaceId"]);
    assert_eq!(app.post(WEBHOOKS).cookie(&operator).json(&asked()).send().await.faults(), ["workspaceId"]);
    assert_eq!(app.get(WEBHOOKS).key(&admin).send().await.expect(200), json!([]), "its own workspace's");
}

#[both_stores]
async fn without_a_right_nothing_happens(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, _) = endpoint(&app, &tenant).await;
    let admin = app.admin("a@example.com").await;
    let named = format!("?organizationId={}", tenant.workspace);
    let calls = [
        (Method::POST, WEBHOOKS.to_owned()),
        (Method::GET, WEBHOOKS.to_owned()),
        (Method::DELETE, path.clone()),
        (Method::POST, format!("{path}/rotate-secret")),
        (Method::POST, format!("{path}/test")),
        (Method::GET, format!("{path}/deliveries")),
        (Method::POST, format!("{path}/deliveries/x/redeliver")),
    ];
    for (method, path) in calls {
        app.call(method.clone(), &path).send().await.expect(401);
        app.call(method.clone(), &path).key("svc_platform_wrong").send().await.expect(401);
        app.call(method, &format!("{path}{named}")).cookie(&admin).send().await.expect(403);
    }
}

#[both_stores]
async fn a_rotation_shows_the_new_secret_and_how_long_the_old_one_signs(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, made) = endpoint(&app, &tenant).await;
    let path = format!("{path}/rotate-secret");
    let now = app.test.ambient.now();
    let day = json!(now.plus(Duration::from_secs(86_400)));
    let rotated = bare(&app, &tenant, &path).await.expect(200);
    assert_eq!(names(&rotated), ["id", "secret", "previousSecretSignsUntil", "updatedAt"]);
    assert_eq!((&rotated["previousSecretSignsUntil"], &rotated["updatedAt"]), (&day, &json!(now)));
    assert_ne!(rotated["secret"], made["secret"]);
    let own = post(&app, &tenant, &path, &json!({ "secret": "mine", "overlapSeconds": 60 })).await.expect(200);
    let minute = json!(now.plus(Duration::from_secs(60)));
    assert_eq!((&own["secret"], &own["previousSecretSignsUntil"]), (&json!("mine"), &minute));
    post(&app, &tenant, &path, &json!({})).await.expect(200);
    post(&app, &tenant, &path, &json!({})).await.expect(409);
    let at_once = post(&app, &tenant, &path, &json!({ "overlapSeconds": 0 })).await.expect(200);
    assert_eq!(at_once["previousSecretSignsUntil"], Value::Null);
    for wrong in [json!(-1), json!(604_801), json!(1.5), json!("60")] {
        let faults = post(&app, &tenant, &path, &json!({ "overlapSeconds": wrong, "secret": "" })).await.faults();
        assert_eq!(faults, ["secret", "overlapSeconds"]);
    }
}

#[both_stores]
async fn a_replayed_rotation_rotates_once(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, _) = endpoint(&app, &tenant).await;
    let path = format!("{path}/rotate-secret");
    let rotate = || app.post(&path).key(&tenant.key).idempotency("k");
    let (first, replay) = (rotate().send().await, rotate().send().await);
    assert_eq!(first.expect(200), replay.expect(200));
    assert!(replay.is_replay());
    rotate().json(&json!({ "overlapSeconds": 0 })).send().await.expect(409);
}

#[both_stores]
async fn a_test_is_queued_logged_and_can_be_redelivered(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, _) = endpoint(&app, &tenant).await;
    let queued = bare(&app, &tenant, &format!("{path}/test")).await.expect(202);
    let fields = ["eventId", "event", "subjectId", "status", "createdAt", "nextAttemptAt", "finishedAt", "attempts"];
    assert_eq!(names(&queued), fields);
    assert_eq!((&queued["event"], &queued["status"]), (&json!("webhook.test"), &json!("pending")));
    let log = format!("{path}/deliveries");
    assert_eq!(get(&app, &tenant, &log).await.expect(200), json!([queued]));
    let again = format!("{log}/{}/redeliver", queued["eventId"].as_str().unwrap());
    bare(&app, &tenant, &again).await.expect(409);
    write(&app, |tx| {
        tx.execute("UPDATE delivery SET state = 'failed', attempts = 4, finished_at = created_at", &[])?;
        tx.execute(
            "INSERT INTO delivery_attempt (event_id, endpoint_id, attempt, started_at, duration_ms, status_code, error)
                 SELECT event_id, endpoint_id, 4, created_at, 12, 503, 'status' FROM delivery",
            &[],
        )
    })
    .await;
    let failed = get(&app, &tenant, &format!("{log}?status=failed")).await.expect(200);
    let attempt = json!({
        "number": 4, "startedAt": queued["createdAt"], "durationMs": 12, "statusCode": 503, "error": "status",
    });
    assert_eq!((&failed[0]["attempts"], &failed[0]["nextAttemptAt"]), (&json!([attempt]), &Value::Null));
    let requeued = bare(&app, &tenant, &again).await.expect(202);
    assert_eq!((&requeued["status"], &requeued["eventId"]), (&json!("pending"), &queued["eventId"]));
    for unknown in [app.test.ambient.id::<EndpointId>().to_string(), "no-uuid".to_owned()] {
        let path = format!("{log}/{unknown}/redeliver");
        bare(&app, &tenant, &path).await.expect(404);
    }
    write(&app, |tx| tx.execute("UPDATE webhook_endpoint SET status = 'DISABLED'", &[])).await;
    bare(&app, &tenant, &format!("{path}/test")).await.expect(409);
    assert_eq!(get(&app, &tenant, WEBHOOKS).await.expect(200)[0]["status"], "disabled");
}

#[both_stores]
async fn the_log_has_pages_like_every_list(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let (path, _) = endpoint(&app, &tenant).await;
    let mut events = Vec::new();
    for _ in 0..3 {
        app.test.clock.advance(Duration::from_millis(1));
        let queued = bare(&app, &tenant, &format!("{path}/test")).await.expect(202);
        events.insert(0, queued["eventId"].clone());
    }
    let log = format!("{path}/deliveries");
    let page = get(&app, &tenant, &format!("{log}?limit=2&status=pending")).await;
    assert_eq!(page.header("x-total-count"), "3");
    let next = format!("<https://lectern.example{log}?status=pending&limit=2&page=2>; rel=\"next\"");
    assert!(page.header("link").contains(&next));
    let first = page.expect(200);
    let second = get(&app, &tenant, &format!("{log}?limit=2&page=2")).await.expect(200);
    let seen: Vec<_> = [first, second].iter().flat_map(|page| page.as_array().unwrap().clone()).collect();
    assert_eq!(seen.iter().map(|delivery| delivery["eventId"].clone()).collect::<Vec<_>>(), events);
    assert_eq!(get(&app, &tenant, &format!("{log}?page=9")).await.expect(200), json!([]));
    let faults = get(&app, &tenant, &format!("{log}?limit=0&page=x&status=lost")).await.faults();
    assert_eq!(faults, ["limit", "page", "status"]);
    get(&app, &tenant, &format!("{log}?status=failed&status=pending")).await.expect(400);
}
