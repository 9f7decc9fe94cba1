//! `POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/revoke` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::keys;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;

use super::key_param;
use crate::ContentKeys;

/// Stops a key at once. Revoking it again changes nothing and answers alike.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/api-keys/{keyId}/revoke", tag = "API keys",
    operation_id = "revokeApiKey", security(("adminSession" = [])),
    responses(
        (status = 200, description = "Revoked; no body"),
        (status = 404, description = "There is no such key", body = ContentErrorBody),
    )
)]
pub async fn revoke(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, key)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "keys.revoke", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        keys::revoke::<ContentKeys>(tx, &owner, key_param(&key)?)?;
        Ok(Answer::empty(StatusCode::OK))
    })
    .await
    .inspect(|_| door.forget_keys())
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_revoked_key_stops_at_once_and_revoking_again_answers_alike(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let path = tenant.path(&format!("api-keys/{}/revoke", tenant.key_id));
        app.get("/v1/content/classrooms").key(&tenant.key).send().await.expect(200);
        for _ in 0..2 {
            let reply = app.post(&path).cookie(&cookie).send().await;
            assert_eq!((reply.status.as_u16(), reply.body.as_str(), reply.header("content-type")), (200, "", ""));
            app.get("/v1/content/classrooms").key(&tenant.key).send().await.expect(401);
        }
    }

    #[both_stores]
    async fn unknown_foreign_and_malformed_keys_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
        let unknown = app.test.ambient.id::<kernel::id::KeyId>().to_string();
        for id in [unknown, other.key_id.to_string(), "no-uuid".into()] {
            app.post(&tenant.path(&format!("api-keys/{id}/revoke"))).cookie(&cookie).send().await.expect(404);
        }
        app.get("/v1/content/classrooms").key(&other.key).send().await.expect(200);
    }
}
