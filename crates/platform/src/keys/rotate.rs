//! `POST /v1/platform/api-keys/{id}/rotate` (platform-api section 4).

use axum::extract::State;
use billing::caps;
use edge::answer::Answer;
use edge::idempotency::{Kept, Repeatable};
use edge::keys;
use edge::params::Params;
use edge::problem::Problem;
use serde_json::json;

use super::{CreatedPlatformKey, changeable};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;

/// Replaces an active key: the old one stops at once, the new one has the same name, scopes, expiry and spending caps.
#[utoipa::path(
    post, path = "/v1/platform/api-keys/{id}/rotate", tag = "API keys", operation_id = "rotatePlatformKey",
    responses((status = 200, description = "Replaced; the new raw key is shown this once", body = CreatedPlatformKey))
)]
pub async fn rotate(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_keys.rotate", move |tx, caller| {
        let key = changeable(tx, caller, &id)?;
        let claim = repeatable.key()?.claim(caller.idempotency_scope(), || json!({ "keyId": key.id }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let minted = keys::rotate::<PlatformKeys>(tx, &parts.door.ambient, &key.owner_id, key.id)?;
            let workspace = key.owner_id.parse().map_err(Problem::unexpected)?;
            caps::pass_on(tx, workspace, key.id, minted.key.id)?;
            let kept = json!(CreatedPlatformKey::without_raw_key(&minted)).to_string();
            Ok((Answer::ok(&CreatedPlatformKey::of(&minted)), Kept::Instead(kept)))
        })
    })
    .await
    .inspect(|_| platform.door.forget_keys())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, KEYS, WORKSPACES};

    #[both_stores]
    async fn the_new_key_has_the_name_scopes_and_expiry_and_the_old_one_stops_at_once(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        for is_admin in [false, true] {
            let (old, id) = app.mint(tenant.workspace, is_admin, Some(Duration::from_secs(60))).await;
            let rotated = app.post(&format!("{KEYS}/{id}/rotate")).key(&old).send().await.expect(200);
            let new = rotated["apiKey"].as_str().unwrap();
            assert_ne!((new, &rotated["keyId"]), (old.as_str(), &json!(id)));
            assert!(new.starts_with("svc_platform_") && new.starts_with(rotated["keyPrefix"].as_str().unwrap()));
            let scopes = if is_admin { json!(["platform:admin"]) } else { json!([]) };
            let list = format!("{KEYS}?workspaceId={}", tenant.workspace);
            let listed = app.get(&list).key(new).send().await.expect(200);
            let listed = listed.as_array().unwrap().iter().find(|key| key["id"] == rotated["keyId"]).unwrap();
            assert_eq!((&rotated["name"], &listed["scopes"]), (&json!("test"), &scopes));
            assert_eq!(listed["expiresAt"], "2026-01-02T03:05:05.000Z");
            let refused = app.get(WORKSPACES).key(&old).send().await.expect(401);
            assert_eq!(refused["error"]["code"], "platform_api_key_revoked");
            app.get(WORKSPACES).key(new).send().await.expect(200);
        }
    }

    #[both_stores]
    async fn only_an_active_key_can_be_rotated(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (_, expired) = app.mint(tenant.workspace, false, Some(Duration::from_secs(1))).await;
        let (_, revoked) = app.mint(tenant.workspace, false, None).await;
        app.post(&format!("{KEYS}/{revoked}/revoke")).key(&tenant.key).send().await.expect(200);
        app.test.clock.advance(Duration::from_secs(1));
        let before = app.stored().await;
        for id in [expired, revoked] {
            app.post(&format!("{KEYS}/{id}/rotate")).key(&tenant.key).send().await.expect(409);
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn of_many_rotations_at_once_exactly_one_makes_a_key(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (_, id) = app.mint(tenant.workspace, false, None).await;
        let path = format!("{KEYS}/{id}/rotate");
        let replies = futures_util::future::join_all((0..8).map(|_| app.post(&path).key(&tenant.key).send())).await;
        let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 3);
        assert_eq!(app.count("SELECT count(*) FROM api_key WHERE revoked_at IS NULL").await, 2);
    }

    #[both_stores]
    async fn a_replay_is_the_same_without_the_raw_key(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let ((_, one), (_, other)) =
            (app.mint(tenant.workspace, false, None).await, app.mint(tenant.workspace, false, None).await);
        let rotate = |id| app.post(&format!("{KEYS}/{id}/rotate")).key(&tenant.key).idempotency("k");
        let mut expected = rotate(one).send().await.expect(200);
        expected["apiKey"] = Value::Null;
        let replay = rotate(one).send().await;
        assert!(replay.is_replay());
        assert_eq!(replay.expect(200), expected);
        rotate(other).send().await.expect(409);
        assert_eq!(app.count("SELECT count(*) FROM api_key").await, 4);
    }

    #[both_stores]
    async fn a_plain_key_rotates_no_key_with_the_scope_of_its_own_workspace(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        let (admin_key, id) = app.mint(tenant.workspace, true, None).await;
        let before = app.stored().await;
        let path = format!("{KEYS}/{id}/rotate");
        let refused = app.post(&path).key(&tenant.key).send().await.expect(403);
        assert_eq!(refused["error"]["code"], "platform_forbidden");
        assert_eq!(app.stored().await, before);
        app.get(WORKSPACES).key(&admin_key).send().await.expect(200);
        app.post(&path).cookie(&operator).send().await.expect(200);
    }

    #[both_stores]
    async fn foreign_and_unknown_keys_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let (_, foreign_admin) = app.mint(other.workspace, true, None).await;
        let before = app.stored().await;
        for id in [
            other.key_id.to_string(),
            foreign_admin.to_string(),
            tenant.workspace.to_string(),
            "no-uuid".into(),
            "%00".into(),
        ] {
            app.post(&format!("{KEYS}/{id}/rotate")).key(&tenant.key).idempotency("k").send().await.expect(404);
        }
        assert_eq!(app.stored().await, before);
    }
}
