//! A payment that comes with a request. It is judged before the evaluation is stored, and only where nothing else pays:
//! what needs no payment takes none.

use std::sync::Arc;

use edge::answer::Answer;
use edge::problem::Problem;
use kernel::id::{EvaluationId, WorkspaceId};
use x402::{Fault, Offer, Payment};

use super::{NAME, Order};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::payments::row::{PaymentReceipt, PaymentRow};
use crate::payments::{VerifiedPayment, X402, can_pay};

/// What is known of a payment once its caller and its workspace are.
enum Need {
    /// An earlier request was paid for, or something else pays for this one.
    None,
    /// The payment is needed.
    Payment(Offer),
    /// The payment is needed, and its authorization has come before.
    Used(Offer),
}

/// Has the payment of a request judged where it is needed; `None` where it isn't.
///
/// # Errors
/// 401, 403, 404, 409 or 429 as the request deserves without it, 402 for a payment that is not taken, 503 where nobody can tell.
pub(super) async fn judge_payment(
    platform: &Platform,
    credential: &Credential,
    order: &Arc<Order>,
    named: Option<WorkspaceId>,
    presented: Result<Payment, Fault>,
) -> Result<Option<VerifiedPayment>, Problem> {
    let Some(x402) = platform.x402.clone() else { return Ok(None) };
    let payment = presented.as_ref().ok().cloned();
    let (order, asked) = (order.clone(), x402.clone());
    let need = callers::read(&platform.door, credential.clone(), NAME, move |tx, caller| {
        let workspace = caller.paying_workspace(tx, named)?;
        let price = order.price(tx);
        if order.earlier(tx, workspace)?.is_some() || can_pay(tx, workspace, &price)? {
            return Ok(Need::None);
        }
        let offer = asked.offer(&price, order.new.mode);
        let has_come = match &payment {
            Some(payment) => PaymentRow::has_come(tx, payment, &offer)?,
            None => false,
        };
        Ok(if has_come { Need::Used(offer) } else { Need::Payment(offer) })
    });
    match need.await? {
        Need::None => Ok(None),
        Need::Used(offer) => Err(x402.used(&offer)),
        Need::Payment(offer) => verify(platform, &x402, presented, offer).await.map(Some),
    }
}

async fn verify(
    platform: &Platform,
    x402: &X402,
    presented: Result<Payment, Fault>,
    offer: Offer,
) -> Result<VerifiedPayment, Problem> {
    let payment = presented.map_err(|fault| x402.refused(&offer, fault))?;
    let now = u64::try_from(platform.door.ambient.now().as_seconds()).unwrap_or_default();
    x402.verify(payment, offer, now).await
}

/// The answer with the receipt of the payment that paid for its evaluation, where one did.
///
/// # Errors
/// When the store can't be read.
pub(super) async fn with_receipt(platform: &Platform, answer: Answer, id: EvaluationId) -> Result<Answer, Problem> {
    let receipt = platform.door.store.read("payments.receipt", move |tx| PaymentReceipt::find(tx, id)).await?;
    Ok(match receipt {
        Some(receipt) => receipt.put_on(answer),
        None => answer,
    })
}
