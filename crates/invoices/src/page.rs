//! An invoice as a page to print, without script and without anything to load.

use std::fmt::Write as _;

use crate::{Invoice, Line};

/// The style of the page; who serves it allows it by its hash or as inline style.
const STYLE: &str = "body{font:14px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color:#111}\
h1{font-size:1.5em}h2{font-size:1.1em;margin:1.6em 0 .3em}table{border-collapse:collapse;width:100%;margin:1em 0}\
th,td{text-align:start;padding:.3em .5em;border-bottom:1px solid #bbb}\
td.n,th.n{text-align:end;font-variant-numeric:tabular-nums}\
tr.total td{font-weight:bold}.parties{display:flex;gap:0 3em;flex-wrap:wrap}p{margin:.2em 0}@media print{body{margin:0}}";

/// Writes an invoice.
pub fn write(invoice: &Invoice) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Invoice {number}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>Invoice {number}</h1>\n<p>Month: {month} (UTC)</p>\n<p>Issued: {issued}</p>\n<div class=\"parties\">\n",
        number = escape(&invoice.number),
        month = escape(&invoice.month),
        issued = escape(invoice.issued_at.get(..10).unwrap_or(&invoice.issued_at)),
    );
    let seller = std::iter::once(&invoice.seller.name).chain(&invoice.seller.address).chain(&invoice.seller.tax_ids);
    party(&mut page, "Seller", seller);
    let workspace = format!("Workspace {}", invoice.workspace_id);
    let buyer = std::iter::once(&invoice.buyer.name).chain(&invoice.buyer.email).chain([&workspace]);
    party(&mut page, "Customer", buyer);
    page.push_str("</div>\n");
    table(&mut page, "Sales of the month", &invoice.sales);
    sums(&mut page, invoice);
    table(&mut page, "Used in the month, sold or given before", &invoice.used);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn party<'a>(page: &mut String, title: &str, lines: impl Iterator<Item = &'a String>) {
    let _ = writeln!(page, "<section><h2>{title}</h2>");
    for line in lines {
        let _ = writeln!(page, "<p dir=\"auto\">{}</p>", escape(line));
    }
    page.push_str("</section>\n");
}

fn table(page: &mut String, title: &str, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>{title}</h2>\n<table>\n<tr><th>Item</th><th class=\"n\">Count</th><th class=\"n\">USD</th></tr>"
    );
    for Line { kind, count, amount } in lines {
        let item = kind.description();
        let _ = writeln!(page, "<tr><td>{item}</td><td class=\"n\">{count}</td><td class=\"n\">{amount}</td></tr>");
    }
    page.push_str("</table>\n");
}

fn sums(page: &mut String, invoice: &Invoice) {
    page.push_str("<table>\n");
    let mut row = |tag: &str, name: &str, amount: String| {
        let name = escape(name);
        let _ = writeln!(page, "<{tag}><td dir=\"auto\">{name}</td><td class=\"n\">{amount}</td></tr>");
    };
    row("tr", "Net", invoice.net.to_string());
    for tax in &invoice.taxes {
        row("tr", &format!("{} {} %", tax.name, tax.percent), tax.amount.to_string());
    }
    row("tr class=\"total\"", "Total USD", invoice.total.to_string());
    page.push_str("</table>\n");
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
