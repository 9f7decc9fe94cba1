//! Every operation of the surface in one list: the router and the OpenAPI document are made from it together,
//! so neither can have an operation that the other lacks. What all operations of a sort have in common is added to the
//! document by `document`.

mod deliveries;
mod document;
mod examples;
mod kinds;

use axum::Router;
use edge::audit::name_operations;
use edge::openapi::{DEFAULT_SERVER, ServedDocument, illustrate, set_credentials, set_server};
use edge::sessions::{login, logout};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::courses::Course;
use crate::modules::Module;
use crate::slides::Slide;
use crate::tests::Test;
use crate::videos::Video;
use crate::webhooks::event::ContentEvent;
use crate::{
    Content, audit_log, classrooms, courses, exchange, expansions, keys, modules, organizations, page_grading, slides,
    tests, videos, webhooks,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lectern content API",
        description = "Turns source JSON into classroom content and controls it. Every create takes an `Idempotency-Key`.",
        contact(name = "The operator of the service"),
    ),
    components(schemas(ContentEvent))
)]
struct Document;

fn operations() -> OpenApiRouter<Content> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(login::login))
        .routes(routes!(logout::logout))
        .routes(routes!(organizations::list::list, organizations::create::request))
        .routes(routes!(organizations::update::update))
        .routes(routes!(classrooms::create::request))
        .routes(routes!(classrooms::update::update))
        .routes(routes!(page_grading::get::get, page_grading::update::update))
        .routes(routes!(audit_log::list))
        .routes(routes!(keys::create::create, keys::list::list))
        .routes(routes!(keys::rotate::rotate))
        .routes(routes!(keys::revoke::revoke))
        .routes(routes!(webhooks::create::create, webhooks::list::list))
        .routes(routes!(webhooks::delete::delete))
        .routes(routes!(webhooks::rotate_secret::rotate_secret))
        .routes(routes!(webhooks::test::test))
        .routes(routes!(webhooks::deliveries::list))
        .routes(routes!(webhooks::redeliver::redeliver))
        .routes(routes!(classrooms::list::list))
        .routes(routes!(expansions::create::create, expansions::list::list))
        .routes(routes!(expansions::status::status))
        .routes(routes!(expansions::result::result))
        .routes(routes!(expansions::retry::retry))
        .routes(routes!(expansions::export::export))
        .merge(kinds::common::<Module>("One module with its content and quiz items."))
        .routes(routes!(modules::create::create))
        .routes(routes!(modules::update::update))
        .routes(routes!(modules::copy_to_course::copy_to_course))
        .routes(routes!(modules::part_drafts::draft))
        .merge(kinds::common::<Course>("One course with its contents in order."))
        .routes(routes!(courses::create::create))
        .routes(routes!(courses::update::update))
        .routes(kinds::retry::<Course>("its title and description as they are"))
        .merge(kinds::common::<Video>("One video with its scenes in order."))
        .routes(routes!(videos::create::create))
        .routes(routes!(videos::update::update))
        .routes(routes!(videos::scenes::create::create))
        .routes(routes!(videos::scenes::update::update, videos::scenes::delete::delete))
        .routes(routes!(videos::scenes::reorder::reorder))
        .routes(routes!(videos::edit_link::get))
        .routes(kinds::retry::<Video>("its title and description as they are"))
        .routes(routes!(videos::part_drafts::draft))
        .merge(kinds::common::<Slide>("One deck with its content."))
        .routes(routes!(slides::create::create))
        .routes(routes!(slides::update::update))
        .routes(kinds::retry::<Slide>("its outline as it is"))
        .routes(routes!(slides::part_drafts::draft))
        .merge(kinds::common::<Test>("One test with its items."))
        .routes(routes!(tests::create::create))
        .routes(routes!(tests::update::update))
        .routes(kinds::retry::<Test>("its prompts as they are"))
        .routes(routes!(tests::part_drafts::draft))
        .routes(routes!(exchange::export::module))
        .routes(routes!(exchange::export::course))
        .routes(routes!(exchange::export::test))
        .routes(routes!(exchange::import::import))
}

/// The routes of the surface and of sign-in, and the document that describes them.
pub fn router(content: Content) -> Router {
    let (router, document) = operations().split_for_parts();
    let router = name_operations(router, document);
    ServedDocument::new(openapi, content.links.base()).serve(router, "/openapi/content.json").with_state(content)
}

/// The OpenAPI document of the surface, at the address that a service has without configuration.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = operations().into_openapi();
    set_credentials(&mut document, ("contentKey", "svc_content_…"), "adminSession");
    deliveries::HEADERS.set_signature(&mut document);
    document::complete(&mut document);
    set_server(&mut document, DEFAULT_SERVER, "A service on this machine, as it is without configuration");
    document.webhooks = Some(deliveries::webhooks());
    illustrate(&mut document, &examples::FILES);
    document
}

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod boundaries;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod illustrations;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod queries;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod snapshot;
