//! `POST /v1/content/integrations/expansions/{jobId}/retry`: another try of what failed; what succeeded stays.

use axum::extract::State;
use edge::answer::Answer;
use edge::idempotency::{Kept, Repeatable, Retention};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use http::StatusCode;
use kernel::id::{ExpansionId, OrganizationId};
use serde_json::json;
use store::Tx;

use super::rows::{self, Expansion, Progress};
use super::view::ExpansionJob;
use super::{UNKNOWN_JOB, expansion_param, work};
use crate::{Content, ContentKey, organization_of};

/// Tries the failed outputs of a failed job again. Those that are completed keep their resources and manifests; how the
/// job ends is told by another event.
#[utoipa::path(
    post, path = "/v1/content/integrations/expansions/{jobId}/retry", tag = "Expansions",
    operation_id = "retryExpansion", security(("contentKey" = [])),
    params(Repeatable),
    responses(
        (status = 202, description = "The job; it is `queued` again", body = ExpansionJob),
        (status = 404, description = "There is no such job", body = ContentErrorBody),
        (status = 409, description = "The job did not fail, or the idempotency key was used for another request", body = ContentErrorBody),
    )
)]
pub async fn retry(
    State(content): State<Content>,
    key: ContentKey,
    Params(job): Params<String>,
    repeatable: Repeatable,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let write = move |tx: &mut Tx<'_>, caller: &edge::door::KeyCaller| {
        let organization = organization_of(caller)?;
        let (key, id) = (repeatable.key()?, expansion_param(&job)?);
        let request = key.of(|| json!({ "jobId": id }));
        let claim = request.map(|request| request.claim(caller.owner_id.clone(), Retention::Forever));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let expansion = requeue(tx, organization, id)?;
            Ok((Answer::json(StatusCode::ACCEPTED, &ExpansionJob::of(&expansion, &parts.links)), Kept::Same))
        })
    };
    content.door.write_by_key(key, "expansions.retry", write).await
}

fn requeue(tx: &mut Tx<'_>, organization: OrganizationId, id: ExpansionId) -> Result<Expansion, Problem> {
    let mut expansion = rows::find(tx, organization, id)?.ok_or(UNKNOWN_JOB)?;
    if expansion.progress.failure().is_none() {
        return Err(Problem::Conflict("Only a failed expansion job can be retried."));
    }
    (expansion.progress, expansion.updated_at) = (Progress::Queued, tx.now());
    rows::set_progress(tx, id, &expansion.progress)?;
    for output in expansion.outputs.iter_mut().filter(|output| output.progress.failure().is_some()) {
        output.progress = Progress::Queued;
        rows::set_output(tx, id, output)?;
    }
    work::enqueue(tx, organization, id)?;
    Ok(expansion)
}

#[cfg(test)]
mod tests;
