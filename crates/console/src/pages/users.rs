//! The people who sign in, for operators: the list with a form for a new one, and a user's page.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::{FormState, Page};
use crate::api::identity::{Me, User, UserDetail};
use crate::fields::{Fields, Filters, query};
use crate::owner::Ids;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page_with};

const HOME: &str = "/console/users";
const LIST: &str = "/auth/users";
/// Users of a page.
const PAGE_SIZE: u64 = 50;

#[derive(Template)]
#[template(path = "users.html")]
struct UsersPage {
    shell: Shell,
    form: FormState,
    users: Vec<User>,
    filters: Fields,
    total: u64,
    page: u64,
}

impl UsersPage {
    fn has_more(&self) -> bool {
        self.page.saturating_mul(PAGE_SIZE) < self.total
    }

    /// The query of another page of the same list.
    fn query_of(&self, page: u64) -> String {
        self.filters.clone().with("page", &page.to_string()).query(&["email", "page"])
    }
}

#[derive(Template)]
#[template(path = "user.html")]
struct UserPage {
    shell: Shell,
    form: FormState,
    user: UserDetail,
    /// Whether the reader is the user.
    is_self: bool,
}

pub(crate) async fn list(visit: Visit, Filters(filters): Filters) -> Page {
    users_page(&visit, filters, FormState::default()).await
}

async fn users_page(visit: &Visit, filters: Fields, form: FormState) -> Page {
    let page = filters.get("page").parse().unwrap_or(1).max(1);
    let (limit, number) = (PAGE_SIZE.to_string(), page.to_string());
    let narrowed = [("email", filters.get("email")), ("limit", &limit), ("page", &number)];
    let path = format!("{LIST}{}", query(narrowed.into_iter().filter(|(_, value)| !value.is_empty())));
    let (users, total) = visit.read_counted("listUsers", &path).await?;
    let body = Some(json!({ "email": "ann@example.com", "isOperator": false }));
    visit.note(&Operation { id: "createUser", method: Method::POST, path: LIST, body, ..Operation::default() });
    let shell = visit.shell("Users", Section::Users).await?;
    Ok(page_with(form.status(), &UsersPage { shell, form, users, filters, total, page }))
}

pub(crate) async fn create(visit: Visit, fields: Fields) -> Page {
    let mut body = fields.texts(&["email"]);
    body.insert("isOperator".to_owned(), Value::from(fields.has("isOperator", "yes")));
    let body = Some(Value::Object(body));
    let create = Operation { id: "createUser", method: Method::POST, path: LIST, body, ..Operation::default() };
    match visit.send::<User>(create).await {
        Ok(made) => Ok(visit.done(&format!("{HOME}/{}", made.id), "user-created")),
        Err(problem) => users_page(&visit, Fields::default(), FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn show(visit: Visit, ids: Ids) -> Page {
    user_page(&visit, &ids, FormState::default()).await
}

async fn user_page(visit: &Visit, ids: &Ids, form: FormState) -> Page {
    let path = address(ids, "");
    let user: UserDetail = visit.read("getUser", &path).await?;
    let body = Some(json!({ "isOperator": !user.is_operator }));
    visit.note(&Operation { id: "updateUser", method: Method::PATCH, path: &path, body, ..Operation::default() });
    let me: Me = visit.me().await?;
    let shell = visit.shell(&user.email, Section::Users).await?.crumb("Users", HOME);
    let is_self = me.id == user.id;
    Ok(page_with(form.status(), &UserPage { shell, form, user, is_self }))
}

fn address(ids: &Ids, rest: &str) -> String {
    format!("{LIST}/{}{rest}", ids.get("user"))
}

pub(crate) async fn set_operator(visit: Visit, ids: Ids, fields: Fields) -> Page {
    let is_operator = fields.has("isOperator", "yes");
    let (path, body) = (address(&ids, ""), Some(json!({ "isOperator": is_operator })));
    let update = Operation { id: "updateUser", method: Method::PATCH, path: &path, body, ..Operation::default() };
    let outcome = visit.act(update).await;
    settle(&visit, &ids, outcome, if is_operator { "operator-made" } else { "operator-unmade" }).await
}

pub(crate) async fn end_sessions(visit: Visit, ids: Ids) -> Page {
    let path = address(&ids, "/end-sessions");
    let end = Operation { id: "endUserSessions", method: Method::POST, path: &path, ..Operation::default() };
    let outcome = visit.act(end).await;
    settle(&visit, &ids, outcome, "user-sessions-ended").await
}

pub(crate) async fn remove_second_factor(visit: Visit, ids: Ids) -> Page {
    let path = address(&ids, "/second-factor");
    let remove =
        Operation { id: "removeUserSecondFactor", method: Method::DELETE, path: &path, ..Operation::default() };
    let outcome = visit.act(remove).await;
    settle(&visit, &ids, outcome, "user-factor-removed").await
}

/// Leads on after a write, or shows the user with what the API said.
async fn settle(visit: &Visit, ids: &Ids, outcome: Result<(), ApiProblem>, done: &'static str) -> Page {
    match outcome {
        Ok(()) => Ok(visit.done(&format!("{HOME}/{}", ids.get("user")), done)),
        Err(problem) => user_page(visit, ids, FormState::refused(Fields::default(), problem)?).await,
    }
}
