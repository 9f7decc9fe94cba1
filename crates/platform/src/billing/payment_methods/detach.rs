//! The job that tells the processor of a payment method that was taken away. It never gives up; the processor may be told twice.

use kernel::id::PaymentMethodId;
use serde::{Deserialize, Serialize};
use store::jobs::{ClaimedJob, Job, Outcome};
use store::{KeyedRecord as _, StoreError, Tx};

use super::remove::find;
use super::{PaymentMethod, Status};
use crate::billing::caller::{Caller, StepError};
use crate::billing::processor::{Processor, ProcessorError};
use crate::billing::take_turn;

/// Takes a payment method from its customer at the processor.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DetachPaymentMethod {
    payment_method_id: PaymentMethodId,
}

impl DetachPaymentMethod {
    pub(super) const fn of(payment_method_id: PaymentMethodId) -> Self {
        Self { payment_method_id }
    }
}

impl Job for DetachPaymentMethod {
    const KIND: &'static str = "DetachPaymentMethod";
    const PRIORITY: i64 = -1;
    type Context = Caller;

    async fn run(&self, caller: &Caller, claimed: &ClaimedJob) -> Outcome {
        let id = self.payment_method_id;
        caller.call(claimed, async |processor| detach(caller, processor, id).await).await
    }
}

async fn detach(caller: &Caller, processor: &Processor, id: PaymentMethodId) -> Result<(), StepError> {
    let load = move |tx: &mut Tx<'_>| find(tx, id);
    let found: Option<PaymentMethod> = caller.read("payment_methods.load_detaching", load).await?;
    let Some(method) = found.filter(|method| method.status == Status::Detaching) else { return Ok(()) };
    let processor_id = match (method.processor_id, method.setup_intent_id) {
        (Some(processor_id), _) => Ok(Some(processor_id)),
        (None, Some(setup)) => processor.set_up(&setup).await.map(|named| named.processor_id),
        (None, None) => Ok(None),
    };
    let told = match processor_id {
        Ok(Some(processor_id)) => processor.detach(id, &processor_id).await,
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    match told {
        Err(error) if !is_gone(&error) => Err(error.into()),
        _ => caller.write("payment_methods.detached", move |tx: &mut Tx<'_>| note(tx, id)).await,
    }
}

/// Whether the processor says that the method is no customer's.
fn is_gone(error: &ProcessorError) -> bool {
    let is_unattached = matches!(error, ProcessorError::Refused { message, .. } if message.contains("not attached"));
    is_unattached || error.is_missing()
}

fn note(tx: &mut Tx<'_>, id: PaymentMethodId) -> Result<(), StoreError> {
    let Some(found) = find(tx, id)? else { return Ok(()) };
    take_turn(tx, found.workspace_id)?;
    let Some(mut method) = find(tx, id)?.filter(|method| method.status == Status::Detaching) else { return Ok(()) };
    (method.status, method.removed_at) = (Status::Removed, Some(tx.now()));
    method.update(tx)
}
