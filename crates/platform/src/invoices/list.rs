//! `GET /v1/platform/workspaces/{id}/invoices`.

use axum::extract::State;
use billing::invoices::page;
use edge::answer::Answer;
use edge::paging::limit;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::{Query, integer};
use invoices::Invoice;
use serde::Serialize;

use super::workspace_of;
use crate::Platform;
use crate::callers::{self, Credential};

/// A part of a workspace's invoices.
#[derive(Serialize, utoipa::ToSchema)]
pub struct InvoicePage {
    /// The invoices, newest first.
    items: Vec<Invoice>,
    /// How many there are.
    #[schema(minimum = 0)]
    total: i64,
}

/// Lists a workspace's invoices, newest first. A key sees those of its own workspace.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}/invoices", tag = "Workspaces", operation_id = "listInvoices",
    params(
        ("limit" = Option<u32>, Query, description = "Invoices in the answer, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("offset" = Option<u64>, Query, description = "How many to pass over; 0 when it is absent", minimum = 0),
    ),
    responses((status = 200, description = "A part of the list", body = InvoicePage))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "invoices.list", move |tx, caller| {
        let (limit, offset) = query.read(|parameters| {
            let limit = limit(parameters);
            let offset = parameters.optional("offset", integer(0..=i64::MAX.unsigned_abs()));
            Some((limit?, offset?.unwrap_or(0)))
        })?;
        let workspace = workspace_of(tx, caller, &id)?;
        let (items, total) = page(tx, workspace, limit, offset)?;
        Ok(Answer::ok(&InvoicePage { items, total }))
    })
    .await
}
