//! `GET /v1/content/organizations/{organizationId}/api-keys` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::keys::{ApiKey, KeyStatus};
use edge::params::Params;
use edge::problem::Problem;
use edge::query::Query;
use edge::sessions::PresentedSession;
use kernel::id::KeyId;
use kernel::time::Timestamp;
use serde::Serialize;

use crate::ContentKeys;

/// A key without anything secret.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedKey {
    id: KeyId,
    #[schema(format = Uuid)]
    organization_id: String,
    name: String,
    #[schema(example = "svc_content_m3JxQ0aB")]
    key_prefix: String,
    /// `ACTIVE`, `REVOKED` or `EXPIRED`.
    status: KeyStatus,
    rate_limit_per_minute: u32,
    /// At most a minute behind.
    #[schema(required)]
    last_used_at: Option<Timestamp>,
    #[schema(required)]
    expires_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl ListedKey {
    /// The listed form of a key at an instant.
    pub fn of(key: ApiKey, now: Timestamp) -> Self {
        Self {
            status: key.status(now),
            id: key.id,
            organization_id: key.owner_id,
            name: key.name,
            key_prefix: key.prefix,
            rate_limit_per_minute: key.rate_limit_per_minute,
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
            created_at: key.created_at,
        }
    }
}

/// Lists an organization's keys, newest first.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/api-keys", tag = "API keys",
    operation_id = "listApiKeys", security(("adminSession" = [])),
    responses((status = 200, description = "The keys, newest first", body = Vec<ListedKey>))
)]
pub async fn list(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    let listing = door.clone();
    door.read_by_admin(session, "keys.list", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        query.read_none()?;
        let now = tx.now();
        let listed = listing.list_keys::<ContentKeys>(tx, &owner)?.into_iter().map(|key| ListedKey::of(key, now));
        Ok(Answer::ok(&listed.collect::<Vec<_>>()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn keys_are_listed_newest_first_without_anything_secret(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
        app.test.clock.advance(Duration::from_secs(1));
        let (raw, id) = app.mint(tenant.organization, 7, None).await;
        let reply = app.get(&tenant.path("api-keys")).cookie(&cookie).send().await;
        let listed = reply.expect(200);
        assert_eq!(
            listed[0],
            json!({
                "id": id,
                "organizationId": tenant.organization,
                "name": "test",
                "keyPrefix": &raw[..20],
                "status": "ACTIVE",
                "rateLimitPerMinute": 7,
                "lastUsedAt": null,
                "expiresAt": null,
                "createdAt": "2026-01-02T03:04:06.000Z",
            })
        );
        assert_eq!(listed[1]["id"], json!(tenant.key_id));
        assert_eq!(listed.as_array().map(Vec::len), Some(2), "the other organization's key is not listed");
        let hash = kernel::secret::sha256_hex(raw.as_bytes());
        assert!(!reply.body.contains(&raw) && !reply.body.contains(&hash));
    }

    #[both_stores]
    async fn the_status_tells_revoked_and_expired_keys(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let (_, expired) = app.mint(tenant.organization, 60, Some(Duration::from_secs(1))).await;
        let (_, revoked) = app.mint(tenant.organization, 60, Some(Duration::from_secs(1))).await;
        app.post(&tenant.path(&format!("api-keys/{revoked}/revoke"))).cookie(&cookie).send().await.expect(200);
        app.test.clock.advance(Duration::from_secs(1));
        let listed = app.get(&tenant.path("api-keys")).cookie(&cookie).send().await.expect(200);
        let status_of = |id| {
            let key = listed.as_array().unwrap().iter().find(|key| key["id"] == json!(id)).unwrap();
            key["status"].as_str().unwrap()
        };
        assert_eq!(status_of(tenant.key_id), "ACTIVE");
        assert_eq!(status_of(expired), "EXPIRED");
        assert_eq!(status_of(revoked), "REVOKED");
    }

    #[both_stores]
    async fn the_last_use_is_known_before_it_is_saved_and_after(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let shown = async || {
            app.get(&tenant.path("api-keys")).cookie(&cookie).send().await.expect(200)[0]["lastUsedAt"].clone()
        };
        let last_use = async || {
            let unsaved = shown().await;
            app.door.save_key_uses().await.unwrap();
            assert_eq!(shown().await, unsaved);
            unsaved
        };
        assert_eq!(last_use().await, Value::Null);
        app.get("/v1/content/classrooms").key(&tenant.key).send().await.expect(200);
        assert_eq!(last_use().await, "2026-01-02T03:04:05.000Z");
        app.test.clock.advance(Duration::from_secs(60));
        app.get("/v1/content/classrooms").key(&tenant.key).send().await.expect(200);
        assert_eq!(last_use().await, "2026-01-02T03:05:05.000Z");
    }
}
