//! Finds the endpoints with pending deliveries: a loose index scan, whose cost follows the number of such
//! endpoints and not the length of their backlogs.

use std::sync::Arc;

use kernel::id::EndpointId;
use kernel::time::Timestamp;
use store::{Row, StoreError, Tx};

use crate::Surface;
use crate::endpoints::EndpointStatus;

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
}

impl From<Option<EndpointId>> for Walk {
    fn from(home: Option<EndpointId>) -> Self {
        Self { home, after: home, is_second_leg: false }
    }
}

/// An endpoint with pending deliveries.
pub(super) struct Candidate {
    pub(super) endpoint: Arc<ClaimedEndpoint>,
    pub(super) status: EndpointStatus,
    /// When its first delivery is or was due.
    pub(super) first_due: Timestamp,
    /// When the next delivery of any endpoint will be due.
    pub(super) next_due: Option<Timestamp>,
}

/// Where a delivery goes, and the secret that signs it, still sealed.
pub(super) struct ClaimedEndpoint {
    pub(super) id: EndpointId,
    pub(super) owner_id: Arc<str>,
    pub(super) surface: Surface,
    pub(super) url: String,
    pub(super) sealed_secret: String,
}

/// The next endpoints of the walk, and what is left of it.
pub(super) fn scan(tx: &mut Tx<'_>, walk: Walk, now: Timestamp) -> Result<(Vec<Candidate>, Option<Walk>), StoreError> {
    let mut candidates = Vec::new();
    let mut walk = walk;
    loop {
        let room = SCANNED_ENDPOINTS - candidates.len();
        let mut found = scan_after(tx, walk.after, room, now)?;
        if walk.is_second_leg {
            found.retain(|candidate| Some(candidate.endpoint.id) <= walk.home);
        }
        let is_cut = found.len() == room;
        let last = found.last().map(|candidate| candidate.endpoint.id);
        candidates.extend(found);
        if is_cut {
            return Ok((candidates, Some(Walk { after: last, ..walk })));
        }
        if walk.is_second_leg || walk.home.is_none() {
            return Ok((candidates, None));
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
    tx.query(
        "WITH RECURSIVE scan (endpoint_id, place) AS (
             SELECT (SELECT d.endpoint_id FROM delivery d
                     WHERE d.state = 'pending' AND d.endpoint_id > $1
                     ORDER BY d.endpoint_id LIMIT 1), CAST(1 AS BIGINT)
             UNION ALL
             SELECT (SELECT d.endpoint_id FROM delivery d
                     WHERE d.state = 'pending' AND d.endpoint_id > scan.endpoint_id
                     ORDER BY d.endpoint_id LIMIT 1), scan.place + 1
             FROM scan WHERE scan.endpoint_id IS NOT NULL AND scan.place < $2
         )
         SELECT e.id, e.owner_id, e.surface, e.url, e.sealed_secret, e.status,
                (SELECT min(d.next_attempt_at) FROM delivery d
                 WHERE d.endpoint_id = scan.endpoint_id AND d.state = 'pending'),
                (SELECT min(d.next_attempt_at) FROM delivery d WHERE d.state = 'pending' AND d.next_attempt_at > $3)
         FROM scan JOIN webhook_endpoint e ON e.id = scan.endpoint_id
         ORDER BY scan.place",
        &[&after, &limit, &now],
        candidate,
    )
}

fn candidate(row: &Row<'_>) -> Result<Candidate, StoreError> {
    let endpoint = ClaimedEndpoint {
        id: row.get(0)?,
        owner_id: row.get::<String>(1)?.into(),
        surface: row.get(2)?,
        url: row.get(3)?,
        sealed_secret: row.get(4)?,
    };
    Ok(Candidate {
        endpoint: Arc::new(endpoint),
        status: EndpointStatus::from_text(&row.get::<String>(5)?),
        first_due: row.get(6)?,
        next_due: row.get(7)?,
    })
}
