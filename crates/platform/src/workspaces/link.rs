//! `POST /v1/platform/workspaces/{id}/link` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{JsonBody, id};
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::OrganizationId;
use store::Tx;

use super::{Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// Which organization to link.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct LinkOrganizationRequest {
    /// An organization of the content surface.
    #[schema(format = Uuid)]
    organization_id: String,
}

/// Links a workspace to an organization of the content surface, in place of the one that it was linked to: what is
/// generated there from now on is told to the workspace's webhooks and counted in its statistics. An organization may
/// be linked to several workspaces.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/link", tag = "Workspaces", operation_id = "linkWorkspace",
    security(("operatorSession" = []), ("platformKey" = [])), params(("id" = String, Path)),
    request_body = LinkOrganizationRequest,
    responses((status = 200, description = "The workspace as it is now", body = Workspace))
)]
pub async fn link(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id_text): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "workspaces.link", move |tx, caller| {
        caller.manages_the_service()?;
        let organization = body.read(|fields| fields.required("organizationId", id))?;
        let mut workspace = Workspace::load(tx, path_param(&id_text)?)?;
        require_organization(tx, organization)?;
        workspace.organization_id = Some(organization);
        workspace.updated_at = tx.now();
        tx.execute(
            "UPDATE workspace SET organization_id = $2, updated_at = $3 WHERE id = $1",
            &[&workspace.id, &organization, &workspace.updated_at],
        )?;
        Ok(Answer::ok(&workspace))
    })
    .await
}

/// # Errors
/// 404 when there is no such organization.
pub(super) fn require_organization(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<(), Problem> {
    let found = tx.find("SELECT 1 FROM organization WHERE id = $1", &[&organization], |_| Ok(()))?;
    found.ok_or(Problem::NotFound("Organization"))
}
