//! `POST /v1/content/organizations/{organizationId}/classrooms`, and how the operator's commands make and find a classroom.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, OrganizationId};
use serde_json::json;
use store::{StoreError, Tx, sql};

use super::Classroom;
use crate::organizations::create::short;
use crate::resources::fields::language;
use crate::slug::slugify;

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
pub async fn request(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "classrooms.create", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let (key, request) = Problem::both(repeatable.key(), body.read::<CreateClassroomRequest>())?;
        let claim = key.claim(organization.to_string(), || json!(body.value().ok()));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let made = create(tx, &parts.ambient, organization, &request.name, &request.locale)?;
            Ok((Answer::json(StatusCode::CREATED, &made), Kept::Same))
        })
    })
    .await
}

/// Finds an organization's classroom by its exact name.
pub fn find(tx: &mut Tx<'_>, organization: OrganizationId, name: &str) -> Result<Option<Classroom>, StoreError> {
    let mut found = tx.query(
        "SELECT id, name, slug, locale FROM classroom WHERE organization_id = $1 AND name = $2
         ORDER BY created_at LIMIT 1",
        &[&organization, &name],
        |row| Ok(Classroom { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, locale: row.get(3)? }),
    )?;
    Ok(found.pop())
}

/// Makes a classroom. [`StoreError::ForeignKey`] when the organization does not exist.
pub fn create(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    organization: OrganizationId,
    name: &str,
    locale: &str,
) -> Result<Classroom, StoreError> {
    let id: ClassroomId = ambient.id();
    let now = tx.now();
    let mut slug = slugify(name, "classroom");
    let taken =
        tx.find("SELECT 1 FROM classroom WHERE organization_id = $1 AND slug = $2", &[&organization, &slug], |_| {
            Ok(())
        })?;
    if taken.is_some() {
        slug = format!("{slug}-{}", short(id.uuid()));
    }
    sql!(
        "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
         VALUES ({id}, {organization}, {name}, {slug}, {locale}, {now}, {now})"
    )
    .execute(tx)?;
    Ok(Classroom { id, name: name.to_owned(), slug, locale: locale.to_owned() })
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
