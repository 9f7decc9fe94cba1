//! A module's text made safe, and what that took away.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use markup::Sanitizer;

use crate::report::{Loss, Report};

/// How many origins of pictures are looked at.
const MAX_ORIGINS: usize = 200;
/// How many names a finding lists.
const MAX_NAMES: usize = 12;

/// Which pictures stay in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// None: the page must not load anything. Their descriptions stay.
    None,
    /// Those with an `https` address.
    OnTheWeb,
}

/// HTML or Markdown as safe HTML. What was taken away is reported under `file`.
pub(crate) fn content(text: &str, pictures: Pictures, file: &str, report: &mut Report) -> String {
    let safe = sanitizer(text, pictures).content(text).to_string();
    note_losses(text, &safe, file, report);
    safe
}

/// HTML as safe HTML. What was taken away is reported under `file`.
pub(super) fn html(text: &str, pictures: Pictures, file: &str, report: &mut Report) -> String {
    let safe = sanitizer(text, pictures).html(text).to_string();
    note_losses(text, &safe, file, report);
    safe
}

fn sanitizer(text: &str, pictures: Pictures) -> Sanitizer {
    Sanitizer::new(match pictures {
        Pictures::None => Vec::new(),
        Pictures::OnTheWeb => origins(text),
    })
}

/// The origins of all `https` addresses in a text.
fn origins(text: &str) -> Vec<String> {
    const SCHEME: &str = "https://";
    let ends = |c: char| c.is_whitespace() || "/?#\"'()<>\\".contains(c);
    let mut origins: Vec<String> = Vec::new();
    for (start, _) in text.match_indices(SCHEME) {
        let host = text[start + SCHEME.len()..].split(ends).next().unwrap_or_default();
        let origin = format!("{SCHEME}{}", host.to_lowercase());
        if origins.len() < MAX_ORIGINS && !host.is_empty() && !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    origins
}

/// Reports which elements and attributes are fewer than before.
fn note_losses(text: &str, after: &str, file: &str, report: &mut Report) {
    let before = names(text);
    let after = names(after);
    let is_fewer = |name: &str| before.get(name) > after.get(name);
    // That an element took its attributes along goes without saying.
    let is_worth_saying = |name: &str| name.split_once(' ').is_none_or(|(element, _)| !is_fewer(element));
    let names = before.keys().map(String::as_str);
    let lost: Vec<&str> = names.filter(|name| is_fewer(name) && is_worth_saying(name)).collect();
    if !lost.is_empty() {
        let mut list = lost[..lost.len().min(MAX_NAMES)].join(", ");
        if lost.len() > MAX_NAMES {
            list.push_str(" …");
        }
        report.add(file, Loss::Markup, format!("Markup that is not kept was removed: {list}."));
    }
    // A picture that stays away is a description, which is no element of the text. One of Markdown was none before.
    let is_described = after.get("span class") > before.get("span class") || after.get("img") > after.get("img src");
    let in_markdown = text.matches("![").count();
    if is_fewer("img src") || is_described || in_markdown > after.get("img src").copied().unwrap_or_default() {
        report.add(file, Loss::Media, "Pictures were left out; their descriptions are kept.");
    }
}

/// How often each element and attribute stands in some HTML. Headings of all levels are one, and so are the
/// parts of a document around its text, and a formula with all that it consists of.
fn names(html: &str) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut is_in_formula = false;
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let tag = match token {
            Ok(Token::StartTag(tag)) if !is_in_formula => tag,
            Ok(Token::EndTag(tag)) if *tag.name == *b"math" => {
                is_in_formula = false;
                continue;
            }
            _ => continue,
        };
        let element = String::from_utf8_lossy(&tag.name);
        if element == "math" {
            is_in_formula = !tag.self_closing;
            *names.entry("math".to_owned()).or_default() += 1;
            continue;
        }
        let element = match &*element {
            "html" | "head" | "body" | "meta" | "title" | "main" => continue,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
            other => other,
        };
        *names.entry(element.to_owned()).or_default() += 1;
        for attribute in tag.attributes.keys() {
            *names.entry(format!("{element} {}", String::from_utf8_lossy(attribute))).or_default() += 1;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(text: &str, pictures: Pictures) -> (String, Report) {
        let mut report = Report::default();
        let safe = content(text, pictures, "m.html", &mut report);
        (safe, report)
    }

    #[test]
    fn what_is_removed_is_reported() {
        let (safe, report) =
            safe("<h1>A</h1><p onclick='x()' style='color:red'>b<script>x()</script></p>", Pictures::None);
        assert_eq!(safe, "<h2>A</h2><p>b</p>");
        assert_eq!(report.findings.len(), 1);
        assert!(report.findings[0].message.ends_with("p onclick, p style, script."), "{report:?}");
    }

    #[test]
    fn a_formula_that_is_written_anew_is_no_loss() {
        let (safe, report) = safe(
            "<p>$x^2$ <math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mi>x</mi><annotation-xml><ci>x</ci></annotation-xml>\
             </semantics></math></p><pre><code class='language-python'>a</code></pre>",
            Pictures::None,
        );
        assert_eq!(safe.matches("<math ").count(), 2, "{safe}");
        assert!(report.is_empty(), "{report:?}");
    }

    #[test]
    fn pictures_on_the_web_stay_where_they_may() {
        for text in ["<p><img src=\"https://a.example/b.png\" alt=\"B\"></p>", "![B](https://a.example/b.png)"] {
            let (kept, report) = safe(text, Pictures::OnTheWeb);
            assert!(kept.contains("src=\"https://a.example/b.png\"") && report.is_empty(), "{kept} {report:?}");
            let (left, report) = safe(text, Pictures::None);
            assert!(!left.contains("src=") && left.contains('B'), "{left}");
            assert!(report.findings.iter().any(|finding| finding.code == Loss::Media), "{report:?}");
        }
    }
}
