//! `POST /v1/platform/workspaces/from-organization` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::idempotency::{Kept, Repeatable};
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::OrganizationId;
use serde_json::json;

use super::create::{NewWorkspace, insert};
use super::{Workspace, fields, link};
use crate::Platform;
use crate::callers::{self, Credential};

/// Which organization gets a workspace.
#[derive(Body)]
pub struct CreateFromOrganizationRequest {
    /// An organization of the content surface.
    organization_id: OrganizationId,
    /// 1 to 200 characters.
    #[field(fields::name(), example = "Riverside School")]
    name: String,
    /// Unique; letters, digits, hyphens, dots and underscores.
    #[field(fields::slug(), example = "riverside-school")]
    slug: String,
    /// The contact address.
    #[field(fields::email())]
    email: Option<String>,
}

/// Makes a workspace that is linked to an organization of the content surface.
#[utoipa::path(
    post, path = "/v1/platform/workspaces/from-organization", tag = "Workspaces",
    operation_id = "createWorkspaceFromOrganization",
    request_body = CreateFromOrganizationRequest,
    responses((status = 201, description = "Made and linked", body = Workspace))
)]
pub async fn from_organization(
    State(platform): State<Platform>,
    credential: Credential,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::write(&platform.door, credential, "workspaces.from_organization", move |tx, caller| {
        caller.manages_the_service()?;
        let read = body.read().map(CreateFromOrganizationRequest::workspace);
        let (key, new) = Problem::both(repeatable.key(), read)?;
        let claim = key.claim(caller.idempotency_scope(), || json!(body.value().ok()));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            if let Some(organization) = new.organization {
                link::require_organization(tx, organization)?;
            }
            let free_grant = parts.prices.free_grant(tx.now());
            let id = insert(tx, &NewWorkspace { free_grant, ..new.clone() })?;
            Ok((Answer::json(StatusCode::CREATED, &Workspace::load(tx, id)?), Kept::Same))
        })
    })
    .await
}

impl CreateFromOrganizationRequest {
    fn workspace(self) -> NewWorkspace {
        let Self { organization_id, name, slug, email } = self;
        NewWorkspace { organization: Some(organization_id), email, ..NewWorkspace::named(name, slug) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    const PATH: &str = "/v1/platform/workspaces/from-organization";

    #[both_stores]
    async fn the_workspace_is_linked_and_has_the_defaults_of_every_new_one(test: TestStore) {
        let app = App::new(test);
        let operator = app.operator("o@example.com").await;
        let organization = app.organization("riverside").await;
        let body = json!({ "organizationId": organization, "name": "Riverside", "slug": "r", "email": "a@example.com",
                "rateLimitPerMinute": 5 });
        let made = app.post(PATH).cookie(&operator).json(&body).send().await.expect(201);
        for (name, value) in [
            ("organizationId", json!(organization)),
            ("name", json!("Riverside")),
            ("slug", json!("r")),
            ("email", json!("a@example.com")),
            ("emailVerified", json!(false)),
            ("rateLimitPerMinute", json!(1000)),
            ("creditBalance", json!(0)),
            ("freeCreditBalance", json!(100)),
            ("status", json!("ACTIVE")),
        ] {
            assert_eq!(made[name], value, "{name}");
        }
        let path = format!("/v1/platform/workspaces/{}", made["id"].as_str().unwrap());
        assert_eq!(app.get(&path).cookie(&operator).send().await.expect(200), made);
    }

    #[both_stores]
    async fn an_organization_that_does_not_exist_is_404_and_wrong_fields_are_named(test: TestStore) {
        let app = App::new(test);
        let operator = app.operator("o@example.com").await;
        let tenant = app.tenant("riverside").await;
        let before = app.stored().await;
        let unknown = json!({ "organizationId": tenant.workspace, "name": "R", "slug": "r" });
        app.post(PATH).cookie(&operator).idempotency("k").json(&unknown).send().await.expect(404);
        let faults = app.post(PATH).cookie(&operator).json(&json!({ "email": 5 })).send().await.faults();
        assert_eq!(faults, ["organizationId", "name", "slug", "email"]);
        let faults = app
            .post(PATH)
            .cookie(&operator)
            .json(&json!({ "organizationId": "7", "name": "R", "slug": "r" }))
            .send()
            .await;
        assert_eq!(faults.faults(), ["organizationId"]);
        let organization = app.organization("o").await;
        let taken = json!({ "organizationId": organization, "name": "R", "slug": "riverside" });
        app.post(PATH).cookie(&operator).json(&taken).send().await.expect(409);
        app.post(PATH).key(&tenant.key).json(&taken).send().await.expect(403);
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn a_replay_is_identical(test: TestStore) {
        let app = App::new(test);
        let operator = app.operator("o@example.com").await;
        let organization = app.organization("riverside").await;
        let send = |name: &str| {
            let body = json!({ "organizationId": organization, "name": name, "slug": "r" });
            app.post(PATH).cookie(&operator).idempotency("k").json(&body)
        };
        let (first, replay) = (send("R").send().await, send("R").send().await);
        first.expect(201);
        assert!(replay.is_replay());
        assert_eq!(replay.body, first.body);
        send("Other").send().await.expect(409);
    }
}
