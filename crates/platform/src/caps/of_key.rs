//! `GET` and `PUT /v1/platform/api-keys/{id}/caps`.

use axum::extract::State;
use billing::caps::{self, Subject};
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::door::Access;
use edge::params::Params;
use edge::problem::Problem;

use super::{SetSpendingCaps, SpendingCaps};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::keys::changeable;

/// What may be spent with a key, and what was.
#[utoipa::path(
    get, path = "/v1/platform/api-keys/{id}/caps", tag = "API keys", operation_id = "getPlatformKeyCaps",
    responses((status = 200, description = "The caps and what was spent", body = SpendingCaps))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "key_caps.get", move |tx, caller| {
        caller.manages_the_service()?;
        let key = changeable(tx, caller, &id)?;
        Ok(Answer::ok(&SpendingCaps::load(tx, Subject::Key(key.id))?))
    })
    .await
}

/// Sets all caps of a key; what is absent is none. What is counted begins when a key gets its first cap, and goes on with the
/// key that takes its place by rotation.
#[utoipa::path(
    put, path = "/v1/platform/api-keys/{id}/caps", tag = "API keys", operation_id = "setPlatformKeyCaps",
    request_body = SetSpendingCaps,
    responses((status = 200, description = "The caps and what was spent", body = SpendingCaps))
)]
pub async fn set(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    callers::act(Access::Claim, &platform.door, credential, "key_caps.set", move |tx, caller| {
        caller.manages_the_service()?;
        let limits = body.read::<SetSpendingCaps>()?.limits()?;
        let key = changeable(tx, caller, &id)?;
        let workspace = key.owner_id.parse().map_err(Problem::unexpected)?;
        let subject = Subject::Key(key.id);
        caps::set(tx, workspace, subject, &limits)?;
        Ok(Answer::ok(&SpendingCaps::load(tx, subject)?))
    })
    .await
}
