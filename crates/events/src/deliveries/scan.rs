//! Finds the endpoints with pending deliveries: a loose index scan, whose cost follows the number of such
//! endpoints and not the length of their backlogs.

use std::sync::Arc;

use kernel::id::EndpointId;
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx, sql};

use crate::endpoints::{ClaimedEndpoint, EndpointStatus};

/// Endpoints that one transaction looks at.
const SCANNED_ENDPOINTS: usize = 128;

/// A walk over all endpoints in the order of their ids, from one of them and around to it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Walk {
    /// The endpoint behind which the walk began; `None` is in front of all.
    pub(super) home: Option<EndpointId>,
    after: Option<EndpointId>,
    /// On the way from the first endpoint to `home`.
    is_second_leg: bool,
    /// When the first delivery that is not due yet will be, of the endpoints that were passed.
    next_due: Option<Timestamp>,
}

impl From<Option<EndpointId>> for Walk {
    fn from(home: Option<EndpointId>) -> Self {
        Self { home, after: home, is_second_leg: false, next_due: None }
    }
}

/// An endpoint with pending deliveries.
#[derive(Record)]
pub(super) struct Candidate {
    #[column(group)]
    pub(super) endpoint: Arc<ClaimedEndpoint>,
    pub(super) status: EndpointStatus,
    /// When its first delivery is or was due; `None` when another process finished it just now.
    pub(super) first_due: Option<Timestamp>,
    /// When the first that is not due yet will be.
    pub(super) next_due: Option<Timestamp>,
}

/// A part of a walk.
pub(super) struct Scanned {
    pub(super) candidates: Vec<Candidate>,
    /// What is left of the walk.
    pub(super) rest: Option<Walk>,
    /// When something that is not due yet will be, as far as the walk has seen.
    pub(super) next_due: Option<Timestamp>,
}

/// The next endpoints of the walk.
pub(super) fn scan(tx: &mut Tx<'_>, mut walk: Walk, now: Timestamp) -> Result<Scanned, StoreError> {
    let mut candidates = Vec::new();
    loop {
        let room = SCANNED_ENDPOINTS - candidates.len();
        let mut found = scan_after(tx, walk.after, room, now)?;
        if walk.is_second_leg {
            found.retain(|candidate| Some(candidate.endpoint.id) <= walk.home);
        }
        let is_cut = found.len() == room;
        let last = found.last().map(|candidate| candidate.endpoint.id);
        walk.next_due = found.iter().filter_map(|candidate| candidate.next_due).chain(walk.next_due).min();
        candidates.extend(found);
        let next_due = walk.next_due;
        if is_cut {
            return Ok(Scanned { candidates, rest: Some(Walk { after: last, ..walk }), next_due });
        }
        if walk.is_second_leg || walk.home.is_none() {
            return Ok(Scanned { candidates, rest: None, next_due });
        }
        walk = Walk { after: None, is_second_leg: true, ..walk };
    }
}

fn scan_after(
    tx: &mut Tx<'_>,
    after: Option<EndpointId>,
    limit: usize,
    now: Timestamp,
) -> Result<Vec<Candidate>, StoreError> {
    let after = after.map(|id| id.to_string()).unwrap_or_default();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    sql!(
        // The order in full, although the first column would do: only the queue's own index has it.
        "WITH RECURSIVE scan (endpoint_id, place) AS (
             SELECT (SELECT d.endpoint_id FROM delivery d
                     WHERE d.state = 'pending' AND d.endpoint_id > {after}
                     ORDER BY d.endpoint_id, d.next_attempt_at, d.event_id LIMIT 1), CAST(1 AS BIGINT)
             UNION ALL
             SELECT (SELECT d.endpoint_id FROM delivery d
                     WHERE d.state = 'pending' AND d.endpoint_id > scan.endpoint_id
                     ORDER BY d.endpoint_id, d.next_attempt_at, d.event_id LIMIT 1), scan.place + 1
             FROM scan WHERE scan.endpoint_id IS NOT NULL AND scan.place < {limit}
         )
         SELECT {ClaimedEndpoint::*}, status,
                (SELECT d.next_attempt_at FROM delivery d
                 WHERE d.endpoint_id = scan.endpoint_id AND d.state = 'pending'
                 ORDER BY d.next_attempt_at, d.event_id LIMIT 1),
                (SELECT d.next_attempt_at FROM delivery d
                 WHERE d.endpoint_id = scan.endpoint_id AND d.state = 'pending' AND d.next_attempt_at > {now}
                 ORDER BY d.next_attempt_at, d.event_id LIMIT 1)
         FROM scan JOIN webhook_endpoint ON id = scan.endpoint_id
         ORDER BY scan.place"
    )
    .query(tx, |row| Candidate::read_at(row, 0))
}
