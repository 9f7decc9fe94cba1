//! Every operation of the surface in one list: the router and the OpenAPI document are made from it together, so neither
//! can have an operation that the other lacks.

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod boundaries;
mod document;
mod examples;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod illustrations;
#[cfg(test)]
mod queries;
#[cfg(test)]
mod snapshot;

use axum::Router;
use edge::audit::name_operations;
use edge::openapi::{DEFAULT_SERVER, ServedDocument, illustrate, set_credentials, set_server};
use edge::problem::PlatformErrorBody;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::agent::verify_email;
use crate::lti::{key_set, refusals, registration_links, registrations, sessions, sync};
use crate::webhooks::document::HEADERS;
use crate::{
    Platform, audit_log, billing, caps, evaluations, invoices, jobs, keys, learners, questions, statistics,
    submissions, traces, videos, webhooks, workspaces,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lectern platform API",
        description = "Grades learners' answers for workspaces that pay in credits. Every create takes an `Idempotency-Key`.",
        contact(name = "The operator of the service"),
    ),
    components(schemas(PlatformErrorBody, registrations::LtiRegistrationStatusName))
)]
struct Document;

fn operations() -> OpenApiRouter<Platform> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(evaluations::create::create, evaluations::list::list))
        .routes(routes!(evaluations::get::get))
        .routes(routes!(evaluations::records::get::get))
        .routes(routes!(evaluations::reviews::create_many::create_many))
        .routes(routes!(evaluations::reviews::create::create))
        .routes(routes!(evaluations::download::download))
        .routes(routes!(questions::list::list))
        .routes(routes!(questions::get::get))
        .routes(routes!(questions::review_queue::get))
        .routes(routes!(questions::regrade::regrade))
        .routes(routes!(keys::create::create, keys::list::list))
        .routes(routes!(keys::revoke::revoke))
        .routes(routes!(keys::rotate::rotate))
        .routes(routes!(caps::of_key::get, caps::of_key::set))
        .routes(routes!(learners::mastery::mastery))
        .routes(routes!(learners::erase::erase))
        .routes(routes!(key_set::get))
        .routes(routes!(registrations::create::create, registrations::list::list))
        .routes(routes!(registrations::get::get, registrations::update::update, registrations::delete::delete))
        .routes(routes!(refusals::list::list))
        .routes(routes!(sessions::get::get))
        .routes(routes!(sessions::roster::roster))
        .routes(routes!(registration_links::create::create, registration_links::list::list))
        .routes(routes!(registration_links::revoke::revoke))
        .routes(routes!(sync::resend::resend))
        .routes(routes!(sync::resend_link::resend_link))
        .routes(routes!(submissions::list::list))
        .routes(routes!(submissions::get::get))
        .routes(routes!(submissions::resend::resend))
        .routes(routes!(traces::get::get))
        .routes(routes!(videos::get::get, videos::update::update))
        .routes(routes!(videos::part_drafts::draft))
        .routes(routes!(videos::render::render, videos::cancel::cancel))
        .routes(routes!(videos::files::get))
        .routes(routes!(videos::pictures::get))
        .routes(routes!(verify_email::confirm::confirm))
        .routes(routes!(verify_email::resend::resend))
        .routes(routes!(billing::sessions::create::create))
        .routes(routes!(billing::events::receive))
        .routes(routes!(billing::payment_methods::list::list))
        .routes(routes!(billing::payment_methods::remove::remove))
        .routes(routes!(webhooks::create::create, webhooks::list::list))
        .routes(routes!(webhooks::delete::delete))
        .routes(routes!(webhooks::rotate_secret::rotate_secret))
        .routes(routes!(webhooks::test::test))
        .routes(routes!(webhooks::deliveries::list))
        .routes(routes!(webhooks::redeliver::redeliver))
        .routes(routes!(statistics::totals::totals))
        .routes(routes!(statistics::daily::daily))
        .routes(routes!(statistics::organizations::organizations))
        .routes(routes!(jobs::queues::get))
        .routes(routes!(jobs::list::list))
        .routes(routes!(jobs::change::retry))
        .routes(routes!(jobs::change::cancel))
        .routes(routes!(audit_log::list))
        .routes(routes!(workspaces::create::create, workspaces::list::list))
        .routes(routes!(workspaces::from_organization::from_organization))
        .routes(routes!(workspaces::get::get, workspaces::update::update))
        .routes(routes!(workspaces::credits::credits))
        .routes(routes!(workspaces::suspend::suspend))
        .routes(routes!(workspaces::activate::activate))
        .routes(routes!(workspaces::link::link))
        .routes(routes!(workspaces::transfers::list))
        .routes(routes!(invoices::list::list))
        .routes(routes!(invoices::get::get))
        .routes(routes!(caps::of_workspace::get, caps::of_workspace::set))
}

/// The routes of the surface, and the document that describes them.
pub fn router(platform: Platform) -> Router {
    let (router, document) = operations().split_for_parts();
    let router = name_operations(router, document);
    ServedDocument::new(openapi, &platform.base_url).serve(router, "/openapi/platform.json").with_state(platform)
}

/// The OpenAPI document of the surface, at the address that a service has without configuration.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = operations().into_openapi();
    set_credentials(&mut document, ("platformKey", "svc_platform_…"), "operatorSession");
    HEADERS.set_signature(&mut document);
    document::complete(&mut document);
    set_server(&mut document, DEFAULT_SERVER, "A service on this machine, as it is without configuration");
    document.webhooks = Some(webhooks::document::webhooks());
    illustrate(&mut document, &examples::FILES);
    document
}
