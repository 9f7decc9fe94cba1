//! A visit to the processor's page ends.
//!
//! Credits are added for visits that this service began, and for nothing else: once, because the row of the visit ends with it. The
//! amount is that of the row.

use billing::ledger::{self, TopUpError};
use kernel::id::BillingSessionId;
use store::{KeyedRecord as _, StoreError, Tx};

use super::apply::{Applied, register_for_all};
use super::event::Event;
use super::failures;
use crate::billing::payment_methods::register::Named;
use crate::billing::sessions::{self, BillingSession, Mode, State};
use crate::billing::take_turn;

const UNKNOWN_SESSION: &str = "no such session was begun here";
const OTHER_CUSTOMER: &str = "the session is of another customer";
const OTHER_AMOUNT: &str = "less was paid than the credits cost, or in another currency";
const NOT_PAID: &str = "nothing is paid yet";
const ENDED: &str = "the session has ended before";
const TOO_MUCH: &str = "the workspace can't hold that many credits";

/// The person is done, or the money that was on its way has come.
pub(super) fn complete(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let found = find(tx, event)?;
    let is_payment = match &found {
        Some(session) => session.mode == Mode::Payment,
        None => event.object["mode"] != "setup",
    };
    match found {
        Some(session) if is_payment => pay(tx, event, session),
        None if is_payment => Ok(Err(UNKNOWN_SESSION)),
        found => set_up(tx, event, found),
    }
}

/// The money that was on its way does not come.
pub(super) fn fail(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let Some(mut session) = find(tx, event)? else { return Ok(Err(UNKNOWN_SESSION)) };
    if let Err(why) = is_for(&session, event) {
        return Ok(Err(why));
    }
    if !session.is_under_way() {
        return Ok(Err(ENDED));
    }
    session.end(tx, State::Failed)?;
    failures::record(tx, session.workspace_id, event)?;
    Ok(Ok(session.workspace_id))
}

/// The page has ended before anybody was done there. Nothing failed, so nobody is told.
pub(super) fn expire(tx: &mut Tx<'_>, event: &Event) -> Result<Applied, StoreError> {
    let Some(mut session) = find(tx, event)? else { return Ok(Err(UNKNOWN_SESSION)) };
    if let Err(why) = is_for(&session, event) {
        return Ok(Err(why));
    }
    if session.state != State::Open {
        return Ok(Err(ENDED));
    }
    session.end(tx, State::Failed)?;
    Ok(Ok(session.workspace_id))
}

/// The visit, as it is once the workspace's turn is taken.
fn find(tx: &mut Tx<'_>, event: &Event) -> Result<Option<BillingSession>, StoreError> {
    let object = &event.object;
    let named = [&object["client_reference_id"], &object["metadata"]["session"]];
    let id = named.iter().find_map(|value| value.as_str()?.parse::<BillingSessionId>().ok());
    let Some(processor_id) = event.reference("id") else { return Ok(None) };
    let Some(found) = sessions::find(tx, id, &processor_id)? else { return Ok(None) };
    take_turn(tx, found.workspace_id)?;
    sessions::find(tx, Some(found.id), &processor_id)
}

fn is_for(session: &BillingSession, event: &Event) -> Result<(), &'static str> {
    let customer = event.reference("customer");
    if customer.is_some() && customer == session.customer_id { Ok(()) } else { Err(OTHER_CUSTOMER) }
}

fn pay(tx: &mut Tx<'_>, event: &Event, mut session: BillingSession) -> Result<Applied, StoreError> {
    let is_paid = event.object["payment_status"] == "paid" || event.kind == "checkout.session.async_payment_succeeded";
    if let Err(why) = is_for(&session, event) {
        if is_paid {
            warn_of_stranger(&session, event);
        }
        return Ok(Err(why));
    }
    if matches!(session.state, State::Completed) {
        return Ok(Err(ENDED));
    }
    if !is_paid {
        if session.state == State::Open {
            session.state = State::Pending;
            session.update(tx)?;
        }
        return Ok(Err(NOT_PAID));
    }
    if !covers(&session, event) {
        tracing::error!(session = %session.id, event = event.id, "a payment does not cover its credits: nothing is added");
        return Ok(Err(OTHER_AMOUNT));
    }
    let reason = format!("Payment {}", event.reference("id").unwrap_or_default());
    match ledger::top_up(tx, session.workspace_id, session.amount, Some(&reason)) {
        Ok(top_up) => session.top_up_id = Some(top_up.id),
        Err(TopUpError::Store(error)) => return Err(error),
        Err(error @ (TopUpError::Unknown | TopUpError::Nothing | TopUpError::TooMuch)) => {
            tracing::error!(session = %session.id, event = event.id, %error, "a payment's credits can't be added");
            return Ok(Err(TOO_MUCH));
        }
    }
    session.end(tx, State::Completed)?;
    Ok(Ok(session.workspace_id))
}

/// Somebody has paid and gets nothing for it: only the operator can find out who, and pay it back.
fn warn_of_stranger(session: &BillingSession, event: &Event) {
    tracing::warn!(
        event = event.id,
        session = %session.id,
        workspace = %session.workspace_id,
        processor_session = event.reference("id"),
        payment = event.reference("payment_intent"),
        paid_by = event.reference("customer"),
        begun_for = session.customer_id,
        amount_minor = event.object["amount_total"].as_i64(),
        currency = event.object["currency"].as_str(),
        "a session that another customer began was paid: nothing is added. Look the payment up at the processor"
    );
}

/// Whether the event's amount is that of the credits; the processor may have added taxes.
fn covers(session: &BillingSession, event: &Event) -> bool {
    let is_in_dollars = event.object["currency"].as_str().is_none_or(|currency| currency.eq_ignore_ascii_case("usd"));
    let cents = session.amount.micros() / 10_000;
    is_in_dollars && event.object["amount_total"].as_i64().is_none_or(|total| total >= cents)
}

/// The session does not say which payment method it has set up, only by which setup.
fn set_up(tx: &mut Tx<'_>, event: &Event, session: Option<BillingSession>) -> Result<Applied, StoreError> {
    let customer = event.reference("customer");
    if let Some(mut session) = session {
        if let Err(why) = is_for(&session, event) {
            return Ok(Err(why));
        }
        if session.is_under_way() {
            session.end(tx, State::Completed)?;
        }
    }
    let setup_intent_id = event.reference("setup_intent").or_else(|| event.reference("id"));
    let named = Named { processor_id: None, setup_intent_id, details: None };
    register_for_all(tx, event, customer.as_deref(), &named)
}

impl BillingSession {
    fn is_under_way(&self) -> bool {
        matches!(self.state, State::Open | State::Pending)
    }

    fn end(&mut self, tx: &mut Tx<'_>, state: State) -> Result<(), StoreError> {
        (self.state, self.ended_at) = (state, Some(tx.now()));
        self.update(tx)
    }
}
