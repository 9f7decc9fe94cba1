//! `GET /v1/platform/questions`: a workspace's questions, newest first, with a cursor.

use axum::extract::State;
use axum::response::Response;
use edge::answer::Answer;
use edge::context::Context;
use edge::cursor::{CursorQuery, MOST_SCANNED, Position, Span, cut};
use edge::problem::Problem;
use edge::query::{Parameters, Query, boolean, one_of};
use edge::responses::{Held, Spool};
use http::StatusCode;
use kernel::id::WorkspaceId;
use store::{StoreError, Tx, sql};

use super::row::Question;
use super::view::ShownQuestion;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::{EvaluationType, READ_AT_ONCE};
use crate::named::workspace_in_query;

/// A page of questions.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "documents what is written question by question")]
pub struct QuestionPage {
    /// The questions, newest first.
    items: Vec<ShownQuestion>,
    /// The `cursor` of the next page; null at the end of the list.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Which questions a request asks for.
struct Filter {
    page: CursorQuery,
    evaluation_type: Option<EvaluationType>,
    needs_review: Option<bool>,
}

/// Lists a workspace's questions, newest first: a key's own, or those of the workspace that an operator names.
///
/// Ask for the next page with `nextCursor` as `cursor` and the same filters, until it is null. A page may have fewer questions
/// than `limit`, or none, and a next one: a request looks at 10,000 questions at most.
#[utoipa::path(
    get, path = "/v1/platform/questions", tag = "Questions", operation_id = "listQuestions",
    params(
        ("limit" = Option<u32>, Query, description = "Questions on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("evaluationType" = Option<EvaluationType>, Query, description = "Only `open_ended`, `rubric_short_answer` or `exact` ones"),
        ("needsReview" = Option<bool>, Query, description = "Only those with an answer that a person should look at, or only the others"),
        ("createdAfter" = Option<String>, Query, description = "Only those that were first asked after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only those that were first asked before this instant", format = DateTime),
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "A page of the list", body = QuestionPage))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Context(context): Context,
    query: Query,
) -> Result<Response, Problem> {
    let parts = platform.clone();
    let body = callers::read(&platform.door, credential.or_reviewer(), "questions.list", move |tx, caller| {
        let (named, filter) = query.read(read)?;
        let workspace = caller.workspace(tx, named)?;
        let list = format!("questions {workspace}");
        let span = filter.page.span(&parts.cursors, &list)?;
        let (ids, next) = page(tx, workspace, &filter, span)?;
        let next_cursor = next.map(|next| parts.cursors.write(&list, &next));
        write(tx, &ids, next_cursor.as_deref(), parts.door.responses.spool(context.holder()))
    })
    .await?;
    Ok(Answer::empty(StatusCode::OK).into_held(body))
}

fn read(parameters: &mut Parameters<'_>) -> Option<(Option<WorkspaceId>, Filter)> {
    let page = CursorQuery::read(parameters);
    let evaluation_type = parameters.optional("evaluationType", one_of(EvaluationType::WORDS));
    let needs_review = parameters.optional("needsReview", boolean);
    let named = workspace_in_query(parameters);
    Some((named?, Filter { page: page?, evaluation_type: evaluation_type?, needs_review: needs_review? }))
}

/// The ids of a page, and where the next one goes on.
fn page(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    filter: &Filter,
    span: Span,
) -> Result<(Vec<String>, Option<Position>), StoreError> {
    let is_filtered = filter.evaluation_type.is_some() || filter.needs_review.is_some();
    let scanned_to = if is_filtered { last_scanned(tx, workspace, &span.from)? } else { None };
    let end = scanned_to.filter(|row| *row >= span.to);
    let Span { from, to } = span.up_to(end.as_ref());
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    let needs_review = filter.needs_review.map(i64::from);
    let mut found = sql!(
        "SELECT created_at, id FROM question WHERE workspace_id = {workspace}
            AND (created_at, id) < ({from.created_at}, {from.id}) AND (created_at, id) >= ({to.created_at}, {to.id})
            AND (CAST({filter.evaluation_type} AS TEXT) IS NULL OR evaluation_type = {filter.evaluation_type})
            AND (CAST({needs_review} AS BIGINT) IS NULL OR {needs_review} = CASE WHEN EXISTS (
                SELECT 1 FROM evaluation_to_review open WHERE open.question_id = question.id) THEN 1 ELSE 0 END)
         ORDER BY created_at DESC, id DESC LIMIT {one_more}"
    )
    .query(tx, Position::from_row)?;
    let next = cut(&mut found, filter.page.limit, end, Clone::clone);
    Ok((found.into_iter().map(|row| row.id).collect(), next))
}

/// The last question that a request looks at; `None` where the list ends before.
fn last_scanned(tx: &mut Tx<'_>, workspace: WorkspaceId, from: &Position) -> Result<Option<Position>, StoreError> {
    let passed = i64::try_from(MOST_SCANNED - 1).unwrap_or(i64::MAX);
    sql!(
        "SELECT created_at, id FROM question WHERE workspace_id = {workspace}
            AND (created_at, id) < ({from.created_at}, {from.id})
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET {passed}"
    )
    .find(tx, Position::from_row)
}

/// Writes a [`QuestionPage`], a few questions at a time: each may have megabytes.
fn write(tx: &mut Tx<'_>, ids: &[String], next_cursor: Option<&str>, mut body: Spool) -> Result<Held, Problem> {
    body.push(b"{\"items\":[")?;
    let mut is_first = true;
    for ids in ids.chunks(READ_AT_ONCE) {
        for question in Question::find_all(tx, ids)? {
            if !std::mem::take(&mut is_first) {
                body.push(b",")?;
            }
            body.push_json(&ShownQuestion::from(question))?;
        }
    }
    body.push(b"],\"nextCursor\":")?;
    body.push_json(&next_cursor)?;
    body.push(b"}")?;
    body.finish()
}
