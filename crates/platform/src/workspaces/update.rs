//! `PATCH /v1/platform/workspaces/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Fields, JsonBody};
use edge::params::Params;
use edge::problem::Problem;
use store::KeyedRecord as _;

use super::{BillingMode, Workspace, fields, path_param};
use crate::Platform;
use crate::agent::verify_email::send;
use crate::callers::{self, Credential};

/// What is to change; an absent field stays, null clears one that may be null.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct UpdateWorkspaceRequest {
    /// 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200, nullable = false)]
    name: Option<String>,
    /// A workspace that is not verified gets a mail to its new address; one that is stays verified.
    #[schema(format = "email", max_length = 254)]
    email: Option<String>,
    /// 1 to 1000000.
    #[schema(minimum = 1, maximum = 1000000, nullable = false)]
    rate_limit_per_minute: Option<u32>,
    /// The plan, in the operator's own words.
    #[schema(min_length = 1, max_length = 100)]
    plan_code: Option<String>,
    /// How it pays for what its credits don't cover.
    #[schema(nullable = false)]
    billing_mode: Option<BillingMode>,
    /// The payment processor's customer.
    #[schema(min_length = 1, max_length = 255)]
    processor_customer_id: Option<String>,
    /// The payment processor's subscription.
    #[schema(min_length = 1, max_length = 255)]
    processor_subscription_id: Option<String>,
    /// The subscription's item for the tier `fast`.
    #[schema(min_length = 1, max_length = 255)]
    processor_subscription_item_id_fast: Option<String>,
    /// The subscription's item for the tier `standard`.
    #[schema(min_length = 1, max_length = 255)]
    processor_subscription_item_id_standard: Option<String>,
    /// The subscription's item for the tier `advanced`.
    #[schema(min_length = 1, max_length = 255)]
    processor_subscription_item_id_advanced: Option<String>,
}

/// The fields that a body has.
struct Changes {
    name: Option<String>,
    email: Option<Option<String>>,
    rate_limit_per_minute: Option<u32>,
    plan_code: Option<Option<String>>,
    billing_mode: Option<BillingMode>,
    processor: [Option<Option<String>>; 5],
}

/// Changes the fields that the body has.
#[utoipa::path(
    patch, path = "/v1/platform/workspaces/{id}", tag = "Workspaces", operation_id = "updateWorkspace",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
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
        let changes = body.read(read)?;
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

fn read(fields: &mut Fields<'_>) -> Option<Changes> {
    let name = fields.change("name", fields::name);
    let email = fields.clearable("email", fields::email);
    let rate_limit_per_minute = fields.change("rateLimitPerMinute", fields::rate_limit);
    let plan_code = fields.clearable("planCode", fields::plan_code);
    let billing_mode = fields.change("billingMode", fields::billing_mode);
    let mut reference = |name| fields.clearable(name, fields::processor_reference);
    let customer = reference("processorCustomerId");
    let subscription = reference("processorSubscriptionId");
    let fast = reference("processorSubscriptionItemIdFast");
    let standard = reference("processorSubscriptionItemIdStandard");
    let advanced = reference("processorSubscriptionItemIdAdvanced");
    Some(Changes {
        name: name?,
        email: email?,
        rate_limit_per_minute: rate_limit_per_minute?,
        plan_code: plan_code?,
        billing_mode: billing_mode?,
        processor: [customer?, subscription?, fast?, standard?, advanced?],
    })
}

impl Changes {
    fn apply(self, workspace: &mut Workspace) {
        set(&mut workspace.name, self.name);
        set(&mut workspace.email, self.email);
        set(&mut workspace.rate_limit_per_minute, self.rate_limit_per_minute);
        set(&mut workspace.plan_code, self.plan_code);
        set(&mut workspace.billing_mode, self.billing_mode);
        let [customer, subscription, fast, standard, advanced] = self.processor;
        set(&mut workspace.processor_customer_id, customer);
        set(&mut workspace.processor_subscription_id, subscription);
        set(&mut workspace.processor_subscription_item_id_fast, fast);
        set(&mut workspace.processor_subscription_item_id_standard, standard);
        set(&mut workspace.processor_subscription_item_id_advanced, advanced);
    }
}

fn set<T>(field: &mut T, change: Option<T>) {
    if let Some(value) = change {
        *field = value;
    }
}

#[cfg(test)]
mod tests;
