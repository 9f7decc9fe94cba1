//! Models against scripted servers: every fault of theirs ends in the right reply or the right failure, in time.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod breaker;
mod crowd;
mod doctor;
mod ends;
mod failover;
mod faults;
mod manners;
mod memory;
mod real;
mod retries;
mod secrets;
mod speech;
mod stage;
mod wire;
