//! `DELETE /v1/content/organizations/{organizationId}/webhooks/{webhookId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;

/// Deletes a webhook endpoint; what was not delivered to it yet never will be.
#[utoipa::path(
    delete, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}", tag = "Webhooks",
    operation_id = "deleteWebhook", security(("adminSession" = [])),
    responses(
        (status = 200, description = "Deleted; no body"),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
    )
)]
pub async fn delete(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "webhooks.delete", move |tx, admin| {
        super::load(tx, admin, &organization, &webhook)?.delete(tx)?;
        Ok(Answer::empty(StatusCode::OK))
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_deleted_endpoint_is_gone_with_its_deliveries(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let body = json!({ "url": "https://lms.example.com/", "events": ["content.completed"] });
        let made = app.post(&tenant.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
        app.expand(&tenant, &tenant.source()).await;
        app.run_jobs().await;
        assert_eq!(app.count("SELECT count(*) FROM delivery").await, 1);
        let path = tenant.path(&format!("webhooks/{}", made["id"].as_str().unwrap()));
        let reply = app.delete(&path).cookie(&cookie).send().await;
        assert_eq!((reply.status.as_u16(), reply.body.as_str()), (200, ""));
        assert_eq!(app.count("SELECT count(*) FROM delivery").await, 0);
        assert_eq!(app.get(&tenant.path("webhooks")).cookie(&cookie).send().await.expect(200), json!([]));
        app.delete(&path).cookie(&cookie).send().await.expect(404);
        app.finish().await;
    }

    #[both_stores]
    async fn unknown_foreign_and_malformed_endpoints_are_not_found(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
        let body = json!({ "url": "https://lms.example.com/", "events": ["content.completed"] });
        let foreign = app.post(&other.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
        let unknown = app.test.ambient.id::<kernel::id::EndpointId>().to_string();
        for id in [foreign["id"].as_str().unwrap(), &unknown, "no-uuid", "%ff"] {
            app.delete(&tenant.path(&format!("webhooks/{id}"))).cookie(&cookie).send().await.expect(404);
        }
        assert_eq!(app.count("SELECT count(*) FROM webhook_endpoint").await, 1);
    }
}
