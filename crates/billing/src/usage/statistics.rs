//! Sums of usage for the administrative statistics (platform-api, section 4).
//!
//! All of them read sums and never the rows of `usage`: what is rolled up (the shard '' of `usage_day`, or the
//! sums of it) and, found by an index of their own, the parts that are not.

use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use kernel::time::Day;
use store::{FromColumn, Group as _, Record, Row, StoreError, Tx, sql};

/// Whose usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All workspaces'.
    All,
    /// One workspace's.
    Workspace(WorkspaceId),
}

/// Which usage.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Whose.
    pub scope: Scope,
    /// From this UTC day on.
    pub from: Option<Day>,
    /// Up to this UTC day, which is included.
    pub until: Option<Day>,
    /// Of this service only; one that does not exist has none.
    pub service: Option<String>,
}

impl Filter {
    /// All usage of a scope.
    pub fn all_time(scope: Scope) -> Self {
        Self { scope, from: None, until: None, service: None }
    }

    /// The first day and the last.
    fn days(&self) -> (Day, Day) {
        (self.from.unwrap_or(Day::MIN), self.until.unwrap_or(Day::MAX))
    }
}

/// What usage adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Record)]
#[record(table = "usage_total")]
pub struct Sums {
    /// Pieces of work.
    pub requests: i64,
    /// What was taken from balances.
    #[column(name = "credit_cost_micros")]
    pub credit_cost: MicroUsd,
    /// All prices.
    #[column(name = "billable_micros")]
    pub billable: MicroUsd,
    /// All settled prices.
    #[column(name = "finalized_micros")]
    pub finalized: MicroUsd,
    /// Tokens that models read.
    pub input_tokens: i64,
    /// Tokens that models wrote.
    pub output_tokens: i64,
}

/// The columns of [`Sums`], added up by the database.
pub(crate) const ADDED_UP: &str = "
    sum(requests) AS requests, sum(credit_cost_micros) AS credit_cost_micros, sum(billable_micros) AS billable_micros,
    sum(finalized_micros) AS finalized_micros, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens";

impl Sums {
    /// Adds others to these.
    ///
    /// # Errors
    /// [`StoreError::Unexpected`] when a sum can't be held.
    pub fn add(&mut self, other: &Self) -> Result<(), StoreError> {
        let sum = || {
            Some(Self {
                requests: self.requests.checked_add(other.requests)?,
                credit_cost: self.credit_cost.checked_add(other.credit_cost)?,
                billable: self.billable.checked_add(other.billable)?,
                finalized: self.finalized.checked_add(other.finalized)?,
                input_tokens: self.input_tokens.checked_add(other.input_tokens)?,
                output_tokens: self.output_tokens.checked_add(other.output_tokens)?,
            })
        };
        *self = sum().ok_or_else(|| StoreError::Unexpected("a sum of usage is too large".into()))?;
        Ok(())
    }
}

/// The sums of a filter, one for each value of a column, in the order of the values.
macro_rules! sums_by {
    ($tx:ident, $filter:ident, $column:literal) => {{
        let Filter { scope, service, .. } = $filter;
        let (from, until) = $filter.days();
        match scope {
            Scope::All => sql!(
                "SELECT " $column ", {const ADDED_UP}
                 FROM (SELECT day, service, {Sums::*} FROM usage_service_day WHERE day BETWEEN {from} AND {until}
                       UNION ALL
                       SELECT day, service, {Sums::*} FROM usage_day
                       WHERE shard <> '' AND day BETWEEN {from} AND {until}) AS part
                 WHERE CAST({service} AS TEXT) IS NULL OR service = {service}
                 GROUP BY " $column " ORDER BY " $column
            )
            .query($tx, sums_of),
            Scope::Workspace(workspace) => sql!(
                "SELECT " $column ", {const ADDED_UP} FROM usage_day
                 WHERE workspace_id = {workspace} AND day BETWEEN {from} AND {until}
                    AND (CAST({service} AS TEXT) IS NULL OR service = {service})
                 GROUP BY " $column " ORDER BY " $column
            )
            .query($tx, sums_of),
        }
    }};
}

/// The usage by service, in the order of their names; services without any are left out. The sums of all are the totals.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_service(tx: &mut Tx<'_>, filter: &Filter) -> Result<Vec<(String, Sums)>, StoreError> {
    sums_by!(tx, filter, "service")
}

/// The usage by UTC day, in order; days without any are left out.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_day(tx: &mut Tx<'_>, filter: &Filter) -> Result<Vec<(Day, Sums)>, StoreError> {
    sums_by!(tx, filter, "day")
}

/// All-time usage of the workspaces that have most of it, at most `limit`, most requests first. With a scope of one
/// workspace: its own, if it has any.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_workspace(tx: &mut Tx<'_>, scope: Scope, limit: u32) -> Result<Vec<(WorkspaceId, Sums)>, StoreError> {
    match scope {
        Scope::All => sql!(
            "SELECT workspace_id, {const ADDED_UP}
             FROM (SELECT workspace_id, {Sums::*} FROM usage_total
                   UNION ALL
                   SELECT workspace_id, {Sums::*} FROM usage_day WHERE shard <> '') AS part
             GROUP BY workspace_id ORDER BY 2 DESC, 3 DESC, workspace_id LIMIT {limit}"
        )
        .query(tx, sums_of),
        Scope::Workspace(workspace) => sql!(
            "SELECT workspace_id, {const ADDED_UP} FROM usage_day
             WHERE workspace_id = {workspace} GROUP BY workspace_id LIMIT {limit}"
        )
        .query(tx, sums_of),
    }
}

/// Reads a row of what the sums are of, and the sums.
pub(crate) fn sums_of<T: FromColumn>(row: &Row<'_>) -> Result<(T, Sums), StoreError> {
    Ok((row.get(0)?, Sums::read_at(row, 1)?))
}
