//! `POST /v1/platform/webhooks` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody, any_text, list, one_of};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::problem::Problem;
use events::Surface;
use events::endpoints::{self, CreateEndpointError, Endpoint, NewEndpoint, Registration, SignatureVersion};
use events::platform::SUBSCRIBABLE;
use http::{HeaderMap, StatusCode};
use kernel::id::{EndpointId, WorkspaceId};
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use net::OutboundClient;
use serde::Serialize;
use serde_json::json;

use super::{PlatformEventName, SignatureVersionName, secret};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::{NamedInQuery, named_or_own_workspace};

const ROUTE: &str = "POST /v1/platform/webhooks";

/// Where to tell what.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreatePlatformWebhookRequest {
    /// A public https address.
    #[schema(format = "uri", max_length = 2048, example = "https://lms.example.com/hooks/lectern")]
    url: String,
    /// At least one. `assessment.deployed`, `assessment.submitted`, `slide.deployed`, `video.deployed` and
    /// `lti.launch_failed` are reserved: they are accepted, and never sent.
    #[schema(value_type = Vec<PlatformEventName>, min_items = 1, max_items = 100, example = json!(["evaluation.completed", "evaluation.failed"]))]
    events: Vec<String>,
    /// A secret of your own, 1 to 255 visible ASCII characters; it should be long and random. Made when omitted.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$",
        example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
    )]
    secret: Option<String>,
    /// What keys `X-Platform-Signature`: `plain`, the secret itself, or `hashed`, the lower-case hex SHA-256 digest of
    /// the secret. `plain` when omitted.
    #[schema(value_type = Option<SignatureVersionName>)]
    signature_version: Option<String>,
    /// The workspace, where it is not the key's own; `workspaceId` means the same.
    #[schema(format = Uuid)]
    organization_id: Option<String>,
    /// The workspace, where it is not the key's own; `organizationId` means the same.
    #[schema(format = Uuid)]
    workspace_id: Option<String>,
}

/// A webhook endpoint that was just made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedPlatformWebhook {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
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
    #[schema(value_type = String, format = DateTime)]
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

struct Request {
    workspace: Option<WorkspaceId>,
    url: String,
    events: Vec<String>,
    secret: Option<SecretString>,
    signature_version: SignatureVersion,
}

/// Registers a webhook endpoint. Its signing secret is in this answer only.
#[utoipa::path(
    post, path = "/v1/platform/webhooks", tag = "Webhooks", operation_id = "createPlatformWebhook",
    security(("operatorSession" = []), ("platformKey" = [])), request_body = CreatePlatformWebhookRequest,
    params(
        ("organizationId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("workspaceId" = Option<String>, Query, description = "The same as `organizationId`"),
    ),
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
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "platform_webhooks.create", move |tx, caller| {
        let form = body.read(|fields| read(fields, &parts.outbound));
        let (key, (named, request)) = Problem::both(idempotency_key.clone(), Problem::both(named.optional(), form))?;
        let workspace = caller.workspace(tx, one_of_both(named, request.workspace)?)?;
        let claim = key.map(|key| {
            let claimed = json!({ "workspace": workspace, "body": body.value().cloned().unwrap_or_default() });
            Claim::new(caller.idempotency_scope(), ROUTE, key, &claimed, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let registration = Registration {
                surface: Surface::Platform,
                owner_id: workspace.to_string(),
                url: request.url,
                events: request.events,
                secret: request.secret,
                signature_version: request.signature_version,
            };
            let (new, secret) = NewEndpoint::new(&parts.door.ambient, &parts.webhook_secrets, registration);
            let endpoint = endpoints::create(tx, &new).map_err(refusal)?;
            let created = CreatedPlatformWebhook::of(endpoint, &secret);
            Ok((Answer::json(StatusCode::CREATED, &created), Kept::Sealed))
        })
    })
    .await
}

fn read(fields: &mut Fields<'_>, outbound: &OutboundClient) -> Option<Request> {
    let url = fields.required("url", |value, at| {
        let text = any_text(value, at)?;
        match outbound.check_url(&text) {
            Ok(_) => Some(text),
            Err(refused) => at.refuse(refused.to_string()),
        }
    });
    let events = fields.required("events", list(1..=100, one_of(SUBSCRIBABLE)));
    let secret = fields.optional("secret", secret);
    let signature_version = fields.optional("signatureVersion", one_of(SignatureVersion::WORDS));
    let workspace = named_or_own_workspace(fields);
    Some(Request {
        workspace: workspace?,
        url: url?,
        events: events?.into_iter().map(str::to_owned).collect(),
        secret: secret?,
        signature_version: signature_version?.unwrap_or_default(),
    })
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

fn refusal(error: CreateEndpointError) -> Problem {
    match error {
        CreateEndpointError::TooMany => Problem::Conflict("The workspace has too many webhook endpoints."),
        CreateEndpointError::Store(error) => error.into(),
    }
}
