//! The parts of request bodies that both APIs have.

use std::time::Duration;

use edge::body::{At, Body, Check, any_text, integer};
use kernel::secret::SecretString;
use net::OutboundClient;

use crate::endpoints::{DEFAULT_OVERLAP, LONGEST_OVERLAP, check_secret};

/// The address of a receiver; [`is_allowed`] judges it.
pub fn receiver_url() -> impl Check<Value = String> {
    any_text().length(0..=2048).format("uri")
}

/// The rule of a receiver: the service may send to it.
pub fn is_allowed(at: &mut At<'_>, url: &str, outbound: &OutboundClient) {
    if let Err(refused) = outbound.check_url(url) {
        at.member("url").refuse::<()>(refused.to_string());
    }
}

/// A secret that the caller brings along.
pub fn secret() -> impl Check<Value = SecretString> {
    let text = any_text().length(1..=255).pattern("^[!-~]+$");
    text.parsed(|text| check_secret(&text).map(|()| SecretString::from(text)))
}

/// What to replace a secret by.
#[derive(Body)]
pub struct RotateWebhookSecretRequest {
    /// A secret of your own, 1 to 255 visible ASCII characters. Made when omitted.
    #[field(secret(), example = "whsec_4Zcq1J0Yp2m8cYlY3nGd5o7W0cJ3m6aH")]
    pub secret: Option<SecretString>,
    /// How long the replaced secret goes on signing: 0 to 604800, a day when omitted. With 0 every replaced secret stops
    /// at once.
    #[field(
        integer(0..=LONGEST_OVERLAP.as_secs()).map(Duration::from_secs),
        name = "overlapSeconds",
        default = DEFAULT_OVERLAP,
        example = 86400
    )]
    pub overlap: Duration,
}
