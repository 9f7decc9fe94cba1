//! `GET /auth/users`.

use axum::extract::State;
use edge::admins::users::{self, User};
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

use crate::Identity;

/// The longest part of an address that is searched for, in bytes.
const LONGEST_PART: usize = 254;

/// Lists the users of the service for operators, the newest first. `X-Total-Count` says how many there are.
#[utoipa::path(
    get, path = "/auth/users", tag = "Users", operation_id = "listUsers", security(("adminSession" = [])),
    params(
        ("email" = Option<String>, Query, description = "A part of the address", max_length = 254),
        ("limit" = Option<u64>, Query, description = "Users on a page; 20 when it is absent", minimum = 1, maximum = 100),
        ("page" = Option<u64>, Query, description = "From 1", minimum = 1),
    ),
    responses(
        (status = 200, description = "A page of the users", body = Vec<User>),
        (status = 400, description = "The query is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The session is no operator's", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(identity): State<Identity>,
    session: PresentedSession,
    query: PageQuery,
) -> Result<Answer, Problem> {
    let base = identity.base_url.clone();
    identity
        .door
        .read_by_admin(session, "users.list", move |tx, admin| {
            super::require_operator(admin)?;
            let (page, part) = query.read(|parameters| parameters.optional("email", part))?;
            let (users, total) = users::list(tx, &part.unwrap_or_default(), page)?;
            Ok(query.describe(&base, Answer::ok(&users), page, total))
        })
        .await
}

fn part(text: &str) -> Result<String, String> {
    if text.len() > LONGEST_PART {
        return Err(format!("must be at most {LONGEST_PART} bytes long"));
    }
    Ok(text.to_owned())
}
