//! `GET /v1/content/organizations/{organizationId}/webhooks` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::{Surface, endpoints};

use super::WebhookEndpoint;

/// Lists an organization's webhook endpoints, oldest first, without their secrets.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/webhooks", tag = "Webhooks",
    operation_id = "listWebhooks", security(("adminSession" = [])),
    params(("organizationId" = String, Path)),
    responses(
        (status = 200, body = Vec<WebhookEndpoint>),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "webhooks.list", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let listed = endpoints::list(tx, Surface::Content, &owner)?.into_iter();
        Ok(Answer::ok(&listed.map(|endpoint| WebhookEndpoint::of(endpoint, None)).collect::<Vec<_>>()))
    })
    .await
}
