//! Plain text as markup and markup as plain text.
//!
//! Questions, options and answers are plain text here and marked-up text in other systems. On the way out
//! a text becomes inline markup, or a preformatted block where white space would be lost otherwise, so that
//! [`flatten`] gives the very same text back. On the way in, what plain text can't hold is noted.

mod elements;
mod flatten;
mod notes;

pub(crate) use flatten::{Flattener, GAP, flatten, flatten_html};
pub(crate) use notes::Notes;

use crate::xml::write::{Markup, escape};

/// The text as the content of a block of XHTML. [`flatten`] is its reverse.
pub(crate) fn markup(text: &str) -> Markup {
    if is_sensitive(text) {
        return Markup(format!("<pre>{}</pre>", escape(text)));
    }
    inline(text)
}

/// A part of a text that is not sensitive.
pub(crate) fn inline(text: &str) -> Markup {
    Markup(text.split('\n').map(escape).collect::<Vec<_>>().join("<br/>"))
}

/// The text as a block of XHTML.
pub(crate) fn block(text: &str) -> Markup {
    let Markup(content) = markup(text);
    if is_sensitive(text) { Markup(content) } else { Markup(format!("<p>{content}</p>")) }
}

/// Whether it reads the same as plain text and as HTML: one line, no white space that matters.
pub(crate) fn is_plain(text: &str) -> bool {
    !is_sensitive(text) && !text.contains('\n')
}

/// Whether white space in it would be collapsed or trimmed.
pub(crate) fn is_sensitive(text: &str) -> bool {
    let is_trimmed = |line: &str| line.starts_with(' ') || line.ends_with(' ');
    text.starts_with('\n')
        || text.ends_with('\n')
        || text.contains(['\t', '\r'])
        || text.contains("  ")
        || text.split('\n').any(is_trimmed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::xml::{is_character, parse};

    fn back(Markup(content): Markup) -> String {
        let root = parse(format!("<div>{content}</div>").as_bytes(), "a.xml").unwrap();
        let (text, notes) = flatten(&root);
        assert_eq!(notes, Notes::default());
        text
    }

    #[test]
    fn plain_lines_become_inline_markup_and_code_becomes_a_preformatted_block() {
        assert_eq!(markup("a < b\n& c").0, "a &lt; b<br/>&amp; c");
        assert_eq!(markup("if x:\n    y").0, "<pre>if x:\n    y</pre>");
        assert_eq!(block("a").0, "<p>a</p>");
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_was(text in "([a-c<&;ü\u{a0}]| |\n|\t|\r){0,12}|\\PC{0,20}") {
            prop_assume!(text.chars().all(is_character));
            prop_assert_eq!(back(markup(&text)), text.clone());
            prop_assert_eq!(back(block(&text)), text);
        }
    }
}
