//! The first run: makes the first administrator of an empty installation, signs them in, and shows the keys once.

use askama::Template;
use http::header::SET_COOKIE;
use http::{Method, StatusCode};
use serde_json::Value;

use super::{FormState, Page};
use crate::api::identity::{SetupResult, SetupStatus};
use crate::fields::Fields;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page, page_with};

pub(super) const ADDRESS: &str = "/console/setup";
const PATH: &str = "/auth/setup";

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    shell: Shell,
    form: FormState,
}

#[derive(Template)]
#[template(path = "setup_done.html")]
struct SetupDonePage {
    shell: Shell,
    result: SetupResult,
}

/// Whether nobody has an account yet. Where the API does not say, sign-in is the way.
pub(super) async fn is_open(visit: &Visit) -> bool {
    let read = visit.answer(Operation { path: PATH, ..Operation::default() }).await;
    read.is_ok_and(|answer| serde_json::from_slice::<SetupStatus>(&answer.body).unwrap_or_default().is_open)
}

/// Shows the form; when somebody has an account, the way leads to sign-in.
pub(crate) async fn show(visit: Visit) -> Page {
    if !is_open(&visit).await {
        return Ok(visit.redirect("/console/sign-in"));
    }
    Ok(form(&visit, FormState::default()))
}

fn form(visit: &Visit, form: FormState) -> axum::response::Response {
    let shell = visit.bare_shell("Set up Lectern", Section::None);
    page_with(form.status(), &SetupPage { shell, form })
}

/// Makes everything. The session of the answer is a new one: a cookie that the browser had before is not passed on.
pub(crate) async fn send(visit: Visit, fields: Fields) -> Page {
    let visit = visit.without_session();
    let mut body = fields.texts(&["code", "email", "organization", "classroom"]);
    body.extend([
        ("password".to_owned(), Value::from(fields.typed("password"))),
        ("timezone".to_owned(), Value::from(fields.given("timezone").unwrap_or("UTC"))),
    ]);
    let body = Some(Value::Object(body));
    let create = Operation { method: Method::POST, path: PATH, body, ..Operation::default() };
    match visit.answer(create).await {
        Ok(answer) => {
            let cookie = answer.headers.get(SET_COOKIE).cloned().ok_or_else(ApiProblem::unreadable)?;
            let result = serde_json::from_slice(&answer.body).map_err(|_| ApiProblem::unreadable())?;
            let shell = visit.bare_shell("Your installation is ready", Section::None);
            let mut response = page(&SetupDonePage { shell, result });
            response.headers_mut().insert(SET_COOKIE, cookie);
            Ok(response)
        }
        // Another browser was faster.
        Err(problem) if problem.status == StatusCode::NOT_FOUND => Ok(visit.redirect("/console/sign-in")),
        Err(problem) => Ok(form(&visit, FormState::refused(fields.blanked("password"), problem)?)),
    }
}
