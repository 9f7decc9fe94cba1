//! `GET /v1/platform/lti/registration-links`: beyond the document, a workspace's links and what became of them.

use axum::extract::State;
use edge::answer::Answer;
use edge::openapi::AnyObject;
use edge::paging::limit;
use edge::problem::Problem;
use edge::query::{Parameters, Query, integer};
use kernel::id::{RegistrationId, RegistrationLinkId, WorkspaceId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Record as _, StoreError, Tx, sql};

use super::refusal::ShownFailure;
use super::{LinkStatus, RegistrationLink};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::workspace_in_query;

/// A link by which a learning platform's administrator registers the platform. Its URL is shown only when it is made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiRegistrationLink)]
pub struct ShownLink {
    /// Its id.
    id: RegistrationLinkId,
    /// The workspace.
    platform_workspace_id: WorkspaceId,
    /// The name of the registration.
    #[schema(required, example = "Riverside Moodle")]
    name: Option<String>,
    /// The metadata of the registration.
    #[schema(required, value_type = Option<AnyObject>)]
    metadata: Option<JsonText>,
    /// `open`, `used`, `expired` or `revoked`.
    status: LinkStatus,
    /// Why the last attempt came to nothing.
    #[schema(required)]
    last_failure: Option<ShownFailure>,
    /// The registration that came of it; null also where that was deleted.
    #[schema(required)]
    registration_id: Option<RegistrationId>,
    /// When it ends or ended.
    expires_at: Timestamp,
    /// When a platform was registered with it.
    #[schema(required)]
    used_at: Option<Timestamp>,
    /// When it was made.
    created_at: Timestamp,
}

/// A part of a workspace's links.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiRegistrationLinkPage)]
pub struct LinkPage {
    /// The links, newest first.
    items: Vec<ShownLink>,
    /// How many there are.
    #[schema(minimum = 0)]
    total: i64,
}

/// Which links a request asks for.
struct Part {
    limit: u64,
    offset: u64,
}

/// Lists a workspace's registration links, newest first.
#[utoipa::path(
    get, path = "/v1/platform/lti/registration-links", tag = "LTI", operation_id = "listLtiRegistrationLinks",
    params(
        ("limit" = Option<u32>, Query, description = "Links in the answer, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("offset" = Option<u64>, Query, description = "How many to pass over; 0 when it is absent", minimum = 0),
        ("workspaceId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "A part of the list", body = LinkPage))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "lti_registration_links.list", move |tx, caller| {
        let (named, part) = query.read(read)?;
        let workspace = caller.workspace(tx, named)?;
        Ok(Answer::ok(&page(tx, workspace, &part)?))
    })
    .await
}

fn read(parameters: &mut Parameters<'_>) -> Option<(Option<WorkspaceId>, Part)> {
    let limit = limit(parameters);
    let offset = parameters.optional("offset", integer(0..=i64::MAX.unsigned_abs()));
    let named = workspace_in_query(parameters);
    let part = Part { limit: limit?, offset: offset?.unwrap_or(0) };
    Some((named?, part))
}

fn page(tx: &mut Tx<'_>, workspace: WorkspaceId, part: &Part) -> Result<LinkPage, StoreError> {
    let now = tx.now();
    let Part { limit, offset } = part;
    let total = sql!("SELECT count(*) FROM lti_registration_link WHERE workspace_id = {workspace}")
        .find(tx, |row| row.get(0))?
        .unwrap_or(0);
    let links = sql!(
        "SELECT {RegistrationLink::*} FROM lti_registration_link WHERE workspace_id = {workspace}
         ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {offset}"
    )
    .query(tx, RegistrationLink::from_row)?;
    Ok(LinkPage { items: links.into_iter().map(|link| ShownLink::of(link, now)).collect(), total })
}

impl ShownLink {
    fn of(link: RegistrationLink, now: Timestamp) -> Self {
        Self {
            status: link.status(now),
            id: link.id,
            platform_workspace_id: link.workspace_id,
            name: link.name,
            metadata: link.metadata,
            last_failure: link.failure.map(ShownFailure::of),
            registration_id: link.registration_id,
            expires_at: link.expires_at,
            used_at: link.used_at,
            created_at: link.created_at,
        }
    }
}
