//! The members of an organization with their roles, and the people who are invited to it.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::identity::{Invitation, Member, Role};
use crate::fields::{Fields, Filters};
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

/// Members of a page.
const PAGE_SIZE: u64 = 50;

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    members: Vec<Member>,
    total: u64,
    page: u64,
    invitations: Vec<Invitation>,
    roles: Vec<(String, String)>,
    /// Whether the form that was refused is the one that invites.
    is_inviting: bool,
    /// The reader's id.
    me: String,
}

impl PeoplePage {
    fn has_more(&self) -> bool {
        self.page.saturating_mul(PAGE_SIZE) < self.total
    }
}

fn invitations(owner: &Owner) -> String {
    format!("/v1/content/organizations/{}/invitations", owner.id)
}

fn members(owner: &Owner) -> String {
    format!("/auth/organizations/{}/members", owner.id)
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let page = filters.get("page").parse().unwrap_or(1).max(1);
    people_page(&visit, owner, page, FormState::default()).await
}

async fn people_page(visit: &Visit, owner: Owner, page: u64, form: FormState) -> Page {
    let path = format!("{}?limit={PAGE_SIZE}&page={page}", members(&owner));
    let (members, total) = visit.read_counted("listMembers", &path).await?;
    let path = invitations(&owner);
    let invitations = visit.read("listInvitations", &path).await?;
    let body = Some(json!({ "email": "ann@example.com", "role": "TEACHER" }));
    visit.note(&Operation { id: "createInvitation", method: Method::POST, path: &path, body, ..Operation::default() });
    let me = visit.me().await?.id;
    let is_inviting = form.has_fields();
    let shell = frame(visit, &owner, "People", "People").await?;
    Ok(page_with(
        form.status(),
        &PeoplePage { shell, form, owner, members, total, page, invitations, roles: Role::options(), is_inviting, me },
    ))
}

pub(crate) async fn invite(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let path = invitations(&owner);
    let body = Some(Value::Object(fields.texts(&["email", "role"])));
    let id = "createInvitation";
    match visit.act(Operation { id, method: Method::POST, path: &path, body, ..Operation::default() }).await {
        Ok(()) => Ok(visit.done(&owner.page("/people"), "invited")),
        Err(problem) => people_page(&visit, owner, 1, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn withdraw(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = format!("{}/{}", invitations(&owner), ids.get("invitation"));
    let id = "deleteInvitation";
    visit.act(Operation { id, method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/people"), "invitation-withdrawn"))
}

/// Gives a member another role. Who gives up their own may not see the page any more.
pub(crate) async fn set_role(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let me = visit.me().await?;
    let path = format!("{}/{}", members(&owner), ids.get("member"));
    let body = Some(Value::Object(fields.texts(&["role"])));
    match visit
        .act(Operation { id: "updateMember", method: Method::PATCH, path: &path, body, ..Operation::default() })
        .await
    {
        Ok(()) if me.id == ids.get("member") && !me.is_operator => {
            Ok(visit.done("/console/organizations", "member-role-set"))
        }
        Ok(()) => Ok(visit.done(&owner.page("/people"), "member-role-set")),
        Err(problem) => people_page(&visit, owner, 1, FormState::refused(Fields::default(), problem)?).await,
    }
}

/// Removes a member. Who removes themselves may not see the page any more.
pub(crate) async fn remove(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let me = visit.me().await?;
    let path = format!("{}/{}", members(&owner), ids.get("member"));
    let remove = Operation { id: "removeMember", method: Method::DELETE, path: &path, ..Operation::default() };
    match visit.act(remove).await {
        Ok(()) if me.id == ids.get("member") && !me.is_operator => {
            Ok(visit.done("/console/organizations", "organization-left"))
        }
        Ok(()) => Ok(visit.done(&owner.page("/people"), "member-removed")),
        Err(problem) => people_page(&visit, owner, 1, FormState::refused(Fields::default(), problem)?).await,
    }
}
