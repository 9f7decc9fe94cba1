//! `POST /v1/content/organizations`, and how the operator's commands make and find an organization.

use axum::extract::State;
use edge::admins::Role;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::idempotency::{Kept, Repeatable};
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use serde_json::json;
use store::{StoreError, Tx};

use super::{Organization, require_operator};
use crate::slug::slugify;

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
pub async fn request(
    State(door): State<Door>,
    session: PresentedSession,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = door.clone();
    door.write_by_admin(session, "organizations.create", move |tx, admin| {
        require_operator(admin)?;
        let (key, request) = Problem::both(repeatable.key(), body.read::<CreateOrganizationRequest>())?;
        let claim = key.claim(admin.user_id.to_string(), || json!(body.value().ok()));
        parts.idempotency.once(tx, claim.as_ref(), |tx| {
            let made = create(tx, &parts.ambient, &request.name)?;
            Ok((Answer::json(StatusCode::CREATED, &made), Kept::Same))
        })
    })
    .await
}

/// Finds an organization by its id, its slug or its exact name.
pub fn find(tx: &mut Tx<'_>, id_slug_or_name: &str) -> Result<Option<Organization>, StoreError> {
    let mut found = tx.query(
        "SELECT id, name, slug FROM organization WHERE id = $1 OR slug = $1 OR name = $1 ORDER BY created_at LIMIT 1",
        &[&id_slug_or_name],
        |row| Ok(Organization { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, role: Role::Admin }),
    )?;
    Ok(found.pop())
}

/// Makes an organization. Its slug comes from the name, made unique where it is taken.
pub fn create(tx: &mut Tx<'_>, ambient: &Ambient, name: &str) -> Result<Organization, StoreError> {
    let id: OrganizationId = ambient.id();
    let now = tx.now();
    let slug = free_slug(tx, name, id)?;
    tx.execute(
        "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)",
        &[&id, &name, &slug, &now],
    )?;
    Ok(Organization { id, name: name.to_owned(), slug, role: Role::Admin })
}

fn free_slug(tx: &mut Tx<'_>, name: &str, id: OrganizationId) -> Result<String, StoreError> {
    let slug = slugify(name, "organization");
    let is_taken = tx.find("SELECT 1 FROM organization WHERE slug = $1", &[&slug], |_| Ok(()))?.is_some();
    Ok(if is_taken { format!("{slug}-{}", short(id.uuid())) } else { slug })
}

/// The random end of an id, to tell equal names apart.
pub(crate) fn short(id: uuid::Uuid) -> String {
    let text = id.simple().to_string();
    text[text.len() - 8..].to_owned()
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::App;

    const PATH: &str = "/v1/content/organizations";

    #[both_stores]
    async fn equal_names_get_different_slugs_and_every_handle_finds_its_own(test: TestStore) {
        let ambient = test.ambient.clone();
        let (one, other) = test
            .store
            .write("test", move |tx| {
                Ok::<_, StoreError>((create(tx, &ambient, "A School")?, create(tx, &ambient, "A School")?))
            })
            .await
            .unwrap();
        assert_eq!(one.slug, "a-school");
        assert_ne!(one.slug, other.slug);
        for handle in [other.id.to_string(), other.slug.clone()] {
            let found = test.store.read("test", move |tx| find(tx, &handle)).await.unwrap().unwrap();
            assert_eq!(found.id, other.id);
        }
        assert!(test.store.read("test", |tx| find(tx, "nobody")).await.unwrap().is_none());
    }

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
