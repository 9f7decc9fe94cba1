//! What tests stand on; never part of the program.
//!
//! [`both_stores`] runs a test on both engines, each time on a [`TestStore`]: a database of its own
//! with a fixed clock and seeded randomness, removed at the end. PostgreSQL is the server of
//! `LECTERN_TEST_POSTGRES_URL`, which `scripts/postgres start` makes; without it those tests fail. [`assert_linear`]
//! holds work that strangers can cause to linear time; [`http`] calls a surface's routes; [`lms`] is a learning platform; [`oidc`] an
//! identity provider; [`passkey`] an authenticator; [`model`] is the server of a language model that says what a test wants, [`processor`] a payment processor, [`sound`] what a speech server says,
//! [`writer`] a language model that writes content; [`x402`] pays.

mod both_stores;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod http;
mod linear;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod lms;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod model;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod oidc;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod passkey;
mod postgres;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod processor;
pub mod sound;
mod sqlite;
mod stopwatch;
mod test_store;
#[expect(clippy::unwrap_used, reason = "a prompt that is not as promised fails the test")]
pub mod writer;
#[expect(clippy::unwrap_used, reason = "what is not as promised fails the test")]
pub mod x402;

pub use both_stores::run;
pub use linear::assert_linear;
pub use stopwatch::Stopwatch;
pub use test_store::{Engine, TestStore};
pub use testkit_macros::both_stores;
