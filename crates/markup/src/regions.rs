//! Tables, code and long formulas as regions that scroll by themselves where the window is narrow: each can be reached by keyboard and
//! has a name.

use std::fmt::Write as _;

use crate::SafeHtml;
use crate::entities;
use crate::escape::escape_into;
use crate::headings::Tag;

/// A formula with more characters may be wider than a phone.
const SHORTEST_WIDE_FORMULA: usize = 20;
/// Opens a region around another element; the style sheet knows its class.
const CLASS: &str = "scrolls";

/// The words for what scrolls, in the language of the page.
#[derive(Clone, Copy, Debug)]
pub struct RegionNames {
    /// A table.
    pub table: &'static str,
    /// Preformatted text.
    pub code: &'static str,
    /// A formula on a line of its own.
    pub formula: &'static str,
}

impl SafeHtml {
    /// The same with a named region around each table and each long formula; preformatted text is one itself. Names are numbered
    /// from 1 for each kind: no two regions of a content have the same name.
    #[must_use]
    pub fn with_regions(&self, names: &RegionNames) -> Self {
        let mut writer = Writer { names, html: String::with_capacity(self.0.len()), tables: 0, codes: 0, formulas: 0 };
        let (mut rest, mut depth) = (self.0.as_str(), 0_usize);
        while let Some(tag) = Tag::next(rest) {
            let start = tag.end - tag.inside.len() - 2;
            writer.html.push_str(&rest[..start]);
            let (element, after) = (&rest[start..tag.end], &rest[tag.end..]);
            rest = after;
            match tag.inside {
                "/table" => {
                    depth = depth.saturating_sub(1);
                    writer.html.push_str(element);
                    writer.html.push_str(if depth == 0 { "</div>" } else { "" });
                }
                _ if tag.name() == "table" => {
                    if depth == 0 {
                        writer.table(after);
                    }
                    depth += 1;
                    writer.html.push_str(element);
                }
                inside if tag.name() == "pre" => writer.code(inside, after),
                inside if tag.name() == "math" && inside.contains(" display=\"block\"") => {
                    let end = after.find("</math>").map_or(after.len(), |at| at + "</math>".len());
                    writer.formula(element, &after[..end]);
                    rest = &after[end..];
                }
                _ => writer.html.push_str(element),
            }
        }
        writer.html.push_str(rest);
        Self(writer.html)
    }
}

struct Writer<'a> {
    names: &'a RegionNames,
    html: String,
    tables: usize,
    codes: usize,
    formulas: usize,
}

impl Writer<'_> {
    /// Opens the region of the table that follows.
    fn table(&mut self, after: &str) {
        self.tables += 1;
        let caption = after.strip_prefix("<caption").and_then(|found| found.split_once('>')).map(|(_, text)| text);
        let caption = caption.and_then(|text| text.split_once("</caption>")).map(|(text, _)| plain(text));
        let name = name(self.names.table, self.tables, caption.as_deref().unwrap_or_default());
        let _ = write!(self.html, "<div class=\"{CLASS}\"");
        self.attributes(&name);
        self.html.push('>');
    }

    /// Writes the start of preformatted text.
    fn code(&mut self, inside: &str, after: &str) {
        self.codes += 1;
        let class = [inside, after.split('>').next().unwrap_or_default()]
            .into_iter()
            .find_map(|tag| tag.split(" class=\"language-").nth(1)?.split('"').next());
        let name = name(self.names.code, self.codes, class.unwrap_or_default());
        let _ = write!(self.html, "<{}", inside.trim_end());
        self.attributes(&name);
        self.html.push('>');
    }

    /// Writes a formula, in a region where it may be wide.
    fn formula(&mut self, element: &str, content: &str) {
        let shown = content.split("<annotation").next().unwrap_or_default();
        let is_wide = plain(shown).chars().filter(|sign| !sign.is_whitespace()).count() > SHORTEST_WIDE_FORMULA;
        if is_wide {
            self.formulas += 1;
            let name = name(self.names.formula, self.formulas, "");
            let _ = write!(self.html, "<span class=\"{CLASS}\"");
            self.attributes(&name);
            self.html.push('>');
        }
        self.html.push_str(element);
        self.html.push_str(content);
        self.html.push_str(if is_wide { "</span>" } else { "" });
    }

    fn attributes(&mut self, name: &str) {
        self.html.push_str(" role=\"region\" tabindex=\"0\" aria-label=\"");
        escape_into(name, &mut self.html);
        self.html.push('"');
    }
}

/// “Table 2: Organelles”.
fn name(kind: &str, number: usize, more: &str) -> String {
    let more = more.trim();
    if more.is_empty() { format!("{kind} {number}") } else { format!("{kind} {number}: {more}") }
}

/// The text of clean HTML.
fn plain(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    while let Some(tag) = Tag::next(rest) {
        text.push_str(&rest[..tag.end - tag.inside.len() - 2]);
        rest = &rest[tag.end..];
    }
    text.push_str(rest);
    entities::decode(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sanitizer;

    const NAMES: RegionNames = RegionNames { table: "Table", code: "Code", formula: "Formula" };

    fn read(html: &str) -> String {
        Sanitizer::new(vec![]).with_highlighting().html(html).with_regions(&NAMES).as_str().to_owned()
    }

    #[test]
    fn a_table_scrolls_in_a_region_that_its_caption_names() {
        let table = "<table><caption>A &amp; <em>\"b\"</em></caption><tbody><tr><td>x</td></tr></tbody></table>";
        assert_eq!(
            read(table),
            format!(
                "<div class=\"scrolls\" role=\"region\" tabindex=\"0\" aria-label=\"Table 1: A &amp; &quot;b&quot;\">{table}</div>"
            )
        );
        let nested = read(
            "<table><tbody><tr><td><table><tbody><tr><td>x</td></tr></tbody></table></td></tr></tbody></table><table></table>",
        );
        assert_eq!(nested.matches("class=\"scrolls\"").count(), 2, "{nested}");
        assert_eq!(nested.matches("</div>").count(), 2, "{nested}");
        assert!(nested.contains("aria-label=\"Table 2\""), "{nested}");
    }

    #[test]
    fn code_is_a_region_with_its_language() {
        let code = read("<pre>a</pre><pre><code class=\"language-c++\">int x;</code></pre>");
        assert!(code.starts_with("<pre role=\"region\" tabindex=\"0\" aria-label=\"Code 1\">a</pre>"), "{code}");
        assert!(code.contains("<pre role=\"region\" tabindex=\"0\" aria-label=\"Code 2: c++\"><code"), "{code}");
    }

    #[test]
    fn a_long_formula_scrolls_and_a_short_one_does_not() {
        let short = read("<p>$$a = b$$</p>");
        assert!(short.contains("display=\"block\"") && !short.contains("scrolls"), "{short}");
        let long = read("<p>$$a + b + c + d + e + f + g + h + i + j + k + l = m$$ x</p>");
        assert!(
            long.starts_with(
                "<p><span class=\"scrolls\" role=\"region\" tabindex=\"0\" aria-label=\"Formula 1\"><math"
            )
        );
        assert!(long.ends_with("</math></span> x</p>"), "{long}");
    }

    #[test]
    fn hostile_texts_stay_harmless() {
        for html in [
            "<table",
            "</table></table><table>",
            "<pre class=\"language-a\"><pre>",
            "<table><caption>\"onclick=x>&lt;b&gt;",
        ] {
            let safe = read(html);
            assert!(!safe.contains("<b>") && !safe.contains(": \"onclick"), "{safe}");
            assert_eq!(safe.matches("<div class=\"scrolls\"").count(), safe.matches("</div>").count(), "{safe}");
        }
    }
}
