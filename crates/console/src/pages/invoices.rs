//! The invoices of a workspace.

use askama::Template;

use super::Page;
use super::organizations::frame;
use crate::api::workspaces::{Invoice, InvoicePage};
use crate::fields::Filters;
use crate::owner::Owner;
use crate::shell::Shell;
use crate::visit::{Visit, page};

/// Invoices of a page: two years.
const LIMIT: usize = 24;

#[derive(Template)]
#[template(path = "invoices.html")]
struct InvoicesPage {
    shell: Shell,
    owner: Owner,
    invoices: Vec<Invoice>,
    total: i64,
    page: usize,
    has_more: bool,
}

pub(crate) async fn list(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let number: usize = filters.get("page").parse().unwrap_or(1).clamp(1, 1000);
    let offset = (number - 1) * LIMIT;
    let path = format!("/v1/platform/workspaces/{}/invoices?limit={LIMIT}&offset={offset}", owner.id);
    let InvoicePage { items, total } = visit.read("listInvoices", &path).await?;
    let shell = frame(&visit, &owner, "Invoices", "Invoices").await?;
    let has_more = offset + items.len() < usize::try_from(total).unwrap_or(0);
    // A number leads into a path; one that is none is no invoice's.
    let invoices = items.into_iter().filter(|invoice| !invoice.number.contains(['/', '?', '#'])).collect();
    Ok(page(&InvoicesPage { shell, owner, invoices, total, page: number, has_more }))
}
