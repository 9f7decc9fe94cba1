//! `POST /v1/platform/workspaces/{id}/link` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::OrganizationId;
use store::{StoreError, Tx};

use super::{Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// Which organization to link.
#[derive(Body)]
pub struct LinkOrganizationRequest {
    /// An organization of the content surface.
    organization_id: OrganizationId,
}

/// Links a workspace to an organization of the content surface, in place of the one that it was linked to: what is
/// generated there from now on is told to the workspace's webhooks and counted in its statistics. An organization may
/// be linked to several workspaces.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/link", tag = "Workspaces", operation_id = "linkWorkspace",
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
        let LinkOrganizationRequest { organization_id: organization } = body.read()?;
        let workspace = Workspace::load(tx, path_param(&id_text)?)?;
        require_organization(tx, organization)?;
        Ok(Answer::ok(&workspace.linked(tx, organization)?))
    })
    .await
}

impl Workspace {
    /// The same workspace, linked to an organization that exists.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn linked(mut self, tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Self, StoreError> {
        (self.organization_id, self.updated_at) = (Some(organization), tx.now());
        tx.execute(
            "UPDATE workspace SET organization_id = $2, updated_at = $3 WHERE id = $1",
            &[&self.id, &organization, &self.updated_at],
        )?;
        Ok(self)
    }
}

/// # Errors
/// 404 when there is no such organization.
pub(super) fn require_organization(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<(), Problem> {
    let found = tx.find("SELECT 1 FROM organization WHERE id = $1", &[&organization], |_| Ok(()))?;
    found.ok_or(Problem::NotFound("Organization"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, WORKSPACES};

    #[both_stores]
    async fn a_workspace_is_linked_to_one_organization_at_a_time(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        for organization in [app.organization("one").await, app.organization("two").await] {
            let mut expected = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
            app.test.clock.advance(Duration::from_secs(1));
            expected["organizationId"] = json!(organization);
            expected["updatedAt"] = json!(app.test.ambient.now());
            let body = json!({ "organizationId": organization });
            for _ in 0..2 {
                let linked = app.post(&tenant.path("/link")).cookie(&operator).json(&body).send().await;
                assert_eq!(linked.expect(200), expected);
            }
            assert_eq!(app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200), expected);
            app.post(&other.path("/link")).cookie(&operator).json(&body).send().await.expect(200);
        }
    }

    #[both_stores]
    async fn what_does_not_exist_is_404_and_what_is_no_id_is_400(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        let organization = app.organization("riverside").await;
        let right = json!({ "organizationId": organization });
        for id in ["0192aee1-5a3b-7c2d-8e4f-123456789abc", "riverside"] {
            app.post(&format!("{WORKSPACES}/{id}/link")).cookie(&operator).json(&right).send().await.expect(404);
        }
        let workspace = json!({ "organizationId": tenant.workspace });
        app.post(&tenant.path("/link")).cookie(&operator).json(&workspace).send().await.expect(404);
        for wrong in [
            json!({}),
            json!({ "organizationId": null }),
            json!({ "organizationId": "7" }),
            json!({ "workspaceId": organization }),
        ] {
            let faults = app.post(&tenant.path("/link")).cookie(&operator).json(&wrong).send().await.faults();
            assert_eq!(faults, ["organizationId"], "{wrong}");
        }
        app.post(&tenant.path("/link")).key(&tenant.key).json(&right).send().await.expect(403);
        let workspace = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
        assert_eq!(workspace["organizationId"], Value::Null);
    }
}
