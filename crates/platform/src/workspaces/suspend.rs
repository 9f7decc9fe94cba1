//! `POST /v1/platform/workspaces/{id}/suspend` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;

use super::{Status, Workspace, path_param};
use crate::Platform;
use crate::callers::{self, Credential};

/// Suspends a workspace: all of its keys stop at once. Once more changes nothing.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/{id}/suspend", tag = "Workspaces", operation_id = "suspendWorkspace",
    responses((status = 200, description = "The workspace as it is now", body = Workspace))
)]
pub async fn suspend(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "workspaces.suspend", move |tx, caller| {
        caller.manages_the_service()?;
        let workspace = Workspace::load(tx, path_param(&id)?)?;
        Ok(Answer::ok(&workspace.turn(tx, Status::Suspended)?))
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, EVALUATIONS, KEYS, WORKSPACES, exact};

    #[both_stores]
    async fn all_keys_of_a_suspended_workspace_stop_at_once_and_work_again_when_it_is_activated(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        let operator = app.operator("o@example.com").await;
        let (second, _) = app.mint(tenant.workspace, false, None).await;
        let (admin_key, _) = app.mint(tenant.workspace, true, None).await;
        app.post(EVALUATIONS).key(&second).json(&exact()).send().await.expect(201);
        app.test.clock.advance(Duration::from_secs(1));
        let suspended = app.post(&tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
        assert_eq!(
            (&suspended["status"], &suspended["updatedAt"]),
            (&json!("SUSPENDED"), &json!("2026-01-02T03:04:06.000Z"))
        );
        for key in [&tenant.key, &second, &admin_key] {
            for call in [
                app.get(&tenant.path("")),
                app.get(WORKSPACES),
                app.post(EVALUATIONS).json(&exact()),
                app.post(&tenant.path("/activate")),
                app.get(&format!("{KEYS}?workspaceId={}", tenant.workspace)),
            ] {
                let refused = call.key(key).send().await.expect(403);
                assert_eq!(refused["error"]["code"], "platform_workspace_suspended");
            }
        }
        app.get(&other.path("")).key(&other.key).send().await.expect(200);
        app.test.clock.advance(Duration::from_secs(1));
        let active = app.post(&tenant.path("/activate")).cookie(&operator).send().await.expect(200);
        assert_eq!((&active["status"], &active["updatedAt"]), (&json!("ACTIVE"), &json!("2026-01-02T03:04:07.000Z")));
        for key in [&tenant.key, &second, &admin_key] {
            app.get(&tenant.path("")).key(key).send().await.expect(200);
        }
        app.finish().await;
    }

    #[both_stores]
    async fn once_more_changes_nothing(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        for verb in ["/activate", "/suspend"] {
            let first = app.post(&tenant.path(verb)).cookie(&operator).send().await.expect(200);
            app.test.clock.advance(Duration::from_secs(1));
            assert_eq!(app.post(&tenant.path(verb)).cookie(&operator).send().await.expect(200), first);
        }
    }

    #[both_stores]
    async fn what_was_begun_before_the_suspension_is_graded_to_its_end(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        let mut body = exact();
        body["mode"] = json!("async");
        let id = app.evaluate(&tenant, &body).await["id"].as_str().unwrap().to_owned();
        app.post(&tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
        app.run_jobs().await;
        let ended = app.get(&format!("{EVALUATIONS}/{id}")).cookie(&operator).send().await.expect(200);
        assert_eq!(ended["status"], "COMPLETED");
        app.finish().await;
    }

    #[both_stores]
    async fn unknown_workspaces_are_404_and_a_plain_key_is_403(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        for verb in ["suspend", "activate"] {
            for id in ["0192aee1-5a3b-7c2d-8e4f-123456789abc", "riverside"] {
                app.post(&format!("{WORKSPACES}/{id}/{verb}")).cookie(&operator).send().await.expect(404);
            }
            let refused = app.post(&tenant.path(&format!("/{verb}"))).key(&tenant.key).send().await.expect(403);
            assert_eq!(refused["error"]["code"], "platform_forbidden");
        }
        app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
    }
}
