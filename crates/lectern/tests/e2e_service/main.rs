//! Stories across operations: the service put together as in the program, and the program itself, killed and
//! stopped, on both engines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod client;
mod crash;
mod crash_evaluations;
mod crash_generation;
mod crash_payments;
mod crash_renderings;
mod crash_submissions;
mod crash_usage;
mod examples;
mod independent_course;
mod independent_payments;
mod independent_platform;
mod launches;
mod learning_platform;
mod process;
mod properties;
mod readme;
mod receiver;
mod refusals;
mod registrations;
mod shutdown;
mod stories;
