//! Sums of usage for the administrative statistics (platform-api, section 4).
//!
//! All of them read sums and never the rows of `usage`: what is rolled up (the shard '' of `usage_day`, or the
//! sums of it) and, found by an index of their own, the parts that are not.

use kernel::id::WorkspaceId;
use kernel::money::MicroUsd;
use kernel::time::Day;
use store::{Row, StoreError, Tx};

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
}

/// What usage adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Pieces of work.
    pub requests: i64,
    /// What was taken from balances.
    pub credit_cost: MicroUsd,
    /// All prices.
    pub billable: MicroUsd,
    /// All settled prices.
    pub finalized: MicroUsd,
    /// Tokens that models read.
    pub input_tokens: i64,
    /// Tokens that models wrote.
    pub output_tokens: i64,
}

impl Sums {
    /// The first six columns.
    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            requests: row.get(0)?,
            credit_cost: row.get(1)?,
            billable: row.get(2)?,
            finalized: row.get(3)?,
            input_tokens: row.get(4)?,
            output_tokens: row.get(5)?,
        })
    }

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

/// The usage by service, in the order of their names; services without any are left out. The sums of all are the totals.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_service(tx: &mut Tx<'_>, filter: &Filter) -> Result<Vec<(String, Sums)>, StoreError> {
    let of_all = "
        SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros), sum(input_tokens),
            sum(output_tokens), service
        FROM (SELECT service, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens, output_tokens
              FROM usage_service_day WHERE day BETWEEN $1 AND $2
              UNION ALL
              SELECT service, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens, output_tokens
              FROM usage_day WHERE shard <> '' AND day BETWEEN $1 AND $2) AS part
        WHERE CAST($3 AS TEXT) IS NULL OR service = $3
        GROUP BY service ORDER BY service";
    let of_one = "
        SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros), sum(input_tokens),
            sum(output_tokens), service
        FROM usage_day
        WHERE workspace_id = $4 AND day BETWEEN $1 AND $2 AND (CAST($3 AS TEXT) IS NULL OR service = $3)
        GROUP BY service ORDER BY service";
    select(tx, filter, of_all, of_one, |row| row.get(6))
}

/// The usage by UTC day, in order; days without any are left out.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_day(tx: &mut Tx<'_>, filter: &Filter) -> Result<Vec<(Day, Sums)>, StoreError> {
    let of_all = "
        SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros), sum(input_tokens),
            sum(output_tokens), day
        FROM (SELECT day, service, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens,
                output_tokens
              FROM usage_service_day WHERE day BETWEEN $1 AND $2
              UNION ALL
              SELECT day, service, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens,
                output_tokens
              FROM usage_day WHERE shard <> '' AND day BETWEEN $1 AND $2) AS part
        WHERE CAST($3 AS TEXT) IS NULL OR service = $3
        GROUP BY day ORDER BY day";
    let of_one = "
        SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros), sum(input_tokens),
            sum(output_tokens), day
        FROM usage_day
        WHERE workspace_id = $4 AND day BETWEEN $1 AND $2 AND (CAST($3 AS TEXT) IS NULL OR service = $3)
        GROUP BY day ORDER BY day";
    select(tx, filter, of_all, of_one, |row| row.get(6))
}

fn select<T>(
    tx: &mut Tx<'_>,
    filter: &Filter,
    of_all: &'static str,
    of_one: &'static str,
    key: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<(T, Sums)>, StoreError> {
    let (from, until) = (filter.from.unwrap_or(Day::MIN), filter.until.unwrap_or(Day::MAX));
    let map = |row: &Row<'_>| Ok((key(row)?, Sums::from_row(row)?));
    match filter.scope {
        Scope::All => tx.query(of_all, &[&from, &until, &filter.service], map),
        Scope::Workspace(workspace) => tx.query(of_one, &[&from, &until, &filter.service, &workspace], map),
    }
}

/// All-time usage of the workspaces that have most of it, at most `limit`, most requests first. With a scope of one
/// workspace: its own, if it has any.
///
/// # Errors
/// Any [`StoreError`].
pub fn by_workspace(tx: &mut Tx<'_>, scope: Scope, limit: u32) -> Result<Vec<(WorkspaceId, Sums)>, StoreError> {
    let map = |row: &Row<'_>| Ok((row.get(6)?, Sums::from_row(row)?));
    match scope {
        Scope::All => tx.query(
            "SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros),
                sum(input_tokens), sum(output_tokens), workspace_id
             FROM (SELECT workspace_id, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens,
                     output_tokens
                   FROM usage_total
                   UNION ALL
                   SELECT workspace_id, requests, credit_cost_micros, billable_micros, finalized_micros, input_tokens,
                     output_tokens
                   FROM usage_day WHERE shard <> '') AS part
             GROUP BY workspace_id ORDER BY 1 DESC, 2 DESC, workspace_id LIMIT $1",
            &[&limit],
            map,
        ),
        Scope::Workspace(workspace) => tx.query(
            "SELECT sum(requests), sum(credit_cost_micros), sum(billable_micros), sum(finalized_micros),
                sum(input_tokens), sum(output_tokens), workspace_id
             FROM usage_day WHERE workspace_id = $1 GROUP BY workspace_id LIMIT $2",
            &[&workspace, &limit],
            map,
        ),
    }
}
