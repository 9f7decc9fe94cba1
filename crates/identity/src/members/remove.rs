//! `DELETE /auth/organizations/{organizationId}/members/{userId}`.

use axum::extract::State;
use edge::admins;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;

/// Removes a member from an organization. The account stays. Whoever manages the organization removes anybody, and every member may
/// leave; only an operator removes the last administrator.
#[utoipa::path(
    delete, path = "/auth/organizations/{organizationId}/members/{userId}", tag = "Members",
    operation_id = "removeMember", security(("adminSession" = [])),
    responses(
        (status = 204, description = "Removed"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization, and is not the member", body = ContentErrorBody),
        (status = 404, description = "The organization has no such member", body = ContentErrorBody),
        (status = 409, description = "Nobody else administers the organization", body = ContentErrorBody),
    )
)]
pub async fn remove(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, user)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "members.remove", move |tx, admin| {
        let leaves = user.parse() == Ok(admin.user_id);
        let organization =
            if leaves { admin.belongs_to(tx, &organization)? } else { admin.manages(tx, &organization)? };
        let (user, role) = super::find(tx, organization, &user)?;
        super::keep_an_admin(tx, admin, organization, user, role)?;
        admins::leave(tx, user, organization)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    })
    .await
}
