//! The console at `/console`: pages for operators, administrators of organizations, teachers and reviewers.
//!
//! The console is a client of the API: every page reads and every form writes by an operation of the API, called in process
//! through [`ApiClient`]. The console has no store and no rights of its own; the session cookie of the browser travels with each call.
//! Pages are whole without script. [`routes`] lists the addresses, `shell` holds what surrounds a page, `api` the answers of the API.

mod api;
mod assets;
mod client;
mod fields;
mod format;
mod guard;
mod live;
mod markup;
mod owner;
mod pages;
mod problem;
pub mod routes;
mod shell;
mod visit;

pub use client::ApiClient;
pub use routes::{ConsoleOptions, router};
