//! `DELETE /auth/organizations/{organizationId}/members/{userId}`.

use axum::extract::State;
use edge::admins::{self, members};
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::id::UserId;

const NO_MEMBER: Problem = Problem::NotFound("Member");

/// Removes a member from an organization; oneself too. The account stays. Only an operator removes the last admin.
#[utoipa::path(
    delete, path = "/auth/organizations/{organizationId}/members/{userId}", tag = "Members",
    operation_id = "removeMember", security(("adminSession" = [])),
    responses(
        (status = 204, description = "Removed"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
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
        let organization = admin.manages(tx, &organization)?;
        members::lock(tx, organization)?;
        let user: UserId = user.parse().map_err(|_| NO_MEMBER)?;
        if !admins::is_member(tx, user, organization)? {
            return Err(NO_MEMBER);
        }
        if !admin.is_operator && !members::has_other_admin(tx, organization, user)? {
            return Err(Problem::Conflict("Nobody else administers the organization. Invite somebody first."));
        }
        admins::leave(tx, user, organization)?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    })
    .await
}
