//! `POST /v1/content/organizations/{organizationId}/classrooms`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use serde_json::json;

use super::{Classroom, create};
use crate::resources::fields::language;

/// What a new classroom is to be.
#[derive(Body)]
pub struct CreateClassroomRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "Biology 7b")]
    name: String,
    /// The language of its content: a BCP 47 tag.
    #[field(language(), example = "en")]
    locale: String,
}

/// Makes a classroom of an organization. Its slug comes from the name, and is made unique where another of its classrooms has it.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/classrooms", tag = "Classrooms",
    operation_id = "createClassroom", security(("adminSession" = [])), request_body = CreateClassroomRequest,
    params(Repeatable),
    responses(
        (status = 201, description = "Made", body = Classroom),
        (status = 409, description = "The idempotency key was used for another request", body = ContentErrorBody),
    )
)]
pub async fn add(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "classrooms.add", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let (key, request) = Problem::both(repeatable.key(), body.read::<CreateClassroomRequest>())?;
        let claim = key.claim(organization.to_string(), || json!(body.value().ok()));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let made = create::create(tx, &parts.ambient, organization, &request.name, &request.locale)?;
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

    #[both_stores]
    async fn an_administrator_makes_a_classroom_that_keys_see(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        let body = json!({ "name": "Physik 8", "locale": "de" });
        let create = async |key: &str| {
            app.post(&tenant.path("classrooms")).cookie(&cookie).idempotency(key).json(&body).send().await
        };
        let made = create("1").await.expect(201);
        assert_eq!((&made["slug"], &made["locale"]), (&json!("physik-8"), &json!("de")));
        assert_eq!(create("1").await.expect(201), made);
        assert_ne!(create("2").await.expect(201)["slug"], made["slug"]);
        let listed = app.get("/v1/content/classrooms").key(&tenant.key).send().await.expect(200);
        assert_eq!(listed.as_array().map(Vec::len), Some(3));
        let wrong = json!({ "name": " ", "locale": "german" });
        let wrong = app.post(&tenant.path("classrooms")).cookie(&cookie).json(&wrong).send().await;
        assert!(wrong.faults().contains(&"locale".to_owned()), "{:?}", wrong.faults());
    }
}
