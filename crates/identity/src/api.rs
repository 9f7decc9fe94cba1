//! Every operation of the surface in one list: the router and the OpenAPI document are made from it together.

mod examples;

use axum::Router;
use edge::audit::name_operations;
use edge::openapi::{AnswerHeader, DEFAULT_SERVER, Described, ServedDocument, illustrate, operations_of, set_server};
use edge::sessions::COOKIE_NAME;
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::{
    Identity, first_run, invitations, members, oidc, passkeys, password_resets, second_factors, sessions, users,
};

#[derive(OpenApi)]
#[openapi(info(
    title = "Lectern identity API",
    description = "The first run, sessions, second factors, passkeys, new passwords, identity providers, users, and the members of organizations with their invitations.",
    contact(name = "The operator of the service"),
))]
struct Document;

fn operations() -> OpenApiRouter<Identity> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(first_run::status::status, first_run::create::create))
        .routes(routes!(password_resets::request::request))
        .routes(routes!(password_resets::confirm::show, password_resets::confirm::confirm))
        .routes(routes!(sessions::list::list))
        .routes(routes!(sessions::end::end))
        .routes(routes!(sessions::revoke_others::revoke_others))
        .routes(routes!(second_factors::enroll::enroll))
        .routes(routes!(second_factors::confirm::confirm))
        .routes(routes!(second_factors::verify::verify))
        .routes(routes!(second_factors::get::get, second_factors::remove::remove))
        .routes(routes!(second_factors::recovery_codes::renew))
        .routes(routes!(passkeys::enroll::enroll))
        .routes(routes!(passkeys::list::list, passkeys::confirm::confirm))
        .routes(routes!(passkeys::remove::remove))
        .routes(routes!(passkeys::challenge::challenge))
        .routes(routes!(passkeys::login::login))
        .routes(routes!(oidc::list::list))
        .routes(routes!(oidc::login::login))
        .routes(routes!(oidc::callback::callback))
        .routes(routes!(users::me::me))
        .routes(routes!(users::list::list, users::create::create))
        .routes(routes!(users::get::get, users::update::update))
        .routes(routes!(users::end_sessions::end_sessions))
        .routes(routes!(users::remove_second_factor::remove_second_factor))
        .routes(routes!(members::list::list))
        .routes(routes!(members::update::update, members::remove::remove))
        .routes(routes!(invitations::create::create, invitations::list::list))
        .routes(routes!(invitations::delete::delete))
        .routes(routes!(invitations::accept::show, invitations::accept::accept))
}

/// The routes of the surface, and the document that describes them.
pub fn router(identity: Identity) -> Router {
    let (router, document) = operations().split_for_parts();
    let router = name_operations(router, document);
    let document = ServedDocument::new(openapi, &identity.base_url);
    document.serve(router, "/openapi/identity.json").with_state(identity)
}

/// The OpenAPI document of the surface, at the address that a service has without configuration.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = operations().into_openapi();
    let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE_NAME)));
    document.components.get_or_insert_default().add_security_scheme("adminSession", session);
    for (path, item) in &mut document.paths.paths {
        for (_, operation) in operations_of(item) {
            complete(path, Described::new(operation, "ContentErrorBody".into()));
        }
    }
    set_server(&mut document, DEFAULT_SERVER, "A service on this machine, as it is without configuration");
    illustrate(&mut document, &examples::FILES);
    document
}

/// What all operations have in common.
fn complete(path: &str, mut described: Described<'_>) {
    if described.takes_a_body() {
        described.error("413", "The body is too large");
        described.error("415", "The body is not JSON");
    }
    described.error("500", "An unexpected error");
    described.error("503", "Try again");
    described.complete_requests(path);
    described.complete_wording(&[("adminSession", "The session is the one that a sign-in starts.")]);
    // The login keeps the state of the sign-in in a cookie, the callback and the passkey the session.
    let sets_cookie = path.starts_with("/auth/oidc/") || path == "/auth/passkeys/login";
    let sets_up = path == "/auth/setup";
    let is_list = described.has_parameter("page");
    described.answer_headers(|status, add| {
        add(true, &[AnswerHeader::XRequestId]);
        add(sets_cookie && matches!(status, "200" | "303"), &[AnswerHeader::SetCookie]);
        add(sets_up && status == "201", &[AnswerHeader::SetCookie]);
        add(is_list && status == "200", &[AnswerHeader::XTotalCount, AnswerHeader::Link]);
        add(status == "401", &[AnswerHeader::WwwAuthenticate]);
        add(matches!(status, "429" | "503"), &[AnswerHeader::RetryAfter]);
    });
}

#[cfg(test)]
mod illustrations;
#[cfg(test)]
mod tests;
