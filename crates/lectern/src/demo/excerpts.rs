//! Readable pieces of the resources that the expansion made, printed from their JSON.

use std::io;

use serde_json::Value;

use super::page::{Page, shorten};

const OBJECTIVES: usize = 4;
const ITEMS: usize = 3;
const SCRIPT_CHARACTERS: usize = 260;

/// A module: its objectives and its size.
pub(super) fn module(page: &Page, module: &Value) -> io::Result<()> {
    let html = text(module, "content");
    page.heading(&format!("Module “{}”", text(module, "title")))?;
    page.remark(&format!(
        "{} of HTML, {} in between",
        count(html.chars().count(), "character", "characters"),
        count(items(module, "quizzes").len(), "quiz item", "quiz items"),
    ))?;
    list_items(html, "objectives").iter().take(OBJECTIVES).try_for_each(|objective| page.excerpt("•", objective))
}

/// A video: a scene from its middle.
pub(super) fn video(page: &Page, video: &Value) -> io::Result<()> {
    let scenes = items(video, "scenes");
    page.heading(&format!("Video “{}”", text(video, "title")))?;
    let seconds = video["targetDurationSeconds"].as_i64().unwrap_or_default();
    page.remark(&format!("{}, {} min {:02} s", count(scenes.len(), "scene", "scenes"), seconds / 60, seconds % 60))?;
    let Some(scene) = scenes.get(1).or_else(|| scenes.first()) else { return Ok(()) };
    let seconds = scene["duration"].as_f64().unwrap_or_default();
    page.excerpt(
        " ",
        &format!("Scene {}, {seconds:.0} s, on screen: {}", scene["sequence"], text(scene, "displayText")),
    )?;
    page.excerpt("“", &shorten(text(scene, "script"), SCRIPT_CHARACTERS))
}

/// A test: items of different types with their keys.
pub(super) fn test(page: &Page, test: &Value) -> io::Result<()> {
    let all = items(test, "items");
    page.heading(&format!("Test “{}”", text(test, "name")))?;
    let time_limit = test["timeLimit"].as_i64().unwrap_or_default();
    page.remark(&format!("{}, {time_limit} min", count(all.len(), "item", "items")))?;
    for (index, item) in of_different_types(all).iter().enumerate() {
        if index > 0 {
            page.excerpt(" ", "")?;
        }
        test_item(page, item)?;
    }
    Ok(())
}

fn test_item(page: &Page, item: &Value) -> io::Result<()> {
    page.excerpt(" ", &format!("{}. {}  ({})", item["sequence"], text(item, "question"), text(item, "type")))?;
    let keys: Vec<&str> = items(item, "correctAnswers").iter().filter_map(Value::as_str).collect();
    let options = items(item, "options");
    for option in options.iter().filter_map(Value::as_str) {
        page.excerpt(if keys.contains(&option) { "  (x)" } else { "  ( )" }, option)?;
    }
    if options.is_empty() {
        page.excerpt("  key:", &keys.join(" / "))?;
    }
    Ok(())
}

/// One item of each type, in their order, and then more of the first.
fn of_different_types(all: &[Value]) -> Vec<&Value> {
    let mut chosen: Vec<&Value> = Vec::new();
    for item in all {
        if chosen.len() < ITEMS && chosen.iter().all(|other| other["type"] != item["type"]) {
            chosen.push(item);
        }
    }
    for item in all {
        if chosen.len() < ITEMS && !chosen.iter().any(|other| std::ptr::eq(*other, item)) {
            chosen.push(item);
        }
    }
    chosen
}

/// How many pieces of the source a resource says it was made of.
pub(super) fn citations(resource: &Value) -> usize {
    items(&resource["metadata"], "sources").iter().map(|source| items(source, "pointers").len()).sum()
}

/// A text member, empty when it is missing.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// `1 item`, `2 items`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The texts of the list items in a section of our own, well-formed HTML.
fn list_items(html: &str, section: &str) -> Vec<String> {
    let start = html.find(&format!("<section id=\"{section}\"")).unwrap_or(html.len());
    let end = html[start..].find("</section>").map_or(html.len(), |length| start + length);
    let pieces = html[start..end].split("<li>").skip(1);
    pieces.map(|piece| plain(piece.split("</li>").next().unwrap_or_default())).collect()
}

fn plain(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(if text.is_empty() { piece } else { "" }, |(_, after)| after));
    }
    let references = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    references.iter().fold(text, |text, (reference, sign)| text.replace(reference, sign))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objectives_are_the_list_items_of_their_section() {
        let html = "<p>x</p><section id=\"objectives\"><ul><li>A &amp; <em>B</em> c</li><li>&#39;d&#39;</li></ul>\
                    </section><section id=\"other\"><ul><li>no</li></ul></section>";
        assert_eq!(list_items(html, "objectives"), ["A & B c", "'d'"]);
        assert!(list_items(html, "missing").is_empty());
    }

    #[test]
    fn items_of_different_types_are_shown_first() {
        let all = json!([{"type": "a"}, {"type": "a", "n": 2}, {"type": "b"}]);
        let chosen = of_different_types(all.as_array().unwrap());
        assert_eq!(chosen, [&json!({"type": "a"}), &json!({"type": "b"}), &json!({"type": "a", "n": 2})]);
    }

    #[test]
    fn citations_count_pointers() {
        let resource = json!({ "metadata": { "sources": [{ "pointers": ["/a", "/b"] }, { "pointers": ["/c"] }] } });
        assert_eq!(citations(&resource), 3);
        assert_eq!(citations(&json!({})), 0);
    }
}
