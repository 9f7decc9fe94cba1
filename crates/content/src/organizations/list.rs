//! `GET /v1/content/organizations`: the organizations that the admin manages (content-api section 4).

use axum::extract::State;
use edge::admins::{Admin, ROLE_ADMIN};
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::Problem;
use edge::query::Query;
use edge::sessions::PresentedSession;
use store::{StoreError, Tx};

use super::Organization;

/// Lists the organizations that the signed-in admin manages, by name.
#[utoipa::path(
    get, path = "/v1/content/organizations", tag = "Organizations", security(("adminSession" = [])),
    operation_id = "listOrganizations",
    responses((status = 200, description = "The organizations, by name", body = Vec<Organization>))
)]
pub async fn list(State(door): State<Door>, session: PresentedSession, query: Query) -> Result<Answer, Problem> {
    let read = move |tx: &mut Tx<'_>, admin: &Admin| {
        query.read_none()?;
        Ok(Answer::ok(&managed_by(tx, admin)?))
    };
    door.read_by_admin(session, "organizations.list", read).await
}

/// An operator manages every organization.
pub fn managed_by(tx: &mut Tx<'_>, admin: &Admin) -> Result<Vec<Organization>, StoreError> {
    let mut organizations = tx.query(
        "SELECT o.id, o.name, o.slug FROM organization o
         WHERE $1 = 1 OR EXISTS (
            SELECT 1 FROM membership m WHERE m.organization_id = o.id AND m.user_id = $2 AND m.role = $3)",
        &[&admin.is_operator, &admin.user_id, &ROLE_ADMIN],
        |row| Ok(Organization { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, role: ROLE_ADMIN }),
    )?;
    // Not by the database, whose order of names is its operator's choice.
    organizations.sort_by(|one: &Organization, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(organizations)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    const PATH: &str = "/v1/content/organizations";

    #[both_stores]
    async fn an_admin_sees_the_organizations_that_it_manages_by_name(test: TestStore) {
        let app = App::new(test);
        let (west, east, _) = (app.tenant("West").await, app.tenant("East").await, app.tenant("North").await);
        let cookie = app.admin_of("a@example.com", &[&west, &east]).await;
        let listed = app.get(PATH).cookie(&cookie).send().await.expect(200);
        assert_eq!(
            listed,
            json!([
                { "id": east.organization, "name": "East", "slug": "east", "role": "ADMIN" },
                { "id": west.organization, "name": "West", "slug": "west", "role": "ADMIN" },
            ])
        );
    }

    #[both_stores]
    async fn an_operator_sees_all_and_an_admin_without_any_sees_none(test: TestStore) {
        let app = App::new(test);
        app.tenant("West").await;
        app.tenant("East").await;
        let (operator, nobody) = (app.operator("o@example.com").await, app.admin_of("n@example.com", &[]).await);
        let all = app.get(PATH).cookie(&operator).send().await.expect(200);
        assert_eq!(all.as_array().map(Vec::len), Some(2));
        assert_eq!(app.get(PATH).cookie(&nobody).send().await.expect(200), json!([]));
    }
}
