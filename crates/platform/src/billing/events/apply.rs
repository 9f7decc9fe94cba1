//! What events do.
//!
//! A customer stands for one workspace, or for several that an operator bills together. What is not theirs has no effect, which is
//! no error: a processor's account may have customers of other programs.

use kernel::id::WorkspaceId;
use store::{StoreError, Tx};

use super::checkout;
use super::event::{Event, reference};
use super::failures;
use crate::billing::payment_methods::describe;
use crate::billing::payment_methods::register::{self, Named};
use crate::billing::processor::calls::details_of;
use crate::billing::take_turn;
use crate::workspaces::processor_customer;

/// The workspace that an event had an effect for, or why it had none.
pub(super) type Applied = Result<WorkspaceId, &'static str>;

const UNKNOWN_CUSTOMER: &str = "no workspace has that customer";
const UNKNOWN_KIND: &str = "nothing follows from such events here";
const NO_METHOD: &str = "it names no payment method";

/// Applies an event.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn apply(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    match event.kind.as_str() {
        "checkout.session.completed" | "checkout.session.async_payment_succeeded" => checkout::complete(tx, event),
        "checkout.session.async_payment_failed" => checkout::fail(tx, event),
        "checkout.session.expired" => checkout::expire(tx, event),
        "setup_intent.succeeded" => set_up(tx, event),
        "payment_method.attached" | "payment_method.updated" | "payment_method.automatically_updated" => {
            attach(tx, event)
        }
        "payment_method.detached" => detach(tx, event),
        "customer.deleted" => delete_customer(tx, event),
        "invoice.payment_failed" => fail_payment(tx, event),
        _ => Ok(Err(UNKNOWN_KIND)),
    }
}

/// The workspaces of a customer, each with its turn taken.
pub(super) fn holders_of(tx: &mut Tx<'_>, customer: Option<&str>) -> Result<Vec<WorkspaceId>, StoreError> {
    let Some(customer) = customer else { return Ok(Vec::new()) };
    let holders = processor_customer::holders(tx, customer)?;
    holders.iter().try_for_each(|workspace| take_turn(tx, *workspace))?;
    Ok(holders)
}

/// Registers a payment method for the workspaces of its customer.
pub(super) fn register_for_all(
    tx: &mut Tx<'_>,
    event: &Event,
    customer: Option<&str>,
    named: &Named,
) -> Result<Applied, StoreError> {
    let holders = holders_of(tx, customer)?;
    let (Some(customer), Some(first)) = (customer, holders.first()) else { return Ok(Err(UNKNOWN_CUSTOMER)) };
    for workspace in &holders {
        let Some(method) = register::register(tx, *workspace, customer, named, event.created_at)? else {
            return Ok(Err(NO_METHOD));
        };
        describe::request(tx, &method)?;
    }
    Ok(Ok(*first))
}

fn set_up(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let customer = event.reference("customer");
    let method = &event.object["payment_method"];
    let named = Named {
        processor_id: reference(method),
        setup_intent_id: event.reference("id"),
        details: method.is_object().then(|| details_of(method)),
    };
    if named.processor_id.is_none() {
        return Ok(Err(NO_METHOD));
    }
    register_for_all(tx, event, customer.as_deref(), &named)
}

fn attach(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let customer = event.reference("customer");
    let details = Some(details_of(&event.object));
    let named = Named { processor_id: event.reference("id"), setup_intent_id: None, details };
    register_for_all(tx, event, customer.as_deref(), &named)
}

/// A method that is detached names its customer only among what was before.
fn detach(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let Some(method) = event.reference("id") else { return Ok(Err(NO_METHOD)) };
    let customer = event.reference("customer").or_else(|| reference(&event.before["customer"]));
    let of_customer = holders_of(tx, customer.as_deref())?;
    let mut holders = register::holders(tx, &method)?;
    for workspace in of_customer {
        if !holders.iter().any(|(known, _)| *known == workspace) {
            holders.push((workspace, customer.clone().unwrap_or_default()));
        }
    }
    let Some((first, _)) = holders.first() else { return Ok(Err(UNKNOWN_CUSTOMER)) };
    let first = *first;
    register::remove(tx, &method, &holders, event.created_at)?;
    Ok(Ok(first))
}

fn delete_customer(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let customer = event.reference("id");
    let holders = holders_of(tx, customer.as_deref())?;
    let (Some(customer), Some(first)) = (customer, holders.first()) else { return Ok(Err(UNKNOWN_CUSTOMER)) };
    processor_customer::forget(tx, &customer)?;
    register::remove_of_customer(tx, &customer, event.created_at)?;
    Ok(Ok(*first))
}

fn fail_payment(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let customer = event.reference("customer");
    let holders = holders_of(tx, customer.as_deref())?;
    let Some(first) = holders.first() else { return Ok(Err(UNKNOWN_CUSTOMER)) };
    for workspace in &holders {
        failures::record(tx, *workspace, event)?;
    }
    Ok(Ok(*first))
}
