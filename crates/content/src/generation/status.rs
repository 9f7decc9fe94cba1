//! How a resource's status moves: `queued`, `processing`, then `failed` or, when it is filled, `completed`.
//!
//! Every move is a change of the resource, so its version tells of it.

use kernel::id::OrganizationId;
use store::{StoreError, Tx};

use crate::resources::{Failure, Kind};

/// The statements that move a kind's resources.
struct Moves {
    process: &'static str,
    fail: &'static str,
    requeue: &'static str,
}

macro_rules! moves {
    ($table:literal) => {
        Moves {
            process: concat!(
                "UPDATE ",
                $table,
                " SET status = 'processing', version = version + 1, updated_at = $3
                 WHERE id = $1 AND organization_id = $2 AND status = 'queued'"
            ),
            fail: concat!(
                "UPDATE ",
                $table,
                " SET status = 'failed', error_code = $4, error_message = $5, version = version + 1, updated_at = $3
                 WHERE id = $1 AND organization_id = $2 AND status IN ('queued', 'processing')"
            ),
            requeue: concat!(
                "UPDATE ",
                $table,
                " SET status = 'queued', error_code = NULL, error_message = NULL, version = version + 1, updated_at = $3
                 WHERE id = $1 AND organization_id = $2 AND status = 'failed'"
            ),
        }
    };
}

const fn moves(kind: Kind) -> Moves {
    match kind {
        Kind::Module => moves!("module"),
        Kind::Course => moves!("course"),
        Kind::Video => moves!("video"),
        Kind::Slide => moves!("slide"),
        Kind::Test => moves!("test"),
    }
}

/// A worker has it. Nothing happens to what does not wait.
pub(super) fn process(tx: &mut Tx<'_>, kind: Kind, organization: OrganizationId, id: &str) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(moves(kind).process, &[&id, &organization, &now])
}

/// Given up. False, and nothing happens, when it is whole, failed or gone.
pub(super) fn fail(
    tx: &mut Tx<'_>,
    kind: Kind,
    organization: OrganizationId,
    id: &str,
    failure: &Failure,
) -> Result<bool, StoreError> {
    let now = tx.now();
    Ok(tx.execute(moves(kind).fail, &[&id, &organization, &now, &failure.code, &failure.message])? > 0)
}

/// Waits again. False when it had not failed.
pub(super) fn requeue(tx: &mut Tx<'_>, kind: Kind, organization: OrganizationId, id: &str) -> Result<bool, StoreError> {
    let now = tx.now();
    Ok(tx.execute(moves(kind).requeue, &[&id, &organization, &now])? > 0)
}
