//! What a 402 says beside its error.

use http::{HeaderName, HeaderValue};
use serde_json::{Map, Value};

/// How a request can be paid for: members of the body beside `error`, and headers.
#[derive(Clone, Debug, Default)]
pub struct PaymentInstructions {
    /// `x402`, `billingSessionUrl` and what clients of the protocol read (platform-api section 7).
    pub body: Map<String, Value>,
    /// What clients of the protocol's later version read.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}
