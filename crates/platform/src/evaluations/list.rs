//! `GET /v1/platform/evaluations`: a workspace's evaluations, newest first, with a cursor.

mod filter;
mod item;
mod select;
#[cfg(test)]
mod tests;

use axum::extract::State;
use axum::response::Response;
use edge::answer::Answer;
use edge::context::Context;
use edge::problem::Problem;
use edge::query::Query;
use edge::responses::{Held, Spool};
use http::StatusCode;
use store::Tx;

use super::row::EvaluationRow;
use super::{EvaluationType, Status};
use crate::Platform;
use crate::callers::{self, Credential};
use filter::Filter;
use item::ListedEvaluation;

/// Evaluations that are read at once.
pub(crate) const READ_AT_ONCE: usize = 8;

/// A page of evaluations.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents what is written evaluation by evaluation")]
pub struct EvaluationPage {
    /// The evaluations, newest first.
    items: Vec<ListedEvaluation>,
    /// The `cursor` of the next page; null at the end of the list.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists a workspace's evaluations, newest first: a key's own, or those of the workspace that an operator names.
///
/// Ask for the next page with `nextCursor` as `cursor` and the same filters, until it is null. A page may have fewer
/// evaluations than `limit`, or none, and a next one: a request looks at 10,000 evaluations at most. A learner who was
/// erased is found by no filter.
#[utoipa::path(
    get, path = "/v1/platform/evaluations", tag = "Evaluations", operation_id = "listEvaluations",
    params(
        ("limit" = Option<u32>, Query, description = "Evaluations on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("status" = Option<Status>, Query, description = "Only `PENDING`, `PROCESSING`, `COMPLETED` or `FAILED` ones"),
        ("evaluationType" = Option<EvaluationType>, Query, description = "Only `open_ended`, `rubric_short_answer` or `exact` ones"),
        ("learnerId" = Option<String>, Query, description = "Only those of this learner", min_length = 1, max_length = 255),
        ("conceptTag" = Option<String>, Query, description = "Only those that named this concept in `conceptTags`", min_length = 1, max_length = 200),
        ("needsReview" = Option<bool>, Query, description = "Only those that a person should look at, or only the others"),
        ("minConfidence" = Option<f64>, Query, description = "Only those with at least this confidence", minimum = 0, maximum = 1),
        ("maxConfidence" = Option<f64>, Query, description = "Only those with at most this confidence", minimum = 0, maximum = 1),
        ("createdAfter" = Option<String>, Query, description = "Only those that were asked for after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only those that were asked for before this instant", format = DateTime),
        ("questionId" = Option<String>, Query, description = "Only those of this question", min_length = 1, max_length = 200),
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "A page of the list", body = EvaluationPage))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Context(context): Context,
    query: Query,
) -> Result<Response, Problem> {
    let parts = platform.clone();
    let body = callers::read(&platform.door, credential.or_reviewer(), "evaluations.list", move |tx, caller| {
        let (named, filter) = query.read(filter::read)?;
        let workspace = caller.workspace(tx, named)?;
        let list = format!("evaluations {workspace}");
        let span = filter.page.span(&parts.cursors, &list)?;
        let (ids, next) = select::page(tx, workspace, &filter, span)?;
        let next_cursor = next.map(|next| parts.cursors.write(&list, &next));
        write(tx, &ids, next_cursor.as_deref(), parts.door.responses.spool(context.holder()))
    })
    .await?;
    Ok(Answer::empty(StatusCode::OK).into_held(body))
}

/// Writes an [`EvaluationPage`], a few evaluations at a time: what was asked in each of them may have a megabyte.
fn write(tx: &mut Tx<'_>, ids: &[String], next_cursor: Option<&str>, mut body: Spool) -> Result<Held, Problem> {
    body.push(b"{\"items\":[")?;
    let mut is_first = true;
    for ids in ids.chunks(READ_AT_ONCE) {
        for row in EvaluationRow::find_all(tx, ids)? {
            if !std::mem::take(&mut is_first) {
                body.push(b",")?;
            }
            body.push_json(&ListedEvaluation::of(row))?;
        }
    }
    body.push(b"],\"nextCursor\":")?;
    body.push_json(&next_cursor)?;
    body.push(b"}")?;
    body.finish()
}
