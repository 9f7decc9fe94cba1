//! The headers of a delivery: the surface's own, and those of Standard Webhooks.

use kernel::id::EventId;
use kernel::time::Timestamp;
use net::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use net::signing::EndpointSecret;

use crate::Surface;

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The names of the event header and the signature header (content-api.md and platform-api.md, section 6).
fn names(surface: Surface) -> (HeaderName, HeaderName) {
    match surface {
        Surface::Content => (
            HeaderName::from_static("x-content-integration-event"),
            HeaderName::from_static("x-content-integration-signature"),
        ),
        Surface::Platform => {
            (HeaderName::from_static("x-platform-event"), HeaderName::from_static("x-platform-signature"))
        }
    }
}

/// Signs one attempt. The id stays the same over all attempts, the timestamp is that of this one.
pub(super) fn headers(
    surface: Surface,
    event_id: EventId,
    event_type: &str,
    body: &str,
    secret: &EndpointSecret,
    sent_at: Timestamp,
) -> Result<HeaderMap, InvalidHeaderValue> {
    let (event_header, signature_header) = names(surface);
    let (id, seconds) = (event_id.to_string(), sent_at.as_seconds());
    let standard = secret.standard_signature(&id, seconds, body.as_bytes());
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(event_header, HeaderValue::from_str(event_type)?);
    headers.insert(signature_header, HeaderValue::from_str(&secret.hex_signature(body.as_bytes()))?);
    headers.insert(WEBHOOK_ID, HeaderValue::from_str(&id)?);
    headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(seconds));
    headers.insert(WEBHOOK_SIGNATURE, HeaderValue::from_str(&standard)?);
    Ok(headers)
}
