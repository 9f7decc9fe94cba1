//! The pages over HTTP, on both stores.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod answering;
mod call;
mod framing;
mod keeping;
mod kinds;
mod landing;
mod launches;
mod registrations;
mod reviews;
mod service;
