//! The people who are invited to manage an organization.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::identity::Invitation;
use crate::fields::Fields;
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    invitations: Vec<Invitation>,
}

fn collection(owner: &Owner) -> String {
    format!("/v1/content/organizations/{}/invitations", owner.id)
}

pub(crate) async fn list(visit: Visit, owner: Owner) -> Page {
    people_page(&visit, owner, FormState::default()).await
}

async fn people_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let path = collection(&owner);
    let invitations = visit.read("listInvitations", &path).await?;
    let body = Some(json!({ "email": "ann@example.com" }));
    visit.note(&Operation { id: "createInvitation", method: Method::POST, path: &path, body, ..Operation::default() });
    let shell = frame(visit, &owner, "People", "People").await?;
    Ok(page_with(form.status(), &PeoplePage { shell, form, owner, invitations }))
}

pub(crate) async fn invite(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let path = collection(&owner);
    let body = Some(Value::Object(fields.texts(&["email"])));
    let id = "createInvitation";
    match visit.act(Operation { id, method: Method::POST, path: &path, body, ..Operation::default() }).await {
        Ok(()) => Ok(visit.done(&owner.page("/people"), "invited")),
        Err(problem) => people_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn withdraw(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = format!("{}/{}", collection(&owner), ids.get("invitation"));
    let id = "deleteInvitation";
    visit.act(Operation { id, method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/people"), "invitation-withdrawn"))
}
