//! Sign-in and mail with servers that others wrote: `scripts/oidc start` and `scripts/smtp start` start them, and print what
//! `LECTERN_TEST_OIDC_URL` and `LECTERN_TEST_SMTP_URL` are to be.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod mail_server;
mod provider;
mod service;
