//! `PUT /v1/platform/lti/registrations/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, Body, JsonBody};
use edge::params::Params;
use edge::problem::Problem;
use kernel::json::JsonText;
use net::OutboundClient;
use store::KeyedRecord as _;

use super::fields::{self, is_reachable};
use super::{Registration, Status, unless_taken};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::tokens;

/// What is to change; what is absent stays.
#[derive(Body)]
#[body(
    changes = Registration,
    may_be_empty,
    context = OutboundClient,
    rule = are_reachable(authorization_endpoint?, token_endpoint?, jwks_endpoint?, context)
)]
pub struct UpdateLtiRegistrationRequest {
    /// 1 to 200 characters.
    #[field(fields::name())]
    name: Option<String>,
    /// The `iss` of its tokens, to the letter: 1 to 255 characters.
    #[field(fields::identifier())]
    issuer: Option<String>,
    /// How it calls this service: 1 to 255 characters.
    #[field(fields::identifier())]
    client_id: Option<String>,
    /// Where browsers are sent to sign in: an https address.
    #[field(fields::endpoint())]
    authorization_endpoint: Option<String>,
    /// Where access tokens for its services are asked for: an https address.
    #[field(fields::endpoint())]
    token_endpoint: Option<String>,
    /// Where its public keys are: an https address.
    #[field(fields::endpoint())]
    jwks_endpoint: Option<String>,
    /// `active`, or `inactive` to refuse its launches.
    status: Option<Status>,
    /// All metadata: members that are not among them are gone; null clears it.
    #[field(fields::metadata())]
    metadata: Option<Option<JsonText>>,
}

/// The rule of the addresses of a change.
fn are_reachable(
    at: &mut At<'_>,
    authorization: Option<&Option<String>>,
    token: Option<&Option<String>>,
    key_set: Option<&Option<String>>,
    outbound: &OutboundClient,
) {
    let endpoints = [("authorizationEndpoint", authorization), ("tokenEndpoint", token), ("jwksEndpoint", key_set)];
    for (name, url) in endpoints {
        is_reachable(at, name, url.and_then(Option::as_deref), outbound);
    }
}

/// Changes the fields that the body has.
#[utoipa::path(
    put, path = "/v1/platform/lti/registrations/{id}", tag = "LTI", operation_id = "updateLtiRegistration",
    request_body = UpdateLtiRegistrationRequest,
    responses(
        (status = 200, description = "The whole registration as it is now", body = Registration),
        (status = 409, description = "Another registration has this issuer and client id",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn update(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "lti_registrations.update", move |tx, caller| {
        let changes: UpdateLtiRegistrationRequest = body.read_in(&parts.outbound)?;
        let mut registration = Registration::load(tx, caller, &id)?;
        let former = tokens::client_of(&registration);
        changes.apply(&mut registration);
        registration.updated_at = tx.now();
        tokens::keep_claims(&mut registration, &former);
        unless_taken(registration.update(tx))?;
        Ok(Answer::ok(&registration))
    })
    .await
}
