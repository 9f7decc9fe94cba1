//! `GET /v1/content/organizations`: the organizations of the admin (content-api section 4).

use axum::extract::State;
use edge::admins::{Admin, Role};
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::Problem;
use edge::query::Query;
use edge::sessions::PresentedSession;
use store::{StoreError, Tx, sql};

use super::Organization;

/// Lists the organizations in which the signed-in admin has a role, by name.
#[utoipa::path(
    get, path = "/v1/content/organizations", tag = "Organizations", security(("adminSession" = [])),
    operation_id = "listOrganizations",
    responses((status = 200, description = "The organizations, by name", body = Vec<Organization>))
)]
pub async fn list(State(door): State<Door>, session: PresentedSession, query: Query) -> Result<Answer, Problem> {
    let read = move |tx: &mut Tx<'_>, admin: &Admin| {
        query.read_none()?;
        Ok(Answer::ok(&organizations_of(tx, admin)?))
    };
    door.read_by_admin(session, "organizations.list", read).await
}

/// An operator administers every organization.
pub fn organizations_of(tx: &mut Tx<'_>, admin: &Admin) -> Result<Vec<Organization>, StoreError> {
    let (user, is_operator) = (admin.user_id, admin.is_operator);
    let mut organizations = sql!(
        "SELECT o.id, o.name, o.slug, m.role FROM organization o
         LEFT JOIN membership m ON m.organization_id = o.id AND m.user_id = {user}
         WHERE {is_operator} = 1 OR m.role IS NOT NULL"
    )
    .query(tx, |row| {
        let role = if is_operator { Role::Admin } else { row.get(3)? };
        Ok(Organization { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, role })
    })?;
    // Not by the database, whose order of names is its operator's choice.
    organizations.sort_by(|one: &Organization, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(organizations)
}

#[cfg(test)]
mod tests {
    use edge::admins::Role;
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
    async fn a_member_sees_the_role_in_each_organization(test: TestStore) {
        let app = App::new(test);
        let (west, _) = (app.tenant("West").await, app.tenant("East").await);
        for (email, role, name) in [
            ("r@example.com", Role::Reviewer, "REVIEWER"),
            ("t@example.com", Role::Teacher, "TEACHER"),
            ("a@example.com", Role::Admin, "ADMIN"),
        ] {
            let cookie = app.member_of(email, &west, role).await;
            let listed = app.get(PATH).cookie(&cookie).send().await.expect(200);
            let own = json!([{ "id": west.organization, "name": "West", "slug": "west", "role": name }]);
            assert_eq!(listed, own);
        }
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
