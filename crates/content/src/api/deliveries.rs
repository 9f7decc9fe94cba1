//! What the OpenAPI document says of webhooks: requests that the service makes (content-api section 6).

use events::document::DeliveryHeaders;
use utoipa::ToSchema as _;
use utoipa::openapi::path::Paths;
use utoipa::openapi::{Content as MediaType, PathsBuilder, Ref};

use crate::webhooks::event::ContentEvent;
use crate::webhooks::{CONTENT_COMPLETED, CONTENT_FAILED};

pub(super) const HEADERS: DeliveryHeaders = DeliveryHeaders {
    description: "Sent to every active endpoint of the organization that wants the event. Check the signature before \
        anything else and answer soon. What isn't answered with a 2xx is delivered again, as the operator of the service \
        has set it: after 5, 25 and 125 seconds unless said otherwise. Treat an event whose `id` you know as a duplicate.",
    event: ("X-Content-Integration-Event", CONTENT_COMPLETED),
    signature: (
        "X-Content-Integration-Signature",
        "HMAC-SHA-256 of the body's bytes with the endpoint's secret, in lower-case hexadecimal digits",
    ),
    id: "Standard Webhooks: the event's `id`",
    standard_signature: "Standard Webhooks: `v1,` and the signature of id, timestamp and body in Base64",
};

/// The webhooks by their events' names.
pub(super) fn webhooks() -> Paths {
    let delivery = |operation_id, summary| {
        let body = MediaType::new(Some(Ref::from_schema_name(ContentEvent::name())));
        HEADERS.delivery(operation_id, summary, body)
    };
    let completed = delivery("contentCompleted", "An expansion job ended and all of its outputs were made");
    let failed = delivery("contentFailed", "An expansion job ended with an output that could not be made");
    PathsBuilder::new().path(CONTENT_COMPLETED, completed).path(CONTENT_FAILED, failed).build()
}
