//! A surface's routes in a test: in process, without sockets, every answer held against what the surface promises.

pub mod boundaries;
mod call;
pub mod description;
mod documented;
mod illustrations;
pub mod schema;

pub use call::{Call, Reply};
pub use documented::Contract;
