//! The console in a real browser: every page in light and dark, on a phone and a desktop, by keyboard and without script.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod editor;
#[expect(dead_code, reason = "the other tests need all of it")]
#[path = "../console/fake.rs"]
mod fake;
mod keyboard;
mod live;
mod looks;
