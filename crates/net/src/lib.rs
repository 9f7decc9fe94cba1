//! The one way out: a guarded HTTP client for addresses that tenants name, the signatures that go along, and a client for
//! the servers that only the operator names.
//!
//! It must never reach an address that is not public unless the operator allowed it, never follow a
//! redirect, and never let an error carry an address or a response body towards a tenant.
//! Where to read next: [`OutboundPolicy`] says what is allowed, [`OutboundClient`] makes the calls,
//! [`signing`] makes and checks webhook signatures, [`OperatorClient`] talks to the operator's own servers.

mod address;
mod client;
mod error;
mod operator;
mod policy;
mod resolver;
pub mod signing;

pub use client::{Acknowledgement, Answer, Limits, OpenClientError, OutboundClient};
pub use error::OutboundError;
pub use operator::{Incoming, OpenOperatorClientError, OperatorClient, OperatorServer};
pub use policy::{MAX_URL_BYTES, OutboundPolicy, UrlRefused};
pub use reqwest::StatusCode;
pub use reqwest::header;
pub use resolver::{Looking, Lookup};
pub use url::Url;
