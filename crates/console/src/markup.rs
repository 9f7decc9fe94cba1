//! Pieces of HTML that the console makes itself. Every text of somebody else is escaped here, or by the templates.

use std::fmt::{self, Write as _};

use askama::FastWritable;
use askama::filters::HtmlSafe;
use kernel::time::Timestamp;
use qrcode::{Color, QrCode};

use crate::format;

/// HTML that is safe to show as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}

impl FastWritable for Html {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

/// A text as a QR code, which is dark on light in every look because scanners want it so; `None` where it is too long for one.
pub(crate) fn qr_code(text: &str, label: &str) -> Option<Html> {
    /// The light margin that scanners need, in modules.
    const MARGIN: usize = 4;
    let code = QrCode::new(text).ok()?;
    let (width, side) = (code.width(), code.width() + 2 * MARGIN);
    let mut path = String::new();
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            write!(path, "M{} {}h1v1h-1z", at % width + MARGIN, at / width + MARGIN).ok()?;
        }
    }
    let label = escape(label);
    Some(Html(format!(
        "<svg class=\"qr-code\" role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {side} {side}\">\
         <path class=\"paper\" d=\"M0 0h{side}v{side}h-{side}z\"/><path class=\"ink\" d=\"{path}\"/></svg>"
    )))
}

/// A text with the characters of HTML made harmless.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A time as a distance from now, with the whole time as its title.
pub(crate) fn time(wire: &str, now: Timestamp) -> Html {
    let Some(time) = Timestamp::parse_rfc3339(wire) else { return Html(escape(wire)) };
    Html(format!("<time datetime=\"{time}\" title=\"{}\">{}</time>", format::moment(time), format::relative(time, now)))
}

/// A bar that is filled to a part of one, with its text for screen readers.
pub(crate) fn bar(part: f64, tone: &str, label: &str) -> Html {
    let width = (part.clamp(0.0, 1.0) * 100.0).round();
    Html(format!(
        "<svg class=\"bar {}\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">\
         <rect class=\"bar-track\" width=\"100\" height=\"6\"/><rect class=\"bar-fill\" width=\"{width}\" height=\"6\"/></svg>",
        escape(tone),
        escape(label)
    ))
}

/// An icon of the console, by name, for decoration.
pub(crate) fn icon(name: &str) -> Html {
    let path = match name {
        "overview" => "M3 9.5 10 4l7 5.5V16a1 1 0 0 1-1 1h-4v-5H8v5H4a1 1 0 0 1-1-1z",
        "organizations" => "M3 17h14M5 17V5l6-2v14M11 8h4v9M7.5 7.5h1M7.5 10.5h1M7.5 13.5h1",
        "workspaces" => "M3 6h14v10H3zM7 6V4h6v2M3 10.5h14",
        "evaluations" => "M5 3h10v14H5zM8 7h4M8 10h4M8 13l1.2 1.2L12 11.5",
        "lti" => {
            "M8 12 6.5 13.5a2.5 2.5 0 0 1-3.5-3.5L6 7a2.5 2.5 0 0 1 3.5 0M12 8l1.5-1.5A2.5 2.5 0 0 1 17 10l-3 3a2.5 2.5 0 0 1-3.5 0M8 12l4-4"
        }
        "statistics" => "M4 16V9M10 16V4M16 16v-5M2.5 17.5h15",
        "operations" => "M3 10h3l2-5 4 10 2-5h3",
        "account" => "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.5-3 3-4.5 6-4.5s5.5 1.5 6 4.5",
        "users" => {
            "M7.5 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM2.5 16c.3-2.7 2.3-4 5-4s4.7 1.3 5 4M13 9.5a2.2 2.2 0 1 0-.5-4.3M14.5 12.2c1.7.4 2.8 1.6 3 3.8"
        }
        "docs" => "M4 4h5a2 2 0 0 1 2 2v11a2 2 0 0 0-2-1.5H4zM16 4h-3a2 2 0 0 0-2 2v11a2 2 0 0 1 2-1.5h3z",
        "components" => "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM14 11v6M11 14h6",
        "menu" => "M3 6h14M3 10h14M3 14h14",
        "exit" => "M8 4H4v12h4M12 6.5 15.5 10 12 13.5M15 10H8",
        "check" => "M4 10.5 8 14.5 16 6",
        _ => "M10 6v5M10 14h.01M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z",
    };
    Html(format!(
        "<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\"><path d=\"{path}\"/></svg>"
    ))
}

/// A text in which the passages that others quote are marked.
pub(crate) fn marked(text: &str, quotes: &[&str]) -> Html {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for quote in quotes.iter().filter(|quote| quote.chars().count() > 2) {
        if let Some(start) = text.find(quote) {
            spans.push((start, start + quote.len()));
        }
    }
    spans.sort_unstable();
    let (mut html, mut end) = (String::new(), 0);
    for (from, to) in spans {
        if from < end {
            continue;
        }
        let (before, passage) = (&text[end..from], &text[from..to]);
        let _ = write!(html, "{}<mark>{}</mark>", escape(before), escape(passage));
        end = to;
    }
    html.push_str(&escape(&text[end..]));
    Html(html)
}

/// The passages between quotation marks in a text. A quotation that ends with an ellipsis is taken without it.
pub(crate) fn quotations(text: &str) -> Vec<&str> {
    let pieces = text.split('“').skip(1).filter_map(|piece| piece.split_once('”'));
    pieces.map(|(quote, _)| quote.trim_end_matches(['…', '.', ' '])).filter(|quote| !quote.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_code_with_a_light_margin_and_the_longest_of_all_is_none() {
        let code = qr_code("otpauth://totp/Lectern:ann@example.com?secret=JBSWY3DP", "\"code\"").unwrap().to_string();
        assert!(code.contains("aria-label=\"&#34;code&#34;\" viewBox=\"0 0 41 41\""), "{code}");
        // The corners of the patterns by which scanners find a code.
        for corner in ["M4 4h1v1h-1z", "M36 4h1v1h-1z", "M4 36h1v1h-1z"] {
            assert!(code.contains(corner), "{corner}: {code}");
        }
        assert!(!code.contains("M3 ") && !code.contains("M37 "), "{code}");
        assert_eq!(qr_code(&"a".repeat(3000), ""), None);
    }

    #[test]
    fn quoted_passages_are_marked_and_everything_is_escaped() {
        let feedback = "Well said: “the <b>Sun</b> is near…” and “nothing of the answer”.";
        let quotes = quotations(feedback);
        assert_eq!(quotes, ["the <b>Sun</b> is near", "nothing of the answer"]);
        let html = marked("In summer the <b>Sun</b> is nearer & \"hot\".", &quotes).to_string();
        let expected = "In summer <mark>the &lt;b&gt;Sun&lt;/b&gt; is near</mark>er &amp; &#34;hot&#34;.";
        assert_eq!(html, expected);
    }

    #[test]
    fn overlapping_quotations_are_marked_once() {
        assert_eq!(marked("abcdef", &["abcd", "cdef"]).to_string(), "<mark>abcd</mark>ef");
    }

    #[test]
    fn a_time_that_is_none_is_shown_as_text() {
        let now = Timestamp::from_millis(0);
        assert_eq!(time("<script>", now).to_string(), "&lt;script&gt;");
    }
}
