//! The answers of the API, as far as pages show them. A field that an answer lacks is empty: pages show what there is.

pub(crate) mod content;
pub(crate) mod evaluations;
pub(crate) mod identity;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod lti;
pub(crate) mod operations;
pub(crate) mod questions;
pub(crate) mod resources;
pub(crate) mod statistics;
pub(crate) mod webhooks;
pub(crate) mod workspaces;
