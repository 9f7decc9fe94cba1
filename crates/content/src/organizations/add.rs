//! `POST /v1/content/organizations`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use serde_json::json;

use super::{Organization, create, require_operator};

/// What a new organization is to be.
#[derive(Body)]
pub struct CreateOrganizationRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "Riverside School")]
    name: String,
}

/// Makes an organization, for operators. Its slug comes from the name, and is made unique where another organization has it. Nobody is a
/// member yet: invite an administrator next.
#[utoipa::path(
    post, path = "/v1/content/organizations", tag = "Organizations", operation_id = "createOrganization",
    security(("adminSession" = [])), request_body = CreateOrganizationRequest, params(Repeatable),
    responses(
        (status = 201, description = "Made", body = Organization),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
    )
)]
pub async fn add(
    State(door): State<Door>,
    session: PresentedSession,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "organizations.add", move |tx, admin| {
        require_operator(admin)?;
        let (key, request) = Problem::both(repeatable.key(), body.read::<CreateOrganizationRequest>())?;
        let claim = key.claim(admin.user_id.to_string(), || json!(body.value().ok()));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let made = create::create(tx, &parts.ambient, &request.name)?;
            Ok((Answer::json(StatusCode::CREATED, &made), Kept::Same))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    const PATH: &str = "/v1/content/organizations";

    #[both_stores]
    async fn an_operator_makes_an_organization_once_for_a_key(test: TestStore) {
        let app = App::new(test);
        let operator = app.operator("o@example.com").await;
        let body = json!({ "name": "Hill School" });
        let create = async |key: &str| app.post(PATH).cookie(&operator).idempotency(key).json(&body).send().await;
        let made = create("1").await.expect(201);
        assert_eq!(
            (&made["name"], &made["slug"], &made["role"]),
            (&json!("Hill School"), &json!("hill-school"), &json!("ADMIN"))
        );
        assert_eq!(create("1").await.expect(201), made);
        let another = create("2").await.expect(201);
        assert_ne!((&another["id"], &another["slug"]), (&made["id"], &made["slug"]));
        let listed = app.get(PATH).cookie(&operator).send().await.expect(200);
        assert_eq!(listed.as_array().map(Vec::len), Some(2));
    }

    #[both_stores]
    async fn an_administrator_makes_none(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("West").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        app.post(PATH).cookie(&cookie).json(&json!({ "name": "Hill School" })).send().await.expect(403);
        app.post(PATH).cookie(&cookie).json(&json!({})).send().await.expect(403);
        let listed = app.get(PATH).cookie(&app.operator("o@example.com").await).send().await.expect(200);
        assert_eq!(listed.as_array().map(Vec::len), Some(1));
    }
}
