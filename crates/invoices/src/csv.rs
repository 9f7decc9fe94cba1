//! An invoice as CSV (RFC 4180): a row for each line, tax and sum.

use std::fmt::Write as _;

use crate::{Invoice, Line};

/// The columns.
const HEADER: [&str; 8] = ["number", "month", "workspaceId", "seller", "buyer", "item", "count", "amountUsd"];

/// Writes an invoice. A text that a spreadsheet would take for a formula begins with an apostrophe.
pub fn write(invoice: &Invoice) -> String {
    let mut csv = String::new();
    row(&mut csv, HEADER.map(str::to_owned));
    let mut item = |name: String, count: String, amount: String| {
        let workspace = invoice.workspace_id.to_string();
        let named = [&invoice.number, &invoice.month, &workspace, &invoice.seller.name, &invoice.buyer.name];
        let [number, month, workspace, seller, buyer] = named.map(|text| guarded(text));
        row(&mut csv, [number, month, workspace, seller, buyer, guarded(&name), count, amount]);
    };
    for Line { kind, count, amount } in invoice.sales.iter().chain(&invoice.used) {
        item(kind.as_str().to_owned(), count.to_string(), amount.to_string());
    }
    item("net".to_owned(), String::new(), invoice.net.to_string());
    for tax in &invoice.taxes {
        item(format!("{} {} %", tax.name, tax.percent), String::new(), tax.amount.to_string());
    }
    item("total".to_owned(), String::new(), invoice.total.to_string());
    csv
}

fn row(csv: &mut String, cells: [String; 8]) {
    for (index, cell) in cells.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let is_plain = !cell.contains(['"', ',', '\r', '\n']);
        let _ = match is_plain {
            true => write!(csv, "{comma}{cell}"),
            false => write!(csv, "{comma}\"{}\"", cell.replace('"', "\"\"")),
        };
    }
    csv.push_str("\r\n");
}

fn guarded(text: &str) -> String {
    // Also behind blanks, which some programs skip.
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r', '\n']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}
