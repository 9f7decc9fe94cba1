//! Finds the rows of a page: one index leads, and the other filters are decided row by row.
//!
//! The index of the most selective filter leads ([`Lead::of`]). What remains to be filtered passes over a bounded number of
//! rows in a request, so that no combination of filters reads all of a large workspace.

use edge::cursor::{MOST_SCANNED, Position, Span, cut};
use kernel::id::WorkspaceId;
use store::{StoreError, ToColumn, Tx};

use super::Filter;
use crate::evaluations::Status;

/// The statements over one index: a page of the list, and the last row that a request looks at.
struct Statements {
    page: &'static str,
    last_scanned: &'static str,
}

/// Makes statements over a table or an index: where the rows are, their time and id, and the condition that the index serves
/// for a page and for `last_scanned`.
macro_rules! statements {
    ($from:literal, $created_at:literal, $id:literal, $page:literal, $last_scanned:literal) => {
        Statements {
            page: concat!(
                "SELECT ",
                $created_at,
                ", ",
                $id,
                " FROM ",
                $from,
                " WHERE ",
                $page,
                " AND (",
                $created_at,
                ", ",
                $id,
                ") < ($2, $3) AND (",
                $created_at,
                ", ",
                $id,
                ") >= ($4, $5)
                  AND (CAST($6 AS TEXT) IS NULL OR e.status = $6)
                  AND (CAST($7 AS TEXT) IS NULL OR e.evaluation_type = $7)
                  AND (CAST($8 AS TEXT) IS NULL OR e.learner_id = $8)
                  AND (CAST($9 AS TEXT) IS NULL OR EXISTS (
                        SELECT 1 FROM evaluation_concept t WHERE t.workspace_id = e.workspace_id AND t.concept = $9
                            AND t.created_at = e.created_at AND t.evaluation_id = e.id))
                  AND (CAST($10 AS BIGINT) IS NULL OR $10 = (
                        SELECT count(*) FROM evaluation_to_review t WHERE t.workspace_id = e.workspace_id
                            AND t.created_at = e.created_at AND t.evaluation_id = e.id))
                  AND (CAST($11 AS DOUBLE PRECISION) IS NULL OR e.confidence >= $11)
                  AND (CAST($12 AS DOUBLE PRECISION) IS NULL OR e.confidence <= $12)
                  ORDER BY ",
                $created_at,
                " DESC, ",
                $id,
                " DESC LIMIT $13"
            ),
            last_scanned: concat!(
                "SELECT ",
                $created_at,
                ", ",
                $id,
                " FROM ",
                $from,
                " WHERE ",
                $last_scanned,
                " AND (",
                $created_at,
                ", ",
                $id,
                ") < ($2, $3)
                  ORDER BY ",
                $created_at,
                " DESC, ",
                $id,
                " DESC LIMIT 1 OFFSET $4"
            ),
        }
    };
}

const BY_WORKSPACE: Statements =
    statements!("evaluation e", "e.created_at", "e.id", "e.workspace_id = $1", "e.workspace_id = $1");
const BY_LEARNER: Statements = statements!(
    "evaluation e",
    "e.created_at",
    "e.id",
    "e.workspace_id = $1 AND e.learner_id = $8",
    "e.workspace_id = $1 AND e.learner_id = $5"
);
const BY_STATUS: Statements = statements!(
    "evaluation e",
    "e.created_at",
    "e.id",
    "e.workspace_id = $1 AND e.status = $6 AND e.status <> 'COMPLETED'",
    "e.workspace_id = $1 AND e.status = $5 AND e.status <> 'COMPLETED'"
);
const BY_CONCEPT: Statements = statements!(
    "evaluation_concept i CROSS JOIN evaluation e",
    "i.created_at",
    "i.evaluation_id",
    "e.id = i.evaluation_id AND i.workspace_id = $1 AND i.concept = $9",
    "e.id = i.evaluation_id AND i.workspace_id = $1 AND i.concept = $5"
);
const TO_REVIEW: Statements = statements!(
    "evaluation_to_review i CROSS JOIN evaluation e",
    "i.created_at",
    "i.evaluation_id",
    "e.id = i.evaluation_id AND i.workspace_id = $1",
    "e.id = i.evaluation_id AND i.workspace_id = $1"
);

/// The index that leads to the rows.
struct Lead<'a> {
    statements: &'static Statements,
    /// What the index is searched for besides the workspace.
    key: Option<&'a dyn ToColumn>,
    /// How many filters it decides.
    decides: usize,
}

impl<'a> Lead<'a> {
    fn of(filter: &'a Filter) -> Self {
        let by = |statements, key: &'a dyn ToColumn| Self { statements, key: Some(key), decides: 1 };
        match filter {
            Filter { learner: Some(learner), .. } => by(&BY_LEARNER, learner),
            Filter { needs_review: Some(true), .. } => Self { statements: &TO_REVIEW, key: None, decides: 1 },
            Filter { concept: Some(concept), .. } => by(&BY_CONCEPT, concept),
            Filter { status: Some(status), .. } if *status != Status::Completed => by(&BY_STATUS, status),
            _ => Self { statements: &BY_WORKSPACE, key: None, decides: 0 },
        }
    }

    /// The last row that a request looks at; `None` where the list ends before.
    fn last_scanned(
        &self,
        tx: &mut Tx<'_>,
        workspace: WorkspaceId,
        from: &Position,
    ) -> Result<Option<Position>, StoreError> {
        let passed = i64::try_from(MOST_SCANNED - 1).unwrap_or(i64::MAX);
        let mut parameters: Vec<&dyn ToColumn> = vec![&workspace, &from.created_at, &from.id, &passed];
        parameters.extend(self.key);
        tx.find(self.statements.last_scanned, &parameters, Position::from_row)
    }
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
    // There are no stored questions yet that an evaluation could name.
    if filter.question.is_some() {
        return Ok((Vec::new(), None));
    }
    let lead = Lead::of(filter);
    let scanned_to = if filter.count() > lead.decides { lead.last_scanned(tx, workspace, &span.from)? } else { None };
    let end = scanned_to.filter(|row| *row >= span.to);
    let Span { from, to } = span.up_to(end.as_ref());
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    let mut found = tx.query(
        lead.statements.page,
        &[
            &workspace,
            &from.created_at,
            &from.id,
            &to.created_at,
            &to.id,
            &filter.status,
            &filter.evaluation_type,
            &filter.learner,
            &filter.concept,
            &filter.needs_review.map(i64::from),
            &filter.min_confidence,
            &filter.max_confidence,
            &one_more,
        ],
        Position::from_row,
    )?;
    let next = cut(&mut found, filter.page.limit, end, Clone::clone);
    Ok((found.into_iter().map(|row| row.id).collect(), next))
}
