//! The ledger of a workspace: every movement of its money, with the balance after it.

use askama::Template;
use axum::response::IntoResponse as _;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use super::Page;
use super::organizations::frame;
use crate::api::ledger::{Transfer, TransferPage};
use crate::fields::{Fields, Filters};
use crate::format::{self, Plain};
use crate::owner::Owner;
use crate::problem::ApiProblem;
use crate::shell::Shell;
use crate::visit::{Visit, page};

const FILTERS: [&str; 5] = ["limit", "cursor", "kind", "createdAfter", "createdBefore"];
/// Transfers of a page.
const LIMIT: &str = "50";
/// Transfers of a page of the API, where all of them are read.
const MOST: &str = "100";
/// The most pages of the API that a file is made of: 5,000 transfers.
const MOST_PAGES: usize = 50;

#[derive(Template)]
#[template(path = "ledger.html")]
struct LedgerPage {
    shell: Shell,
    owner: Owner,
    transfers: Vec<Transfer>,
    filters: Fields,
    csv: String,
    first: String,
    next: Option<String>,
}

impl LedgerPage {
    /// A change with its sign; a dash for none.
    fn signed(&self, amount: impl Plain<f64>) -> String {
        match amount.plain() {
            gain if gain > 0.0 => format!("+{}", format::usd(gain)),
            loss if loss < 0.0 => format::usd(loss),
            _ => "—".to_owned(),
        }
    }
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let TransferPage { items, next_cursor } = read(&visit, &owner, &filters, LIMIT).await?;
    let shell = frame(&visit, &owner, "Ledger", "Ledger").await?;
    let plain = filters.clone().with("cursor", "").with("limit", "").query(&FILTERS);
    let first = format!("{}{plain}", owner.page("/ledger"));
    let csv = format!("{}{plain}", owner.page("/ledger.csv"));
    let next = next_cursor.map(|cursor| {
        let more = filters.clone().with("limit", "").with("cursor", &cursor).query(&FILTERS);
        format!("{}{more}", owner.page("/ledger"))
    });
    Ok(page(&LedgerPage { shell, owner, transfers: items, filters, csv, first, next }))
}

/// A page of the API. Dates are whole days of UTC, both included.
async fn read(visit: &Visit, owner: &Owner, filters: &Fields, limit: &str) -> Result<TransferPage, ApiProblem> {
    let at = |name: &str, clock: &str| filters.given(name).map(|day| format!("{day}T{clock}Z")).unwrap_or_default();
    // Both instants are exclusive.
    let (after, before) = (at("createdAfter", "00:00:00"), at("createdBefore", "23:59:59.999"));
    let asked = filters.clone().with("createdAfter", &after).with("createdBefore", &before).with("limit", limit);
    let path = format!("/v1/platform/workspaces/{}/ledger{}", owner.id, asked.query(&FILTERS));
    visit.read("listLedgerTransfers", &path).await
}

pub(crate) async fn csv(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let mut text = "number,at,kind,from,to,amountUsd,balanceAfterUsd,evaluationId,reason\r\n".to_owned();
    let mut filters = filters.with("cursor", "");
    for _ in 0..MOST_PAGES {
        let TransferPage { items, next_cursor } = read(&visit, &owner, &filters, MOST).await?;
        items.iter().for_each(|transfer| text.push_str(&line(transfer)));
        let Some(next) = next_cursor else { break };
        filters = filters.with("cursor", &next);
    }
    let headers =
        [(CONTENT_TYPE, "text/csv; charset=utf-8"), (CONTENT_DISPOSITION, "attachment; filename=\"ledger.csv\"")];
    Ok((headers, text).into_response())
}

fn line(transfer: &Transfer) -> String {
    let balance = transfer.balance_after_usd.map(|balance| balance.to_string()).unwrap_or_default();
    let texts = [&transfer.created_at, &transfer.kind, &transfer.from, &transfer.to].map(|text| format::csv_cell(text));
    let evaluation = format::csv_cell(transfer.evaluation_id.as_deref().unwrap_or_default());
    let reason = format::csv_cell(transfer.reason.as_deref().unwrap_or_default());
    format!("{},{},{},{balance},{evaluation},{reason}\r\n", transfer.sequence, texts.join(","), transfer.amount_usd)
}
