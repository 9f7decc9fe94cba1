//! `PATCH /v1/content/organizations/{organizationId}/classrooms/{classroomId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody, label};
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use kernel::id::{ClassroomId, OrganizationId};
use store::{StoreError, Tx, sql};

use super::Classroom;

const NO_CLASSROOM: Problem = Problem::NotFound("Classroom");

/// What to change about a classroom.
#[derive(Body)]
#[body(changes)]
pub struct UpdateClassroomRequest {
    /// 1 to 200 characters.
    #[field(label(1..=200), example = "Biology 8b")]
    name: Option<String>,
}

/// Renames a classroom. Its slug and its language stay.
#[utoipa::path(
    patch, path = "/v1/content/organizations/{organizationId}/classrooms/{classroomId}", tag = "Classrooms",
    operation_id = "updateClassroom", security(("adminSession" = [])), request_body = UpdateClassroomRequest,
    responses(
        (status = 200, description = "The classroom as it is now", body = Classroom),
        (status = 404, description = "The organization has no such classroom", body = ContentErrorBody),
    )
)]
pub async fn update(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, classroom)): Params<(String, String)>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "classrooms.update", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let request: UpdateClassroomRequest = body.read()?;
        let id: ClassroomId = classroom.parse().map_err(|_| NO_CLASSROOM)?;
        if let Some(name) = &request.name {
            rename(tx, organization, id, name)?;
        }
        let found = find(tx, organization, id)?;
        Ok(Answer::ok(&found.ok_or(NO_CLASSROOM)?))
    })
    .await
}

fn rename(tx: &mut Tx<'_>, organization: OrganizationId, id: ClassroomId, name: &str) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE classroom SET name = {name}, updated_at = {now}
         WHERE id = {id} AND organization_id = {organization}"
    )
    .execute(tx)?;
    Ok(())
}

fn find(tx: &mut Tx<'_>, organization: OrganizationId, id: ClassroomId) -> Result<Option<Classroom>, StoreError> {
    sql!("SELECT id, name, slug, locale FROM classroom WHERE id = {id} AND organization_id = {organization}")
        .find(tx, |row| Ok(Classroom { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, locale: row.get(3)? }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn a_classroom_of_the_organization_is_renamed_and_no_other(test: TestStore) {
        let app = App::new(test);
        let (own, other) = (app.tenant("Own").await, app.tenant("Other").await);
        let cookie = app.admin_of("a@example.com", &[&own]).await;
        let body = json!({ "name": "Biology 8b" });
        let rename = async |path: String| app.patch(&path).cookie(&cookie).json(&body).send().await;
        let renamed = rename(own.path(&format!("classrooms/{}", own.classroom))).await.expect(200);
        assert_eq!((&renamed["name"], &renamed["slug"]), (&json!("Biology 8b"), &json!("class-7b")));
        rename(own.path(&format!("classrooms/{}", other.classroom))).await.expect(404);
        rename(own.path("classrooms/x")).await.expect(404);
        rename(other.path(&format!("classrooms/{}", other.classroom))).await.expect(403);
        let foreign = app.get("/v1/content/classrooms").key(&other.key).send().await.expect(200);
        assert_eq!(foreign[0]["name"], "Class 7b");
    }
}
