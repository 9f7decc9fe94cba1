//! Ends an output, and with the last one the job: rows and event in the caller's transaction.

use events::{NewEvent, Surface};
use kernel::id::{EventId, ExpansionId, OrganizationId};
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use super::super::rows::{self, Expansion, Output, Progress};
use super::draft::Drafted;
use crate::generation::Generation;
use crate::generation::announce::{Ended, Ending, announce};
use crate::resources::Failure;
use crate::webhooks::event::{ContentEvent, EndedJob, EndedOutput};
use crate::webhooks::{CONTENT_COMPLETED, CONTENT_FAILED};

/// Writes how an output ended, and tells it. Returns whether the whole job ended with it.
pub(super) fn output(
    tx: &mut Tx<'_>,
    context: &Generation,
    organization: OrganizationId,
    expansion: ExpansionId,
    output: &Output,
    made: &Result<Drafted, Failure>,
) -> Result<bool, StoreError> {
    let Some(mut expansion) = rows::find(tx, organization, expansion)? else { return Ok(true) };
    let now = tx.now();
    let Some(row) = expansion.outputs.iter_mut().find(|row| row.id == output.id && !row.progress.has_ended()) else {
        return Ok(expansion.progress.has_ended());
    };
    match made {
        Ok(drafted) => {
            drafted.insert(tx)?;
            row.progress = Progress::Completed(now);
            row.resource_id = Some(drafted.resource_id.clone());
            row.manifest = Some(drafted.manifest.clone());
        }
        Err(failure) => row.progress = Progress::Failed(now, failure.clone()),
    }
    rows::set_output(tx, expansion.id, row)?;
    let ending = match made {
        Ok(drafted) => drafted.ending(&context.links),
        Err(failure) => Ending::Failed { resource_id: None, failure },
    };
    let (kind, request_id) = (output.kind.resource_kind(), expansion.id.to_string());
    announce(tx, context.linked_workspaces, &Ended { organization, kind, request_id: &request_id, ending })?;
    if expansion.outputs.iter().all(|output| output.progress.has_ended()) {
        end(tx, &mut expansion, now)?;
        return Ok(true);
    }
    process_next(tx, &expansion)?;
    Ok(false)
}

/// The first output that waits is the one being processed now.
pub(super) fn process_next(tx: &mut Tx<'_>, expansion: &Expansion) -> Result<(), StoreError> {
    let outputs = &expansion.outputs;
    if outputs.iter().any(|output| output.progress == Progress::Processing) {
        return Ok(());
    }
    match outputs.iter().find(|output| output.progress == Progress::Queued) {
        Some(next) => rows::set_output(tx, expansion.id, &Output { progress: Progress::Processing, ..next.clone() }),
        None => Ok(()),
    }
}

fn end(tx: &mut Tx<'_>, expansion: &mut Expansion, now: Timestamp) -> Result<(), StoreError> {
    let failed: Vec<&Output> = expansion.outputs.iter().filter(|output| output.progress.failure().is_some()).collect();
    let progress = match failed.first().and_then(|output| output.progress.failure()) {
        None => Progress::Completed(now),
        Some(first) => {
            let names: Vec<_> = failed.iter().map(|output| output.kind.as_str()).collect();
            let message = format!("Not generated: {}. {}", names.join(", "), first.message);
            Progress::Failed(now, Failure { code: first.code.clone(), message })
        }
    };
    rows::set_progress(tx, expansion.id, &progress)?;
    expansion.progress = progress;
    tell(tx, expansion.organization_id, ended_job(expansion))
}

/// What an event tells of an ended job.
fn ended_job(expansion: &Expansion) -> EndedJob {
    let outputs = expansion.outputs.iter().map(|output| EndedOutput {
        output_type: output.kind.as_str().to_owned(),
        status: output.progress.status().as_str().to_owned(),
        resource_type: Some(output.kind.resource_type()),
        resource_id: output.resource_id.clone(),
    });
    EndedJob {
        job_id: expansion.id,
        status: expansion.progress.status().as_str().to_owned(),
        classroom_id: expansion.classroom_id.to_string(),
        source_title: expansion.source_title.clone(),
        outputs: outputs.collect(),
    }
}

/// Records the event that receivers read (content-api section 6).
pub(super) fn tell(tx: &mut Tx<'_>, organization: OrganizationId, ended: EndedJob) -> Result<(), StoreError> {
    let id: EventId = tx.ambient().id();
    let event_type = if ended.status == "completed" { CONTENT_COMPLETED } else { CONTENT_FAILED };
    let job_id = ended.job_id;
    let body = ContentEvent { id, kind: event_type, created_at: tx.now(), job_id, data: ended };
    let event = NewEvent {
        id,
        surface: Surface::Content,
        owner_id: organization.to_string(),
        event_type,
        subject_id: job_id.to_string(),
        body: serde_json::to_string(&body).expect("an event serializes"),
    };
    events::record(tx, &event)
}
