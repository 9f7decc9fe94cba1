//! Plain texts of customers as lines of a page: nothing of them is markup, but for formulas, which become MathML.

use std::fmt;

use askama::FastWritable;
use askama::filters::HtmlSafe;
use markup::formulas::inline_html;

use crate::texts::fill;

/// A line of HTML, made of a plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inline(String);

impl Inline {
    /// A text as it is shown.
    pub(crate) fn of(text: &str) -> Self {
        Self(inline_html(text).as_str().to_owned())
    }

    /// A text of the interface, with a line in the place of that name.
    pub(crate) fn filled(template: &str, name: &str, line: &Self) -> Self {
        Self(fill(&markup::escape(template), &[(name, &line.0)]))
    }

    /// Lines, one behind the other, each in its own direction.
    pub(crate) fn joined(lines: &[Self]) -> Self {
        Self(lines.iter().map(|line| format!("<bdi>{}</bdi>", line.0)).collect::<Vec<_>>().join(" · "))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Inline {}

impl FastWritable for Inline {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_markup_and_fills_no_place_of_its_own() {
        let line = Inline::of("<b>{answers}</b> & more");
        assert_eq!(line.to_string(), "&lt;b&gt;{answers}&lt;/b&gt; &amp; more");
        let formula = Inline::of("If $x<2$").to_string();
        assert!(formula.starts_with("If <math") && formula.contains("x&lt;2") && !formula.contains('$'), "{formula}");
        let filled = Inline::filled("Right & good: {answers}", "answers", &Inline::joined(&[line, Inline::of("x")]));
        let expected = "Right &amp; good: <bdi>&lt;b&gt;{answers}&lt;/b&gt; &amp; more</bdi> · <bdi>x</bdi>";
        assert_eq!(filled.to_string(), expected);
    }
}
