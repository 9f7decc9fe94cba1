//! Deliveries: one row per event and endpoint, which is its own queue.
//!
//! Claim (short transaction: lease token, attempt number) -> send, with no transaction open -> record
//! (one transaction, fenced by the token: attempt row and new state). A crash in between lets the lease
//! lapse, and the delivery is sent again as the next attempt. `deliverer.rs` is the loop around it. What became of it,
//! owners read in [`list`] and operators in [`list_failed`]; both can ask for it once more.

mod backlog;
mod claim;
mod deliverer;
mod log;
mod operator;
mod outcome;
mod queue;
mod recorder;
mod redeliver;
mod request;
mod scan;
mod schedule;
mod send;
mod target;

pub use backlog::{Backlog, RecentFailures, backlog, recent_failures};
pub use claim::lapse_all;
pub use deliverer::{Deliverer, DelivererOptions};
pub use log::{Attempt, Delivery, DeliveryState, LOG_DEPTH, LogQuery, count, find, list};
pub use operator::{DeliverySummary, RetryError, list_failed, list_pending, retry};
pub(crate) use queue::queue;
pub use redeliver::{RedeliverError, TEST_EVENT, redeliver, send_test};
pub use schedule::RetrySchedule;
