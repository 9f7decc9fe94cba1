//! `POST /v1/platform/api-keys/{id}/revoke` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::keys;
use edge::params::Params;
use edge::problem::Problem;

use super::{PlatformKey, changeable};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;

/// Stops a key at once and for good. Revoking it again changes nothing and answers alike.
#[utoipa::path(
    post, path = "/v1/platform/api-keys/{id}/revoke", tag = "API keys", operation_id = "revokePlatformKey",
    responses((status = 200, description = "The key as it is now", body = PlatformKey))
)]
pub async fn revoke(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "platform_keys.revoke", move |tx, caller| {
        let key = changeable(tx, caller, &id)?;
        let revoked = keys::revoke::<PlatformKeys>(tx, &key.owner_id, key.id)?;
        Ok(Answer::ok(&PlatformKey::of(revoked, tx.now())))
    })
    .await
    .inspect(|_| platform.door.forget_keys())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, EVALUATIONS, KEYS, WORKSPACES, exact};

    #[both_stores]
    async fn a_revoked_key_stops_at_once_and_says_so(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (raw, id) = app.mint(tenant.workspace, false, None).await;
        app.post(EVALUATIONS).key(&raw).json(&exact()).send().await.expect(201);
        app.test.clock.advance(Duration::from_secs(1));
        let path = format!("{KEYS}/{id}/revoke");
        let revoked = app.post(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!((&revoked["id"], &revoked["status"]), (&json!(id), &json!("REVOKED")));
        assert_eq!(
            (&revoked["createdAt"], &revoked["updatedAt"]),
            (&json!("2026-01-02T03:04:05.000Z"), &json!("2026-01-02T03:04:06.000Z"))
        );
        for call in [app.get(WORKSPACES), app.post(EVALUATIONS).json(&exact()), app.post(&path)] {
            let refused = call.key(&raw).send().await.expect(401);
            assert_eq!(refused["error"]["code"], "platform_api_key_revoked");
        }
        app.test.clock.advance(Duration::from_secs(1));
        let again = app.post(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(again["updatedAt"], revoked["updatedAt"], "once more changes nothing");
        app.finish().await;
    }

    #[both_stores]
    async fn a_key_may_revoke_itself_and_an_expired_one_stays_revoked(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (_, expiring) = app.mint(tenant.workspace, false, Some(Duration::from_secs(1))).await;
        app.test.clock.advance(Duration::from_secs(2));
        let revoked = app.post(&format!("{KEYS}/{expiring}/revoke")).key(&tenant.key).send().await.expect(200);
        assert_eq!(revoked["status"], "REVOKED");
        app.post(&format!("{KEYS}/{}/revoke", tenant.key_id)).key(&tenant.key).send().await.expect(200);
        app.get(WORKSPACES).key(&tenant.key).send().await.expect(401);
    }

    #[both_stores]
    async fn a_plain_key_revokes_no_key_with_the_scope(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let (admin_key, id) = app.mint(tenant.workspace, true, None).await;
        let path = format!("{KEYS}/{id}/revoke");
        let refused = app.post(&path).key(&tenant.key).send().await.expect(403);
        assert_eq!(refused["error"]["code"], "platform_forbidden");
        app.get(WORKSPACES).key(&admin_key).send().await.expect(200);
        app.post(&path).key(&admin_key).send().await.expect(200);
        app.get(WORKSPACES).key(&admin_key).send().await.expect(401);
    }

    #[both_stores]
    async fn foreign_and_unknown_keys_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        let admin = app.admin("a@example.com").await;
        for id in [other.key_id.to_string(), other.workspace.to_string(), "no-uuid".into(), "%00".into()] {
            let path = format!("{KEYS}/{id}/revoke");
            let refused = app.post(&path).key(&tenant.key).send().await.expect(404);
            assert_eq!(refused["error"]["code"], "platform_not_found");
        }
        app.get(WORKSPACES).key(&other.key).send().await.expect(200);
        let path = format!("{KEYS}/{}/revoke", other.key_id);
        app.post(&path).cookie(&admin).send().await.expect(403);
        app.post(&path).cookie(&operator).send().await.expect(200);
    }
}
