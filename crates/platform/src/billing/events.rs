//! `POST /v1/platform/agent/billing/webhook`: what the processor reports.
//!
//! An event is taken when its signature is right and at most 300 seconds old. Its id is written in the transaction of its effect,
//! so that a repeated one has no other. What is not for this service is acknowledged and logged: otherwise the processor would
//! send it for days. Nothing of the body is read before the signature's time is judged, nothing is parsed before the signature is.
//!
//! [`signature`] judges, [`event`] reads, [`apply`] has the effects.

mod apply;
mod checkout;
pub(super) mod event;
pub mod failures;
mod signature;

use std::time::Duration;

use axum::extract::{Request, State};
use edge::answer::Answer;
use edge::body::{BodyRules, read_whole};
use edge::problem::{PlatformErrorBody, Problem};
use serde::Serialize;
use store::{StoreError, Tx, sql};

use self::event::Event;
use self::signature::Presented;
use crate::Platform;

const HEADER: &str = "stripe-signature";
/// Processors send objects without what belongs to them: a few KiB.
const LONGEST_BODY_BYTES: usize = 256 * 1024;
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an event is remembered. Processors repeat one for days.
const REMEMBERED: Duration = Duration::from_secs(90 * 24 * 3600);
/// Forgotten at once, so that nobody waits for it.
const FORGOTTEN_AT_ONCE: u32 = 1000;

/// That the event arrived.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ProcessorEventReceived)]
pub struct Received {
    /// Always true.
    received: bool,
}

/// Takes an event of the payment processor.
///
/// Anybody may call it: the signature in the header `Stripe-Signature` is the credential, and only the processor can make it.
///
/// Enter this address at the processor for the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`,
/// `checkout.session.async_payment_failed`, `checkout.session.expired`, `setup_intent.succeeded`, `payment_method.attached`,
/// `payment_method.updated`, `payment_method.automatically_updated`, `payment_method.detached`, `customer.deleted` and
/// `invoice.payment_failed`. Others, and those of unknown customers, are acknowledged and have no effect.
#[utoipa::path(
    post, path = "/v1/platform/agent/billing/webhook", tag = "Agent", operation_id = "receiveProcessorEvent", security(()),
    params(("Stripe-Signature" = String, Header, description = "`t=` and the time in seconds, `v1=` and the hex HMAC-SHA-256 of \
        the time, a dot and the body")),
    responses(
        (status = 200, description = "The event arrived", body = Received),
        (status = 400, description = "The signature is missing, wrong or more than 300 seconds old, or the body is no event",
            body = PlatformErrorBody),
        (status = 409, description = "There is no payment processor", body = PlatformErrorBody),
        (status = 413, description = "The body is too large", body = PlatformErrorBody),
        (status = 415, description = "The body is of another type", body = PlatformErrorBody),
    )
)]
pub async fn receive(State(platform): State<Platform>, request: Request) -> Result<Answer, Problem> {
    let processor = platform.processor()?;
    let presented = Presented::read(request.headers().get_all(HEADER), platform.door.ambient.now())?;
    let rules = BodyRules {
        limit_bytes: LONGEST_BODY_BYTES,
        timeout: BODY_TIMEOUT,
        takes: |essence| essence == "application/json",
        otherwise: || Problem::UnsupportedMediaType,
    };
    let body = read_whole(request, &rules).await?;
    presented.judge(&processor.options().webhook_secrets, &body)?;
    let event = Event::read(&body, platform.door.ambient.now())?;
    let is_live = processor.is_live();
    let take = move |tx: &mut Tx<'_>| take(tx, &event, is_live);
    platform.door.store.claim("billing_webhook.receive", take).await?;
    Ok(Answer::ok(&Received { received: true }))
}

/// Applies an event unless it was taken before.
fn take(tx: &mut Tx<'_>, event: &Event, is_live: Option<bool>) -> Result<(), StoreError> {
    let now = tx.now();
    let is_new = sql!(
        "INSERT INTO processor_event (id, type, outcome, created_at, received_at)
         VALUES ({event.id}, {event.kind}, 'ignored', {event.created_at}, {now})
         ON CONFLICT (id) DO NOTHING"
    )
    .execute(tx)?;
    if is_new == 0 {
        tracing::info!(event = event.id, kind = event.kind, "an event of the payment processor came again");
        return Ok(());
    }
    let applied = match foreign(event, is_live) {
        Some(why) => Err(why),
        None => apply::apply(tx, event)?,
    };
    match applied {
        Ok(workspace) => {
            sql!("UPDATE processor_event SET outcome = 'applied', workspace_id = {workspace} WHERE id = {event.id}")
                .execute_later(tx)
        }
        Err(why) => {
            tracing::info!(event = event.id, kind = event.kind, why, "an event of the payment processor has no effect");
            Ok(())
        }
    }
}

/// Why an event is meant for somebody else.
fn foreign(event: &Event, is_live: Option<bool>) -> Option<&'static str> {
    let is_other_mode = is_live.zip(event.is_live).is_some_and(|(own, other)| own != other);
    match event {
        Event { is_of_another_account: true, .. } => Some("it is of another account"),
        _ if is_other_mode => Some("it is of the other mode, live or test"),
        _ => None,
    }
}

/// Forgets events that the processor does not repeat any more; whether there may be others. Deleted customers are remembered: they
/// tell the customers of a workspace apart.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn forget_old(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    let before = tx.now().minus(REMEMBERED);
    let forgotten = sql!(
        "DELETE FROM processor_event WHERE id IN (
            SELECT id FROM processor_event
            WHERE received_at < {before} AND (type <> 'customer.deleted' OR outcome = 'ignored')
            ORDER BY received_at LIMIT {FORGOTTEN_AT_ONCE})"
    )
    .execute(tx)?;
    Ok(forgotten >= u64::from(FORGOTTEN_AT_ONCE))
}

#[cfg(test)]
mod tests;
