//! What both APIs show of deliveries and of a replaced secret. The surfaces decide who may see it, and at which address.

use kernel::id::{EndpointId, EventId};
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::deliveries::{Attempt, Delivery, DeliveryState};
use crate::endpoints::Rotated;

/// The state of a delivery, for documents only: the type has no values.
pub enum DeliveryStatus {}

impl PartialSchema for DeliveryStatus {
    fn schema() -> RefOr<Schema> {
        let words = DeliveryState::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        let text = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
        text.description(Some("The state of a delivery.")).into()
    }
}

impl ToSchema for DeliveryStatus {}

/// What became of telling an endpoint an event.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// The event's id, which its body has too and the headers as `webhook-id`.
    event_id: EventId,
    /// The event's name; `webhook.test` for a delivery that only tries the endpoint.
    #[schema(example = "webhook.test")]
    event: String,
    /// What it happened to.
    subject_id: String,
    /// `pending`, `delivered` or `failed`.
    #[schema(value_type = DeliveryStatus)]
    status: &'static str,
    /// When the event happened.
    created_at: Timestamp,
    /// When the next attempt is due; null while one is under way, and when the delivery has ended.
    #[schema(required)]
    next_attempt_at: Option<Timestamp>,
    /// When the delivery ended.
    #[schema(required)]
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

/// A secret that was just replaced.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RotatedWebhookSecret {
    /// The endpoint's id.
    id: EndpointId,
    /// The new secret; in this answer only.
    #[schema(example = "whsec_4Zcq1J0Yp2m8cYlY3nGd5o7W0cJ3m6aH")]
    secret: String,
    /// Until when the replaced secret goes on signing; null when it stopped at once.
    #[schema(required)]
    previous_secret_signs_until: Option<Timestamp>,
    /// When the new secret became the current one.
    updated_at: Timestamp,
}

impl RotatedWebhookSecret {
    /// The only answer that has the new secret.
    pub fn new(id: EndpointId, secret: &SecretString, rotated: Rotated) -> Self {
        Self {
            id,
            secret: secret.expose_secret().to_owned(),
            previous_secret_signs_until: rotated.former_signs_until,
            updated_at: rotated.rotated_at,
        }
    }
}
