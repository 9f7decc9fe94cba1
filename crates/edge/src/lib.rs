//! What both API surfaces share at the door: credentials, rate limits, idempotency, error answers,
//! request bodies, request context, and the HTTP server itself.
//!
//! Nothing here knows what a surface is for. The way in is [`door::Door`]: it runs a surface's closure in
//! one store transaction after the caller's credential was checked in that same transaction.

// So that `derive(Body)` works in here too.
extern crate self as edge;

pub mod admins;
pub mod answer;
pub mod audit;
pub mod body;
mod connections;
pub mod context;
pub mod cursor;
pub mod door;
pub mod idempotency;
pub mod keys;
mod linger;
pub mod maintenance;
pub mod openapi;
pub mod operations;
pub mod origin;
pub mod paging;
pub mod params;
pub mod passwords;
pub mod problem;
mod progress;
pub mod query;
pub mod ranges;
pub mod rate;
pub mod responses;
pub mod second_factors;
pub mod server;
pub mod sessions;
#[cfg(test)]
mod testing;
pub mod tls;
pub mod versions;
