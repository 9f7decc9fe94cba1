//! Events and their deliveries, on both engines, against real sockets, with the clock in the tests' hands.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attempts;
mod bounds;
mod endpoints;
mod leases;
mod log;
mod operator;
mod platform;
mod receiver;
mod redelivery;
mod retries;
mod rotation;
mod signatures;
mod stage;
