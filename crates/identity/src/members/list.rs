//! `GET /auth/organizations/{organizationId}/members`.

use axum::extract::State;
use edge::admins::members::{self, Member};
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

use crate::Identity;

/// Lists the members of an organization, the earliest first. `X-Total-Count` says how many there are.
#[utoipa::path(
    get, path = "/auth/organizations/{organizationId}/members", tag = "Members", operation_id = "listMembers",
    security(("adminSession" = [])),
    params(
        ("limit" = Option<u64>, Query, description = "Members on a page; 20 when it is absent", minimum = 1, maximum = 100),
        ("page" = Option<u64>, Query, description = "From 1", minimum = 1),
    ),
    responses(
        (status = 200, description = "A page of the members", body = Vec<Member>),
        (status = 400, description = "The query is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
    )
)]
pub async fn list(
    State(identity): State<Identity>,
    session: PresentedSession,
    Params(organization): Params<String>,
    query: PageQuery,
) -> Result<Answer, Problem> {
    let base = identity.base_url.clone();
    identity
        .door
        .read_by_admin(session, "members.list", move |tx, admin| {
            let organization = admin.manages(tx, &organization)?;
            let page = query.page()?;
            let (members, total) = members::list(tx, organization, page)?;
            Ok(query.describe(&base, Answer::ok(&members), page, total))
        })
        .await
}
