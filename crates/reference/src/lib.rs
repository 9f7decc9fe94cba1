//! The API reference and the guides, below `/docs`.
//!
//! Every page is made on the server: operations, schemas and events from the OpenAPI documents, errors from [`edge::problem::Problem`],
//! guides and the changelog from Markdown files of the repository. Pages are whole without script; scripts search without a request,
//! copy, and send what a reader asks them to send, to this service alone. No page knows who reads it.
//! [`routes`] is the way in, `library` holds what pages are made of, `pages` has the views.
//!
//! Why no ready-made viewer: Swagger UI is 1.5 MB of script that writes `innerHTML`, makes functions from text and shows nothing
//! without script, so its page could not have the policy of ours, on the origin of the console.

mod assets;
mod document;
mod errors;
mod events_index;
mod examples;
mod guides;
mod html;
mod library;
mod markdown;
mod pages;
pub mod routes;
mod sample;
mod schema;
mod search;

pub use routes::{Documents, router};
