//! `GET /v1/platform/api-keys` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::Problem;

use super::PlatformKey;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::PlatformKeys;
use crate::named::NamedInQuery;

/// Lists a workspace's keys, newest first, without anything secret.
#[utoipa::path(
    get, path = "/v1/platform/api-keys", tag = "API keys", operation_id = "listPlatformKeys",
    params(
        ("organizationId" = String, Query, description = "The workspace"),
        ("workspaceId" = Option<String>, Query, description = "Older name of `organizationId`, which is taken in its place"),
    ),
    responses((status = 200, description = "The keys, newest first", body = Vec<PlatformKey>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    let door = platform.door.clone();
    callers::read(&platform.door, credential, "platform_keys.list", move |tx, caller| {
        let workspace = caller
            .workspace(tx, Some(named.alone()?.ok_or_else(|| Problem::field("organizationId", "is required"))?))?;
        let now = tx.now();
        let listed = door.list_keys::<PlatformKeys>(tx, &workspace.to_string())?.into_iter();
        Ok(Answer::ok(&listed.map(|key| PlatformKey::of(key, now)).collect::<Vec<_>>()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, KEYS};

    #[both_stores]
    async fn keys_are_listed_newest_first_with_every_documented_field_and_nothing_secret(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        app.test.clock.advance(Duration::from_secs(1));
        let (raw, id) = app.mint(tenant.workspace, true, Some(Duration::from_secs(60))).await;
        let path = format!("{KEYS}?organizationId={}", tenant.workspace);
        let reply = app.get(&path).key(&tenant.key).send().await;
        let listed = reply.expect(200);
        assert_eq!(
            listed[0],
            json!({
                "id": id, "name": "test", "keyPrefix": listed[0]["keyPrefix"], "status": "ACTIVE",
                "platformWorkspaceId": tenant.workspace, "scopes": ["platform:admin"], "lastUsedAt": null,
                "expiresAt": "2026-01-02T03:05:06.000Z", "createdAt": "2026-01-02T03:04:06.000Z",
                "updatedAt": "2026-01-02T03:04:06.000Z",
            })
        );
        assert!(raw.starts_with(listed[0]["keyPrefix"].as_str().unwrap()));
        assert_eq!(
            (&listed[1]["id"], &listed[1]["scopes"], &listed[1]["expiresAt"]),
            (&json!(tenant.key_id), &json!([]), &Value::Null)
        );
        assert!(!reply.body.contains(&raw) && !reply.body.contains(&tenant.key));
        app.tenant("hillside").await;
        let by_the_other_name = format!("{KEYS}?workspaceId={}", tenant.workspace);
        assert_eq!(app.get(&by_the_other_name).key(&tenant.key).send().await.expect(200).as_array().unwrap().len(), 2);
    }

    #[both_stores]
    async fn the_workspace_has_to_be_named_and_its_two_names_to_agree(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        let (one, two) = (tenant.workspace, other.workspace);
        for (query, fault) in [
            (String::new(), "organizationId"),
            ("?workspaceId=".into(), "workspaceId"),
            ("?organizationId=7".into(), "organizationId"),
            (format!("?organizationId={one}&workspaceId={two}"), "workspaceId"),
        ] {
            assert_eq!(app.get(&format!("{KEYS}{query}")).key(&tenant.key).send().await.faults(), [fault], "{query}");
            assert_eq!(app.get(&format!("{KEYS}{query}")).cookie(&operator).send().await.faults(), [fault], "{query}");
        }
        app.get(&format!("{KEYS}?organizationId={one}&workspaceId={one}")).key(&tenant.key).send().await.expect(200);
    }

    #[both_stores]
    async fn a_key_lists_its_own_workspaces_keys_and_who_manages_the_service_all(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let (admin_key, _) = app.mint(other.workspace, true, None).await;
        let operator = app.operator("o@example.com").await;
        let admin = app.admin("a@example.com").await;
        let path = format!("{KEYS}?workspaceId={}", tenant.workspace);
        app.get(&path).key(&other.key).send().await.expect(404);
        app.get(&path).cookie(&admin).send().await.expect(403);
        for call in [app.get(&path).key(&admin_key), app.get(&path).cookie(&operator)] {
            assert_eq!(call.send().await.expect(200)[0]["id"], json!(tenant.key_id));
        }
        let unknown = format!("{KEYS}?workspaceId=0192aee1-5a3b-7c2d-8e4f-123456789abc");
        app.get(&unknown).cookie(&operator).send().await.expect(404);
    }

    #[both_stores]
    async fn the_last_use_is_known_before_it_is_saved_and_after(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        let path = format!("{KEYS}?workspaceId={}", tenant.workspace);
        let shown = async || app.get(&path).cookie(&operator).send().await.expect(200)[0]["lastUsedAt"].clone();
        let last_use = async || {
            let unsaved = shown().await;
            app.door.save_key_uses().await.unwrap();
            assert_eq!(shown().await, unsaved);
            unsaved
        };
        assert_eq!(last_use().await, Value::Null);
        for time in ["2026-01-02T03:05:05.000Z", "2026-01-02T03:06:05.000Z"] {
            app.test.clock.advance(Duration::from_secs(60));
            app.get(&path).key(&tenant.key).send().await.expect(200);
            assert_eq!(last_use().await, time);
        }
    }
}
