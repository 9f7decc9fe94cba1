//! Webhook endpoints of an organization, as its admin manages them. Delivery is the crate `events`.

pub mod create;
pub mod delete;
pub mod deliveries;
pub(crate) mod event;
pub mod list;
pub mod redeliver;
pub mod rotate_secret;
pub mod test;
#[cfg(test)]
mod tests;

use edge::admins::Admin;
use edge::problem::Problem;
use events::Surface;
use events::endpoints::{Endpoint, EndpointStatus};
use events::owned::{NO_ENDPOINT, OwnedEndpoint};
use kernel::id::EndpointId;
use serde::Serialize;
use store::Tx;

/// The event of an expansion whose outputs were all made.
pub const CONTENT_COMPLETED: &str = "content.completed";
/// The event of an expansion that ended with a failed output.
pub const CONTENT_FAILED: &str = "content.failed";

/// The events that an endpoint can subscribe to (content-api section 6).
pub const EVENTS: &[(&str, &str)] = &[(CONTENT_COMPLETED, CONTENT_COMPLETED), (CONTENT_FAILED, CONTENT_FAILED)];

edge::documented_words! {
    /// An event that endpoints are told.
    pub ContentEventName = EVENTS
}

edge::documented_words! {
    /// Whether an endpoint gets its events: not after the receiver answered 410.
    pub WebhookStatus = EndpointStatus::WORDS
}

/// A webhook endpoint (content-api section 2).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    id: EndpointId,
    #[schema(format = Uuid)]
    organization_id: String,
    #[schema(format = "uri", example = "https://lms.example.com/hooks/lectern")]
    url: String,
    #[schema(value_type = Vec<ContentEventName>, example = json!(["content.completed", "content.failed"]))]
    events: Vec<String>,
    /// `ACTIVE`, or `DISABLED` after the receiver answered 410.
    #[schema(value_type = WebhookStatus)]
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

/// The endpoint that a path names.
///
/// # Errors
/// 403 for an organization that the admin doesn't manage, 404 for an endpoint that it doesn't have.
fn load(tx: &mut Tx<'_>, admin: &Admin, organization: &str, webhook: &str) -> Result<OwnedEndpoint, Problem> {
    let owner_id = admin.manages(tx, organization)?.to_string();
    let id = webhook.parse().map_err(|_| NO_ENDPOINT)?;
    let endpoint = OwnedEndpoint { surface: Surface::Content, owner_id, id };
    endpoint.status(tx)?;
    Ok(endpoint)
}
