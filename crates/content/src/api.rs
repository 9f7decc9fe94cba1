//! Every operation of the surface in one list: the router and the OpenAPI document are made from it together,
//! so neither can have an operation that the other lacks.

use axum::Router;
use edge::sessions::{login, logout};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
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

/// The routes of the surface and of sign-in.
pub fn router(content: Content) -> Router {
    let (router, _) = operations().split_for_parts();
    router.with_state(content)
}

/// The OpenAPI document of the surface.
pub fn openapi() -> utoipa::openapi::OpenApi {
    operations().into_openapi()
}
