//! `GET /v1/content/integrations/expansions`: the jobs of the key's organization, newest first, with a cursor.

use axum::extract::State;
use edge::answer::Answer;
use edge::cursor::{CursorQuery, MOST_SCANNED, Position, Span, cut};
use edge::problem::{ContentErrorBody, Problem};
use edge::query::{Parameters, Query, id, one_of};
use http::HeaderValue;
use http::header::LINK;
use kernel::id::{ClassroomId, ExpansionId, OrganizationId, OutputId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{StoreError, Tx};

use super::ResourceType;
use super::rows::{self, Expansion, Output, OutputKind};
use crate::resources::{Failure, Status, load_place};
use crate::{Content, ContentKey, organization_of};

/// An expansion job in a list, without the manifests of its outputs.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedExpansionJob {
    id: ExpansionId,
    #[schema(example = "source_json")]
    source_type: String,
    /// `queued`, `processing`, `completed` or `failed`.
    #[schema(value_type = Status)]
    status: &'static str,
    /// Category title and level title.
    #[schema(example = "Biology, Cells")]
    source_title: String,
    requested_outputs: Vec<OutputKind>,
    classroom_id: ClassroomId,
    /// Null for source JSON.
    #[schema(required, format = Uuid)]
    source_resource_id: Option<String>,
    /// Null for source JSON.
    #[schema(required, value_type = Option<ResourceType>)]
    source_resource_type: Option<String>,
    /// Why the job failed.
    #[schema(required)]
    error: Option<Failure>,
    #[schema(required)]
    completed_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// One row per requested output, in priority order.
    outputs: Vec<ListedOutput>,
}

/// One requested output of a listed job.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedOutput {
    id: OutputId,
    output_type: OutputKind,
    /// `queued`, `processing`, `completed` or `failed`.
    #[schema(value_type = Status)]
    status: &'static str,
    /// `module`, `video` or `test`.
    #[schema(value_type = ResourceType)]
    resource_type: &'static str,
    /// Null until the output is completed.
    #[schema(required, format = Uuid)]
    resource_id: Option<String>,
    /// Why the output failed.
    #[schema(required)]
    error: Option<Failure>,
    #[schema(required)]
    completed_at: Option<Timestamp>,
}

impl From<Expansion> for ListedExpansionJob {
    fn from(expansion: Expansion) -> Self {
        Self {
            id: expansion.id,
            status: expansion.progress.as_str(),
            requested_outputs: expansion.outputs.iter().map(|output| output.kind).collect(),
            error: expansion.progress.failure().cloned(),
            completed_at: expansion.progress.ended_at(),
            source_type: expansion.source_type,
            source_title: expansion.source_title,
            classroom_id: expansion.classroom_id,
            source_resource_id: expansion.source_resource_id,
            source_resource_type: expansion.source_resource_type,
            created_at: expansion.created_at,
            updated_at: expansion.updated_at,
            outputs: expansion.outputs.into_iter().map(ListedOutput::from).collect(),
        }
    }
}

impl From<Output> for ListedOutput {
    fn from(output: Output) -> Self {
        Self {
            id: output.id,
            output_type: output.kind,
            status: output.progress.as_str(),
            resource_type: output.kind.resource_type(),
            error: output.progress.failure().cloned(),
            completed_at: output.progress.ended_at(),
            resource_id: output.resource_id,
        }
    }
}

/// Which jobs are asked for.
#[derive(Clone, Debug)]
struct Filter {
    status: Option<Status>,
    classroom: Option<ClassroomId>,
    page: CursorQuery,
}

impl Filter {
    fn read(parameters: &mut Parameters<'_>) -> Option<Self> {
        let page = CursorQuery::read(parameters);
        let status = parameters.optional("status", one_of(Status::WORDS));
        let classroom = parameters.optional("classroomId", id);
        Some(Self { page: page?, status: status?, classroom: classroom? })
    }
}

/// Lists the organization's jobs, newest first, without manifests.
///
/// While there is more, the header `Link` has the address of the next page with `rel="next"`; it keeps the filters. A page
/// may have fewer jobs than `limit`, or none, and a next one: a request looks at 10,000 jobs at most.
#[utoipa::path(
    get, path = "/v1/content/integrations/expansions", tag = "Expansions",
    operation_id = "listExpansions", security(("contentKey" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Jobs on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on, from the link to the next page", min_length = 1, max_length = 200),
        ("status" = Option<Status>, Query, description = "Only `queued`, `processing`, `completed` or `failed` jobs"),
        ("classroomId" = Option<String>, Query, description = "Only jobs for this classroom", format = Uuid),
        ("createdAfter" = Option<String>, Query, description = "Only jobs that were created after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only jobs that were created before this instant", format = DateTime),
    ),
    responses(
        (
            status = 200, description = "The jobs of the page", body = Vec<ListedExpansionJob>,
            headers(("Link" = String, description = "RFC 8288: the `next` page; absent on the last one"))
        ),
        (status = 400, description = "The query is invalid; every fault is listed", body = ContentErrorBody),
        (status = 404, description = "There is no such classroom", body = ContentErrorBody),
    )
)]
pub async fn list(State(content): State<Content>, key: ContentKey, query: Query) -> Result<Answer, Problem> {
    let parts = content.clone();
    content
        .door
        .read_by_key(key, "expansions.list", move |tx, caller| {
            let organization = organization_of(caller)?;
            let filter = query.read(Filter::read)?;
            let list = format!("expansions {organization}");
            let span = filter.page.span(&parts.cursors, &list)?;
            if let Some(classroom) = filter.classroom {
                load_place(tx, organization, classroom)?;
            }
            let (ids, next) = page(tx, organization, &filter, span)?;
            let jobs = rows::find_all(tx, organization, &ids)?.into_iter().map(ListedExpansionJob::from);
            let answer = Answer::ok(&jobs.collect::<Vec<_>>());
            let Some(next) = next else { return Ok(answer) };
            let next = query.link(parts.links.base(), &[("cursor", &parts.cursors.write(&list, &next))]);
            let link = HeaderValue::from_str(&format!("<{next}>; rel=\"next\"")).map_err(Problem::unexpected)?;
            Ok(answer.with_header(LINK, link))
        })
        .await
}

/// The ids of a page, and where the next one goes on.
fn page(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    filter: &Filter,
    span: Span,
) -> Result<(Vec<String>, Option<Position>), StoreError> {
    let scanned_to = match (filter.status, filter.classroom) {
        (None, None) => None,
        _ => last_scanned(tx, organization, &span)?,
    };
    let end = scanned_to.filter(|row| *row >= span.to);
    let Span { from, to } = span.up_to(end.as_ref());
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    let mut found = tx.query(
        "SELECT created_at, id FROM expansion
         WHERE organization_id = $1 AND (created_at, id) < ($2, $3) AND (created_at, id) >= ($4, $5)
            AND (CAST($6 AS TEXT) IS NULL OR status = $6) AND (CAST($7 AS TEXT) IS NULL OR classroom_id = $7)
         ORDER BY created_at DESC, id DESC LIMIT $8",
        &[
            &organization,
            &from.created_at,
            &from.id,
            &to.created_at,
            &to.id,
            &filter.status,
            &filter.classroom,
            &one_more,
        ],
        Position::from_row,
    )?;
    let next = cut(&mut found, filter.page.limit, end, Clone::clone);
    Ok((found.into_iter().map(|row| row.id).collect(), next))
}

/// The last row that a request looks at; `None` where the list ends before.
fn last_scanned(tx: &mut Tx<'_>, organization: OrganizationId, span: &Span) -> Result<Option<Position>, StoreError> {
    let passed = i64::try_from(MOST_SCANNED - 1).unwrap_or(i64::MAX);
    tx.find(
        "SELECT created_at, id FROM expansion WHERE organization_id = $1 AND (created_at, id) < ($2, $3)
         ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $4",
        &[&organization, &span.from.created_at, &span.from.id, &passed],
        Position::from_row,
    )
}

#[cfg(test)]
mod tests;
