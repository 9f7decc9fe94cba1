//! `GET /v1/content/integrations/expansions`: the jobs of the key's organization, newest first, with a cursor.

mod job;

use axum::extract::State;
use edge::answer::Answer;
use edge::cursor::{CursorQuery, MOST_SCANNED, Position, Span, cut};
use edge::problem::{ContentErrorBody, Problem};
use edge::query::{Parameters, Query, id, one_of};
use http::HeaderValue;
use http::header::LINK;
use kernel::id::{ClassroomId, OrganizationId};
use store::{StoreError, Tx, sql};

use self::job::ListedExpansionJob;
use super::rows;
use crate::resources::{Status, load_place};
use crate::{Content, ContentKey, organization_of};

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
    let door = &content.door;
    door.read_by_key(key, "expansions.list", move |tx, caller| {
        let organization = organization_of(caller)?;
        let filter = query.read(Filter::read)?;
        let list = format!("expansions {organization}");
        let span = filter.page.span(&parts.cursors, &list)?;
        if let Some(classroom) = filter.classroom {
            load_place(tx, organization, classroom)?;
        }
        let (ids, next) = page(tx, organization, &filter, span)?;
        let jobs = rows::find_all(tx, organization, &ids)?.into_iter().map(|job| ListedExpansionJob::of(&job));
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
    let (status, classroom) = (filter.status, filter.classroom);
    let page = sql!(
        "SELECT created_at, id FROM expansion
         WHERE organization_id = {organization}
            AND (created_at, id) < ({from.created_at}, {from.id}) AND (created_at, id) >= ({to.created_at}, {to.id})
            AND (CAST({status} AS TEXT) IS NULL OR status = {status})
            AND (CAST({classroom} AS TEXT) IS NULL OR classroom_id = {classroom})
         ORDER BY created_at DESC, id DESC LIMIT {one_more}"
    );
    let mut found = page.query(tx, Position::from_row)?;
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
