//! `GET /auth/me`.

use axum::extract::State;
use edge::admins::users::{self, User, UserOrganization};
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use serde::Serialize;

use super::{NO_USER, UserSecondFactor};

/// The signed-in person.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    #[serde(flatten)]
    user: User,
    /// The organizations that the person is a member of, by name. An operator manages all others too.
    organizations: Vec<UserOrganization>,
    second_factor: UserSecondFactor,
}

/// Says who is signed in, and in which organizations.
#[utoipa::path(
    get, path = "/auth/me", tag = "Users", operation_id = "getMe", security(("adminSession" = [])),
    responses(
        (status = 200, description = "The signed-in person", body = Me),
        (status = 401, description = "There is no session, or its second factor was not shown", body = ContentErrorBody),
        (status = 403, description = "A second factor is missing", body = ContentErrorBody),
    )
)]
pub async fn me(State(door): State<Door>, session: PresentedSession) -> Result<Answer, Problem> {
    door.read_by_admin(session, "users.me", |tx, admin| {
        Ok(Answer::ok(&Me {
            user: users::find(tx, admin.user_id)?.ok_or(NO_USER)?,
            organizations: users::organizations(tx, admin.user_id)?,
            second_factor: UserSecondFactor::load(tx, admin.user_id)?,
        }))
    })
    .await
}
