//! Webhooks in the OpenAPI documents of both APIs: requests that the service makes. The events, their bodies and the words of
//! each surface are the surfaces' business.

use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content as MediaType, OpenApi, PathItem, Required, ResponseBuilder};

/// The name of the scheme that proves where a delivery comes from.
const SIGNATURE_SCHEME: &str = "webhookSignature";
/// An example of an event's id.
pub const EVENT_ID: &str = "01a1ff30-6b2a-72ae-a2de-cdf9131645c8";

/// The headers of a surface's deliveries, each with its description.
pub struct DeliveryHeaders {
    /// What a delivery is: when it is made, and what its receiver does with it.
    pub description: &'static str,
    /// The header with the event's name, and an example of that.
    pub event: (&'static str, &'static str),
    /// The header with the signature of the body alone.
    pub signature: (&'static str, &'static str),
    /// What `Webhook-Id` is.
    pub id: &'static str,
    /// What `Webhook-Signature` is.
    pub standard_signature: &'static str,
}

impl DeliveryHeaders {
    /// Describes how a delivery proves where it comes from.
    pub fn set_signature(&self, document: &mut OpenApi) {
        let description =
            "The service signs each delivery; the receiver checks the signature with the endpoint's secret.";
        let header = ApiKeyValue::with_description(self.signature.0, description);
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(SIGNATURE_SCHEME, SecurityScheme::ApiKey(ApiKey::Header(header)));
    }

    /// The deliveries of one event.
    pub fn delivery(&self, operation_id: &str, summary: &str, body: MediaType) -> PathItem {
        let body = RequestBodyBuilder::new().content("application/json", body).required(Some(Required::True));
        let answer = |description: &str| ResponseBuilder::new().description(description).build();
        let operation = OperationBuilder::new()
            .tag("Webhooks")
            .operation_id(Some(operation_id))
            .summary(Some(summary))
            .description(Some(self.description))
            .security(SecurityRequirement::new::<_, [&str; 0], &str>(SIGNATURE_SCHEME, []))
            .parameters(Some(self.parameters()))
            .request_body(Some(body.build()))
            .response("2XX", answer("The event was received"))
            .response("410", answer("The receiver is gone: the endpoint is disabled and told nothing more"))
            .response("default", answer("The event is delivered again"));
        PathItem::new(HttpMethod::Post, operation)
    }

    fn parameters(&self) -> [Parameter; 5] {
        let signed_at = "Standard Webhooks: when this attempt was made, in seconds since 1970";
        let (event, signature) = (self.event, self.signature);
        [
            header(event.0, "The event's name", event.1),
            header(signature.0, signature.1, "4bc5d0e4ae3cbda4bb9c9f9c3bc0ac1b3bdd7a2ec0bd24cbf5a67aab2a7d7ce1"),
            header("Webhook-Id", self.id, EVENT_ID),
            header("Webhook-Timestamp", signed_at, "1795282725"),
            header("Webhook-Signature", self.standard_signature, "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="),
        ]
    }
}

fn header(name: &str, description: &str, example: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some(example.into()))
        .build()
}
