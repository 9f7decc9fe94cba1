//! The end of a job whose rows can't be read: by columns that hold texts, whatever they say.

use kernel::id::{ExpansionId, OrganizationId};
use store::{StoreError, Tx};

use super::super::rows::OutputKind;
use super::settle::tell;
use crate::generation::LinkedWorkspaces;
use crate::generation::announce::{Ended, Ending, announce};
use crate::resources::Failure;
use crate::webhooks::event::{EndedJob, EndedOutput};

/// Fails everything of a job that has not ended, and tells it. Nothing happens to a job that has ended or is gone.
pub(super) fn abandon(
    tx: &mut Tx<'_>,
    linked: LinkedWorkspaces,
    organization: OrganizationId,
    expansion: ExpansionId,
    failure: &Failure,
) -> Result<(), StoreError> {
    let now = tx.now();
    let failed = tx.execute(
        "UPDATE expansion SET status = 'failed', error_code = $3, error_message = $4, completed_at = $5, updated_at = $5
         WHERE id = $1 AND organization_id = $2 AND status IN ('queued', 'processing')",
        &[&expansion, &organization, &failure.code, &failure.message, &now],
    )?;
    if failed == 0 {
        return Ok(());
    }
    let open = tx.query(
        "SELECT output_type FROM expansion_output
         WHERE expansion_id = $1 AND status IN ('queued', 'processing') ORDER BY position",
        &[&expansion],
        |row| row.get::<String>(0),
    )?;
    tx.execute_later(
        "UPDATE expansion_output SET status = 'failed', error_code = $2, error_message = $3, completed_at = $4
         WHERE expansion_id = $1 AND status IN ('queued', 'processing')",
        &[&expansion, &failure.code, &failure.message, &now],
    )?;
    let request_id = expansion.to_string();
    for kind in open.iter().filter_map(|output_type| known(output_type)).map(OutputKind::resource_kind) {
        let ending = Ending::Failed { resource_id: None, failure };
        announce(tx, linked, &Ended { organization, kind, request_id: &request_id, ending })?;
    }
    let ended = ended(tx, expansion)?;
    tell(tx, organization, ended)
}

fn known(output_type: &str) -> Option<OutputKind> {
    OutputKind::ALL.into_iter().find(|known| known.as_str() == output_type)
}

fn ended(tx: &mut Tx<'_>, expansion: ExpansionId) -> Result<EndedJob, StoreError> {
    let outputs = tx.query(
        "SELECT output_type, status, resource_id FROM expansion_output WHERE expansion_id = $1 ORDER BY position",
        &[&expansion],
        |row| {
            let output_type: String = row.get(0)?;
            let resource_type = known(&output_type).map(OutputKind::resource_type);
            Ok(EndedOutput { output_type, status: row.get(1)?, resource_type, resource_id: row.get(2)? })
        },
    )?;
    let found =
        tx.find("SELECT status, classroom_id, source_title FROM expansion WHERE id = $1", &[&expansion], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    let (status, classroom_id, source_title) = found.unwrap_or_default();
    Ok(EndedJob { job_id: expansion, status, classroom_id, source_title, outputs })
}
