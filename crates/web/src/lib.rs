//! The pages of the service: what learners and reviewers open in a browser (content-api section 2, `publicUrl` and
//! `previewUrl`).
//!
//! Pages are made on the server and whole without script. Nothing that a learner enters leaves the service, and only a test
//! that is taken in a launch from a learning platform is stored. No page loads anything from elsewhere, and no customer's text reaches a page but through [`markup`].
//! [`routes`] is the way in; `pages` has the views; `texts` the words of the interface, by language.

mod answers;
mod assets;
mod headers;
mod language;
mod pages;
pub mod routes;
mod texts;

pub use routes::{PageOptions, router};
