//! Webhooks of either surface, and what was sent to them.

use serde::Deserialize;

/// An endpoint that events are sent to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Webhook {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) events: Vec<String>,
    pub(crate) status: String,
}

/// The secret of a new webhook, or a new secret of an old one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WebhookSecret {
    pub(crate) secret: Option<String>,
    pub(crate) previous_secret_signs_until: Option<String>,
}

/// An event on its way to an endpoint.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Delivery {
    pub(crate) event_id: String,
    pub(crate) event: String,
    pub(crate) subject_id: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
    pub(crate) next_attempt_at: Option<String>,
    pub(crate) attempts: Vec<Attempt>,
}

/// One attempt to send an event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Attempt {
    pub(crate) number: i64,
    pub(crate) started_at: String,
    pub(crate) duration_ms: i64,
    pub(crate) status_code: Option<i64>,
    pub(crate) error: Option<String>,
}
