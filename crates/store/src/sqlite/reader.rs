//! A thread that reads. Calls that wait together share one snapshot, which saves most of the locking;
//! it is taken after all of them were submitted, so each sees what its caller has written before.

use kernel::ambient::Ambient;

use super::Connection;
use super::place::Place;
use crate::call::{Call, Kind};
use crate::meter::Meter;
use crate::queue::Queue;
use crate::{StoreError, Tx};

/// Calls on one snapshot. Each is answered as soon as it has run; the bound lets the readers share.
const BATCH: usize = 8;

/// Serves the queue until it is closed.
pub(super) fn run(connection: &Connection, place: &Place, queue: &Queue<Box<dyn Call>>, ambient: &Ambient) {
    let mut meter = Meter::new("reads");
    let mut batch = Vec::with_capacity(BATCH);
    while queue.pop(&mut batch, BATCH) {
        meter.depth(queue.len());
        for call in batch.drain(..) {
            if place.is_lost() {
                call.refuse(StoreError::Unavailable);
            } else {
                run_call(connection, call, ambient, &mut meter);
            }
        }
        if connection.is_in_transaction() && connection.control("COMMIT").is_err() {
            // A snapshot that can't be ended is given up, so that the next batch gets a new one.
            let _ = connection.control("ROLLBACK");
        }
    }
}

fn run_call(connection: &Connection, mut call: Box<dyn Call>, ambient: &Ambient, meter: &mut Meter) {
    if call.is_abandoned() {
        return;
    }
    if !connection.is_in_transaction()
        && let Err(error) = connection.control("BEGIN")
    {
        return call.refuse(error);
    }
    call.run(&mut Tx::sqlite(connection, Kind::Read, ambient));
    meter.observe(&*call);
    call.answer();
}
