//! Every operation of the surface in one list: the router and the OpenAPI document are made from it together,
//! so neither can have an operation that the other lacks.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use edge::problem::ContentErrorBody;
use edge::sessions::{login, logout};
use http::header::CONTENT_TYPE;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content as MediaType, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi, ToSchema as _};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::{Content, classrooms, expansions, keys, modules, organizations, tests, videos, webhooks};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lectern content API",
        description = "Turns source JSON into classroom content and controls it. Every create takes an `Idempotency-Key`.",
    ),
    modifiers(&Credentials)
)]
struct Document;

struct Credentials;

impl Modify for Credentials {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("svc_content_…").build();
        components.add_security_scheme("contentKey", SecurityScheme::Http(bearer));
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(edge::sessions::COOKIE_NAME)));
        components.add_security_scheme("adminSession", cookie);
    }
}

fn operations() -> OpenApiRouter<Content> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(login::login))
        .routes(routes!(logout::logout))
        .routes(routes!(organizations::list::list))
        .routes(routes!(keys::create::create, keys::list::list))
        .routes(routes!(keys::rotate::rotate))
        .routes(routes!(keys::revoke::revoke))
        .routes(routes!(webhooks::create::create, webhooks::list::list))
        .routes(routes!(webhooks::delete::delete))
        .routes(routes!(classrooms::list::list))
        .routes(routes!(expansions::create::create))
        .routes(routes!(expansions::status::status))
        .routes(routes!(expansions::result::result))
        .routes(routes!(modules::get::get))
        .routes(routes!(videos::get::get))
        .routes(routes!(tests::get::get))
}

/// The routes of the surface and of sign-in, and the document that describes them.
pub fn router(content: Content) -> Router {
    let (router, _) = operations().split_for_parts();
    let document: Arc<str> = serde_json::to_string(&openapi()).expect("an OpenAPI document serializes").into();
    let describe = move || std::future::ready(([(CONTENT_TYPE, "application/json")], document.to_string()));
    router.route("/openapi/content.json", get(describe)).with_state(content)
}

/// The OpenAPI document of the surface.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = operations().into_openapi();
    for item in document.paths.paths.values_mut() {
        let PathItem { get, put, post, delete, patch, .. } = item;
        [get, put, post, delete, patch].into_iter().flatten().for_each(add_shared_responses);
    }
    document
}

/// What every operation may answer, and every operation that reads a body.
fn add_shared_responses(operation: &mut Operation) {
    let of_bodies = [("413", "The body is too large"), ("415", "The body is not JSON")];
    let of_all = [("500", "An unexpected error"), ("503", "Try again; a create with the same idempotency key")];
    let of_bodies = of_bodies.into_iter().filter(|_| operation.request_body.is_some());
    for (status, description) in of_bodies.chain(of_all) {
        let schema = Ref::from_schema_name(ContentErrorBody::name());
        let body =
            ResponseBuilder::new().description(description).content("application/json", MediaType::new(Some(schema)));
        operation.responses.responses.entry(status.to_owned()).or_insert_with(|| body.into());
    }
}

#[cfg(test)]
mod authorization;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod limits;
