//! Deliveries: one row per event and endpoint, which is its own queue.
//!
//! Claim (short transaction: lease token, attempt number) -> send, with no transaction open -> record
//! (one transaction, fenced by the token: attempt row and new state). A crash in between lets the lease
//! lapse, and the delivery is sent again as the next attempt. `deliverer.rs` is the loop around it.

mod claim;
mod deliverer;
mod outcome;
mod recorder;
mod request;
mod scan;
mod schedule;
mod send;
mod slots;
mod target;

pub use claim::lapse_all;
pub use deliverer::{Deliverer, DelivererOptions};
pub use schedule::RetrySchedule;
pub use slots::InFlightLimits;
