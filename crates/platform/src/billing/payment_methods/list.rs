//! `GET /v1/platform/agent/billing/payment-methods`: beyond the document, what a workspace can pay with.

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::Problem;
use kernel::id::{PaymentMethodId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record as _, StoreError, Tx, sql};

use super::{PaymentMethod, Status};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

/// A workspace has one or two; who has more sees the newest.
const MOST_SHOWN: u32 = 100;

/// Something that a workspace pays with.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentMethod)]
pub struct ShownMethod {
    /// Its id.
    pub(super) id: PaymentMethodId,
    /// The workspace.
    platform_workspace_id: WorkspaceId,
    /// `active`, or `detaching` while the processor is told that it is taken away.
    status: Status,
    /// The processor's word for its kind; null until the processor has described it, as are the others.
    #[schema(required, example = "card")]
    kind: Option<String>,
    /// The brand of a card, or the bank.
    #[schema(required, example = "visa")]
    brand: Option<String>,
    /// The last digits of its number.
    #[schema(required, example = "4242")]
    last4: Option<String>,
    /// The month in which it ends, from 1.
    #[schema(required, example = 12)]
    exp_month: Option<u32>,
    /// The year in which it ends.
    #[schema(required, example = 2030)]
    exp_year: Option<u32>,
    /// What the processor calls it.
    #[schema(required, example = "pm_1a2b3c")]
    processor_payment_method_id: Option<String>,
    /// When it was registered.
    created_at: Timestamp,
}

impl From<PaymentMethod> for ShownMethod {
    fn from(method: PaymentMethod) -> Self {
        Self {
            id: method.id,
            platform_workspace_id: method.workspace_id,
            status: method.status,
            kind: method.kind,
            brand: method.brand,
            last4: method.last4,
            exp_month: method.exp_month,
            exp_year: method.exp_year,
            processor_payment_method_id: method.processor_id,
            created_at: method.created_at,
        }
    }
}

/// Lists what a workspace can pay with, the newest first, at most 100. What was removed is not shown.
#[utoipa::path(
    get, path = "/v1/platform/agent/billing/payment-methods", tag = "Agent", operation_id = "listPaymentMethods",
    params(NamedInQuery),
    responses((status = 200, description = "The payment methods", body = Vec<ShownMethod>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "payment_methods.list", move |tx, caller| {
        let workspace = caller.workspace(tx, named.alone()?)?;
        Ok(Answer::ok(&shown(tx, workspace)?))
    })
    .await
}

fn shown(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Vec<ShownMethod>, StoreError> {
    let methods = sql!(
        "SELECT {PaymentMethod::*} FROM payment_method WHERE workspace_id = {workspace} AND status <> 'removed'
         ORDER BY created_at DESC, id DESC LIMIT {MOST_SHOWN}"
    )
    .query(tx, PaymentMethod::from_row)?;
    Ok(methods.into_iter().map(ShownMethod::from).collect())
}
