//! The page of a problem: what happened, and what to do about it.

use askama::Template;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use crate::fields::query;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Visit, own_path, page_with};

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    shell: Shell,
    problem: &'a ApiProblem,
    advice: &'static str,
    /// Where the page's button leads, with its words.
    way_on: (&'static str, &'static str),
}

/// The page of a problem. Without a session, the browser is led to sign-in and from there back.
pub(crate) async fn show(visit: &Visit, problem: &ApiProblem, is_read: bool) -> Response {
    if problem.status == StatusCode::UNAUTHORIZED {
        let next = own_path(&visit.path).filter(|_| is_read).unwrap_or("/console");
        return visit.redirect(&format!("/console/sign-in{}", query([("next", next)])));
    }
    let (title, advice) = explanation(problem);
    let shell = visit.bare_shell(title, Section::None);
    let me = if visit.has_session() { visit.me().await.ok() } else { None };
    let shell = match me {
        Some(me) => shell.signed_in(me),
        None => shell,
    };
    let way_on = match problem.code.as_str() {
        "second_factor_missing" => ("/console/account", "Set up a second factor"),
        _ => ("/console", "Go to the overview"),
    };
    page_with(problem.status, &ProblemPage { shell, problem, advice, way_on }).into_response()
}

fn explanation(problem: &ApiProblem) -> (&'static str, &'static str) {
    match problem.status.as_u16() {
        400 => ("The request was refused", "Go back, correct what is listed here, and send it again."),
        403 if problem.code == "second_factor_missing" => (
            "A second factor is needed",
            "Operators of this service sign in with a password and a code. Set up an authenticator app first.",
        ),
        403 => (
            "You may not do this",
            "Ask an administrator of the organization, or an operator of the service, for the right.",
        ),
        404 => (
            "Not found",
            "The address may be old, or the thing may have been deleted. Follow the navigation to find it.",
        ),
        409 => ("Not possible now", "Open the page again, look at its present state, and try again in a moment."),
        413 => ("Too long", "Your browser still has the form: go back, shorten it, and send it again."),
        429 => ("Too many requests", "Wait a minute, then try again."),
        502 | 503 => ("The service is busy", "Nothing is lost. Wait a moment, then load the page again."),
        _ => (
            "Something went wrong",
            "The service has logged the cause. Try again; if it happens again, tell the operator.",
        ),
    }
}
