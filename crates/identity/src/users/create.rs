//! `POST /auth/users`.

use axum::extract::State;
use edge::admins::{self, NewAdmin, normalize_email};
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::door::Door;
use edge::passwords::NO_PASSWORD;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use store::{Tx, jobs};

use super::UserDetail;
use crate::password_resets::send::SendPasswordReset;

/// Who gets an account.
#[derive(Body)]
pub struct CreateUserRequest {
    /// The address to sign in with. A mail with a link to choose a password goes there.
    #[field(text(1..=254).format("email").parsed(crate::invitations::create::address), example = "ann@example.com")]
    email: String,
    /// Whether the user operates the whole service.
    #[field(default)]
    is_operator: bool,
}

/// Makes an account, and sends its address a mail with a link to choose a password. The link holds for an hour; the sign-in page
/// sends another. Whoever is to manage one organization alone is invited to it instead.
#[utoipa::path(
    post, path = "/auth/users", tag = "Users", operation_id = "createUser", security(("adminSession" = [])),
    request_body = CreateUserRequest,
    responses(
        (status = 201, description = "Made; a mail is on its way", body = UserDetail),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
        (status = 409, description = "The address has an account", body = ContentErrorBody),
    )
)]
pub async fn create(State(door): State<Door>, session: PresentedSession, body: JsonBody) -> Result<Answer, Problem> {
    door.write_by_admin(session, "users.create", move |tx, admin| {
        super::require_operator(admin)?;
        let made = make(tx, body.read()?)?;
        Ok(Answer::json(StatusCode::CREATED, &made))
    })
    .await
}

fn make(tx: &mut Tx<'_>, request: CreateUserRequest) -> Result<UserDetail, Problem> {
    if admins::find(tx, &request.email)?.is_some() {
        return Err(Problem::Conflict("The address has an account already."));
    }
    let email = normalize_email(&request.email);
    let new = NewAdmin { email, password_hash: NO_PASSWORD.to_owned(), is_operator: request.is_operator };
    let ambient = tx.ambient().clone();
    let user = admins::create(tx, &ambient, &new)?;
    jobs::enqueue(tx, "password resets", &SendPasswordReset { email: new.email })?;
    UserDetail::load(tx, user)
}
