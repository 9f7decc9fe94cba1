//! `POST /v1/platform/workspaces/from-organization` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{JsonBody, id};
use edge::idempotency::{Claim, IdempotencyKey, Kept, Retention};
use edge::problem::Problem;
use http::{HeaderMap, StatusCode};

use super::create::{NewWorkspace, insert};
use super::{Workspace, fields, link};
use crate::Platform;
use crate::callers::{self, Credential};

const ROUTE: &str = "POST /v1/platform/workspaces/from-organization";

/// Which organization gets a workspace.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents the body, which is read field by field")]
pub struct CreateFromOrganizationRequest {
    /// An organization of the content surface.
    #[schema(format = Uuid)]
    organization_id: String,
    /// 1 to 200 characters.
    #[schema(example = "Riverside School")]
    name: String,
    /// Unique; letters, digits, hyphens, dots and underscores.
    #[schema(example = "riverside-school")]
    slug: String,
    /// The contact address.
    email: Option<String>,
}

/// Makes a workspace that is linked to an organization of the content surface.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/from-organization", tag = "Workspaces",
    operation_id = "createWorkspaceFromOrganization", security(("operatorSession" = []), ("platformKey" = [])),
    request_body = CreateFromOrganizationRequest,
    responses((status = 201, description = "Made and linked", body = Workspace))
)]
pub async fn from_organization(
    State(platform): State<Platform>,
    credential: Credential,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let idempotency_key = IdempotencyKey::from_headers(&headers);
    let parts = platform.clone();
    callers::write(&platform.door, credential, "workspaces.from_organization", move |tx, caller| {
        caller.manages_the_service()?;
        let (key, new) = Problem::both(idempotency_key.clone(), read(&body))?;
        let claim = key.map(|key| {
            let request = body.value().cloned().unwrap_or_default();
            Claim::new(caller.idempotency_scope(), ROUTE, key, &request, Retention::Day)
        });
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            if let Some(organization) = new.organization {
                link::require_organization(tx, organization)?;
            }
            let id = insert(tx, &new)?;
            Ok((Answer::json(StatusCode::CREATED, &Workspace::load(tx, id)?), Kept::Same))
        })
    })
    .await
}

fn read(body: &JsonBody) -> Result<NewWorkspace, Problem> {
    body.read(|fields| {
        let organization = fields.required("organizationId", id);
        let name = fields.required("name", fields::name);
        let slug = fields.required("slug", fields::slug);
        let email = fields.optional("email", fields::email);
        Some(NewWorkspace { organization: Some(organization?), email: email?, ..NewWorkspace::named(name?, slug?) })
    })
}
