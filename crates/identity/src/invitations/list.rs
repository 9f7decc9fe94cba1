//! `GET /v1/content/organizations/{organizationId}/invitations`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use edge::sessions::PresentedSession;
use store::sql;

use super::Invitation;

/// Invitations that are listed, the newest.
const MOST: i64 = 500;

/// Lists the organization's invitations, the newest first, at most 500.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/invitations", tag = "Invitations",
    operation_id = "listInvitations", security(("adminSession" = [])),
    responses(
        (status = 200, description = "Open, expired and accepted ones", body = Vec<Invitation>),
        (status = 400, description = "The query has parameters", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(door): State<Door>,
    session: PresentedSession,
    Params(organization): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    door.read_by_admin(session, "invitations.list", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        query.read_none()?;
        let invitations = sql!(
            "SELECT id, email, role, created_at, expires_at, accepted_at FROM invitation
             WHERE organization_id = {organization} ORDER BY created_at DESC, id DESC LIMIT {MOST}"
        )
        .query(tx, |row| {
            Ok(Invitation {
                id: row.get(0)?,
                email: row.get(1)?,
                role: row.get(2)?,
                created_at: row.get(3)?,
                expires_at: row.get(4)?,
                accepted_at: row.get(5)?,
            })
        })?;
        Ok(Answer::ok(&invitations))
    })
    .await
}
