//! Webhook endpoints of an organization, as its admin manages them. Delivery is the crate `events`.

pub mod create;
pub mod delete;
pub(crate) mod event;
pub mod list;

use events::endpoints::Endpoint;
use kernel::id::EndpointId;
use serde::Serialize;

/// The event of an expansion whose outputs were all made.
pub const CONTENT_COMPLETED: &str = "content.completed";
/// The event of an expansion that ended with a failed output.
pub const CONTENT_FAILED: &str = "content.failed";

/// The events that an endpoint can subscribe to (content-api section 6).
pub const EVENTS: &[(&str, &str)] = &[(CONTENT_COMPLETED, CONTENT_COMPLETED), (CONTENT_FAILED, CONTENT_FAILED)];

/// A webhook endpoint (content-api section 2).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    #[schema(value_type = String, format = Uuid)]
    id: EndpointId,
    #[schema(format = Uuid)]
    organization_id: String,
    #[schema(example = "https://lms.example.com/hooks/lectern")]
    url: String,
    #[schema(example = json!(["content.completed", "content.failed"]))]
    events: Vec<String>,
    /// `ACTIVE`, or `DISABLED` after the receiver answered 410.
    #[schema(example = "ACTIVE")]
    status: &'static str,
    /// What signs the deliveries; in the answer to its creation only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: Option<String>,
}

impl WebhookEndpoint {
    fn of(endpoint: Endpoint, secret: Option<String>) -> Self {
        Self {
            id: endpoint.id,
            organization_id: endpoint.owner_id,
            url: endpoint.url,
            events: endpoint.events,
            status: endpoint.status.as_str(),
            secret,
        }
    }
}
