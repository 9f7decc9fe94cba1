//! Rich text as editors and content systems keep it in JSON: nodes with a kind, a text and marks.
//!
//! Known are the trees of Contentful, ProseMirror (TipTap, Atlassian), Slate and Lexical, the blocks of Notion, Sanity (Portable
//! Text) and Editor.js, and the paragraphs of Google Docs. A run of nodes is written as HTML, which is read like any other. Nodes of other kinds
//! are left to whoever asks: they may be code, pictures or questions of the author's own making.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::kinds::is_for_teachers;
use super::names::fold;

/// Deepest node that is read.
const DEEPEST: usize = 24;
/// Members that rich text does not have.
const FURTHER: [&str; 10] =
    ["title", "columns", "headers", "caption", "question", "options", "answer", "innerHTML", "definition", "term"];
/// Most marks of a run, and most definitions of a block, that are looked at.
const MOST_MARKS: usize = 100;
/// Deepest list within lists.
const DEEPEST_LIST: u64 = 4;
/// Lexical's format bits.
const LEXICAL: [(u64, &str); 3] = [(1, "strong"), (2, "em"), (16, "code")];

/// A part of a list of nodes.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Html(String),
    /// A node of no known kind, by its place.
    Other(usize),
}

/// The HTML of a node, and its place among others.
enum NodeHtml {
    Block(String),
    Item {
        level: u64,
        ordered: bool,
        html: String,
    },
    /// Nothing is to be seen, as in a rule.
    Nothing,
}

/// The nodes of a document that an object is: `{"type": "doc", "content": […]}`.
pub(super) fn nodes(object: &Map<String, Value>) -> Option<(&'static str, &[Value])> {
    let kind = kind_of(object)?;
    let is_document = ["document", "doc", "root"].contains(&fold(kind).as_str());
    let (name, values) = children_of(object).filter(|_| is_document)?;
    pieces(values).map(|_| (name, values))
}

/// The parts of a list of nodes; `None` where most of them are no rich text.
pub(super) fn pieces(values: &[Value]) -> Option<Vec<Piece>> {
    if !values.iter().any(holds_runs) {
        return None;
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut list: Vec<(u64, bool, String)> = Vec::new();
    let mut known = 0;
    let add = |piece: Piece, pieces: &mut Vec<Piece>| match (pieces.last_mut(), piece) {
        (Some(Piece::Html(html)), Piece::Html(more)) => html.push_str(&more),
        (_, piece) => pieces.push(piece),
    };
    for (at, value) in values.iter().enumerate() {
        let written = value.as_object().and_then(|node| write_node(node, DEEPEST));
        known += usize::from(written.is_some());
        if !matches!(written, Some(NodeHtml::Item { .. })) && !list.is_empty() {
            add(Piece::Html(write_list(&std::mem::take(&mut list))), &mut pieces);
        }
        match written {
            Some(NodeHtml::Block(html)) => add(Piece::Html(html), &mut pieces),
            Some(NodeHtml::Item { level, ordered, html }) => list.push((level, ordered, html)),
            Some(NodeHtml::Nothing) => {}
            None => add(Piece::Other(at), &mut pieces),
        }
    }
    if !list.is_empty() {
        add(Piece::Html(write_list(&list)), &mut pieces);
    }
    (known * 2 >= values.len()).then_some(pieces)
}

/// The entry that a node embeds, where its own kind is not known.
pub(super) fn embedded(node: &Value) -> Option<&Value> {
    node.get("data")?.get("target").filter(|target| target.is_object())
}

/// Whether a node holds runs of text: rich text has them, and no other list of objects with kinds.
fn holds_runs(value: &Value) -> bool {
    let Some(node) = value.as_object() else { return false };
    let editor = node.get("data").and_then(|data| data.get("text")).is_some_and(Value::is_string);
    if editor && kind_of(node).is_some_and(|kind| ["paragraph", "header"].contains(&kind)) {
        return true;
    }
    if let Some(elements) = elements_of(node) {
        return elements.iter().any(|element| element.get("textRun").is_some());
    }
    let payload = kind_of(node).and_then(|kind| node.get(kind)).and_then(Value::as_object);
    let runs = payload.and_then(|payload| payload.get("rich_text")).and_then(Value::as_array);
    let is_run = |run: &Value| text_of_run(run).is_some();
    runs.is_some_and(|runs| runs.iter().any(is_run))
        || kind_of(node).is_some()
            && children_of(node).is_some_and(|(_, children)| {
                children.iter().any(|child| is_run(child) && child.get("text").is_none_or(Value::is_string))
                    || children.iter().any(holds_runs)
            })
}

fn kind_of(node: &Map<String, Value>) -> Option<&str> {
    ["nodeType", "_type", "type", "blockName"].iter().find_map(|name| node.get(*name)?.as_str())
}

fn children_of(node: &Map<String, Value>) -> Option<(&'static str, &[Value])> {
    ["content", "children", "innerBlocks"]
        .into_iter()
        .find_map(|name| Some((name, node.get(name)?.as_array()?.as_slice())))
}

/// The elements of a paragraph of Google Docs.
fn elements_of(node: &Map<String, Value>) -> Option<&Vec<Value>> {
    node.get("paragraph")?.get("elements")?.as_array()
}

fn write_node(node: &Map<String, Value>, deepest: usize) -> Option<NodeHtml> {
    let deepest = deepest.checked_sub(1)?;
    let own = kind_of(node).and_then(|kind| node.get(kind)).and_then(Value::as_object);
    if is_for_teachers(node) || own.is_some_and(is_for_teachers) {
        return Some(NodeHtml::Nothing);
    }
    if let Some(elements) = elements_of(node) {
        return Some(write_paragraph(node.get("paragraph")?, elements));
    }
    if let Some(rows) = node.get("table").and_then(|table| table.get("tableRows")).and_then(Value::as_array) {
        let cells = |row: &Value| {
            let cells = row.get("tableCells").and_then(Value::as_array).into_iter().flatten();
            cells.map(|cell| inside(cell.get("content"), deepest)).collect()
        };
        return Some(NodeHtml::Block(write_table(&rows.iter().map(cells).collect::<Vec<_>>(), true)));
    }
    if node.contains_key("sectionBreak") {
        return Some(NodeHtml::Nothing);
    }
    let kind = kind_of(node)?;
    // Notion and Editor.js keep what a block holds in an object of its own.
    let data = node.get("data").and_then(Value::as_object).filter(|data| !data.is_empty());
    let payload = own.or(data).unwrap_or(node);
    // A node with further members is of the author's own making, and HTML would lose them.
    if FURTHER.iter().any(|name| node.get(*name).is_some_and(|value| !value.is_null())) {
        return None;
    }
    let children = children_of(node).or_else(|| children_of(payload)).map_or(&[][..], |(_, children)| children);
    let runs = payload.get("rich_text").and_then(Value::as_array);
    let text = || match (runs, data.and_then(|data| data.get("text")).and_then(Value::as_str)) {
        (Some(runs), _) => runs.iter().map(|run| write_run(run, node, deepest)).collect::<String>(),
        // Editor.js has HTML in its texts.
        (None, Some(html)) => html.to_owned(),
        (None, None) if children.is_empty() => payload_text(payload),
        (None, None) => children.iter().map(|child| write_run(child, node, deepest)).collect(),
    };
    let below = || if runs.is_some() { write_all(children, deepest) } else { String::new() };
    let block = |tag: &str| {
        let (text, below) = (text(), below());
        let is_empty = text.trim().is_empty() && below.is_empty();
        Some(if is_empty { NodeHtml::Nothing } else { NodeHtml::Block(format!("<{tag}>{text}</{tag}>{below}")) })
    };
    let item = |ordered: bool, level: u64| {
        let html = format!("{}{}", text(), below());
        Some(NodeHtml::Item { level: level.min(DEEPEST_LIST), ordered, html })
    };
    let folded = fold(kind);
    let bare = folded.trim_start_matches("core").trim_end_matches(|sign: char| sign.is_ascii_digit());
    match bare {
        "block" => {
            let level = node.get("level").and_then(Value::as_u64).unwrap_or(1).saturating_sub(1);
            match (node.get("listItem").and_then(Value::as_str), node.get("style").and_then(Value::as_str)) {
                (Some(list), _) => item(list == "number", level),
                (None, Some(style @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))) => block(style),
                (None, Some("blockquote")) => block("blockquote"),
                (None, _) => block("p"),
            }
        }
        "paragraph" | "p" => block("p"),
        "heading" | "header" | "h" => {
            let level = level_of(kind, payload).or_else(|| level_of(kind, node)).unwrap_or(3);
            block(&format!("h{}", level.clamp(1, 6)))
        }
        "blockquote" | "quote" => block("blockquote"),
        "callout" | "panel" | "toggle" if runs.is_some() => block("p"),
        "bulletedlistitem" | "todo" => item(false, 0),
        "numberedlistitem" => item(true, 0),
        "unorderedlist" | "bulletlist" | "bulletedlist" | "orderedlist" | "numberedlist" | "list" => {
            let said =
                ["listType", "style", "tag"].iter().find_map(|name| payload.get(*name)?.as_str()).unwrap_or_default();
            let ordered = bare.starts_with("ordered")
                || bare.starts_with("numbered")
                || ["number", "ordered", "ol"].contains(&said);
            let items = children.iter().map(|child| (0, ordered, inside(Some(child), deepest)));
            let plain = payload.get("items").and_then(Value::as_array).into_iter().flatten();
            let plain = plain.map(|item| {
                // Editor.js has HTML in its items.
                let text = item.as_str().or_else(|| text_of_run(item)).unwrap_or_default();
                (0, ordered, text.to_owned())
            });
            Some(NodeHtml::Block(write_list(&items.chain(plain).collect::<Vec<_>>())))
        }
        "codeblock" | "code" => {
            let own = payload.get("code").and_then(Value::as_str);
            let code = own.map_or_else(|| plain(runs.map_or(children, Vec::as_slice)), str::to_owned);
            let attributes = payload.get("attrs").and_then(Value::as_object).unwrap_or(payload);
            let language = attributes.get("language").and_then(Value::as_str).unwrap_or_default();
            let language =
                if language.is_empty() { String::new() } else { format!(" class=\"language-{}\"", escape(language)) };
            (!code.is_empty()).then(|| NodeHtml::Block(format!("<pre><code{language}>{}</code></pre>", escape(&code))))
        }
        "table" => {
            let rows = children.iter().chain(payload.get("rows").and_then(Value::as_array).into_iter().flatten());
            let rows: Vec<Vec<String>> = rows.map(|row| cells_of(row, deepest)).collect();
            let headed = payload.get("has_column_header").and_then(Value::as_bool).unwrap_or(true);
            (!rows.is_empty()).then(|| NodeHtml::Block(write_table(&rows, headed)))
        }
        "equation" | "math" | "mathblock" | "blockmath" => {
            let formula =
                ["expression", "latex", "formula", "value"].iter().find_map(|name| payload.get(*name)?.as_str())?;
            Some(NodeHtml::Block(format!("<p>\\[{}\\]</p>", escape(formula))))
        }
        "hr" | "divider" | "horizontalrule" | "rule" | "delimiter" => Some(NodeHtml::Nothing),
        _ => None,
    }
}

/// A paragraph of Google Docs.
fn write_paragraph(paragraph: &Value, elements: &[Value]) -> NodeHtml {
    let html: String = elements.iter().map(|element| write_run(element, &Map::new(), DEEPEST)).collect();
    let html = html.trim();
    let style = paragraph["paragraphStyle"]["namedStyleType"].as_str().unwrap_or_default();
    if html.is_empty() {
        return NodeHtml::Nothing;
    }
    if let Some(bullet) = paragraph.get("bullet") {
        let level = bullet["nestingLevel"].as_u64().unwrap_or_default().min(DEEPEST_LIST);
        return NodeHtml::Item { level, ordered: false, html: html.to_owned() };
    }
    let tag = match style {
        "TITLE" => "h1",
        "HEADING_1" | "SUBTITLE" => "h2",
        "HEADING_2" => "h3",
        style if style.starts_with("HEADING") => "h4",
        _ => "p",
    };
    NodeHtml::Block(format!("<{tag}>{html}</{tag}>"))
}

/// The HTML of a cell's or an item's content.
fn inside(value: Option<&Value>, deepest: usize) -> String {
    match value {
        Some(Value::Array(values)) => write_all(values, deepest),
        Some(Value::Object(node)) => match children_of(node) {
            Some((_, children)) => write_all(children, deepest),
            None => write_run(&Value::Object(node.clone()), node, deepest),
        },
        Some(Value::String(text)) => escape(text),
        _ => String::new(),
    }
}

/// Nodes within another one: blocks where they are some, and runs of text elsewhere. Of a single paragraph, only its text.
fn write_all(values: &[Value], deepest: usize) -> String {
    let mut html = String::new();
    let mut list: Vec<(u64, bool, String)> = Vec::new();
    for value in values {
        let Some(node) = value.as_object() else { continue };
        let written = write_node(node, deepest);
        if !matches!(written, Some(NodeHtml::Item { .. })) {
            html.push_str(&write_list(&std::mem::take(&mut list)));
        }
        match written {
            Some(NodeHtml::Block(block)) => html.push_str(&block),
            Some(NodeHtml::Item { level, ordered, html }) => list.push((level, ordered, html)),
            Some(NodeHtml::Nothing) => {}
            None => html.push_str(&write_run(value, node, deepest.saturating_sub(1))),
        }
    }
    html.push_str(&write_list(&list));
    let only = html.strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>")).filter(|html| !html.contains("<p>"));
    only.map_or_else(|| html.clone(), str::to_owned)
}

/// The cells of a row.
fn cells_of(row: &Value, deepest: usize) -> Vec<String> {
    let cells = row
        .get("cells")
        .or_else(|| row.get("table_row")?.get("cells"))
        .or_else(|| row.get("content"))
        .or_else(|| row.get("children"));
    let cells = cells.or(Some(row)).and_then(Value::as_array).into_iter().flatten();
    cells
        .map(|cell| match cell {
            // Notion's cells are runs of text.
            Value::Array(runs) => runs.iter().map(|run| write_run(run, &Map::new(), deepest)).collect(),
            cell => inside(Some(cell), deepest),
        })
        .collect()
}

fn write_table(rows: &[Vec<String>], headed: bool) -> String {
    let mut html = "<table>".to_owned();
    for (at, row) in rows.iter().enumerate() {
        let tag = if headed && at == 0 { "th" } else { "td" };
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<{tag}>{cell}</{tag}>");
        }
        html.push_str("</tr>");
    }
    html + "</table>"
}

/// Items with their levels as lists within one another.
fn write_list(items: &[(u64, bool, String)]) -> String {
    let Some((first, ordered, _)) = items.first() else { return String::new() };
    let tag = if *ordered { "ol" } else { "ul" };
    let mut html = format!("<{tag}>");
    let mut at = 0;
    while let Some((_, _, item)) = items.get(at) {
        let deeper = items[at + 1..].iter().take_while(|(level, ..)| level > first).count();
        let _ = write!(html, "<li>{item}{}</li>", write_list(&items[at + 1..at + 1 + deeper]));
        at += 1 + deeper;
    }
    let _ = write!(html, "</{tag}>");
    html
}

/// The text of a run, without its marks.
fn text_of_run(run: &Value) -> Option<&str> {
    let run = run.get("textRun").unwrap_or(run);
    let text = ["plain_text", "text", "value", "content"].iter().find_map(|name| run.get(*name)?.as_str());
    text.or_else(|| run.get("text")?.get("content")?.as_str())
}

/// The text of a node that has no runs.
fn payload_text(payload: &Map<String, Value>) -> String {
    let text = ["text", "content", "value"].iter().find_map(|name| payload.get(*name)?.as_str());
    text.map(escape).unwrap_or_default()
}

/// The texts of runs one behind the other.
fn plain(runs: &[Value]) -> String {
    let text = |run: &Value| match run.get("type").and_then(Value::as_str).map(fold).as_deref() {
        Some("hardbreak" | "linebreak") => "\n".to_owned(),
        _ => text_of_run(run).unwrap_or_default().to_owned(),
    };
    runs.iter().map(text).collect()
}

/// A run of text with its marks as HTML, or the runs within a link.
fn write_run(run: &Value, block: &Map<String, Value>, deepest: usize) -> String {
    let Some(deepest) = deepest.checked_sub(1) else { return String::new() };
    let Some(node) = run.as_object() else { return run.as_str().map(escape).unwrap_or_default() };
    let kind = kind_of(node).map(fold).unwrap_or_default();
    if ["hardbreak", "linebreak"].contains(&kind.as_str()) {
        return "<br>".to_owned();
    }
    let formula = node.get("equation").map(|equation| equation.get("expression").unwrap_or(equation));
    let attributed = || node.get("attrs")?.get("latex");
    if let Some(formula) = formula.or_else(attributed).and_then(Value::as_str) {
        return format!("\\({}\\)", escape(formula));
    }
    let mut html = match (text_of_run(run), children_of(node)) {
        (Some(text), _) => escape(text),
        (None, Some((_, children))) => children.iter().map(|child| write_run(child, block, deepest)).collect(),
        (None, None) => return String::new(),
    };
    for tag in marks_of(node) {
        html = format!("<{tag}>{html}</{tag}>");
    }
    match link_of(node, block) {
        Some(href) => format!("<a href=\"{}\">{html}</a>", escape(href)),
        None => html,
    }
}

/// The elements that the marks of a run stand for.
fn marks_of(run: &Map<String, Value>) -> Vec<&'static str> {
    let named = |name: &str| match fold(name).as_str() {
        "bold" | "strong" | "b" => Some("strong"),
        "italic" | "em" | "i" => Some("em"),
        "code" => Some("code"),
        "sup" | "superscript" => Some("sup"),
        "sub" | "subscript" => Some("sub"),
        _ => None,
    };
    let marks = run.get("marks").and_then(Value::as_array).into_iter().flatten().take(MOST_MARKS);
    let listed = marks.filter_map(|mark| mark.as_str().or_else(|| mark.get("type")?.as_str())).filter_map(named);
    let styled = ["annotations", "textStyle"].iter().filter_map(|name| run.get(*name)?.as_object());
    let inner = run.get("textRun").and_then(|inner| inner.get("textStyle")).and_then(Value::as_object);
    let flags = styled.chain(inner).chain([run]).flatten().filter(|(_, value)| **value == Value::Bool(true));
    let format = run.get("format").and_then(Value::as_u64).unwrap_or_default();
    let bits = LEXICAL.into_iter().filter(|(bit, _)| format & bit != 0).map(|(_, tag)| tag);
    let mut tags: Vec<&'static str> = Vec::new();
    for tag in listed.chain(flags.filter_map(|(name, _)| named(name))).chain(bits) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

/// Where a run leads.
fn link_of<'v>(run: &'v Map<String, Value>, block: &'v Map<String, Value>) -> Option<&'v str> {
    let text = |value: Option<&'v Value>| value.and_then(Value::as_str);
    let within = |name: &str, inner: &str| run.get(name).and_then(|value| value.get(inner));
    let marked = || {
        let marks = run.get("marks")?.as_array().filter(|marks| marks.len() <= MOST_MARKS)?;
        let of_mark = marks.iter().find_map(|mark| mark.get("attrs")?.get("href")?.as_str());
        // Portable Text names what the block defines.
        let defined = || {
            block
                .get("markDefs")?
                .as_array()?
                .iter()
                .take(MOST_MARKS)
                .find(|known| marks.contains(&known["_key"]))?
                .get("href")?
                .as_str()
        };
        of_mark.or_else(defined)
    };
    text(run.get("href"))
        .or_else(|| text(run.get("url")))
        .or_else(|| text(within("data", "uri")))
        .or_else(|| text(within("fields", "url")))
        .or_else(|| text(run.get("textRun")?.get("textStyle")?.get("link")?.get("url")))
        .or_else(marked)
}

/// The level of a heading, by its kind ("heading_2") or by what it says of itself.
fn level_of(kind: &str, node: &Map<String, Value>) -> Option<u64> {
    let digit = |text: &str| text.chars().next_back()?.to_digit(10).map(u64::from);
    let own = || node.get("level").and_then(Value::as_u64);
    let attributed = || node.get("attrs")?.get("level")?.as_u64();
    digit(kind).or_else(own).or_else(attributed).or_else(|| digit(node.get("tag")?.as_str()?))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The HTML of nodes that are rich text and nothing else.
    fn html(values: &Value) -> String {
        match pieces(values.as_array().unwrap()).as_deref() {
            Some([Piece::Html(html)]) => html.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn editors_trees_become_html() {
        let prosemirror = json!([
            { "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "Cells" }] },
            { "type": "paragraph", "content": [{ "type": "text", "text": "A " }, { "type": "text", "text": "cell", "marks": [{ "type": "bold" }] },
                { "type": "text", "text": " < 1 mm" }] },
            { "type": "bulletList", "content": [{ "type": "listItem", "content": [{ "type": "paragraph", "content": [{ "type": "text", "text": "one" }] }] }] },
            { "type": "codeBlock", "attrs": { "language": "rust" }, "content": [{ "type": "text", "text": "a < b" }] },
        ]);
        assert_eq!(
            html(&prosemirror),
            "<h2>Cells</h2><p>A <strong>cell</strong> &lt; 1 mm</p><ul><li>one</li></ul>\
             <pre><code class=\"language-rust\">a &lt; b</code></pre>"
        );
        let lexical = json!([
            { "type": "heading", "tag": "h3", "children": [{ "type": "text", "text": "Cells", "format": 0 }] },
            { "type": "paragraph", "children": [{ "type": "text", "text": "cell", "format": 1 }, { "type": "link", "url": "https://example.org",
                "children": [{ "type": "text", "text": "more" }] }] },
        ]);
        assert_eq!(
            html(&lexical),
            "<h3>Cells</h3><p><strong>cell</strong><a href=\"https://example.org\">more</a></p>"
        );
    }

    #[test]
    fn content_systems_blocks_become_html() {
        let portable = json!([
            { "_type": "block", "style": "h2", "children": [{ "_type": "span", "text": "Cells", "marks": [] }] },
            { "_type": "block", "style": "normal", "listItem": "bullet", "level": 1, "children": [{ "_type": "span", "text": "one", "marks": ["strong"] }] },
            { "_type": "block", "style": "normal", "listItem": "bullet", "level": 2, "markDefs": [{ "_key": "k", "href": "https://example.org" }],
                "children": [{ "_type": "span", "text": "two", "marks": ["k"] }] },
        ]);
        assert_eq!(
            html(&portable),
            "<h2>Cells</h2><ul><li><strong>one</strong><ul><li><a href=\"https://example.org\">two</a></li></ul></li></ul>"
        );
        let run = |text: &str| json!([{ "type": "text", "text": { "content": text }, "annotations": { "bold": false }, "plain_text": text, "href": null }]);
        let notion = json!([
            { "object": "block", "type": "heading_2", "heading_2": { "rich_text": run("Cells") } },
            { "object": "block", "type": "numbered_list_item", "numbered_list_item": { "rich_text": run("one") } },
            { "object": "block", "type": "table", "table": { "has_column_header": true }, "children": [
                { "type": "table_row", "table_row": { "cells": [run("Part"), run("Role")] } },
                { "type": "table_row", "table_row": { "cells": [run("Wall"), run("holds")] } } ] },
        ]);
        assert_eq!(
            html(&notion),
            "<h2>Cells</h2><ol><li>one</li></ol><table><tr><th>Part</th><th>Role</th></tr><tr><td>Wall</td><td>holds</td></tr></table>"
        );
    }

    #[test]
    fn google_docs_paragraphs_become_html() {
        let paragraph = |style: &str, text: &str, bold: bool| {
            json!({ "paragraph": { "paragraphStyle": { "namedStyleType": style },
                "elements": [{ "textRun": { "content": text, "textStyle": { "bold": bold } } }] } })
        };
        let cell = |text: &str| json!({ "content": [paragraph("NORMAL_TEXT", text, false)] });
        let docs = json!([
            paragraph("HEADING_2", "Cells\n", false),
            paragraph("NORMAL_TEXT", "A cell.\n", true),
            { "table": { "tableRows": [{ "tableCells": [cell("Part\n"), cell("Role\n")] }] } },
        ]);
        assert_eq!(
            html(&docs),
            "<h3>Cells</h3><p><strong>A cell.\n</strong></p><table><tr><th>Part</th><th>Role</th></tr></table>"
        );
    }

    #[test]
    fn nodes_of_other_kinds_keep_their_place_and_other_lists_are_no_documents() {
        let values = json!([
            { "_type": "block", "style": "normal", "children": [{ "_type": "span", "text": "A cell.", "marks": [] }] },
            { "_type": "quizQuestion", "question": "Which one?" },
        ]);
        let found = pieces(values.as_array().unwrap()).unwrap();
        assert_eq!(found, [Piece::Html("<p>A cell.</p>".to_owned()), Piece::Other(1)]);
        for values in [
            json!([{ "type": "paragraph", "text": "A cell." }]),
            json!([{ "type": "single", "question": "Which one?", "options": ["x", "y"] }]),
            json!([{ "title": "Cells", "content": "A cell." }]),
            json!([{ "type": "page", "content": [{ "type": "paragraph", "text": "A cell." }] }]),
        ] {
            assert_eq!(pieces(values.as_array().unwrap()), None, "{values}");
        }
    }
}
