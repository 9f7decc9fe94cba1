//! What the OpenAPI document says of webhooks: requests that the service makes (content-api section 6).

use utoipa::ToSchema as _;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content as MediaType, PathItem, PathsBuilder, Ref, Required, ResponseBuilder};

use crate::webhooks::event::ContentEvent;
use crate::webhooks::{CONTENT_COMPLETED, CONTENT_FAILED};

const DESCRIPTION: &str = "Sent to every active endpoint of the organization that wants the event. Check the signature \
    before anything else and answer soon. What isn't answered with a 2xx is delivered again, as the operator of the \
    service has set it: after 5, 25 and 125 seconds unless said otherwise. Treat an event whose `id` you know as a duplicate.";

/// The headers of a delivery: name, description, example.
const HEADERS: [(&str, &str, &str); 5] = [
    ("X-Content-Integration-Event", "The event's name", CONTENT_COMPLETED),
    (
        "X-Content-Integration-Signature",
        "HMAC-SHA-256 of the body's bytes with the endpoint's secret, in lower-case hexadecimal digits",
        "4bc5d0e4ae3cbda4bb9c9f9c3bc0ac1b3bdd7a2ec0bd24cbf5a67aab2a7d7ce1",
    ),
    ("Webhook-Id", "Standard Webhooks: the event's `id`", "01a1ff30-6b2a-72ae-a2de-cdf9131645c8"),
    ("Webhook-Timestamp", "Standard Webhooks: when this attempt was made, in seconds since 1970", "1795282725"),
    (
        "Webhook-Signature",
        "Standard Webhooks: `v1,` and the signature of id, timestamp and body in Base64",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
];

/// The name of the scheme that proves where a delivery comes from.
pub(super) const SIGNATURE_SCHEME: &str = "webhookSignature";

/// How a delivery proves where it comes from.
pub(super) fn signature_scheme() -> SecurityScheme {
    let description = "The service signs each delivery; the receiver checks the signature with the endpoint's secret.";
    SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(HEADERS[1].0, description)))
}

/// The webhooks by their events' names.
pub(super) fn webhooks() -> Paths {
    let completed = delivery("contentCompleted", "An expansion job ended and all of its outputs were made");
    let failed = delivery("contentFailed", "An expansion job ended with an output that could not be made");
    let paths = PathsBuilder::new().path(CONTENT_COMPLETED, PathItem::new(HttpMethod::Post, completed));
    paths.path(CONTENT_FAILED, PathItem::new(HttpMethod::Post, failed)).build()
}

fn delivery(operation_id: &str, summary: &str) -> OperationBuilder {
    let event = MediaType::new(Some(Ref::from_schema_name(ContentEvent::name())));
    let body = RequestBodyBuilder::new().content("application/json", event).required(Some(Required::True));
    let answer = |description: &str| ResponseBuilder::new().description(description).build();
    OperationBuilder::new()
        .tag("Webhooks")
        .operation_id(Some(operation_id))
        .summary(Some(summary))
        .description(Some(DESCRIPTION))
        .security(SecurityRequirement::new::<_, [&str; 0], &str>(SIGNATURE_SCHEME, []))
        .parameters(Some(HEADERS.map(header)))
        .request_body(Some(body.build()))
        .response("2XX", answer("The event was received"))
        .response("410", answer("The receiver is gone: the endpoint is disabled and told nothing more"))
        .response("default", answer("The event is delivered again"))
}

fn header((name, description, example): (&str, &str, &str)) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some(example.into()))
        .build()
}
