//! `POST /v1/content/organizations/{organizationId}/api-keys` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, integer, label};
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::keys::{self, NewKey, expires_later};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::time::Timestamp;
use serde_json::json;

use super::{CreatedKey, DEFAULT_RATE_LIMIT_PER_MINUTE, HIGHEST_RATE_LIMIT_PER_MINUTE};
use crate::ContentKeys;

/// What a new key is to be.
#[derive(Body)]
#[body(context = Timestamp)]
pub struct CreateKeyRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "production")]
    name: String,
    /// 1 to 100000 requests a minute; 60 when it is absent.
    #[field(integer(1..=HIGHEST_RATE_LIMIT_PER_MINUTE), default = DEFAULT_RATE_LIMIT_PER_MINUTE, example = 60)]
    rate_limit_per_minute: u32,
    /// A time in the future after which the key stops authorizing.
    #[field(rule = expires_later(expires_at, context))]
    expires_at: Option<Timestamp>,
}

/// Makes a content key. Its raw text is in this answer only.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys", tag = "API keys",
    operation_id = "createApiKey", security(("adminSession" = [])), request_body = CreateKeyRequest,
    params(Repeatable),
    responses(
        (status = 201, description = "Made; the raw key is shown this once", body = CreatedKey),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "keys.create", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        // An expiry that has passed since does not stand in the way of a replay.
        let judged = read(&body, Timestamp::from_millis(0)).or_else(|_| read(&body, tx.now()));
        let (key, _) = Problem::both(repeatable.key(), judged)?;
        let claim = key.claim(owner.clone(), || json!(body.value().ok()));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::create::<ContentKeys>(tx, &parts.ambient, &owner, &read(&body, tx.now())?)?;
            let answer = Answer::json(StatusCode::CREATED, &CreatedKey::of(&minted));
            Ok((answer, Kept::Instead(json!(CreatedKey::without_raw_key(&minted)).to_string())))
        })
    })
    .await
}

fn read(body: &JsonBody, now: Timestamp) -> Result<NewKey, Problem> {
    let CreateKeyRequest { name, rate_limit_per_minute, expires_at } = body.read_in(&now)?;
    Ok(NewKey { name, rate_limit_per_minute, expires_at, is_service_admin: false })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use store::StoreError;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Tenant};

    async fn signed_in(test: TestStore) -> (App, Tenant, String) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        (app, tenant, cookie)
    }

    #[both_stores]
    async fn a_key_has_the_defaults_and_works_at_once(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let body = json!({ "name": "production", "ignored": true });
        let made = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&body).send().await.expect(201);
        let raw = made["apiKey"].as_str().unwrap();
        assert!(raw.starts_with("svc_content_"));
        assert!(raw.starts_with(made["keyPrefix"].as_str().unwrap()));
        assert!(made["keyPrefix"].as_str().unwrap().len() < raw.len() / 2, "the prefix gives nothing away");
        assert_eq!((&made["name"], &made["rateLimitPerMinute"]), (&json!("production"), &json!(60)));
        assert_eq!(made["expiresAt"], Value::Null);
        let names: Vec<_> = made.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["apiKey", "keyId", "keyPrefix", "name", "rateLimitPerMinute", "expiresAt"]);
        let used = app.get("/v1/content/classrooms").key(raw).send().await;
        used.expect(200);
        assert_eq!(used.header("ratelimit-limit"), "60");
    }

    #[both_stores]
    async fn the_raw_key_is_stored_nowhere(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let call = app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency("k").json(&json!({ "name": "n" }));
        let raw = call.send().await.expect(201)["apiKey"].as_str().unwrap().to_owned();
        let kept = app.read(|tx| {
            let mut texts: Vec<String> = tx.query("SELECT token_hash FROM api_key", &[], |row| row.get(0))?;
            texts.extend(tx.query("SELECT body FROM idempotency", &[], |row| row.get::<String>(0))?);
            Ok::<_, StoreError>(texts)
        });
        let kept = kept.await;
        assert_eq!(kept.len(), 3);
        assert!(kept.iter().all(|text| !text.contains(&raw) && !raw.contains(text.as_str())));
    }

    #[both_stores]
    async fn the_limit_is_from_1_to_100000(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        for limit in [json!(1), json!(100_000), json!(60.0)] {
            let body = json!({ "name": "n", "rateLimitPerMinute": limit });
            let made = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&body).send().await.expect(201);
            assert_eq!(made["rateLimitPerMinute"].as_f64(), limit.as_f64());
        }
        let before = app.stored().await;
        let wrong =
            [json!(0), json!(-1), json!(100_001), json!(1.5), json!("60"), json!(true), json!([]), json!(1e300)];
        for limit in wrong {
            let body = json!({ "name": "n", "rateLimitPerMinute": limit });
            let reply = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&body).send().await;
            assert_eq!(reply.faults(), ["rateLimitPerMinute"], "{limit}");
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn a_name_is_required_and_all_faults_are_told_at_once(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        for name in [json!(""), json!("  "), json!(5), json!(null), json!("x".repeat(201))] {
            let reply = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&json!({ "name": name })).send().await;
            assert_eq!(reply.faults(), ["name"], "{name}");
        }
        let body = json!({ "rateLimitPerMinute": 0, "expiresAt": "soon" });
        let reply = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&body).send().await;
        assert_eq!(reply.faults(), ["name", "rateLimitPerMinute", "expiresAt"]);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 1);
    }

    #[both_stores]
    async fn a_key_stops_at_its_expiry_which_must_lie_in_the_future(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let now = app.test.ambient.now();
        let past = json!({ "name": "n", "expiresAt": now });
        assert_eq!(app.post(&tenant.path("api-keys")).cookie(&cookie).json(&past).send().await.faults(), ["expiresAt"]);
        let body = json!({ "name": "n", "expiresAt": now.plus(Duration::from_secs(60)) });
        let made = app.post(&tenant.path("api-keys")).cookie(&cookie).json(&body).send().await.expect(201);
        assert_eq!(made["expiresAt"], body["expiresAt"]);
        let raw = made["apiKey"].as_str().unwrap();
        app.test.clock.advance(Duration::from_millis(59_999));
        app.get("/v1/content/classrooms").key(raw).send().await.expect(200);
        app.test.clock.advance(Duration::from_millis(1));
        app.get("/v1/content/classrooms").key(raw).send().await.expect(401);
    }

    #[both_stores]
    async fn a_replay_has_no_raw_key_and_makes_no_other(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let create = |name: &str| {
            app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency("order-1").json(&json!({ "name": name }))
        };
        let first = create("n").send().await;
        let mut expected = first.expect(201);
        expected["apiKey"] = Value::Null;
        let replay = create("n").send().await;
        assert!(!first.is_replay() && replay.is_replay());
        assert_eq!(replay.expect(201), expected);
        create("another").send().await.expect(409);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 2);
        assert_eq!(create("n").send().await.body, replay.body);
    }

    #[both_stores]
    async fn a_replay_outlives_the_expiry_of_its_key(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let body = json!({ "name": "n", "expiresAt": app.test.ambient.now().plus(Duration::from_secs(60)) });
        let create = || app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency("k").json(&body);
        let made = create().send().await.expect(201);
        app.test.clock.advance(Duration::from_secs(61));
        let replay = create().send().await;
        assert_eq!((replay.is_replay(), &replay.expect(201)["keyId"]), (true, &made["keyId"]));
        let other = app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency("l").json(&body);
        assert_eq!(other.send().await.faults(), ["expiresAt"]);
    }

    #[both_stores]
    async fn a_wrong_key_and_a_wrong_body_are_named_together(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        for (path, cookie, fields) in [
            (tenant.path("api-keys"), Some(&cookie), vec!["name"]),
            (tenant.path("webhooks"), Some(&cookie), vec!["url", "events"]),
            ("/v1/content/integrations/expansions".to_owned(), None, vec!["classroomId", "payload"]),
            (tenant.resources("courses"), None, vec!["title"]),
            ("/v1/content/classrooms/7/tests".to_owned(), None, vec!["classroomId", "topicPrompt"]),
        ] {
            let call = app.post(&path).idempotency("a b").json(&json!({}));
            let call = if let Some(cookie) = cookie { call.cookie(cookie) } else { call.key(&tenant.key) };
            assert_eq!(call.send().await.faults(), [vec!["Idempotency-Key"], fields].concat(), "{path}");
        }
    }

    #[both_stores]
    async fn an_idempotency_key_counts_within_its_organization(test: TestStore) {
        let (app, tenant, _) = signed_in(test).await;
        let other = app.tenant("Other").await;
        let cookie = app.admin_of("b@example.com", &[&tenant, &other]).await;
        for owner in [&tenant, &other] {
            let call =
                app.post(&owner.path("api-keys")).cookie(&cookie).idempotency("same").json(&json!({ "name": "n" }));
            let reply = call.send().await;
            reply.expect(201);
            assert!(!reply.is_replay());
        }
    }

    #[both_stores]
    async fn a_refused_create_may_be_repeated_with_its_idempotency_key(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let create = |body: Value| app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency("k").json(&body);
        create(json!({})).send().await.expect(400);
        create(json!({ "name": "n" })).send().await.expect(201);
        for unfit in ["", "a b", &"x".repeat(256)] {
            let call =
                app.post(&tenant.path("api-keys")).cookie(&cookie).idempotency(unfit).json(&json!({ "name": "n" }));
            assert_eq!(call.send().await.faults(), ["Idempotency-Key"], "{unfit:?}");
        }
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 2);
    }
}
