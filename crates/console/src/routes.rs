//! The addresses of the console.
//!
//! | below `/console` | pages |
//! |---|---|
//! | `/setup`, `/start` | the first run: from the first password to the first graded answer |
//! | `/`, `/sign-in`, `/second-factor`, `/account` | overview and account |
//! | `/users`, `/users/{user}` | the people who sign in |
//! | `/organizations/{id}/…` | classrooms, playground, keys, webhooks, page grading, people, audit log, settings |
//! | `/workspaces/{id}/…` | credits, evaluations, questions, playground, LTI, keys, webhooks, ledger, invoices, settings |
//! | `/evaluations`, `/lti`, `/statistics` | the ways in for operators |
//! | `/operations` | health, jobs and audit log, for operators |
//! | `/components` | every component in every state |
//! | `/assets/{version}/{name}` | style sheets, scripts, font |

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path};
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use kernel::ambient::Ambient;

use crate::assets;
use crate::client::ApiClient;
use crate::guard::guard;
use crate::pages::{
    account, audit_log, classrooms, components, deliveries, editor, evaluations, expansions, invoices, keys, ledger,
    lti, lti_links, organizations, overview, page_grading, people, playground, questions, queues, resources, reviews,
    setup, sign_in, start, statistics, users, webhooks, workspaces,
};
use crate::problem::ApiProblem;

/// The longest form of any page, that of a resource: a million letters of content, and its questions.
pub(crate) const LONGEST_FORM_BYTES: usize = 12 * 1024 * 1024;

/// What the operator decides about the console.
#[derive(Clone)]
pub struct ConsoleOptions {
    /// The service's public address, such as `https://lectern.example/base`.
    pub base_url: String,
    /// Whether the operator has named that address. Otherwise the console also answers to names of the local network.
    pub has_base_url: bool,
    /// Time and chance.
    pub ambient: Ambient,
}

/// The console, put together. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Console(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) api: ApiClient,
    /// The service's own origin, such as `https://lectern.example`.
    pub(crate) origin: String,
    /// The path below which the service is reached, without a slash at its end; mostly empty.
    pub(crate) root: String,
    pub(crate) has_base_url: bool,
    pub(crate) ambient: Ambient,
}

impl std::ops::Deref for Console {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Console {
    pub(crate) fn new(api: ApiClient, options: ConsoleOptions) -> Self {
        let base = options.base_url.trim_end_matches('/');
        let authority = base.find("://").map_or(0, |index| index + 3);
        let split = base[authority..].find('/').map_or(base.len(), |index| authority + index);
        let (origin, root) = (base[..split].to_owned(), base[split..].to_owned());
        Self(Arc::new(Parts { api, origin, root, has_base_url: options.has_base_url, ambient: options.ambient }))
    }
}

/// The routes of the console, which call the API through `api`.
pub fn router(api: ApiClient, options: ConsoleOptions) -> Router {
    let console = Console::new(api, options);
    Router::new()
        .merge(account_routes())
        .merge(user_routes())
        .merge(organization_routes())
        .merge(workspace_routes())
        .merge(grading_routes())
        .merge(operations_routes())
        .merge(owned_routes("organizations"))
        .merge(owned_routes("workspaces"))
        .route("/console/components", get(components::show))
        .route("/console/assets/{version}/{name}", get(asset))
        .route("/console/", get(overview::show))
        .route("/console/{*rest}", get(missing).post(missing))
        .layer(middleware::from_fn_with_state(console, guard))
}

fn account_routes() -> Router {
    Router::new()
        .route("/console", get(overview::show))
        .route("/console/setup", get(setup::show).post(setup::send))
        .route("/console/start", get(start::show))
        .route("/console/start/expansion", post(start::expand))
        .route("/console/start/answer", post(start::grade))
        .route("/console/sign-in", get(sign_in::show).post(sign_in::send))
        .route("/console/password-reset", get(sign_in::ask_reset).post(sign_in::send_reset))
        .route("/console/sign-out", post(sign_in::end))
        .route("/console/second-factor", get(sign_in::ask_factor).post(sign_in::send_factor))
        .route("/console/account", get(account::show).post(account::show))
        .route("/console/account/passkeys/{passkey}/remove", post(account::remove_passkey))
        .route("/console/account/sessions/revoke-others", post(account::revoke_others))
        .route("/console/account/sessions/{session}/revoke", post(account::revoke))
        .route("/console/account/totp", post(account::enroll))
        .route("/console/account/totp/confirm", post(account::confirm))
        .route("/console/account/totp/remove", post(account::remove))
        .route("/console/account/totp/recovery-codes", post(account::renew_codes))
}

fn user_routes() -> Router {
    Router::new()
        .route("/console/users", get(users::list).post(users::create))
        .route("/console/users/{user}", get(users::show))
        .route("/console/users/{user}/operator", post(users::set_operator))
        .route("/console/users/{user}/end-sessions", post(users::end_sessions))
        .route("/console/users/{user}/remove-second-factor", post(users::remove_second_factor))
}

fn organization_routes() -> Router {
    let folder = "/console/organizations/{id}";
    let at = |rest: &str| format!("{folder}{rest}");
    Router::new()
        .route("/console/organizations", get(organizations::list).post(organizations::create))
        .route(folder, get(organizations::open))
        .route(&at("/page-grading"), get(page_grading::show).post(page_grading::save))
        .route(&at("/audit-log"), get(audit_log::of_organization))
        .route(&at("/audit-log.csv"), get(audit_log::organization_csv))
        .route(&at("/people"), get(people::list).post(people::invite))
        .route(&at("/settings"), get(organizations::settings).post(organizations::save))
        .route(&at("/people/{invitation}/withdraw"), post(people::withdraw))
        .route(&at("/people/members/{member}/role"), post(people::set_role))
        .route(&at("/people/members/{member}/remove"), post(people::remove))
        .route(&at("/classrooms"), get(classrooms::list).post(classrooms::create))
        .route(&at("/classrooms/{classroom}/rename"), post(classrooms::rename))
        .route(&at("/classrooms/{classroom}/{kind}"), get(resources::list))
        .route(
            &at("/classrooms/{classroom}/{kind}/{resource}"),
            get(editor::show).post(editor::save).layer(long_form()),
        )
        .route(&at("/classrooms/{classroom}/{kind}/{resource}/undo"), post(editor::undo).layer(long_form()))
        .route(&at("/classrooms/{classroom}/{kind}/{resource}/retry"), post(editor::retry))
        .route(&at("/classrooms/{classroom}/{kind}/{resource}/delete"), post(resources::delete))
        .route(&at("/classrooms/{classroom}/videos/{resource}/review"), post(resources::review))
        .route(&at("/playground"), get(playground::content).post(playground::send_expansion).layer(long_form()))
        .route(&at("/expansions"), get(expansions::list))
        .route(&at("/expansions/{job}"), get(expansions::show))
        .route(&at("/expansions/{job}/events"), get(expansions::events))
        .route(&at("/expansions/{job}/retry"), post(expansions::retry))
}

/// Lets a form hold the longest content, each letter of which may be percent-encoded.
fn long_form() -> DefaultBodyLimit {
    DefaultBodyLimit::max(LONGEST_FORM_BYTES)
}

fn workspace_routes() -> Router {
    let folder = "/console/workspaces/{id}";
    let at = |rest: &str| format!("{folder}{rest}");
    Router::new()
        .route("/console/workspaces", get(workspaces::list).post(workspaces::create))
        .route("/console/workspaces/new", get(workspaces::begin))
        .route(folder, get(workspaces::show))
        .route(&at("/credits"), post(workspaces::add_credits))
        .route(&at("/caps"), post(workspaces::set_caps))
        .route(&at("/suspend"), post(workspaces::suspend))
        .route(&at("/activate"), post(workspaces::activate))
        .route(&at("/settings"), get(workspaces::settings).post(workspaces::save))
        .route(&at("/invoices"), get(invoices::list))
        .route(&at("/ledger"), get(ledger::list))
        .route(&at("/ledger.csv"), get(ledger::csv))
        .route(&at("/playground"), get(playground::grading).post(playground::send_answer).layer(long_form()))
        .route(&at("/lti"), get(lti::list).post(lti::create))
        .route(&at("/lti/new"), get(lti::begin))
        .route(&at("/lti/links"), post(lti_links::create))
        .route(&at("/lti/links/{link}/revoke"), post(lti_links::revoke))
        .route(&at("/lti/registrations/{registration}"), get(lti::show).post(lti::save))
        .route(&at("/lti/registrations/{registration}/delete"), post(lti::delete))
}

fn grading_routes() -> Router {
    let folder = "/console/workspaces/{id}";
    let at = |rest: &str| format!("{folder}{rest}");
    Router::new()
        .route("/console/evaluations", get(evaluations::choose))
        .route("/console/lti", get(lti::choose))
        .route("/console/statistics", get(statistics::show))
        .route("/console/statistics/daily.csv", get(statistics::csv))
        .route(&at("/evaluations"), get(evaluations::list))
        .route(&at("/evaluations/next"), get(reviews::next))
        .route(&at("/evaluations/{evaluation}"), get(evaluations::show))
        .route(&at("/evaluations/{evaluation}/events"), get(evaluations::events))
        .route(&at("/evaluations/{evaluation}/review"), post(reviews::save))
        .route(&at("/questions"), get(questions::list))
        .route(&at("/questions/{question}"), get(questions::show))
        .route(&at("/questions/{question}/regrade"), post(questions::regrade))
}

/// The pages of operators about the service itself.
fn operations_routes() -> Router {
    Router::new()
        .route("/console/operations", get(queues::show))
        .route("/console/operations/jobs", get(queues::jobs))
        .route("/console/operations/jobs/{job}/retry", post(queues::retry))
        .route("/console/operations/jobs/{job}/drop", post(queues::cancel))
        .route("/console/operations/audit-log", get(audit_log::whole))
        .route("/console/operations/audit-log.csv", get(audit_log::whole_csv))
}

/// Keys and webhooks, which organizations and workspaces have alike.
fn owned_routes(folder: &str) -> Router {
    let at = |rest: &str| format!("/console/{folder}/{{id}}{rest}");
    Router::new()
        .route(&at("/keys"), get(keys::list).post(keys::create))
        .route(&at("/keys/{key}/rotate"), post(keys::rotate))
        .route(&at("/keys/{key}/revoke"), post(keys::revoke))
        .route(&at("/webhooks"), get(webhooks::list).post(webhooks::create))
        .route(&at("/webhooks/{webhook}"), get(deliveries::list))
        .route(&at("/webhooks/{webhook}/test"), post(webhooks::test))
        .route(&at("/webhooks/{webhook}/rotate-secret"), post(webhooks::rotate_secret))
        .route(&at("/webhooks/{webhook}/delete"), post(webhooks::delete))
        .route(&at("/webhooks/{webhook}/deliveries/{event}/redeliver"), post(deliveries::redeliver))
}

async fn asset(Path((version, name)): Path<(String, String)>) -> Response {
    let found = assets::ASSETS.find(&version, &name);
    let Some((asset, is_current)) = found else { return ApiProblem::not_found().into_response() };
    // A page of another release gets the file that there is, and may not keep it.
    let keeping = if is_current { "public, max-age=31536000, immutable" } else { "no-store" };
    let headers = [(CONTENT_TYPE, asset.media_type), (CACHE_CONTROL, keeping)];
    (headers, asset.bytes).into_response()
}

async fn missing() -> ApiProblem {
    ApiProblem::not_found()
}
