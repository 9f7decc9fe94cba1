//! `PATCH /v1/content/organizations/{organizationId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::params::Params;
use edge::problem::Problem;
use edge::sessions::PresentedSession;
use kernel::id::OrganizationId;
use store::{StoreError, Tx, sql};

use super::{Organization, create, require_operator};

/// What to change about an organization.
#[derive(Body)]
#[body(changes)]
pub struct UpdateOrganizationRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "Riverside Academy")]
    name: Option<String>,
}

/// Renames an organization, for operators. Its slug stays, because addresses and groups of identity providers are written with it.
#[utoipa::path(
    patch, path = "/v1/content/organizations/{organizationId}", tag = "Organizations", operation_id = "updateOrganization",
    security(("adminSession" = [])), request_body = UpdateOrganizationRequest,
    responses((status = 200, description = "The organization as it is now", body = Organization))
)]
pub async fn update(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "organizations.update", move |tx, admin| {
        require_operator(admin)?;
        let id = admin.manages(tx, &organization)?;
        let request: UpdateOrganizationRequest = body.read()?;
        if let Some(name) = &request.name {
            rename(tx, id, name)?;
        }
        let found = create::find(tx, &id.to_string())?;
        Ok(Answer::ok(&found.ok_or(Problem::NotFound("Organization"))?))
    })
    .await
}

fn rename(tx: &mut Tx<'_>, id: OrganizationId, name: &str) -> Result<(), StoreError> {
    let now = tx.now();
    sql!("UPDATE organization SET name = {name}, updated_at = {now} WHERE id = {id}").execute(tx)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn an_operator_renames_an_organization_and_the_slug_stays(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("West").await;
        let path = format!("/v1/content/organizations/{}", tenant.organization);
        let (operator, admin) = (app.operator("o@example.com").await, app.admin_of("a@example.com", &[&tenant]).await);
        let body = json!({ "name": "Far West" });
        app.patch(&path).cookie(&admin).json(&body).send().await.expect(403);
        let renamed = app.patch(&path).cookie(&operator).json(&body).send().await.expect(200);
        assert_eq!((&renamed["name"], &renamed["slug"]), (&json!("Far West"), &json!("west")));
        let listed = app.get("/v1/content/organizations").cookie(&admin).send().await.expect(200);
        assert_eq!(listed[0]["name"], "Far West");
        for wrong in [json!({}), json!({ "name": "" }), json!({ "name": "a\nb" }), json!({ "name": null })] {
            app.patch(&path).cookie(&operator).json(&wrong).send().await.expect(400);
        }
    }
}
