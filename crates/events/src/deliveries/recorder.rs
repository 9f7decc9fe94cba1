//! Collects outcomes and records all that are ready in one transaction, so that thousands of attempts a
//! second share a few commits.

use std::sync::Arc;
use std::time::Duration;

use store::{Store, StoreError};
use tokio::sync::mpsc::Receiver;

use super::outcome::{Outcome, record_outcomes};

/// Outcomes that one transaction records at most.
const BATCH: usize = 256;
/// How often a lost database is asked again, once a second. Leases lapse long before.
const TRIES: u32 = 30;
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Ends when all senders are gone and everything is recorded.
pub(super) async fn run(store: Store, mut outcomes: Receiver<Outcome>) {
    let mut batch = Vec::with_capacity(BATCH);
    while outcomes.recv_many(&mut batch, BATCH).await > 0 {
        let ready = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
        record_stubbornly(&store, ready.into()).await;
    }
}

/// What can't be recorded is sent again when its lease has lapsed.
async fn record_stubbornly(store: &Store, outcomes: Arc<[Outcome]>) {
    for _ in 0..TRIES {
        match record(store, outcomes.clone()).await {
            Ok(()) => return,
            Err(StoreError::Unavailable) => tokio::time::sleep(TRY_AGAIN_AFTER).await,
            Err(error) => {
                tracing::error!(%error, count = outcomes.len(), "webhook outcomes could not be recorded");
                return;
            }
        }
    }
    tracing::error!(count = outcomes.len(), "webhook outcomes were given up: the database did not come back");
}

/// Runs as a claim: each statement is fenced by itself, and needs no snapshot that others could disturb.
pub(super) async fn record(store: &Store, outcomes: Arc<[Outcome]>) -> Result<(), StoreError> {
    store.claim("deliveries.record", move |tx| record_outcomes(tx, &outcomes)).await
}
