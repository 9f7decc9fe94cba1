//! `DELETE /v1/platform/agent/billing/payment-methods/{id}`: beyond the document, takes a payment method away.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Access;
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use http::StatusCode;
use kernel::id::PaymentMethodId;
use store::jobs;
use store::{KeyedRecord as _, Record as _, StoreError, Tx, sql};

use super::detach::DetachPaymentMethod;
use super::list::ShownMethod;
use super::{PaymentMethod, Status};
use crate::Platform;
use crate::billing::take_turn;
use crate::callers::{self, Credential};

const NOT_FOUND: Problem = Problem::NotFound("Payment method");

/// Takes a payment method away. Nothing is paid with it from now on; the processor is told shortly. Repeating it changes nothing.
#[utoipa::path(
    delete, path = "/v1/platform/agent/billing/payment-methods/{id}", tag = "Agent", operation_id = "removePaymentMethod",
    responses(
        (status = 202, description = "It is not paid with any more, and the processor is being told", body = ShownMethod),
        (status = 409, description = "There is no payment processor", body = PlatformErrorBody),
    )
)]
pub async fn remove(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::act(Access::Claim, &platform.door, credential, "payment_methods.remove", move |tx, caller| {
        let id: PaymentMethodId = id.parse().map_err(|_| NOT_FOUND)?;
        let found = find(tx, id)?.filter(|method| caller.sees(method.workspace_id)).ok_or(NOT_FOUND)?;
        take_turn(tx, found.workspace_id)?;
        let mut method = find(tx, id)?.filter(|method| method.status != Status::Removed).ok_or(NOT_FOUND)?;
        if method.status == Status::Active {
            parts.processor()?;
            (method.status, method.as_of) = (Status::Detaching, tx.now());
            method.update(tx)?;
            jobs::enqueue(tx, method.workspace_id, &DetachPaymentMethod::of(method.id))?;
        }
        Ok(Answer::json(StatusCode::ACCEPTED, &ShownMethod::from(method)))
    })
    .await
}

/// A payment method by its id.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn find(tx: &mut Tx<'_>, id: PaymentMethodId) -> Result<Option<PaymentMethod>, StoreError> {
    sql!("SELECT {PaymentMethod::*} FROM payment_method WHERE id = {id}").find(tx, PaymentMethod::from_row)
}
