//! `GET /v1/platform/submissions`: beyond the document, the tests that a workspace's learners handed in.

use axum::extract::State;
use edge::answer::Answer;
use edge::cursor::{CursorQuery, Position, Span, cut};
use edge::problem::Problem;
use edge::query::{Parameters, Query, id, text};
use kernel::id::{TestId, WorkspaceId};
use serde::Serialize;
use store::{Record as _, StoreError, Tx, sql};

use super::row::Submission;
use super::view::SubmissionSummary;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::named::workspace_in_query;

/// The id of a registration, a colon, and an id of the platform.
const LONGEST_LEARNER_ID: usize = 36 + 1 + lti::LONGEST_ID;

/// A page of submissions.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmissionPage {
    /// The submissions without their items, newest first.
    items: Vec<SubmissionSummary>,
    /// The `cursor` of the next page; null at the end of the list.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Which submissions a request asks for.
struct Filter {
    page: CursorQuery,
    learner: Option<String>,
    test: Option<TestId>,
}

/// Lists a workspace's submissions, newest first. Ask for the next page with `nextCursor` as `cursor` and the same filters, until
/// it is null.
#[utoipa::path(
    get, path = "/v1/platform/submissions", tag = "Submissions", operation_id = "listSubmissions",
    params(
        ("limit" = Option<u32>, Query, description = "Submissions on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("learnerId" = Option<String>, Query, description = "Only those of this learner", min_length = 1, max_length = 292),
        ("testId" = Option<String>, Query, description = "Only those of this test"),
        ("createdAfter" = Option<String>, Query, description = "Only those that were handed in after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only those that were handed in before this instant", format = DateTime),
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses((status = 200, description = "A page of the list", body = SubmissionPage))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    let parts = platform.clone();
    callers::read(&platform.door, credential, "submissions.list", move |tx, caller| {
        let (named, filter) = query.read(read)?;
        let workspace = caller.workspace(tx, named)?;
        let list = format!("submissions {workspace}");
        let span = filter.page.span(&parts.cursors, &list)?;
        let mut found = find(tx, workspace, &filter, &span)?;
        let place = |row: &Submission| Position { created_at: row.submitted_at, id: row.id.to_string() };
        let next = cut(&mut found, filter.page.limit, None, place);
        let items = found.into_iter().map(|row| SubmissionSummary::split(row).1).collect();
        let next_cursor = next.map(|next| parts.cursors.write(&list, &next));
        Ok(Answer::ok(&SubmissionPage { items, next_cursor }))
    })
    .await
}

fn read(parameters: &mut Parameters<'_>) -> Option<(Option<WorkspaceId>, Filter)> {
    let page = CursorQuery::read(parameters);
    let learner = parameters.optional("learnerId", text(1..=LONGEST_LEARNER_ID));
    let test = parameters.optional("testId", id::<TestId>);
    let named = workspace_in_query(parameters);
    let filter = Filter { page: page?, learner: learner?, test: test? };
    Some((named?, filter))
}

/// One row more than a page has. An index leads to each filter's rows; a learner has few submissions.
fn find(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    filter: &Filter,
    Span { from, to }: &Span,
) -> Result<Vec<Submission>, StoreError> {
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    let Filter { learner, test, .. } = filter;
    macro_rules! page {
        ($condition:literal) => {
            sql!(
                "SELECT {Submission::*} FROM submission WHERE workspace_id = {workspace} AND " $condition "
                    AND (submitted_at, id) < ({from.created_at}, {from.id})
                    AND (submitted_at, id) >= ({to.created_at}, {to.id})
                 ORDER BY submitted_at DESC, id DESC LIMIT {one_more}"
            )
            .query(tx, Submission::from_row)
        };
    }
    match (learner, test) {
        (Some(_), _) => {
            page!("learner_id = {filter.learner} AND (CAST({filter.test} AS TEXT) IS NULL OR test_id = {filter.test})")
        }
        (None, Some(_)) => page!("test_id = {filter.test}"),
        (None, None) => page!("1 = 1"),
    }
}
