//! `GET /v1/platform/traces/{id}`: beyond the document, what led to a score and what came of a source.

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::Trace;
use super::find::{find, workspace_of};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::NamedInQuery;

const NOT_FOUND: Problem = Problem::NotFound("Trace");
/// No id is longer.
const LONGEST_ID: usize = 100;

/// The trace around an id: of an expansion job, a resource, a link, a launch session, a submission, an evaluation (whose id names
/// its row of the ledger and its score in the gradebook, too), or of the trace itself. It leads up to where everything began, and
/// down to the gradebook: at most the newest 100 of each sort.
#[utoipa::path(
    get, path = "/v1/platform/traces/{id}", tag = "LTI", operation_id = "getTrace",
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks. Ids of \
            content need it; any other id tells its workspace"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "The trace", body = Trace))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential, "traces.get", move |tx, caller| {
        let named = named.optional()?;
        if id.len() > LONGEST_ID || id.contains('\0') {
            return Err(NOT_FOUND);
        }
        let workspace = match named {
            None if caller.is_service_admin() => match workspace_of(tx, &id)? {
                Some(workspace) => workspace,
                None => caller.workspace(tx, None)?,
            },
            named => caller.workspace(tx, named)?,
        };
        let trace = find(tx, workspace, &id, parts.find_origin)?.ok_or(NOT_FOUND)?;
        Ok(Answer::ok(&trace))
    })
    .await
}
