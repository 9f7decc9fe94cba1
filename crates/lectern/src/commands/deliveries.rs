//! `lectern deliveries`: the webhooks that are being delivered, and those that were given up.

use events::deliveries::{self, DeliverySummary, RetryError};
use kernel::id::{EndpointId, EventId};
use serde_json::json;
use store::StoreError;

use super::{Session, WrongUse};
use crate::cli::{Deliveries, DeliveriesState, ListDeliveries, OneDelivery};
use crate::output;

pub(super) async fn run(session: &Session, command: Deliveries) -> anyhow::Result<()> {
    match command {
        Deliveries::List(options) => list(session, options).await,
        Deliveries::Retry(options) => retry(session, options).await,
    }
}

async fn list(session: &Session, options: ListDeliveries) -> anyhow::Result<()> {
    let read = move |tx: &mut store::Tx<'_>| match options.state {
        DeliveriesState::Pending => deliveries::list_pending(tx, options.limit),
        DeliveriesState::Failed => deliveries::list_failed(tx, options.limit),
    };
    let found = session.read::<_, StoreError, _>("deliveries.list", read).await?;
    if options.json {
        return Ok(output::json(&found.iter().map(to_json).collect::<Vec<_>>())?);
    }
    let rows = found.into_iter().map(|one| {
        let answered = one.last_status_code.map(|code| code.to_string());
        let last = [answered, one.last_error].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let attempts = one.attempts.to_string();
        [one.endpoint_id.to_string(), one.event_id.to_string(), one.event_type, attempts, last, one.url]
    });
    Ok(output::table(["ENDPOINT", "EVENT", "TYPE", "ATTEMPTS", "LAST", "URL"], rows)?)
}

fn to_json(one: &DeliverySummary) -> serde_json::Value {
    json!({
        "endpointId": one.endpoint_id,
        "eventId": one.event_id,
        "event": one.event_type,
        "surface": one.surface.as_str(),
        "ownerId": one.owner_id,
        "url": one.url,
        "state": one.state.as_str(),
        "attempts": one.attempts,
        "nextAttemptAt": one.next_attempt_at,
        "lastStatusCode": one.last_status_code,
        "lastError": one.last_error,
    })
}

async fn retry(session: &Session, options: OneDelivery) -> anyhow::Result<()> {
    const EXPECTED: &str = "must be an id as `lectern deliveries list` shows it";
    let endpoint: EndpointId = options.endpoint.parse().map_err(|_| WrongUse(format!("ENDPOINT_ID {EXPECTED}")))?;
    let event: EventId = options.event.parse().map_err(|_| WrongUse(format!("EVENT_ID {EXPECTED}")))?;
    session.write::<_, RetryError, _>("deliveries.retry", move |tx| deliveries::retry(tx, endpoint, event)).await?;
    if options.json {
        return Ok(output::json(&json!({ "endpointId": endpoint, "eventId": event, "state": "pending" }))?);
    }
    Ok(output::line(format!("{endpoint}  {event}  pending"))?)
}
