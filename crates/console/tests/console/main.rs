//! The console against an API that gives recorded answers: pages, links and forms, and what attackers try.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod administration;
mod browser;
mod editor;
mod fake;
mod first_run;
mod forms;
mod pages;
mod roles;
mod security;
mod sign_in;
mod words;
