//! Writes what came of an attempt: the new state, and the event where it is the end.
//!
//! Every statement is fenced by the lease token: an outcome changes nothing where somebody else claimed the score
//! meanwhile, or the evaluation got another grade.

use std::sync::Arc;
use std::time::Duration;

use kernel::id::SubjectId;
use kernel::time::Timestamp;
use store::{Record as _, Store, StoreError, Tx, sql};
use tokio::sync::mpsc::Receiver;

use super::SyncRow;

/// Outcomes that one transaction records at most.
const BATCH: usize = 256;
/// How often a lost database is asked again, once a second. Leases lapse long before.
const TRIES: u32 = 30;
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What came of one attempt.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) subject_id: SubjectId,
    pub(super) token: Arc<str>,
    pub(super) ended_at: Timestamp,
    pub(super) verdict: Verdict,
}

/// What becomes of the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The gradebook has it, in this column.
    Synced(String),
    /// It failed, and is tried again then.
    RetryAt(Timestamp, String),
    /// Nothing failed: it has to wait until then.
    Later(Timestamp),
    /// It was the last attempt.
    Failed(String),
}

/// Records outcomes, each whole or not at all.
fn record_outcomes(tx: &mut Tx<'_>, outcomes: &[Outcome]) -> Result<(), StoreError> {
    for Outcome { subject_id, token, ended_at, verdict } in outcomes {
        let token = &**token;
        let ended = match verdict {
            Verdict::Synced(line_item) => sql!(
                "UPDATE lti_sync SET status = 'synced', lease_token = NULL, error = NULL, synced_at = {ended_at},
                    line_item = {line_item}
                 WHERE subject_id = {subject_id} AND lease_token = {token} RETURNING {SyncRow::*}"
            )
            .find(tx, SyncRow::from_row)?,
            Verdict::Failed(error) => sql!(
                "UPDATE lti_sync SET status = 'failed', lease_token = NULL, error = {error}, attempts = attempts + 1
                 WHERE subject_id = {subject_id} AND lease_token = {token} RETURNING {SyncRow::*}"
            )
            .find(tx, SyncRow::from_row)?,
            Verdict::RetryAt(at, error) => {
                sql!(
                    "UPDATE lti_sync SET lease_token = NULL, error = {error}, attempts = attempts + 1, next_attempt_at = {at}
                     WHERE subject_id = {subject_id} AND lease_token = {token}"
                )
                .execute_later(tx)?;
                None
            }
            Verdict::Later(at) => {
                sql!(
                    "UPDATE lti_sync SET lease_token = NULL, next_attempt_at = {at}
                     WHERE subject_id = {subject_id} AND lease_token = {token}"
                )
                .execute_later(tx)?;
                None
            }
        };
        if let Some(sync) = ended {
            sync.tell(tx)?;
        }
    }
    Ok(())
}

/// Runs as a claim: each statement is fenced by itself, and needs no snapshot that others could disturb.
pub(super) async fn record(store: &Store, outcomes: Arc<[Outcome]>) -> Result<(), StoreError> {
    store.claim("lti_syncs.record", move |tx| record_outcomes(tx, &outcomes)).await
}

/// Records what is ready in one transaction, so that hundreds of attempts a second share a few commits. Ends when all senders
/// are gone and everything is recorded.
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
                tracing::error!(%error, count = outcomes.len(), "outcomes of grade syncs could not be recorded");
                return;
            }
        }
    }
    tracing::error!(count = outcomes.len(), "outcomes of grade syncs were given up: the database did not come back");
}
