//! `GET /v1/platform/workspaces/{id}/invoices/{number}`.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use billing::invoices::find;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::Query;
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue};
use invoices::{Invoice, csv, page, pdf};

use super::format::Format;
use super::workspace_of;
use crate::Platform;
use crate::callers::{self, Credential};

const NOT_FOUND: Problem = Problem::NotFound("Invoice");
const FORMATS: &str = "must be one of json, csv, html, pdf";

/// An invoice as JSON, CSV, page to print or PDF, as `.json`, `.csv`, `.html` or `.pdf` at the end of its number, `format` or `Accept`
/// say. A key sees those of its own workspace. An invoice never changes.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}/invoices/{number}", tag = "Workspaces", operation_id = "getInvoice",
    params(
        ("format" = Option<String>, Query, description = "`json`, `csv`, `html` or `pdf`, where neither the path nor `Accept` says so"),
    ),
    responses((status = 200, description = "The invoice", content(
        (Invoice = "application/json"), (String = "text/csv"), (String = "text/html"), (String = "application/pdf"),
    )))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params((id, number)): Params<(String, String)>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (invoice, format) = callers::read(&platform.door, credential, "invoices.get", move |tx, caller| {
        let (number, named) = Format::of_path(&number);
        let asked = query.read_known(|parameters| {
            parameters.optional("format", |text| Format::from_word(text).ok_or_else(|| FORMATS.to_owned()))
        })?;
        let workspace = workspace_of(tx, caller, &id)?;
        let found = if Format::is_number(number) { find(tx, workspace, number)? } else { None };
        let invoice = found.ok_or(NOT_FOUND)?;
        Ok((invoice, named.or(asked).unwrap_or_else(|| Format::accepted(&headers))))
    })
    .await?;
    match format {
        Format::Json => Ok(Answer::ok(&invoice).into_response()),
        Format::Csv => Ok(answer(format, &invoice, csv::write(&invoice).into_bytes())),
        Format::Html => Ok(answer(format, &invoice, page::write(&invoice).into_bytes())),
        Format::Pdf => {
            let (kept, drawn) = (invoice.clone(), move || pdf::write(&invoice));
            let bytes = tokio::task::spawn_blocking(drawn).await.map_err(Problem::unexpected)?;
            Ok(answer(format, &kept, bytes.map_err(Problem::unexpected)?))
        }
    }
}

fn answer(format: Format, invoice: &Invoice, body: Vec<u8>) -> Response {
    // Numbers are letters, digits, hyphens and underscores.
    let place = if format == Format::Html { "inline" } else { "attachment" };
    let name = format!("{place}; filename=\"{}.{}\"", invoice.number, format.as_str());
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    if let Ok(name) = HeaderValue::try_from(name) {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    response
}
