//! The pages in a real browser: how they look, how they are used by keyboard and without script, and that they
//! give the browser nothing to complain about. Screenshots are in `target/tmp/pages`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod checking;
mod hostile;
mod keyboard;
mod launches;
mod library;
mod looks;
mod paper;
mod passkeys;
mod presenting;
mod reading;
mod registrations;
mod reviews;
#[path = "../pages/service.rs"]
mod service;
mod without_script;
