//! The job that asks the processor what a payment method looks like. An event that describes the method may come first.

use kernel::id::PaymentMethodId;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Job, Outcome};
use store::{StoreError, Tx};

use super::register::{Named, register};
use super::remove::find;
use super::{PaymentMethod, Status};
use crate::billing::caller::{Caller, StepError};
use crate::billing::processor::Processor;
use crate::billing::take_turn;

/// Asks the processor what a payment method looks like.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribePaymentMethod {
    payment_method_id: PaymentMethodId,
}

impl Job for DescribePaymentMethod {
    const KIND: &'static str = "DescribePaymentMethod";
    type Context = Caller;

    async fn run(&self, caller: &Caller, claimed: &ClaimedJob) -> Outcome {
        let id = self.payment_method_id;
        caller.call(claimed, async |processor| describe(caller, processor, id).await).await
    }
}

/// Asks for the looks of a payment method that was registered just now without any.
///
/// # Errors
/// Any [`StoreError`].
pub(in crate::billing) fn request(tx: &mut Tx<'_>, method: &PaymentMethod) -> Result<(), StoreError> {
    let is_new = method.created_at == tx.now();
    if is_new && method.is_undescribed() {
        jobs::enqueue(tx, method.workspace_id, &DescribePaymentMethod { payment_method_id: method.id })?;
    }
    Ok(())
}

async fn describe(caller: &Caller, processor: &Processor, id: PaymentMethodId) -> Result<(), StepError> {
    let load = move |tx: &mut Tx<'_>| find(tx, id);
    let found: Option<PaymentMethod> = caller.read("payment_methods.load_undescribed", load).await?;
    let Some(method) = found.filter(PaymentMethod::is_undescribed) else { return Ok(()) };
    let asked = match (&method.processor_id, &method.setup_intent_id) {
        (Some(processor_id), _) => processor.payment_method(processor_id).await.map(|details| Named {
            processor_id: Some(processor_id.clone()),
            setup_intent_id: None,
            details: Some(details),
        }),
        (None, Some(setup)) => processor.set_up(setup).await,
        (None, None) => return Ok(()),
    };
    let named = match asked {
        Ok(named) => named,
        // It can be paid with all the same.
        Err(error) if error.is_missing() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    caller.write("payment_methods.describe", move |tx: &mut Tx<'_>| note(tx, id, &named)).await
}

fn note(tx: &mut Tx<'_>, id: PaymentMethodId, named: &Named) -> Result<(), StoreError> {
    let Some(found) = find(tx, id)? else { return Ok(()) };
    take_turn(tx, found.workspace_id)?;
    let Some(method) = find(tx, id)?.filter(|method| method.status != Status::Removed) else { return Ok(()) };
    // As of the registration: whatever the processor has reported since is newer.
    register(tx, method.workspace_id, &method.customer_id, named, method.as_of).map(drop)
}

impl PaymentMethod {
    fn is_undescribed(&self) -> bool {
        self.described_at == Timestamp::from_millis(0) && self.status != Status::Removed
    }
}
