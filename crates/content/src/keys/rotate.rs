//! `POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::keys;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use serde_json::json;

use super::{CreatedKey, key_param};
use crate::ContentKeys;

/// Replaces an active key: the old one stops at once, the new one has the same name, rate limit and expiry.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate", tag = "API keys",
    operation_id = "rotateApiKey", security(("adminSession" = [])),
    params(Repeatable),
    responses(
        (status = 200, description = "Replaced; the new raw key is shown this once", body = CreatedKey),
        (status = 404, description = "There is no such key", body = ContentErrorBody),
        (status = 409, description = "The key is revoked or expired", body = ContentErrorBody),
    )
)]
pub async fn rotate(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, key)): Params<(String, String)>,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "keys.rotate", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let id = key_param(&key)?;
        let claim = repeatable.key()?.claim(owner.clone(), || json!({ "keyId": id }));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::rotate::<ContentKeys>(tx, &parts.ambient, &owner, id)?;
            let kept = json!(CreatedKey::without_raw_key(&minted)).to_string();
            Ok((Answer::ok(&CreatedKey::of(&minted)), Kept::Instead(kept)))
        })
    })
    .await
    .inspect(|_| door.forget_keys())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn the_new_key_has_the_name_and_limit_and_the_old_one_stops_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let (old, id) = app.mint(tenant.organization, 7, Some(Duration::from_secs(60))).await;
        let reply = app.post(&tenant.path(&format!("api-keys/{id}/rotate"))).cookie(&cookie).send().await;
        let rotated = reply.expect(200);
        let new = rotated["apiKey"].as_str().unwrap();
        assert_ne!((new, &rotated["keyId"]), (old.as_str(), &json!(id)));
        assert!(new.starts_with(rotated["keyPrefix"].as_str().unwrap()));
        assert_eq!((&rotated["name"], &rotated["rateLimitPerMinute"]), (&json!("test"), &json!(7)));
        assert_eq!(rotated["expiresAt"], "2026-01-02T03:05:05.000Z", "the expiry stays");
        app.get("/v1/content/classrooms").key(&old).send().await.expect(401);
        app.get("/v1/content/classrooms").key(new).send().await.expect(200);
    }

    #[both_stores]
    async fn a_revoked_or_expired_key_is_a_conflict(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let (_, expired) = app.mint(tenant.organization, 60, Some(Duration::from_secs(1))).await;
        let rotate = |id| app.post(&tenant.path(&format!("api-keys/{id}/rotate"))).cookie(&cookie);
        rotate(tenant.key_id).send().await.expect(200);
        app.test.clock.advance(Duration::from_secs(1));
        let before = app.stored().await;
        rotate(tenant.key_id).send().await.expect(409);
        rotate(expired).send().await.expect(409);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn unknown_foreign_and_malformed_keys_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
        let unknown = app.test.ambient.id::<kernel::id::KeyId>().to_string();
        for id in [unknown, other.key_id.to_string(), "no-uuid".into(), "%00".into()] {
            app.post(&tenant.path(&format!("api-keys/{id}/rotate"))).cookie(&cookie).send().await.expect(404);
        }
        app.get("/v1/content/classrooms").key(&other.key).send().await.expect(200);
    }

    #[both_stores]
    async fn a_repeated_rotate_with_its_idempotency_key_rotates_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let rotate = |id| app.post(&tenant.path(&format!("api-keys/{id}/rotate"))).cookie(&cookie).idempotency("k");
        let mut expected = rotate(tenant.key_id).send().await.expect(200);
        expected["apiKey"] = Value::Null;
        let replay = rotate(tenant.key_id).send().await;
        assert!(replay.is_replay());
        assert_eq!(replay.expect(200), expected);
        let (_, other) = app.mint(tenant.organization, 60, None).await;
        rotate(other).send().await.expect(409);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 3);
    }

    #[both_stores]
    async fn of_many_rotates_at_once_exactly_one_makes_a_key(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let path = tenant.path(&format!("api-keys/{}/rotate", tenant.key_id));
        let replies = futures_util::future::join_all((0..8).map(|_| app.post(&path).cookie(&cookie).send())).await;
        let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 2);
        assert_eq!(app.count("SELECT count(*) FROM api_key WHERE revoked_at IS NULL").await, 1);
    }
}
