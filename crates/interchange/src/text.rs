//! Plain text as markup and markup as plain text.
//!
//! Questions, options and answers are plain text here and marked-up text in other systems. On the way out
//! a text becomes inline markup, or a preformatted block where white space would be lost otherwise, so that
//! [`flatten`] gives the very same text back. Formulas become MathML, and come back as LaTeX between dollar signs. On the
//! way in, what plain text can't hold is noted.

mod elements;
mod flatten;
mod formula;
mod notes;

pub(crate) use flatten::{Flattener, GAP, flatten, flatten_html};
pub(crate) use notes::Notes;

use ::markup::formulas::{self, Part};

use crate::xml::write::{Markup, escape};

/// The namespace of formulas.
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";

/// The text as the content of a block of XHTML. [`flatten`] is its reverse.
pub(crate) fn markup(text: &str) -> Markup {
    if is_sensitive(text) {
        return Markup(format!("<pre>{}</pre>", with_formulas(text, escape)));
    }
    inline(text)
}

/// A part of a text that is not sensitive.
pub(crate) fn inline(text: &str) -> Markup {
    Markup(with_formulas(text, |text| text.split('\n').map(escape).collect::<Vec<_>>().join("<br/>")))
}

/// A text as markup, with `plain` for what is no formula.
fn with_formulas(text: &str, plain: impl Fn(&str) -> String) -> String {
    let part = |part| match part {
        Part::Text(text) => plain(text),
        Part::Formula { latex, display } => mathml(latex, display).unwrap_or_else(|| {
            let sign = if display { "$$" } else { "$" };
            plain(&format!("{sign}{latex}{sign}"))
        }),
    };
    formulas::parts(text).into_iter().map(part).collect()
}

/// A formula as XML; `None` when it can't be read, or when MathML would not keep its line ends.
fn mathml(latex: &str, display: bool) -> Option<String> {
    if latex.contains('\r') {
        return None;
    }
    let html = formulas::mathml(latex, display)?;
    Some(html.replacen("<math", &format!("<math xmlns=\"{MATHML}\""), 1))
}

/// Whether a text has formulas that other systems can show.
fn has_formula(text: &str) -> bool {
    let is_formula = |part| matches!(part, Part::Formula { latex, display } if mathml(latex, display).is_some());
    formulas::parts(text).into_iter().any(is_formula)
}

/// The text as a block of XHTML.
pub(crate) fn block(text: &str) -> Markup {
    let Markup(content) = markup(text);
    if is_sensitive(text) { Markup(content) } else { Markup(format!("<p>{content}</p>")) }
}

/// Whether it reads the same as plain text and as HTML: one line, no white space that matters, no formula.
pub(crate) fn is_plain(text: &str) -> bool {
    !is_sensitive(text) && !text.contains('\n') && !has_formula(text)
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

    #[test]
    fn formulas_become_mathml_and_come_back_as_latex() {
        let Markup(root) = markup("The root $\\sqrt{2}$ costs $5 or $7");
        assert!(
            root.starts_with(
                "The root <math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"inline\"><semantics>"
            ),
            "{root}"
        );
        assert!(root.ends_with("</math> costs $5 or $7"), "{root}");
        for text in [
            "The root $\\sqrt{2}$ costs $5 or $7",
            "$$\\begin{pmatrix} a & b \\\\\nc & d \\end{pmatrix}$$",
            "if x:\n    $y < 2$",
            "($x$, $y$)\n$z$",
            "  $x  +  y$  ",
            "$\\unknown{x}$",
            "$x$ $x$",
            "$x\r+ y$",
            "$$x\r\n+ y$$",
        ] {
            assert_eq!(back(markup(text)), text);
            assert_eq!(back(block(text)), text);
        }
        assert_eq!(back(markup("a \\(x + 1\\) and \\[x = 1\\]")), "a $x + 1$ and $$x = 1$$");
        assert!(is_plain("$5 or $7") && !is_plain("the root $\\sqrt{2}$"));
    }

    #[test]
    fn formulas_of_others_come_in_as_latex_or_as_their_signs() {
        let math = "<math display='block'><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation-xml><ci>a</ci></annotation-xml>\
                    <annotation encoding='TeX'> \\frac a b </annotation></semantics></math>";
        for (text, notes) in [flatten_html(math), flatten(&parse(math.as_bytes(), "a.xml").map(wrapped).unwrap())] {
            assert_eq!((text.as_str(), notes), ("$$\\frac a b$$", Notes::default()));
        }
        let (text, notes) = flatten_html("x<math><mi>a</mi> <mo>+</mo><mi>b</mi></math>y");
        assert_eq!((text.as_str(), notes.has_formula), ("xa +by", true));
        let (text, _) = flatten_html("5<math><annotation encoding='application/x-tex'>x</annotation></math>");
        assert_eq!(text, "5\\(x\\)", "a dollar sign right behind a digit begins no formula");
    }

    fn wrapped(element: crate::xml::Element) -> crate::xml::Element {
        crate::xml::Element {
            name: "div".to_owned(),
            attributes: Vec::new(),
            children: vec![crate::xml::Node::Element(element)],
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_was(text in "([a-c<&;ü\u{a0}$]| |\n|\t|\r){0,12}|\\PC{0,20}") {
            prop_assume!(text.chars().all(is_character));
            prop_assert_eq!(back(markup(&text)), text.clone());
            prop_assert_eq!(back(block(&text)), text);
        }
    }
}
