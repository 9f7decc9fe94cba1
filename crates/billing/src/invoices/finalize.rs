//! Makes the invoices of months that have ended.

use std::time::Duration;

use invoices::{Buyer, Carries, Draft, Figures, Terms};
use kernel::id::WorkspaceId;
use kernel::time::Day;
use store::{Json, Store, StoreError, Tx, Value, sql};

use super::scan::scan;
use crate::caps::periods;

/// What began before a month ended is committed by then.
const GRACE: Duration = Duration::from_secs(3600);
/// Workspaces in one read.
const WORKSPACES: i64 = 100;

/// Finds who buys; `None` where there is no such workspace.
pub type BuyerOf = fn(&mut Tx<'_>, WorkspaceId) -> Result<Option<Buyer>, StoreError>;

/// A workspace, its last invoice, and how many transfers it has.
struct Customer {
    workspace: WorkspaceId,
    entries: i64,
    last_month: Option<Day>,
    resume: i64,
}

/// Makes an invoice for each month that ended an hour ago or more and has any transfers of credits or work; how many. A month that
/// has one is left alone.
///
/// # Errors
/// Any [`StoreError`].
pub async fn finalize(store: &Store, terms: &Terms, buyer_of: BuyerOf) -> Result<u64, StoreError> {
    let (mut after, mut made) = (String::new(), 0);
    loop {
        let (customers, current) = store
            .read("invoices.customers", move |tx| {
                let current = periods(tx.now().minus(GRACE)).1;
                Ok::<_, StoreError>((customers(tx, &after)?, current))
            })
            .await?;
        let Some(last) = customers.last() else { return Ok(made) };
        after = last.workspace.to_string();
        for customer in customers {
            made += finalize_one(store, terms, buyer_of, &customer, current).await?;
        }
    }
}

fn customers(tx: &mut Tx<'_>, after: &str) -> Result<Vec<Customer>, StoreError> {
    sql!(
        "SELECT b.workspace_id, b.entries, i.month, coalesce(i.resume_sequence, 0)
         FROM (SELECT workspace_id, entries FROM ledger_balance WHERE workspace_id > {after}
               ORDER BY workspace_id LIMIT {WORKSPACES}) AS b
         LEFT JOIN invoice AS i ON i.workspace_id = b.workspace_id
            AND i.month = (SELECT max(month) FROM invoice AS n WHERE n.workspace_id = b.workspace_id)
         ORDER BY b.workspace_id"
    )
    .query(tx, |row| {
        let (workspace, entries) = (row.get(0)?, row.get(1)?);
        let last_month = row.get::<Option<i64>>(2)?.and_then(Day::from_number);
        Ok(Customer { workspace, entries, last_month, resume: row.get(3)? })
    })
}

async fn finalize_one(
    store: &Store,
    terms: &Terms,
    buyer_of: BuyerOf,
    customer: &Customer,
    current: Day,
) -> Result<u64, StoreError> {
    let mut made = 0;
    // Months come in order, and each resumes before the one that follows it.
    let scan = scan(store, customer.workspace, customer.resume, customer.entries).await?;
    let is_due = |month: &Day| *month < current && customer.last_month.is_none_or(|last| *month > last);
    for (month, figures) in scan.months.iter().filter(|(month, figures)| is_due(month) && !figures.is_empty()) {
        let next = periods(month.start().plus(Duration::from_secs(31 * 24 * 3600))).1;
        let (terms, figures, workspace, month) = (terms.clone(), figures.clone(), customer.workspace, *month);
        let resume = scan.resume_before(next);
        let issue = move |tx: &mut Tx<'_>| issue(tx, &terms, buyer_of, workspace, month, &figures, resume);
        made += u64::from(store.write("invoices.finalize", issue).await?);
    }
    Ok(made)
}

/// Numbers and stores the invoice of a month; whether it did, and no other process before.
fn issue(
    tx: &mut Tx<'_>,
    terms: &Terms,
    buyer_of: BuyerOf,
    workspace: WorkspaceId,
    month: Day,
    figures: &Figures,
    resume: i64,
) -> Result<bool, StoreError> {
    let last = sql!("SELECT month, carries FROM invoice WHERE workspace_id = {workspace} ORDER BY month DESC LIMIT 1")
        .find(tx, |row| Ok((row.get::<i64>(0)?, row.get::<Json<Carries>>(1)?)))?;
    if last.as_ref().is_some_and(|(last, _)| *last >= month.number()) {
        return Ok(false);
    }
    let Some(buyer) = buyer_of(tx, workspace)? else { return Ok(false) };
    let series = &terms.series;
    let sequence: i64 = sql!(
        "INSERT INTO invoice_series (series, last) VALUES ({series}, 1)
         ON CONFLICT (series) DO UPDATE SET last = invoice_series.last + 1 RETURNING last"
    )
    .find(tx, |row| row.get(0))?
    .unwrap_or(1);
    let (number, now) = (format!("{series}-{sequence:06}"), tx.now());
    let draft = Draft {
        workspace_id: workspace,
        month: month.to_string().get(..7).unwrap_or_default().to_owned(),
        issued_at: now.to_string(),
        buyer,
        figures: figures.clone(),
        carries: last.map(|(_, Json(carries))| carries).unwrap_or_default(),
    };
    let (invoice, carries) = terms.invoice(number.clone(), draft);
    let (document, carries) = (Value::json(&invoice)?, Value::json(&carries)?);
    let (month, total) = (month.number(), invoice.total.0);
    sql!(
        "INSERT INTO invoice (number, series, sequence, workspace_id, month, total_cents, carries, resume_sequence, document,
            created_at)
         VALUES ({number}, {series}, {sequence}, {workspace}, {month}, {total}, {carries}, {resume}, {document}, {now})"
    )
    .execute(tx)?;
    Ok(true)
}
