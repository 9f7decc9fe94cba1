//! `PATCH /auth/organizations/{organizationId}/members/{userId}`.

use axum::extract::State;
use edge::admins::{self, Role, members};
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, one_of};
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

/// Another role of a member.
#[derive(Body)]
pub struct UpdateMemberRequest {
    /// The role from now on.
    #[field(one_of(Role::WORDS).shown_as::<Role>(), example = "TEACHER")]
    role: Role,
}

/// Gives a member another role, which counts from the member's next request on. Only an operator takes the role of the last
/// administrator.
#[utoipa::path(
    patch, path = "/auth/organizations/{organizationId}/members/{userId}", tag = "Members",
    operation_id = "updateMember", security(("adminSession" = [])), request_body = UpdateMemberRequest,
    responses(
        (status = 200, description = "The member with the new role", body = members::Member),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
        (status = 404, description = "The organization has no such member", body = ContentErrorBody),
        (status = 409, description = "Nobody else administers the organization", body = ContentErrorBody),
    )
)]
pub async fn update(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, user)): Params<(String, String)>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "members.update", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let (user, present) = super::find(tx, organization, &user)?;
        let UpdateMemberRequest { role } = body.read()?;
        if role < present {
            super::keep_an_admin(tx, admin, organization, user, present)?;
        }
        admins::join(tx, user, organization, role)?;
        Ok(Answer::ok(&members::load(tx, organization, user)?.ok_or(super::NO_MEMBER)?))
    })
    .await
}
