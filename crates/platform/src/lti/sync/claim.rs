//! Takes due scores off the queue for a while.
//!
//! One short transaction: a loose index scan over the registrations with pending scores (its cost follows their number,
//! not the length of their backlogs), then one statement per due registration, each for as many scores as the
//! registration, its workspace and the process may have under way. The lease's end is written to `next_attempt_at`, so
//! that a lapsed lease is due again by itself.
//!
//! The scores of one learner and link are leased one at a time, the oldest due one first. The claims of several processes
//! take turns at a registration, so that each one sees the leases of the others.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::id::{RegistrationId, SubjectId};
use kernel::slots::Slots;
use kernel::time::Timestamp;
use lti::ags::GradeService;
use store::{Group as _, Queue, Record, StoreError, Tx, sql};

use crate::lti::registrations::Registration;

/// Registrations that one transaction looks at.
const SCANNED: usize = 128;

/// The parameters of a claim. The transaction may run twice, so nothing of it changes.
pub(super) struct ClaimRequest {
    /// The registrations behind this one, in the order of their ids; `None` from the first on.
    pub(super) after: Option<RegistrationId>,
    /// Unique to this claim; whoever holds it may record the outcomes.
    pub(super) token: Arc<str>,
    pub(super) lease: Duration,
    pub(super) slots: Slots<RegistrationId>,
}

/// The result of a claim.
pub(super) struct ClaimResult {
    pub(super) syncs: Vec<ClaimedSync>,
    /// Where the next claim begins.
    pub(super) next: Option<RegistrationId>,
    /// The registrations were not all looked at: go on at once.
    pub(super) has_more: bool,
    /// There may be more due that has to wait for a slot.
    pub(super) is_held_back: bool,
    /// When something that is not due yet will be.
    pub(super) next_due: Option<Timestamp>,
}

/// A score that is ours until the lease ends.
pub(super) struct ClaimedSync {
    pub(super) registration: Arc<Registration>,
    pub(super) token: Arc<str>,
    pub(super) score: LeasedScore,
}

/// A score with the gradebook that its launch offered.
#[derive(Clone, Debug, Record)]
pub(super) struct LeasedScore {
    pub(super) subject_id: SubjectId,
    pub(super) attempts: u32,
    pub(super) leases: u32,
    unanswered: u32,
    pub(super) resource_link_id: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) score_given: f64,
    pub(super) score_maximum: f64,
    pub(super) comment: Option<String>,
    pub(super) scored_at: Timestamp,
    pub(super) submitted_at: Timestamp,
    pub(super) resource_link_title: Option<String>,
    /// The link that was picked here; its line item names it.
    pub(super) link_id: Option<String>,
    #[column(json)]
    pub(super) grades: Option<GradeService>,
}

impl LeasedScore {
    /// Whether the platform may have the score already: an earlier attempt got no answer, or its process died.
    pub(super) fn may_have_arrived(&self) -> bool {
        self.unanswered > 0 || self.leases > self.attempts.saturating_add(1)
    }
}

/// A registration with pending scores.
struct Candidate {
    registration: Arc<Registration>,
    /// When its first score is or was due; `None` when another process finished it just now.
    first_due: Option<Timestamp>,
    /// When the first that is not due yet will be.
    next_due: Option<Timestamp>,
}

pub(super) fn claim(tx: &mut Tx<'_>, request: &ClaimRequest) -> Result<ClaimResult, StoreError> {
    let now = tx.now();
    let candidates = scan(tx, request.after, now)?;
    let is_cut = candidates.len() == SCANNED;
    let last = candidates.last().map(|candidate| candidate.registration.id);
    let next_due = candidates.iter().filter_map(|candidate| candidate.next_due).min();
    let due: Vec<_> =
        candidates.into_iter().filter(|candidate| candidate.first_due.is_some_and(|due| due <= now)).collect();
    let wanting: Vec<_> = due.iter().map(|one| (one.registration.id, owner(&one.registration))).collect();
    let shares = request.slots.shares(&wanting);
    let granted: Vec<_> = due.iter().zip(shares.iter().copied()).filter(|(_, share)| *share > 0).collect();
    let syncs = lease(tx, request, &granted)?;
    let mut counts: HashMap<RegistrationId, usize> = HashMap::new();
    for sync in &syncs {
        *counts.entry(sync.registration.id).or_default() += 1;
    }
    // A registration that gave as much as was asked for may have more.
    let gave_all =
        |(one, share): (&Candidate, &usize)| counts.get(&one.registration.id).copied().unwrap_or(0) >= *share;
    let is_held_back = due.iter().zip(&shares).any(gave_all);
    // When there was not enough for everybody, the next claim begins behind the last who got something.
    let is_scarce = request.slots.is_exhausted_by(syncs.len());
    let served = granted.last().map(|(one, _)| one.registration.id);
    let next = if is_scarce { served.or(request.after) } else { last.filter(|_| is_cut) };
    // A claim that began in the middle has not seen those in front.
    let has_more = !is_scarce && (is_cut || request.after.is_some());
    Ok(ClaimResult { syncs, next, has_more, is_held_back, next_due })
}

/// Lets every lease lapse at once: for a process that knows that the holders are gone, such as the only one of an embedded
/// database when it starts.
///
/// # Errors
/// Any [`StoreError`].
pub fn lapse_all(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let now = tx.now();
    tx.wake(Queue::GradeSyncs);
    tx.execute_later(
        "UPDATE lti_sync SET next_attempt_at = $1
         WHERE status = 'pending' AND lease_token IS NOT NULL AND next_attempt_at > $1",
        &[&now],
    )?;
    tx.execute_later("UPDATE lti_line_item SET leased_until = $1 WHERE leased_until > $1", &[&now])
}

/// Whose slots a score takes.
pub(super) fn owner(registration: &Registration) -> Arc<str> {
    registration.workspace_id.to_string().into()
}

fn scan(tx: &mut Tx<'_>, after: Option<RegistrationId>, now: Timestamp) -> Result<Vec<Candidate>, StoreError> {
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let limit = i64::try_from(SCANNED).unwrap_or(i64::MAX);
    sql!(
        // The order in full, although the first column would do: only the queue's own index has it.
        "WITH RECURSIVE scan (registration, place) AS (
             SELECT (SELECT s.registration_id FROM lti_sync s
                     WHERE s.status = 'pending' AND s.registration_id > {after}
                     ORDER BY s.registration_id, s.next_attempt_at, s.subject_id LIMIT 1), CAST(1 AS BIGINT)
             UNION ALL
             SELECT (SELECT s.registration_id FROM lti_sync s
                     WHERE s.status = 'pending' AND s.registration_id > scan.registration
                     ORDER BY s.registration_id, s.next_attempt_at, s.subject_id LIMIT 1), scan.place + 1
             FROM scan WHERE scan.registration IS NOT NULL AND scan.place < {limit}
         )
         SELECT (SELECT s.next_attempt_at FROM lti_sync s
                 WHERE s.registration_id = scan.registration AND s.status = 'pending'
                 ORDER BY s.next_attempt_at, s.subject_id LIMIT 1),
                (SELECT s.next_attempt_at FROM lti_sync s
                 WHERE s.registration_id = scan.registration AND s.status = 'pending' AND s.next_attempt_at > {now}
                 ORDER BY s.next_attempt_at, s.subject_id LIMIT 1),
                {Registration::*}
         FROM scan JOIN lti_registration ON id = scan.registration
         ORDER BY scan.place"
    )
    .query(tx, |row| {
        let registration = Arc::new(Registration::read_at(row, 2)?);
        Ok(Candidate { registration, first_due: row.get(0)?, next_due: row.get(1)? })
    })
}

/// Locks the registrations until the transaction ends, in the order of their ids. The statements behind it see what others
/// leased before.
fn take_turns(tx: &mut Tx<'_>, granted: &[(&Candidate, usize)]) -> Result<(), StoreError> {
    tx.query_each(
        granted,
        |granted| {
            let (candidate, _) = granted;
            sql!("SELECT id FROM lti_registration WHERE id = {candidate.registration.id} FOR NO KEY UPDATE")
        },
        |_| Ok(()),
    )
    .map(|_| ())
}

fn lease(
    tx: &mut Tx<'_>,
    request: &ClaimRequest,
    granted: &[(&Candidate, usize)],
) -> Result<Vec<ClaimedSync>, StoreError> {
    let now = tx.now();
    let (lease_end, token) = (now.plus(request.lease), &*request.token);
    let limits: Vec<i64> = granted.iter().map(|(_, share)| i64::try_from(*share).unwrap_or(i64::MAX)).collect();
    take_turns(tx, granted)?;
    let by_id: HashMap<_, _> = granted.iter().map(|(one, _)| (one.registration.id, one.registration.clone())).collect();
    tx.query_each(
        granted.iter().zip(&limits),
        // The materialized part keeps PostgreSQL from locking more rows than it updates.
        |((candidate, _), limit)| {
            sql!(
                "WITH due AS MATERIALIZED (
                     SELECT s.subject_id FROM lti_sync s
                     WHERE s.registration_id = {candidate.registration.id} AND s.status = 'pending'
                        AND s.next_attempt_at <= {now} AND NOT EXISTS (
                            SELECT 1 FROM lti_sync o
                            WHERE o.registration_id = s.registration_id AND o.resource_link_id = s.resource_link_id
                                AND o.user_id = s.user_id AND o.status = 'pending' AND o.subject_id <> s.subject_id
                                AND (o.next_attempt_at > {now} AND o.lease_token IS NOT NULL
                                    OR o.next_attempt_at <= {now}
                                        AND (o.scored_at, o.subject_id) < (s.scored_at, s.subject_id)))
                     ORDER BY s.next_attempt_at, s.subject_id LIMIT {*limit}
                     FOR UPDATE SKIP LOCKED
                 )
                 UPDATE lti_sync SET leases = leases + 1, lease_token = {token}, next_attempt_at = {lease_end}
                 WHERE subject_id IN (SELECT due.subject_id FROM due)
                 RETURNING registration_id, subject_id, attempts, leases, unanswered, resource_link_id, user_id, score_given,
                    score_maximum, comment, scored_at, submitted_at,
                    (SELECT l.resource_link_title FROM lti_launch l WHERE l.id = session_id),
                    (SELECT l.link_id FROM lti_launch l WHERE l.id = session_id),
                    (SELECT l.grades FROM lti_launch l WHERE l.id = session_id)"
            )
        },
        |row| {
            let registration: RegistrationId = row.get(0)?;
            let registration = by_id.get(&registration).expect("only rows of granted registrations are updated");
            let score = LeasedScore::read_at(row, 1)?;
            Ok(ClaimedSync { registration: registration.clone(), token: request.token.clone(), score })
        },
    )
}
