//! Why an outbound call failed, in classes. The text may be shown to a tenant: it names no address and
//! holds nothing of a response.

use std::error::Error;
use std::io;

use crate::policy::UrlRefused;
use crate::resolver::NoAllowedAddress;

/// A call that gave no usable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// The URL, or every address its name resolves to, may not be called.
    #[error("the address may not be called")]
    Refused,
    /// The name has no address.
    #[error("the host name could not be resolved")]
    Dns,
    /// No connection.
    #[error("the connection failed")]
    Connect,
    /// No trusted and encrypted connection.
    #[error("the TLS handshake failed")]
    Tls,
    /// The whole call took longer than its limit.
    #[error("the call timed out")]
    Timeout,
    /// The answer's body or headers were longer than the limit.
    #[error("the answer was too large")]
    TooLarge,
    /// The connection broke, or what came was not HTTP.
    #[error("the answer was not valid HTTP")]
    Protocol,
}

impl OutboundError {
    /// One word for log lines, metrics and rows.
    pub fn class(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::TooLarge => "too_large",
            Self::Protocol => "protocol",
        }
    }
}

impl From<UrlRefused> for OutboundError {
    fn from(_: UrlRefused) -> Self {
        Self::Refused
    }
}

impl From<reqwest::Error> for OutboundError {
    fn from(error: reqwest::Error) -> Self {
        if chain(&error).any(|cause| cause.is::<NoAllowedAddress>()) {
            Self::Refused
        } else if error.is_timeout() {
            Self::Timeout
        } else if error.is_dns() {
            Self::Dns
        } else if chain(&error).any(|cause| cause.is::<rustls::Error>()) {
            Self::Tls
        } else if error.is_connect() {
            Self::Connect
        } else {
            Self::Protocol
        }
    }
}

/// The error and its causes. What an `io::Error` wraps is no `source()` of it, so it is looked into.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
}
