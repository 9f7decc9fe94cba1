//! The reference over HTTP: every page that links lead to, what it says, and what it tells browsers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crawl;
mod headers;
mod service;
mod texts;
