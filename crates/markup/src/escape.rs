//! Text as HTML, for whoever writes some: nothing of it is markup any more.

/// A text as HTML content or as an attribute's value.
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    escape_into(text, &mut html);
    html
}

pub(crate) fn escape_into(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
}
