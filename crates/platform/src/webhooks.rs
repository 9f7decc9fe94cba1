//! Webhook endpoints of a workspace: where it is told of its events, what signs them, and what became of each
//! (platform-api sections 2, 4 and 6). Delivery is the crate `events`.

pub mod create;
pub mod delete;
pub mod deliveries;
pub(crate) mod document;
pub mod list;
pub mod redeliver;
pub mod rotate_secret;
pub mod test;

use edge::problem::Problem;
use events::Surface;
use events::endpoints::{self, Endpoint, EndpointStatus, SignatureVersion};
use events::owned::{NO_ENDPOINT, OwnedEndpoint};
use events::platform::SUBSCRIBABLE;
use kernel::id::{EndpointId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::Tx;

use crate::callers::Caller;

edge::documented_words! {
    /// An event that endpoints can be told. Reserved ones are never sent.
    pub PlatformEventName = SUBSCRIBABLE
}

edge::documented_words! {
    /// What keys `X-Platform-Signature`: the secret itself, or the lower-case hex SHA-256 digest of the secret.
    pub SignatureVersionName = SignatureVersion::WORDS
}

edge::documented_words! {
    /// Whether an endpoint gets its events: not after the receiver answered 410.
    pub PlatformWebhookStatus = &[("active", ()), ("disabled", ())]
}

/// A webhook endpoint as lists show it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlatformWebhook {
    /// Its id.
    id: EndpointId,
    /// The workspace.
    #[schema(format = Uuid)]
    platform_workspace_id: String,
    /// The receiver.
    #[schema(format = "uri", example = "https://lms.example.com/hooks/lectern")]
    url: String,
    /// What it is told.
    #[schema(value_type = Vec<PlatformEventName>, example = json!(["evaluation.completed", "evaluation.failed"]))]
    events: Vec<String>,
    /// `active`, or `disabled` after the receiver answered 410.
    #[schema(value_type = PlatformWebhookStatus)]
    status: &'static str,
    /// What keys `X-Platform-Signature`: `plain` or `hashed`.
    #[schema(value_type = SignatureVersionName)]
    signature_version: &'static str,
    /// When it was made.
    created_at: Timestamp,
    /// When its status or its secret changed last.
    updated_at: Timestamp,
}

impl From<Endpoint> for PlatformWebhook {
    fn from(endpoint: Endpoint) -> Self {
        Self {
            id: endpoint.id,
            platform_workspace_id: endpoint.owner_id,
            url: endpoint.url,
            events: endpoint.events,
            status: match endpoint.status {
                EndpointStatus::Active => "active",
                EndpointStatus::Disabled => "disabled",
            },
            signature_version: endpoint.signature_version.as_str(),
            created_at: endpoint.created_at,
            updated_at: endpoint.updated_at,
        }
    }
}

/// The endpoint that a path names.
///
/// # Errors
/// 404 for an endpoint that does not exist for the caller, or not in the workspace that the request names.
fn load(tx: &mut Tx<'_>, caller: &Caller, named: Option<WorkspaceId>, id: &str) -> Result<OwnedEndpoint, Problem> {
    let id: EndpointId = id.parse().map_err(|_| NO_ENDPOINT)?;
    let owner_id = endpoints::find_owner(tx, Surface::Platform, id)?.ok_or(NO_ENDPOINT)?;
    let workspace: WorkspaceId = owner_id.parse().map_err(Problem::unexpected)?;
    let is_the_named = named.is_none_or(|named| named == workspace);
    if !caller.sees(workspace) || !is_the_named {
        return Err(NO_ENDPOINT);
    }
    Ok(OwnedEndpoint { surface: Surface::Platform, owner_id, id })
}

#[cfg(test)]
mod tests;
