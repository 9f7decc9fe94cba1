//! `POST /v1/platform/webhooks` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, list, one_of};
use edge::idempotency::{Kept, Repeatable};
use edge::problem::Problem;
use events::Surface;
use events::endpoints::{Endpoint, Registration, SignatureVersion};
use events::owned::register;
use events::platform::SUBSCRIBABLE;
use events::requests::{is_allowed, receiver_url, secret};
use http::StatusCode;
use kernel::id::{EndpointId, WorkspaceId};
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use net::OutboundClient;
use serde::Serialize;
use serde_json::json;

use super::{PlatformEventName, SignatureVersionName};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::{NamedInQuery, names_at_most_one};

/// Where to tell what.
#[derive(Body)]
#[body(context = OutboundClient)]
pub struct CreatePlatformWebhookRequest {
    /// A public https address.
    #[field(receiver_url(), example = "https://lms.example.com/hooks/lectern", rule = is_allowed(url, context))]
    url: String,
    /// At least one. `assessment.deployed`, `assessment.submitted`, `slide.deployed`, `video.deployed` and
    /// `lti.launch_failed` are reserved: they are accepted, and never sent.
    #[field(
        list(1..=100, one_of(SUBSCRIBABLE).shown_as::<PlatformEventName>()),
        example = ["evaluation.completed", "evaluation.failed"]
    )]
    events: Vec<&'static str>,
    /// A secret of your own, 1 to 255 visible ASCII characters; it should be long and random. Made when omitted.
    #[field(secret(), example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: Option<SecretString>,
    /// What keys `X-Platform-Signature`: `plain`, the secret itself, or `hashed`, the lower-case hex SHA-256 digest of
    /// the secret. `plain` when omitted.
    #[field(one_of(SignatureVersion::WORDS).shown_as::<SignatureVersionName>(), default)]
    signature_version: SignatureVersion,
    /// The workspace, where it is not the key's own; `workspaceId` means the same.
    organization_id: Option<WorkspaceId>,
    /// The workspace, where it is not the key's own; `organizationId` means the same.
    #[field(rule = names_at_most_one(organization_id, workspace_id))]
    workspace_id: Option<WorkspaceId>,
}

/// A webhook endpoint that was just made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedPlatformWebhook {
    /// Its id.
    id: EndpointId,
    /// The receiver.
    #[schema(format = "uri", example = "https://lms.example.com/hooks/lectern")]
    url: String,
    /// What it is told.
    #[schema(value_type = Vec<PlatformEventName>, example = json!(["evaluation.completed", "evaluation.failed"]))]
    events: Vec<String>,
    /// What signs the deliveries; in this answer only.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: String,
    /// When it was made.
    created_at: Timestamp,
}

impl CreatedPlatformWebhook {
    fn of(endpoint: Endpoint, secret: &SecretString) -> Self {
        Self {
            id: endpoint.id,
            url: endpoint.url,
            events: endpoint.events,
            secret: secret.expose_secret().to_owned(),
            created_at: endpoint.created_at,
        }
    }
}

/// Registers a webhook endpoint. Its signing secret is in this answer only.
#[utoipa::path(
    post, path = "/v1/platform/webhooks", tag = "Webhooks", operation_id = "createPlatformWebhook",
    request_body = CreatePlatformWebhookRequest,
    params(NamedInQuery),
    responses(
        (status = 201, description = "Registered; the secret is shown this once", body = CreatedPlatformWebhook),
        (status = 409, description = "Too many endpoints, or the idempotency key was used for another request",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.create", move |tx, caller| {
        let read = body.read_in::<CreatePlatformWebhookRequest>(&parts.outbound);
        let (key, (named, request)) = Problem::both(repeatable.key(), Problem::both(named.optional(), read))?;
        let workspace = caller.workspace(tx, one_of_both(named, request.organization_id.or(request.workspace_id))?)?;
        let claim =
            key.claim(caller.idempotency_scope(), || json!({ "workspace": workspace, "body": body.value().ok() }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let registration = Registration {
                surface: Surface::Platform,
                owner_id: workspace.to_string(),
                url: request.url,
                events: request.events.into_iter().map(str::to_owned).collect(),
                secret: request.secret,
                signature_version: request.signature_version,
            };
            let (endpoint, secret) = register(tx, &parts.webhook_secrets, registration)?;
            let created = CreatedPlatformWebhook::of(endpoint, &secret);
            Ok((Answer::json(StatusCode::CREATED, &created), Kept::Sealed))
        })
    })
    .await
}

/// The workspace that query or body name.
fn one_of_both(query: Option<WorkspaceId>, body: Option<WorkspaceId>) -> Result<Option<WorkspaceId>, Problem> {
    match (query, body) {
        (Some(one), Some(other)) if one != other => {
            Err(Problem::field("workspaceId", "must be the same in the query and in the body"))
        }
        (one, other) => Ok(one.or(other)),
    }
}
