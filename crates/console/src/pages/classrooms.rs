//! The classrooms of an organization: the list, a new one, and another name.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::organizations::frame;
use super::{FormState, Page};
use crate::api::content::Classroom;
use crate::fields::Fields;
use crate::owner::{Ids, Owner};
use crate::problem::ApiProblem;
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

#[derive(Template)]
#[template(path = "classrooms.html")]
struct ClassroomsPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    classrooms: Vec<Classroom>,
    idempotency_key: String,
}

fn collection(owner: &Owner) -> String {
    format!("/v1/content/organizations/{}/classrooms", owner.id)
}

pub(crate) async fn list(visit: Visit, owner: Owner) -> Page {
    let form = FormState::filled(Fields::default().with("locale", "en"));
    classrooms_page(&visit, owner, form).await
}

async fn classrooms_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let classrooms = of(visit, &owner).await?;
    if visit.me().await?.administers(&owner) {
        visit.note(&create_operation(&collection(&owner), json!({ "name": "Biology 7b", "locale": "en" }), ""));
    }
    let shell = frame(visit, &owner, "Classrooms", "Classrooms").await?;
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &ClassroomsPage { shell, form, owner, classrooms, idempotency_key }))
}

/// The classrooms of an organization.
pub(super) async fn of(visit: &Visit, owner: &Owner) -> Result<Vec<Classroom>, ApiProblem> {
    visit.read_for(&owner.id, "listClassrooms", "/v1/content/classrooms").await.map_err(explained(visit))
}

/// Services that take no session for content answer as if nobody were signed in. Signing in again would not help whoever sent
/// a session.
pub(super) fn explained(visit: &Visit) -> impl Fn(ApiProblem) -> ApiProblem {
    let has_session = visit.has_session();
    move |problem| {
        if has_session && problem.message.contains("content integration key") {
            let message = "This service takes only API keys for content, no session.";
            return ApiProblem::new(http::StatusCode::FORBIDDEN, message);
        }
        problem
    }
}

fn create_operation<'a>(path: &'a str, body: Value, key: &'a str) -> Operation<'a> {
    let (id, method, idempotency_key) = ("createClassroom", Method::POST, Some(key));
    Operation { id, method, path, body: Some(body), idempotency_key, ..Operation::default() }
}

pub(crate) async fn create(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let (path, body) = (collection(&owner), Value::Object(fields.texts(&["name", "locale"])));
    match visit.act(create_operation(&path, body, fields.get("key"))).await {
        Ok(()) => Ok(visit.done(&owner.page("/classrooms"), "classroom-created")),
        Err(problem) => classrooms_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn rename(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let path = format!("{}/{}", collection(&owner), ids.get("classroom"));
    let body = Some(Value::Object(fields.texts(&["name"])));
    let rename = Operation { id: "updateClassroom", method: Method::PATCH, path: &path, body, ..Operation::default() };
    match visit.act(rename).await {
        Ok(()) => Ok(visit.done(&owner.page("/classrooms"), "classroom-renamed")),
        Err(problem) => {
            let empty = Fields::default().with("locale", "en");
            classrooms_page(&visit, owner, FormState::refused(empty, problem)?).await
        }
    }
}
