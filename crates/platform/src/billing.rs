//! How workspaces pay at the payment processor: payment methods, bought credits, and usage that the processor bills.
//!
//! The processor is whoever speaks Stripe's protocol. [`processor`] is its client. [`sessions`] sends a person to the processor's
//! page, [`events`] takes in what the processor reports, [`payment_methods`] keeps what a workspace can pay with. [`usage`] tells
//! the processor what it has to bill, and [`reconcile`] compares its figures with the ledger.
//!
//! Money never depends on the order, number or time of the processor's events. No transaction is open while the processor is asked.

pub mod caller;
pub mod events;
pub mod payment_methods;
pub mod processor;
pub mod reconcile;
pub mod sessions;
pub mod usage;

use std::sync::Arc;
use std::time::Duration;

use edge::problem::Problem;
use kernel::id::WorkspaceId;
use store::{StoreError, Tx, sql};

use self::processor::{Processor, ProcessorError};
use crate::Platform;

const NO_PROCESSOR: Problem =
    Problem::Conflict("This service has no payment processor: its operator has configured none.");
const AWAY: &str = "The payment processor is away. Try again shortly.";
const REFUSED: Problem =
    Problem::Conflict("The payment processor refuses the request. The operator's log has the reason.");
/// When it is worth asking a processor again that does not say when.
const USUAL_WAIT: Duration = Duration::from_secs(5);

impl Platform {
    /// The processor.
    ///
    /// # Errors
    /// 409 where the operator has configured none.
    fn processor(&self) -> Result<&Processor, Problem> {
        self.processor.as_ref().ok_or(NO_PROCESSOR)
    }
}

/// Begins a change of a workspace's rows here: of several at once, one waits for the other.
fn take_turn(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<(), StoreError> {
    sql!(
        "INSERT INTO processor_account (workspace_id, turns, collected_to) VALUES ({workspace}, 1, 0)
         ON CONFLICT (workspace_id) DO UPDATE SET turns = processor_account.turns + 1"
    )
    .execute(tx)
    .map(drop)
}

/// What a caller is told of a call to the processor that came to nothing. The operator's log has the rest.
fn problem_of(error: ProcessorError) -> Problem {
    if error.is_transient() {
        tracing::warn!(%error, "the payment processor is away");
        return Problem::NotReady { message: AWAY, retry_after: error.retry_after().unwrap_or(USUAL_WAIT) };
    }
    match error {
        // The operator's key is wrong, which is no caller's fault.
        ProcessorError::Refused { status: 401 | 403, .. } => Problem::Unavailable(Arc::new(error)),
        ProcessorError::Refused { .. } => {
            tracing::warn!(%error, "the payment processor refuses a request");
            REFUSED
        }
        _ => Problem::unexpected(error),
    }
}
