//! `DELETE /v1/content/organizations/{organizationId}/webhooks/{webhookId}` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::{Surface, endpoints};
use http::StatusCode;
use kernel::id::EndpointId;

/// Deletes a webhook endpoint; what was not delivered to it yet never will be.
#[utoipa::path(
    delete, path = "/v1/content/organizations/{organizationId}/webhooks/{webhookId}", tag = "Webhooks",
    operation_id = "deleteWebhook", security(("adminSession" = [])),
    params(("organizationId" = String, Path), ("webhookId" = String, Path)),
    responses(
        (status = 200, description = "Deleted; no body"),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
        (status = 404, description = "There is no such endpoint", body = ContentErrorBody),
    )
)]
pub async fn delete(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, webhook)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "webhooks.delete", move |tx, admin| {
        const UNKNOWN: Problem = Problem::NotFound("Webhook endpoint");
        let owner = admin.manages(tx, &organization)?.to_string();
        let id: EndpointId = webhook.parse().map_err(|_| UNKNOWN)?;
        if endpoints::delete(tx, Surface::Content, &owner, id)? {
            Ok(Answer::empty(StatusCode::OK))
        } else {
            Err(UNKNOWN)
        }
    })
    .await
}
