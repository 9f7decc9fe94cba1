//! A thread that reads. Calls that wait together share one snapshot, which saves most of the locking;
//! it is taken after all of them were submitted, so each sees what its caller has written before.

use std::time::Duration;

use kernel::ambient::Ambient;

use super::Connection;
use super::durability::Durability;
use super::place::Place;
use crate::call::{Call, Kind};
use crate::meter::Meter;
use crate::queue::Queue;
use crate::{StoreError, Tx};

/// Calls on one snapshot. Each is answered as soon as it has run and what it may have seen is durable; the bound lets the readers
/// share.
const BATCH: usize = 8;
/// After so long without a call the memory of the page cache goes back to the system, which has the pages too.
const REST: Duration = Duration::from_secs(1);

/// Serves the queue until it is closed.
pub(super) fn run(
    connection: &Connection,
    place: &Place,
    durability: &Durability,
    queue: &Queue<Box<dyn Call>>,
    ambient: &Ambient,
) {
    let mut meter = Meter::new("reads");
    let mut batch = Vec::with_capacity(BATCH);
    while queue.pop_or_rest(&mut batch, BATCH, REST, || connection.release_memory()) {
        meter.depth(queue.len());
        for call in batch.drain(..) {
            if place.is_lost() {
                call.refuse(StoreError::Unavailable);
            } else if let Some(call) = run_call(connection, call, ambient) {
                durability.answer(call, durability.seen(), &mut meter);
            }
        }
        if connection.is_in_transaction() && connection.control("COMMIT").is_err() {
            // A snapshot that can't be ended is given up, so that the next batch gets a new one.
            let _ = connection.control("ROLLBACK");
        }
    }
}

/// Gives the call back when it has run.
fn run_call(connection: &Connection, mut call: Box<dyn Call>, ambient: &Ambient) -> Option<Box<dyn Call>> {
    if call.is_abandoned() {
        return None;
    }
    if !connection.is_in_transaction()
        && let Err(error) = connection.control("BEGIN")
    {
        call.refuse(error);
        return None;
    }
    call.run(&mut Tx::sqlite(connection, Kind::Read, ambient));
    Some(call)
}
