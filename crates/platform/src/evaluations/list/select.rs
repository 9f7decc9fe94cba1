//! Finds the rows of a page: one index leads, and the other filters are decided row by row.
//!
//! The index of the most selective filter leads ([`Lead::of`]). What remains to be filtered passes over a bounded number of
//! rows in a request, so that no combination of filters reads all of a large workspace.

use edge::cursor::{MOST_SCANNED, Position, Span, cut};
use kernel::id::WorkspaceId;
use store::{StoreError, Tx, sql};

use super::Filter;
use crate::evaluations::Status;

/// The index that leads to the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Workspace,
    Learner,
    Status,
    Concept,
    ToReview,
    Question,
    QuestionToReview,
}

impl Lead {
    fn of(filter: &Filter) -> Self {
        match filter {
            Filter { learner: Some(_), .. } => Self::Learner,
            Filter { question: Some(_), needs_review: Some(true), .. } => Self::QuestionToReview,
            Filter { question: Some(_), .. } => Self::Question,
            Filter { needs_review: Some(true), .. } => Self::ToReview,
            Filter { concept: Some(_), .. } => Self::Concept,
            Filter { status: Some(status), .. } if *status != Status::Completed => Self::Status,
            _ => Self::Workspace,
        }
    }

    /// How many filters it decides.
    fn decides(self) -> usize {
        match self {
            Self::Workspace => 0,
            Self::Learner | Self::Status | Self::Concept | Self::ToReview | Self::Question => 1,
            Self::QuestionToReview => 2,
        }
    }
}

/// Expands a macro of a statement with what it reads over an index: where the rows are, their time and id, and the condition
/// that the index serves.
macro_rules! over {
    ($lead:expr, $statement:ident) => {
        match $lead {
            Lead::Workspace => {
                $statement!("evaluation e", "e.created_at", "e.id", "e.workspace_id = {workspace}")
            }
            Lead::Learner => $statement!(
                "evaluation e",
                "e.created_at",
                "e.id",
                "e.workspace_id = {workspace} AND e.learner_id = {filter.learner}"
            ),
            Lead::Status => $statement!(
                "evaluation e",
                "e.created_at",
                "e.id",
                "e.workspace_id = {workspace} AND e.status = {filter.status} AND e.status <> 'COMPLETED'"
            ),
            Lead::Concept => $statement!(
                "evaluation_concept i CROSS JOIN evaluation e",
                "i.created_at",
                "i.evaluation_id",
                "e.id = i.evaluation_id AND i.workspace_id = {workspace} AND i.concept = {filter.concept}"
            ),
            Lead::ToReview => $statement!(
                "evaluation_to_review i CROSS JOIN evaluation e",
                "i.created_at",
                "i.evaluation_id",
                "e.id = i.evaluation_id AND i.workspace_id = {workspace}"
            ),
            Lead::Question => $statement!(
                "evaluation e",
                "e.created_at",
                "e.id",
                "e.workspace_id = {workspace} AND e.question_id = {filter.question}"
            ),
            Lead::QuestionToReview => $statement!(
                "evaluation_to_review i CROSS JOIN evaluation e",
                "i.created_at",
                "i.evaluation_id",
                "e.id = i.evaluation_id AND i.workspace_id = {workspace} AND i.question_id = {filter.question}"
            ),
        }
    };
}

/// The last row that a request looks at; `None` where the list ends before.
fn last_scanned(
    tx: &mut Tx<'_>,
    lead: Lead,
    workspace: WorkspaceId,
    filter: &Filter,
    from: &Position,
) -> Result<Option<Position>, StoreError> {
    let passed = i64::try_from(MOST_SCANNED - 1).unwrap_or(i64::MAX);
    macro_rules! last_scanned {
        ($from:literal, $created_at:literal, $id:literal, $condition:literal) => {
            sql!(
                "SELECT " $created_at ", " $id " FROM " $from " WHERE " $condition "
                    AND (" $created_at ", " $id ") < ({from.created_at}, {from.id})
                 ORDER BY " $created_at " DESC, " $id " DESC LIMIT 1 OFFSET {passed}"
            )
            .find(tx, Position::from_row)
        };
    }
    over!(lead, last_scanned)
}

/// The ids of a page, and where the next one goes on.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn page(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    filter: &Filter,
    span: Span,
) -> Result<(Vec<String>, Option<Position>), StoreError> {
    let lead = Lead::of(filter);
    let is_filtered = filter.count() > lead.decides();
    let scanned_to = if is_filtered { last_scanned(tx, lead, workspace, filter, &span.from)? } else { None };
    let end = scanned_to.filter(|row| *row >= span.to);
    let Span { from, to } = span.up_to(end.as_ref());
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    let needs_review = filter.needs_review.map(i64::from);
    macro_rules! page {
        ($from:literal, $created_at:literal, $id:literal, $condition:literal) => {
            sql!(
                "SELECT " $created_at ", " $id " FROM " $from " WHERE " $condition "
                    AND (" $created_at ", " $id ") < ({from.created_at}, {from.id})
                    AND (" $created_at ", " $id ") >= ({to.created_at}, {to.id})
                    AND (CAST({filter.status} AS TEXT) IS NULL OR e.status = {filter.status})
                    AND (CAST({filter.evaluation_type} AS TEXT) IS NULL OR e.evaluation_type = {filter.evaluation_type})
                    AND (CAST({filter.learner} AS TEXT) IS NULL OR e.learner_id = {filter.learner})
                    AND (CAST({filter.concept} AS TEXT) IS NULL OR EXISTS (
                        SELECT 1 FROM evaluation_concept t
                        WHERE t.workspace_id = e.workspace_id AND t.concept = {filter.concept}
                            AND t.created_at = e.created_at AND t.evaluation_id = e.id))
                    AND (CAST({needs_review} AS BIGINT) IS NULL OR {needs_review} = (
                        SELECT count(*) FROM evaluation_to_review t WHERE t.workspace_id = e.workspace_id
                            AND t.created_at = e.created_at AND t.evaluation_id = e.id))
                    AND (CAST({filter.question} AS TEXT) IS NULL OR e.question_id = {filter.question})
                    AND (CAST({filter.min_confidence} AS DOUBLE PRECISION) IS NULL
                        OR e.confidence >= {filter.min_confidence})
                    AND (CAST({filter.max_confidence} AS DOUBLE PRECISION) IS NULL
                        OR e.confidence <= {filter.max_confidence})
                 ORDER BY " $created_at " DESC, " $id " DESC LIMIT {one_more}"
            )
            .query(tx, Position::from_row)?
        };
    }
    let mut found = over!(lead, page);
    let next = cut(&mut found, filter.page.limit, end, Clone::clone);
    Ok((found.into_iter().map(|row| row.id).collect(), next))
}
