//! `PATCH /v1/platform/workspaces/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::params::Params;
use edge::problem::Problem;
use store::KeyedRecord as _;

use super::fields::{self, processor_reference};
use super::{BillingMode, Workspace, path_param};
use crate::Platform;
use crate::agent::verify_email::send;
use crate::callers::{self, Credential};

/// What is to change; an absent field stays, null clears one that may be null.
#[derive(Body)]
#[body(changes = Workspace, may_be_empty)]
pub struct UpdateWorkspaceRequest {
    /// 1 to 200 characters.
    #[field(fields::name())]
    name: Option<String>,
    /// A workspace that is not verified gets a mail to its new address; one that is stays verified.
    #[field(fields::email())]
    email: Option<Option<String>>,
    /// 1 to 1000000.
    #[field(fields::rate_limit())]
    rate_limit_per_minute: Option<u32>,
    /// The plan, in the operator's own words.
    #[field(fields::plan_code())]
    plan_code: Option<Option<String>>,
    /// How it pays for what its credits don't cover.
    billing_mode: Option<BillingMode>,
    /// The payment processor's customer.
    #[field(processor_reference())]
    processor_customer_id: Option<Option<String>>,
    /// The payment processor's subscription.
    #[field(processor_reference())]
    processor_subscription_id: Option<Option<String>>,
    /// The subscription's item for the tier `fast`.
    #[field(processor_reference())]
    processor_subscription_item_id_fast: Option<Option<String>>,
    /// The subscription's item for the tier `standard`.
    #[field(processor_reference())]
    processor_subscription_item_id_standard: Option<Option<String>>,
    /// The subscription's item for the tier `advanced`.
    #[field(processor_reference())]
    processor_subscription_item_id_advanced: Option<Option<String>>,
}

/// Changes the fields that the body has.
#[utoipa::path(
    patch, path = "/v1/platform/workspaces/{id}", tag = "Workspaces", operation_id = "updateWorkspace",
    request_body = UpdateWorkspaceRequest,
    responses((status = 200, description = "The whole workspace as it is now", body = Workspace))
)]
pub async fn update(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "workspaces.update", move |tx, caller| {
        caller.manages_the_service()?;
        let changes: UpdateWorkspaceRequest = body.read()?;
        let mut workspace = Workspace::load(tx, path_param(&id)?)?;
        let earlier = workspace.email.clone();
        changes.apply(&mut workspace);
        workspace.updated_at = tx.now();
        workspace.update(tx)?;
        if let Some(email) = &workspace.email
            && workspace.email_verified.is_none()
            && workspace.email != earlier
        {
            send::request(tx, workspace.id, email)?;
        }
        Ok(Answer::ok(&workspace))
    })
    .await
}

#[cfg(test)]
mod tests;
