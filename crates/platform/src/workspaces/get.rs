//! `GET /v1/platform/workspaces/{id}` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::{NOT_FOUND, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// One workspace. A key sees its own.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}", tag = "Workspaces", operation_id = "getWorkspace",
    responses((status = 200, description = "The workspace", body = Workspace))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "workspaces.get", move |tx, caller| {
        let id = path_param(&id)?;
        if !caller.sees(id) {
            return Err(NOT_FOUND);
        }
        Ok(Answer::ok(&Workspace::load(tx, id)?))
    })
    .await
}

#[cfg(test)]
mod tests {
    use kernel::id::WorkspaceId;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, WORKSPACES};

    #[both_stores]
    async fn a_key_sees_its_own_workspace_and_no_other(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let own = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
        assert_eq!((&own["id"], &own["slug"]), (&tenant.workspace.to_string().into(), &"riverside".into()));
        let foreign = app.get(&other.path("")).key(&tenant.key).send().await;
        foreign.expect(404);
        let unknown = app.test.ambient.id::<WorkspaceId>().to_string();
        for id in [unknown.as_str(), "riverside", "%00"] {
            let absent = app.get(&format!("{WORKSPACES}/{id}")).key(&tenant.key).send().await;
            assert_eq!((absent.status, &absent.body), (foreign.status, &foreign.body), "{id}");
        }
    }

    #[both_stores]
    async fn who_manages_the_service_sees_every_workspace(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let (admin_key, _) = app.mint(other.workspace, true, None).await;
        let operator = app.operator("o@example.com").await;
        let seen = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
        assert_eq!(app.get(&tenant.path("")).key(&admin_key).send().await.expect(200), seen);
        assert_eq!(app.get(&tenant.path("")).cookie(&operator).send().await.expect(200), seen);
        let unknown = format!("{WORKSPACES}/{}", app.test.ambient.id::<WorkspaceId>());
        app.get(&unknown).cookie(&operator).send().await.expect(404);
        app.get(&unknown).key(&admin_key).send().await.expect(404);
        let admin = app.admin("a@example.com").await;
        app.get(&tenant.path("")).cookie(&admin).send().await.expect(403);
    }
}
