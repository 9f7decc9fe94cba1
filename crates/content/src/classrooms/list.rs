//! `GET /v1/content/classrooms`: the classrooms that a key sees (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::door::{Door, KeyCaller};
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use kernel::id::OrganizationId;
use store::{StoreError, Tx};

use super::Classroom;
use crate::{ContentKey, organization_of};

/// Lists the classrooms of the key's organization, by name.
#[utoipa::path(
    get, path = "/v1/content/classrooms", tag = "Classrooms", security(("contentKey" = [])),
    operation_id = "listClassrooms",
    responses(
        (status = 200, description = "The classrooms, by name", body = Vec<Classroom>),
        (status = 400, description = "The query has a parameter", body = ContentErrorBody),
    )
)]
pub async fn list(State(door): State<Door>, key: ContentKey, query: Query) -> Result<Answer, Problem> {
    let read = move |tx: &mut Tx<'_>, caller: &KeyCaller| {
        query.read_none()?;
        Ok(Answer::ok(&of_organization(tx, organization_of(caller)?)?))
    };
    door.read_by_key(key, "classrooms.list", read).await
}

/// An organization's classrooms, by name.
pub fn of_organization(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Vec<Classroom>, StoreError> {
    let mut classrooms =
        tx.query("SELECT id, name, slug, locale FROM classroom WHERE organization_id = $1", &[&organization], |row| {
            Ok(Classroom { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, locale: row.get(3)? })
        })?;
    // Not by the database, whose order of names is its operator's choice.
    classrooms.sort_by(|one: &Classroom, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(classrooms)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    const PATH: &str = "/v1/content/classrooms";

    #[both_stores]
    async fn a_key_sees_its_own_organizations_classrooms_only(test: TestStore) {
        let app = App::new(test);
        let (own, other) = (app.tenant("Own").await, app.tenant("Other").await);
        let french = app.classroom(&own, "Français 3", "fr").await;
        let listed = app.get(PATH).key(&own.key).send().await.expect(200);
        assert_eq!(
            listed,
            json!([
                { "id": own.classroom, "name": "Class 7b", "slug": "class-7b", "locale": "en" },
                { "id": french.id, "name": "Français 3", "slug": french.slug, "locale": "fr" },
            ])
        );
        let foreign = app.get(PATH).key(&other.key).send().await.expect(200);
        assert_eq!(foreign[0]["id"], json!(other.classroom));
        assert_eq!(foreign.as_array().map(Vec::len), Some(1));
    }
}
