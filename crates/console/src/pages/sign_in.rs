//! Sign-in by password, with the second factor where there is one, or through an identity provider.

use askama::Template;
use axum::response::{IntoResponse as _, Response};
use http::header::{ACCEPT, CONTENT_TYPE, SET_COOKIE};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};

use super::{FormState, Page, setup};
use crate::api::identity::{Provider, Session};
use crate::fields::{Fields, Filters, query};
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, own_path, page_with};

const HOME: &str = "/console";
const SECOND_FACTOR_REQUIRED: &str = "second_factor_required";

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    shell: Shell,
    form: FormState,
    next: String,
    providers: Vec<Provider>,
    needs_code: bool,
}

#[derive(Template)]
#[template(path = "password_reset.html")]
struct ResetPage {
    shell: Shell,
    form: FormState,
    is_sent: bool,
}

#[derive(Template)]
#[template(path = "second_factor.html")]
struct SecondFactorPage {
    shell: Shell,
    form: FormState,
    next: String,
}

/// Shows the form, unless the browser is signed in already, or nobody has an account yet.
pub(crate) async fn show(visit: Visit, Filters(filters): Filters) -> Page {
    let next = own_path(filters.get("next")).unwrap_or(HOME);
    if visit.has_session() {
        match visit.read::<Vec<Session>>("listSessions", "/auth/sessions").await {
            Ok(_) => return Ok(visit.redirect(next)),
            Err(problem) if problem.code == SECOND_FACTOR_REQUIRED => {
                return Ok(visit.redirect(&format!("/console/second-factor{}", query([("next", next)]))));
            }
            Err(_) => {}
        }
    }
    if setup::is_open(&visit).await {
        return Ok(visit.redirect(setup::ADDRESS));
    }
    form(&visit, next, FormState::default()).await
}

async fn form(visit: &Visit, next: &str, form: FormState) -> Page {
    let mut providers: Vec<Provider> = visit.read("listIdentityProviders", "/auth/oidc").await.unwrap_or_default();
    for provider in &mut providers {
        let to = query([("returnTo", next)]);
        provider.login_url = format!("{}/auth/oidc/{}/login{to}", visit.console.root, provider.name);
    }
    providers
        .retain(|provider| provider.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
    let shell = visit.bare_shell("Sign in", Section::None);
    let needs_code =
        form.problem().is_some_and(|problem| problem.code == SECOND_FACTOR_REQUIRED) || !form.value("code").is_empty();
    let status = form.status();
    let page = SignInPage { shell, form, next: next.to_owned(), providers, needs_code };
    Ok(page_with(status, &page))
}

/// Signs in. The session of the answer is a new one: a cookie that the browser had before is not passed on.
pub(crate) async fn send(visit: Visit, headers: HeaderMap, fields: Fields) -> Page {
    let visit = visit.without_session();
    let next = own_path(fields.get("next")).unwrap_or(HOME).to_owned();
    let wants_json = headers.get(ACCEPT).is_some_and(|accept| accept == "application/json");
    let timezone = fields.given("timezone").unwrap_or("UTC").to_owned();
    let mut body = fields.texts(&["email"]);
    body.extend([
        ("password".to_owned(), Value::from(fields.typed("password"))),
        ("timezone".to_owned(), timezone.into()),
    ]);
    body.extend(fields.given("code").map(factor_field));
    let path = "/auth/login";
    let login = Operation { method: Method::POST, path, body: Some(Value::Object(body)), ..Operation::default() };
    let answer = visit.answer(login).await;
    match answer {
        Ok(answer) => {
            let cookie = answer.headers.get(SET_COOKIE).cloned().ok_or_else(ApiProblem::unreadable)?;
            let mut response = match wants_json {
                true => told(StatusCode::OK, &json!({ "next": format!("{}{next}", visit.console.root) })),
                false => visit.redirect(&next),
            };
            response.headers_mut().insert(SET_COOKIE, cookie);
            Ok(response)
        }
        Err(problem) if wants_json => Ok(told(
            problem.status,
            &json!({
                "needsCode": problem.code == SECOND_FACTOR_REQUIRED,
                "message": problem.message,
            }),
        )),
        Err(problem) => {
            let kept = fields.with("password", "");
            let refused = FormState { fields: kept, problem: Some(problem) };
            form(&visit, &next, refused).await
        }
    }
}

/// Six digits are a code of the app; anything else is a recovery code.
fn factor_field(text: &str) -> (String, Value) {
    let digits: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let is_code = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let name = if is_code { "code" } else { "recoveryCode" };
    (name.to_owned(), Value::from(digits))
}

fn told(status: StatusCode, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// Ends the session and takes the cookie back.
pub(crate) async fn end(visit: Visit) -> Page {
    let logout = Operation { method: Method::POST, path: "/auth/logout", ..Operation::default() };
    let cookie = match visit.answer(logout).await {
        Ok(answer) => answer.headers.get(SET_COOKIE).cloned(),
        Err(problem) if problem.status == StatusCode::UNAUTHORIZED => None,
        Err(problem) => return Err(problem),
    };
    let mut response = visit.done("/console/sign-in", "signed-out");
    response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
    Ok(response)
}

/// Asks for the address of an account whose password is forgotten.
pub(crate) async fn ask_reset(visit: Visit) -> Page {
    Ok(reset_form(&visit, FormState::default(), false))
}

fn reset_form(visit: &Visit, form: FormState, is_sent: bool) -> Response {
    let shell = visit.bare_shell("New password", Section::None);
    page_with(form.status(), &ResetPage { shell, form, is_sent })
}

/// Has a link sent. The page is the same for an address without an account.
pub(crate) async fn send_reset(visit: Visit, fields: Fields) -> Page {
    let body = Some(Value::Object(fields.texts(&["email"])));
    let path = "/auth/password-reset";
    match visit.act(Operation { method: Method::POST, path, body, ..Operation::default() }).await {
        Ok(()) => Ok(reset_form(&visit, FormState::filled(fields), true)),
        Err(problem) => Ok(reset_form(&visit, FormState::refused(fields, problem)?, false)),
    }
}

/// Asks for the second factor in a session that an identity provider opened.
pub(crate) async fn ask_factor(visit: Visit, Filters(filters): Filters) -> Page {
    let next = own_path(filters.get("next")).unwrap_or(HOME);
    Ok(factor_form(&visit, next, FormState::default()))
}

fn factor_form(visit: &Visit, next: &str, form: FormState) -> Response {
    let shell = visit.bare_shell("One more step", Section::None);
    page_with(form.status(), &SecondFactorPage { shell, form, next: next.to_owned() })
}

/// Shows the second factor to the API.
pub(crate) async fn send_factor(visit: Visit, fields: Fields) -> Page {
    let next = own_path(fields.get("next")).unwrap_or(HOME).to_owned();
    let (name, value) = factor_field(fields.get("code"));
    let body = Some(json!({ name: value }));
    let verify = Operation { method: Method::POST, path: "/auth/totp/verify", body, ..Operation::default() };
    match visit.answer(verify).await {
        Ok(_) => Ok(visit.redirect(&next)),
        Err(problem) => Ok(factor_form(&visit, &next, FormState::unproven(fields, problem)?)),
    }
}
