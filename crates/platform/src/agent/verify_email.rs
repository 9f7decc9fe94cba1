//! Verification of a workspace's e-mail address: a mail with a link, and whoever follows the link reads that mail.
//!
//! A new address gets such a mail by itself, in the transaction that sets it ([`send::request`]); [`resend`] asks for
//! another one, [`send`] is the job that sends it, and [`confirm`] answers the link. Nothing but the time of the last mail
//! is stored: the link vouches for the workspace, the address and the end of its time.

pub mod confirm;
mod link;
pub mod resend;
pub mod send;
#[cfg(test)]
mod tests;

pub use link::Links;

/// Where links lead to.
const PATH: &str = "/v1/platform/agent/verify-email";
