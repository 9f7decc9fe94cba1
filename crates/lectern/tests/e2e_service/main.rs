//! Stories across operations: the service put together as in the program, and the program itself, killed and
//! stopped, on both engines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod crash;
mod crash_evaluations;
mod crash_generation;
mod examples;
mod launches;
mod process;
mod properties;
mod readme;
mod receiver;
mod refusals;
mod shutdown;
mod stories;
