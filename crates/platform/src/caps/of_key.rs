//! `GET` and `PUT /v1/platform/api-keys/{id}/caps`.

use axum::extract::State;
use billing::caps::{self, Limits, Subject};
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::door::Access;
use edge::params::Params;
use edge::problem::Problem;
use kernel::money::MicroUsd;

use super::{SpendingCaps, check, dollars};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::keys::changeable;

/// The caps of a key.
#[derive(Body)]
pub struct SetKeyCapsRequest {
    /// What a day's spending is told at; absent or null for none.
    #[field(dollars(), example = 8)]
    daily_soft_usd: Option<MicroUsd>,
    /// What a day's spending does not exceed; absent or null for none.
    #[field(dollars(), example = 10)]
    daily_hard_usd: Option<MicroUsd>,
    /// What a month's spending is told at; absent or null for none.
    #[field(dollars(), example = 80)]
    monthly_soft_usd: Option<MicroUsd>,
    /// What a month's spending does not exceed; absent or null for none.
    #[field(dollars(), example = 100)]
    monthly_hard_usd: Option<MicroUsd>,
}

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
    request_body = SetKeyCapsRequest,
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
        let request: SetKeyCapsRequest = body.read()?;
        let limits = check(Limits {
            daily_soft: request.daily_soft_usd,
            daily_hard: request.daily_hard_usd,
            monthly_soft: request.monthly_soft_usd,
            monthly_hard: request.monthly_hard_usd,
        })?;
        let key = changeable(tx, caller, &id)?;
        let workspace = key.owner_id.parse().map_err(Problem::unexpected)?;
        let subject = Subject::Key(key.id);
        caps::set(tx, workspace, subject, &limits)?;
        Ok(Answer::ok(&SpendingCaps::load(tx, subject)?))
    })
    .await
}
