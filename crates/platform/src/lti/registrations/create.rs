//! `POST /v1/platform/lti/registrations` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, Body, JsonBody};
use edge::idempotency::{Kept, Repeatable};
use edge::problem::Problem;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::id::WorkspaceId;
use kernel::json::JsonText;
use net::OutboundClient;
use serde_json::json;
use store::Record as _;

use super::fields::{self, is_reachable};
use super::{Registration, Status, unless_taken};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// A learning platform to register.
#[derive(Body, Clone)]
#[body(
    context = OutboundClient,
    rule = are_reachable(authorization_endpoint?, token_endpoint?, jwks_endpoint?, context)
)]
pub struct CreateLtiRegistrationRequest {
    /// 1 to 200 characters.
    #[field(fields::name(), example = "Riverside Moodle")]
    name: String,
    /// The `iss` of its tokens, to the letter: 1 to 255 characters.
    #[field(fields::identifier(), example = "https://moodle.riverside.example.com")]
    issuer: String,
    /// How it calls this service: 1 to 255 characters. Issuer and client id together belong to one registration.
    #[field(fields::identifier(), example = "Xk3vQ9sT2")]
    client_id: String,
    /// Where browsers are sent to sign in: an https address.
    #[field(fields::endpoint(), example = "https://moodle.riverside.example.com/mod/lti/auth.php")]
    authorization_endpoint: String,
    /// Where access tokens for its services are asked for: an https address.
    #[field(fields::endpoint(), example = "https://moodle.riverside.example.com/mod/lti/token.php")]
    token_endpoint: String,
    /// Where its public keys are: an https address.
    #[field(fields::endpoint(), example = "https://moodle.riverside.example.com/mod/lti/certs.php")]
    jwks_endpoint: String,
    /// Your own data, at most 16384 bytes, and settings: `launchUrl`, where launches lead with `ltiLaunchSessionId` in the
    /// query; `deploymentIds`, the only deployments that may launch; `gradeSync`, an object whose `onReview` says whether a score
    /// that a person should look at is sent with a comment (`send`, the default) or waits for the review (`hold`), and whose
    /// `comment` is that comment; `tests`, an object whose `attempts` says how often a learner may hand in a linked test (1 to 100,
    /// as often as they like by default) and whose `tier` grades its open answers (`advanced` by default); `tokenAudience`, whom the platform wants token requests to be addressed to where it is not the
    /// token endpoint (Brightspace).
    #[field(fields::metadata(), example = json!({ "launchUrl": "https://app.example.com/lti" }))]
    metadata: Option<JsonText>,
}

/// The rule of the addresses of a new registration.
fn are_reachable(
    at: &mut At<'_>,
    authorization: Option<&String>,
    token: Option<&String>,
    key_set: Option<&String>,
    outbound: &OutboundClient,
) {
    let endpoints = [("authorizationEndpoint", authorization), ("tokenEndpoint", token), ("jwksEndpoint", key_set)];
    for (name, url) in endpoints {
        is_reachable(at, name, url.map(String::as_str), outbound);
    }
}

/// Registers a learning platform.
#[utoipa::path(
    post, path = "/v1/platform/lti/registrations", tag = "LTI", operation_id = "createLtiRegistration",
    request_body = CreateLtiRegistrationRequest,
    params(NamedInQuery),
    responses(
        (status = 201, description = "Registered", body = Registration),
        (status = 409, description = "Another registration has this issuer and client id, or the idempotency key was used \
            for another request", body = edge::problem::PlatformErrorBody),
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
    callers::write(&platform.door, credential, "lti_registrations.create", move |tx, caller| {
        let read = body.read_in::<CreateLtiRegistrationRequest>(&parts.outbound);
        let (key, (named, request)) = Problem::both(repeatable.key(), Problem::both(named.optional(), read))?;
        let workspace = caller.workspace(tx, named)?;
        let claim =
            key.claim(caller.idempotency_scope(), || json!({ "workspace": workspace, "body": body.value().ok() }));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let registration = request.registration(tx.ambient(), workspace);
            unless_taken(registration.insert(tx))?;
            Ok((Answer::json(StatusCode::CREATED, &registration), Kept::Same))
        })
    })
    .await
}

impl CreateLtiRegistrationRequest {
    fn registration(self, ambient: &Ambient, workspace: WorkspaceId) -> Registration {
        let now = ambient.now();
        Registration {
            id: ambient.id(),
            workspace_id: workspace,
            name: self.name,
            issuer: self.issuer,
            client_id: self.client_id,
            authorization_endpoint: self.authorization_endpoint,
            token_endpoint: self.token_endpoint,
            jwks_endpoint: self.jwks_endpoint,
            status: Status::Active,
            metadata: self.metadata,
            created_at: now,
            updated_at: now,
            client_since: now,
            audience_since: now,
        }
    }
}
