//! The reference in a real browser: the search by keyboard, examples that are copied, calls that the reader sends, and looks.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod calls;
mod looks;
mod searching;
#[expect(dead_code, reason = "the other tests need all of it")]
#[path = "../pages/service.rs"]
mod service;
