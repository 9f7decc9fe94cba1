//! `GET /v1/platform/webhooks/{id}/deliveries`: beyond the document, the log of an endpoint.

use axum::extract::State;
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::one_of;
use events::deliveries::{self, Attempt, Delivery, DeliveryState, LogQuery};
use kernel::id::EventId;
use kernel::time::Timestamp;
use serde::Serialize;

use super::Named;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::workspace_in_query;

/// What became of telling an endpoint an event.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// The event's id, which the body has as `eventId` and the headers as `webhook-id`.
    #[schema(value_type = String, format = Uuid)]
    event_id: EventId,
    /// The event's name.
    #[schema(example = "evaluation.completed")]
    event: String,
    /// What it happened to.
    subject_id: String,
    /// `pending`, `delivered` or `failed`.
    #[schema(example = "delivered")]
    status: &'static str,
    /// When the event happened.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the next attempt is due; null while one is under way, and when the delivery has ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Timestamp>,
    /// When the delivery ended.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    finished_at: Option<Timestamp>,
    /// The attempts so far, the first in front.
    attempts: Vec<WebhookAttempt>,
}

/// One request to the receiver.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempt {
    /// From 1; redeliveries go on counting.
    #[schema(example = 1)]
    number: u32,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// How long it took.
    #[schema(example = 84)]
    duration_ms: u64,
    /// What the receiver answered; null when it didn't.
    #[schema(example = 200, required)]
    status_code: Option<u16>,
    /// Why it failed, in a word such as `status`, `redirect`, `gone`, `timeout`, `connect` or `refused`.
    #[schema(required)]
    error: Option<String>,
}

impl From<Delivery> for WebhookDelivery {
    fn from(delivery: Delivery) -> Self {
        Self {
            event_id: delivery.event_id,
            event: delivery.event_type,
            subject_id: delivery.subject_id,
            status: delivery.state.as_str(),
            created_at: delivery.created_at,
            next_attempt_at: delivery.next_attempt_at,
            finished_at: delivery.finished_at,
            attempts: delivery.attempts.into_iter().map(WebhookAttempt::from).collect(),
        }
    }
}

impl From<Attempt> for WebhookAttempt {
    fn from(attempt: Attempt) -> Self {
        let Attempt { number, started_at, duration_ms, status_code, error } = attempt;
        Self { number, started_at, duration_ms, status_code, error }
    }
}

/// Lists an endpoint's deliveries with their attempts, the newest event first. The log reaches back 10,000 deliveries.
#[utoipa::path(
    get, path = "/v1/platform/webhooks/{id}/deliveries", tag = "Webhooks", operation_id = "listPlatformWebhookDeliveries",
    security(("operatorSession" = []), ("platformKey" = [])),
    params(
        ("id" = String, Path),
        ("status" = Option<String>, Query, description = "Only `pending`, `delivered` or `failed` ones"),
        ("limit" = Option<u32>, Query, description = "1 to 100, 20 when omitted"),
        ("page" = Option<u32>, Query, description = "From 1"),
        ("organizationId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("workspaceId" = Option<String>, Query, description = "The same as `organizationId`"),
    ),
    responses((status = 200, description = "A page of the log", body = Vec<WebhookDelivery>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: PageQuery,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential, "platform_webhooks.deliveries", move |tx, caller| {
        let (page, (state, named)) = query.read(|parameters| {
            let state = parameters.optional("status", one_of(DeliveryState::WORDS));
            let named = workspace_in_query(parameters);
            Some((state?, named?))
        })?;
        let named = Named::load(tx, caller, named, &id)?;
        let total = deliveries::count(tx, named.id, state)?;
        let listed = match page.offset(total) {
            None => Vec::new(),
            Some(offset) => deliveries::list(tx, named.id, LogQuery { state, offset, limit: page.limit })?,
        };
        let answer = Answer::ok(&listed.into_iter().map(WebhookDelivery::from).collect::<Vec<_>>());
        Ok(query.describe(&parts.base_url, answer, page, total))
    })
    .await
}
