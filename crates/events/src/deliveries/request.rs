//! The headers of a delivery: the surface's own, and those of Standard Webhooks.

use kernel::id::EventId;
use kernel::time::Timestamp;
use net::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue};
use net::signing::EndpointSecret;

use crate::Surface;
use crate::endpoints::SignatureVersion;

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

/// The secrets that sign an attempt: the current one first, then those that it replaced, the latest first.
pub(super) type Signers<'a> = Vec<&'a EndpointSecret>;

/// What is sent, and how often it was tried since it was asked for.
pub(super) struct Message<'a> {
    pub(super) event_id: EventId,
    pub(super) event_type: &'a str,
    pub(super) body: &'a str,
    /// From 1.
    pub(super) turn: u32,
    pub(super) sent_at: Timestamp,
}

/// Signs one attempt. The id stays the same over all attempts, the timestamp is that of this one.
///
/// The Standard Webhooks header carries a signature by every signer, and receivers look for theirs. The surface's own
/// header has room for one: the signers take turns, the current one at the first attempt, a replaced one at the next. So
/// within an overlap a receiver gets every delivery, whichever of the secrets it knows: at the latest by a retry.
pub(super) fn headers(
    surface: Surface,
    version: SignatureVersion,
    signers: &Signers<'_>,
    message: &Message<'_>,
) -> Result<HeaderMap, InvalidHeaderValue> {
    let (event_header, signature_header) = names(surface);
    let (id, seconds, body) = (message.event_id.to_string(), message.sent_at.as_seconds(), message.body.as_bytes());
    let standard: Vec<_> = signers.iter().map(|secret| secret.standard_signature(&id, seconds, body)).collect();
    let own = in_turn(signers, message.turn).map(|secret| match version {
        SignatureVersion::Plain => secret.hex_signature(body),
        SignatureVersion::Hashed => secret.hashed_hex_signature(body),
    });
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(event_header, HeaderValue::from_str(message.event_type)?);
    headers.insert(signature_header, HeaderValue::from_str(&own.unwrap_or_default())?);
    headers.insert(WEBHOOK_ID, HeaderValue::from_str(&id)?);
    headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(seconds));
    headers.insert(WEBHOOK_SIGNATURE, HeaderValue::from_str(&standard.join(" "))?);
    Ok(headers)
}

fn in_turn<'a>(signers: &Signers<'a>, turn: u32) -> Option<&'a EndpointSecret> {
    let turn = usize::try_from(turn.max(1) - 1).unwrap_or(0);
    signers.get(turn % signers.len().max(1)).copied()
}
