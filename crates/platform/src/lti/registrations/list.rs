//! `GET /v1/platform/lti/registrations` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::paging::limit;
use edge::problem::Problem;
use edge::query::{Parameters, Query, integer};
use kernel::id::WorkspaceId;
use serde::Serialize;
use store::{Record as _, StoreError, Tx, sql};

use super::{LtiRegistrationStatusName, Registration, Status};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::workspace_in_query;

/// A part of a workspace's registrations.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiRegistrationPage)]
pub struct RegistrationPage {
    /// The registrations, newest first.
    items: Vec<Registration>,
    /// How many there are that the filter keeps.
    #[schema(minimum = 0)]
    total: i64,
}

/// Which registrations a request asks for.
struct Filter {
    limit: u64,
    offset: u64,
    status: Option<Status>,
}

/// Lists a workspace's registrations, newest first.
#[utoipa::path(
    get, path = "/v1/platform/lti/registrations", tag = "LTI", operation_id = "listLtiRegistrations",
    params(
        ("limit" = Option<u32>, Query, description = "Registrations in the answer, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("offset" = Option<u64>, Query, description = "How many to pass over; 0 when it is absent", minimum = 0),
        ("status" = Option<LtiRegistrationStatusName>, Query, description = "Only `ACTIVE` or `INACTIVE` ones"),
        ("workspaceId" = Option<String>, Query, description = "The workspace, where it is not the key's own"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "A part of the list", body = RegistrationPage))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "lti_registrations.list", move |tx, caller| {
        let (named, filter) = query.read(read)?;
        let workspace = caller.workspace(tx, named)?;
        Ok(Answer::ok(&page(tx, workspace, &filter)?))
    })
    .await
}

fn read(parameters: &mut Parameters<'_>) -> Option<(Option<WorkspaceId>, Filter)> {
    let limit = limit(parameters);
    let offset = parameters.optional("offset", integer(0..=i64::MAX.unsigned_abs()));
    let status = parameters.optional("status", Status::named);
    let named = workspace_in_query(parameters);
    let filter = Filter { limit: limit?, offset: offset?.unwrap_or(0), status: status? };
    Some((named?, filter))
}

fn page(tx: &mut Tx<'_>, workspace: WorkspaceId, filter: &Filter) -> Result<RegistrationPage, StoreError> {
    let Filter { limit, offset, status } = filter;
    let total = sql!(
        "SELECT count(*) FROM lti_registration
         WHERE workspace_id = {workspace} AND status = coalesce({status}, status)"
    )
    .find(tx, |row| row.get(0))?
    .unwrap_or(0);
    let items = sql!(
        "SELECT {Registration::*} FROM lti_registration
         WHERE workspace_id = {workspace} AND status = coalesce({status}, status)
         ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {offset}"
    )
    .query(tx, Registration::from_row)?;
    Ok(RegistrationPage { items, total })
}
