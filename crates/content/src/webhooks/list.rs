//! `GET /v1/content/organizations/{organizationId}/webhooks` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::Query;
use edge::sessions::PresentedSession;
use events::{Surface, endpoints};

use super::WebhookEndpoint;

/// Lists an organization's webhook endpoints, oldest first, without their secrets.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/webhooks", tag = "Webhooks",
    operation_id = "listWebhooks", security(("adminSession" = [])),
    responses((status = 200, description = "The endpoints, oldest first", body = Vec<WebhookEndpoint>))
)]
pub async fn list(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "webhooks.list", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        query.read_none()?;
        let listed = endpoints::list(tx, Surface::Content, &owner)?.into_iter();
        Ok(Answer::ok(&listed.map(|endpoint| WebhookEndpoint::of(endpoint, None)).collect::<Vec<_>>()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn endpoints_are_listed_oldest_first_without_their_secrets(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&tenant, &other]).await;
        let mut made = Vec::new();
        for (owner, name) in [(&tenant, "first"), (&tenant, "second"), (&other, "foreign")] {
            app.test.clock.advance(std::time::Duration::from_millis(1));
            let body = json!({ "url": format!("https://{name}.example.com/"), "events": ["content.failed", "content.completed"] });
            let mut endpoint = app.post(&owner.path("webhooks")).cookie(&cookie).json(&body).send().await.expect(201);
            endpoint.as_object_mut().unwrap().shift_remove("secret").unwrap();
            made.push(endpoint);
        }
        let listed = app.get(&tenant.path("webhooks")).cookie(&cookie).send().await;
        assert_eq!(listed.expect(200), json!([made[0], made[1]]));
        assert!(!listed.body.contains("secret"));
    }
}
