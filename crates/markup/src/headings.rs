//! The headings of a content, for a table of contents: each gets an id, which a link can lead to.

use crate::SafeHtml;
use crate::allowed::heading_level;
use crate::entities;

/// The most headings that a table of contents names.
const MOST: usize = 200;
/// The deepest level that a table of contents names.
const DEEPEST: u8 = 3;
/// Begins the ids of headings that have none. No id of content begins so.
const ID_PREFIX: &str = "heading-";

/// A heading of a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 2 for the highest.
    pub level: u8,
    /// Where it stands.
    pub id: String,
    /// Its text, without markup but for formulas.
    pub text: SafeHtml,
}

impl SafeHtml {
    /// The same with an id at each of its upper headings, and these headings in order. Empty headings are left out.
    #[must_use]
    pub fn with_headings(&self) -> (Self, Vec<Heading>) {
        let (mut html, mut headings) = (String::with_capacity(self.0.len()), Vec::new());
        let mut rest = self.0.as_str();
        while let Some(tag) = Tag::next(rest) {
            let after = &rest[tag.end..];
            html.push_str(&rest[..tag.end - 1]);
            if let Some(heading) = heading(&tag, after, headings.len() + 1).filter(|_| headings.len() < MOST) {
                if tag.id().is_none() {
                    html.push_str(&format!(" id=\"{}\"", heading.id));
                }
                headings.push(heading);
            }
            html.push('>');
            rest = after;
        }
        html.push_str(rest);
        (Self(html), headings)
    }
}

/// A part of a content that ends with an outer section, or the rest behind the last one. Parts are whole only together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its HTML.
    pub html: SafeHtml,
    /// The plain text of the section's first heading; empty where there is none.
    pub title: String,
}

impl SafeHtml {
    /// The content cut behind each of its outer sections, in order.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let (mut parts, mut depth, mut from, mut at, mut title) = (Vec::new(), 0_usize, 0, 0, String::new());
        while let Some(tag) = Tag::next(&self.0[at..]) {
            at += tag.end;
            match tag.inside {
                "/section" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let html = Self(self.0[from..at].to_owned());
                        parts.push(Part { html, title: std::mem::take(&mut title) });
                        from = at;
                    }
                }
                _ if tag.name() == "section" => depth += 1,
                _ if depth > 0 && title.is_empty() => {
                    if let Some(found) = heading(&tag, &self.0[at..], 1) {
                        title = entities::decode(found.text.as_str()).trim().to_owned();
                    }
                }
                _ => {}
            }
        }
        parts.push(Part { html: Self(self.0[from..].to_owned()), title: String::new() });
        parts
    }
}

/// A tag of clean HTML, in which neither texts nor attributes hold a `<` or `>`.
pub(crate) struct Tag<'a> {
    /// Between `<` and `>`.
    pub(crate) inside: &'a str,
    /// Where the text goes on.
    pub(crate) end: usize,
}

impl<'a> Tag<'a> {
    pub(crate) fn next(html: &'a str) -> Option<Self> {
        let start = html.find('<')? + 1;
        let length = html[start..].find('>')?;
        Some(Self { inside: &html[start..start + length], end: start + length + 1 })
    }

    pub(crate) fn name(&self) -> &'a str {
        self.inside.split([' ', '/']).next().unwrap_or_default()
    }

    fn id(&self) -> Option<&'a str> {
        self.inside.split(" id=\"").nth(1)?.split('"').next()
    }
}

/// The heading that a tag opens.
fn heading(tag: &Tag<'_>, after: &str, number: usize) -> Option<Heading> {
    let level = heading_level(tag.name()).filter(|level| *level <= DEEPEST)?;
    let end = after.find(&format!("</h{level}>"))?;
    let text = line(&after[..end]);
    let id = tag.id().map_or_else(|| format!("{ID_PREFIX}{number}"), str::to_owned);
    (!text.trim().is_empty()).then_some(Heading { level, id, text: SafeHtml(text) })
}

/// The text of a piece of HTML; formulas stay what they are.
fn line(html: &str) -> String {
    let (mut line, mut rest) = (String::new(), html);
    while let Some(tag) = Tag::next(rest) {
        let start = tag.end - tag.inside.len() - 2;
        line.push_str(&rest[..start]);
        let mut end = tag.end;
        if tag.name() == "math" {
            let whole = rest[start..].find("</math>").map_or(tag.end, |at| start + at + "</math>".len());
            line.push_str(&rest[start..whole]);
            end = whole;
        } else if tag.name() == "br" {
            line.push(' ');
        }
        rest = &rest[end..];
    }
    line.push_str(rest);
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sanitizer;

    fn read(html: &str) -> (String, Vec<(u8, String, String)>) {
        let (html, headings) = Sanitizer::new(vec![]).html(html).with_headings();
        let headings = headings.into_iter().map(|one| (one.level, one.id, one.text.as_str().to_owned()));
        (html.as_str().to_owned(), headings.collect())
    }

    #[test]
    fn a_content_is_cut_behind_its_outer_sections() {
        let html = "<article><p>a</p><section><h2>One &amp; two</h2><section><h3>In</h3></section></section>\n<section><p>b</p></section>c</article>";
        let content = Sanitizer::new(vec![]).html(html);
        let parts = content.parts();
        let titles: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
        assert_eq!(titles, ["One & two", "", ""]);
        assert!(parts[0].html.as_str().ends_with("</section></section>") && parts[2].html.as_str() == "c</article>");
        assert_eq!(parts.iter().map(|part| part.html.as_str()).collect::<String>(), content.as_str());
    }

    #[test]
    fn headings_get_ids_and_keep_those_that_they_have() {
        let (html, headings) =
            read("<h1>One <em>&amp; two</em></h1><h2 id=own title=\"a<b>\">Three<br>four</h2><h3>Deep</h3>");
        assert_eq!(
            html,
            "<h2 id=\"heading-1\">One <em>&amp; two</em></h2><h3 id=\"content-own\" title=\"a&lt;b&gt;\">Three<br>four</h3><h4>Deep</h4>"
        );
        let expected = [(2, "heading-1", "One &amp; two"), (3, "content-own", "Three four")];
        assert_eq!(headings, expected.map(|(level, id, text)| (level, id.to_owned(), text.to_owned())));
    }

    #[test]
    fn an_empty_heading_and_a_content_without_any_name_nothing() {
        assert_eq!(read("<h2> </h2><p>a</p>"), ("<h2> </h2><p>a</p>".to_owned(), vec![]));
        assert_eq!(read("<p>a &lt; b</p>").0, "<p>a &lt; b</p>");
    }

    #[test]
    fn a_table_of_contents_has_an_end() {
        let (html, headings) = read(&"<h2>a</h2>".repeat(1000));
        assert_eq!((headings.len(), html.matches("<h2>").count()), (MOST, 1000 - MOST));
    }
}
