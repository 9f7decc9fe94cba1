//! `POST /v1/content/organizations/{organizationId}/webhooks` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{JsonBody, any_text, list, one_of};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::Surface;
use events::endpoints::{self, CreateEndpointError, NewEndpoint};
use http::{HeaderMap, StatusCode};
use kernel::secret::ExposeSecret as _;

use super::{EVENTS, WebhookEndpoint};
use crate::Content;

const ROUTE: &str = "POST /v1/content/organizations/{organizationId}/webhooks";

/// Where to tell what.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateWebhookRequest {
    /// A public https address.
    #[schema(example = "https://lms.example.com/hooks/lectern")]
    url: String,
    /// At least one of `content.completed` and `content.failed`.
    #[schema(example = json!(["content.completed", "content.failed"]))]
    events: Vec<String>,
}

/// Registers a webhook endpoint. Its signing secret is in this answer only.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks", tag = "Webhooks",
    operation_id = "createWebhook", security(("adminSession" = [])), request_body = CreateWebhookRequest,
    params(
        ("organizationId" = String, Path),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters"),
    ),
    responses(
        (status = 201, body = WebhookEndpoint),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "Not signed in", body = ContentErrorBody),
        (status = 403, description = "The admin cannot manage the organization", body = ContentErrorBody),
        (status = 409, description = "Too many endpoints, or the idempotency key was used for another request",
            body = ContentErrorBody),
    )
)]
pub async fn create(
    State(content): State<Content>,
    session: PresentedSession,
    Params(organization): Params<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let Content { door, outbound, webhook_secrets } = content;
    let (ambient, idempotency) = (door.ambient.clone(), door.idempotency.clone());
    door.write_by_admin(session, "webhooks.create", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let (url, events) = body.read(|fields| {
            let url = fields.required("url", |value, at| {
                let text = any_text(value, at)?;
                match outbound.check_url(&text) {
                    Ok(_) => Some(text),
                    Err(refused) => at.refuse(refused.to_string()),
                }
            });
            let events = fields.required("events", list(1..=100, one_of(EVENTS)));
            Some((url?, events?))
        })?;
        let claim = idempotency_key.clone()?.map(|key| {
            let request = body.value().cloned().unwrap_or_default();
            Claim::new(owner.clone(), ROUTE, key, &request, Retention::Day)
        });
        idempotency.once(tx, claim.as_ref(), |tx| {
            let events: Vec<String> = events.iter().map(|event| (*event).to_owned()).collect();
            let (new, secret) =
                NewEndpoint::generate(&ambient, &webhook_secrets, Surface::Content, owner.clone(), url, &events);
            let endpoint = endpoints::create(tx, &new).map_err(refusal)?;
            let secret = secret.expose_secret().to_owned();
            Ok((Answer::json(StatusCode::CREATED, &WebhookEndpoint::of(endpoint, Some(secret))), Kept::Sealed))
        })
    })
    .await
}

fn refusal(error: CreateEndpointError) -> Problem {
    match error {
        CreateEndpointError::TooMany => Problem::Conflict("The organization has too many webhook endpoints."),
        CreateEndpointError::Store(error) => error.into(),
    }
}
