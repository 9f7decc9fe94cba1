//! Records how attempts ended: the new state of the evaluation's or submission's score, and the event where the sync ended.
//!
//! Every statement is fenced by the lease token. An outcome changes nothing where another process claimed the score
//! meanwhile. Where the score was replaced by a newer version meanwhile, the outcome only frees it for its own attempt.

use std::sync::Arc;
use std::time::Duration;

use kernel::id::SubjectId;
use kernel::time::Timestamp;
use store::{Queue, Record as _, Store, StoreError, Tx, sql};
use tokio::sync::mpsc::Receiver;

use super::{Status, SyncRow, order};

/// Outcomes that one transaction records at most.
const BATCH: usize = 256;
/// How often a lost database is asked again, once a second. Leases lapse long before.
const TRIES: u32 = 30;
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How one attempt ended.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) subject_id: SubjectId,
    pub(super) token: Arc<str>,
    /// The time of the score that was sent, which tells it from newer versions.
    pub(super) scored_at: Timestamp,
    pub(super) ended_at: Timestamp,
    pub(super) verdict: Verdict,
}

/// The next state of the score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The gradebook has it, in this column.
    Synced(String),
    /// The attempt failed, and there will be another.
    Retry {
        at: Timestamp,
        error: String,
        /// The platform may have taken the score although it gave no answer.
        is_unanswered: bool,
    },
    /// Nothing was tried: the score has to wait until then.
    Later(Timestamp),
    /// The last attempt failed.
    Failed(String),
}

/// Records outcomes, each whole or not at all.
fn record_outcomes(tx: &mut Tx<'_>, outcomes: &[Outcome]) -> Result<(), StoreError> {
    for outcome in outcomes {
        match apply(tx, outcome)? {
            Some(sync) => match sync.status {
                Status::Synced => {
                    order::supersede_older(tx, &sync)?;
                    sync.tell(tx)?;
                }
                Status::Failed => sync.tell(tx)?,
                Status::Waiting | Status::Pending | Status::Superseded => {}
            },
            None => free(tx, outcome)?,
        }
    }
    // The next score of the same learner and link may have waited for this one.
    tx.wake(Queue::GradeSyncs);
    Ok(())
}

/// The row with its new state; `None` where the score that was sent is not there any more.
fn apply(tx: &mut Tx<'_>, outcome: &Outcome) -> Result<Option<SyncRow>, StoreError> {
    let Outcome { subject_id, token, scored_at, ended_at, verdict } = outcome;
    let token = &**token;
    match verdict {
        Verdict::Synced(line_item) => sql!(
            "UPDATE lti_sync SET status = 'synced', lease_token = NULL, error = NULL, synced_at = {ended_at},
                line_item = {line_item}
             WHERE subject_id = {subject_id} AND lease_token = {token} AND scored_at = {scored_at} RETURNING {SyncRow::*}"
        )
        .find(tx, SyncRow::from_row),
        Verdict::Failed(error) => sql!(
            "UPDATE lti_sync SET status = 'failed', lease_token = NULL, error = {error}, attempts = attempts + 1
             WHERE subject_id = {subject_id} AND lease_token = {token} AND scored_at = {scored_at} RETURNING {SyncRow::*}"
        )
        .find(tx, SyncRow::from_row),
        Verdict::Retry { at, error, is_unanswered } => {
            let unanswered = i64::from(*is_unanswered);
            sql!(
                "UPDATE lti_sync SET lease_token = NULL, error = {error}, attempts = attempts + 1,
                    unanswered = unanswered + {unanswered}, next_attempt_at = {at}
                 WHERE subject_id = {subject_id} AND lease_token = {token} AND scored_at = {scored_at}
                 RETURNING {SyncRow::*}"
            )
            .find(tx, SyncRow::from_row)
        }
        // The lease stays until then, so that newer scores of the learner wait, too.
        Verdict::Later(at) => sql!(
            "UPDATE lti_sync SET leases = leases - 1, next_attempt_at = {at}
             WHERE subject_id = {subject_id} AND lease_token = {token} AND scored_at = {scored_at} RETURNING {SyncRow::*}"
        )
        .find(tx, SyncRow::from_row),
    }
}

/// Ends the lease of a score that was replaced while its former version was sent.
fn free(tx: &mut Tx<'_>, outcome: &Outcome) -> Result<(), StoreError> {
    let Outcome { subject_id, token, ended_at, .. } = outcome;
    let token = &**token;
    sql!(
        "UPDATE lti_sync SET lease_token = NULL, next_attempt_at = {ended_at}
         WHERE subject_id = {subject_id} AND lease_token = {token}"
    )
    .execute_later(tx)
}

/// Runs as a claim: each statement is fenced by itself, and needs no snapshot that others could disturb.
pub(super) async fn record(store: &Store, outcomes: Arc<[Outcome]>) -> Result<(), StoreError> {
    store.claim("lti_syncs.record", move |tx| record_outcomes(tx, &outcomes)).await
}

/// Records all outcomes that are ready in one transaction, so that hundreds of attempts a second share a few commits. Ends when
/// all senders are gone and everything is recorded.
pub(super) async fn run(store: Store, mut outcomes: Receiver<Outcome>) {
    let mut batch = Vec::with_capacity(BATCH);
    while outcomes.recv_many(&mut batch, BATCH).await > 0 {
        let ready = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
        record_stubbornly(&store, ready.into()).await;
    }
}

/// A score whose outcome can't be recorded is sent again when its lease has lapsed.
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
