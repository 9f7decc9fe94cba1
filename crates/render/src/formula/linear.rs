//! A formula as a line of text, for titles and for what can't be typeset. No backslash stays.

use unicode_normalization::UnicodeNormalization as _;

use super::tree::{Class, Node, read};
use crate::text::clean;

/// The text of a LaTeX formula.
pub(crate) fn linear(latex: &str) -> String {
    match read(latex) {
        Some(tree) => {
            let mut text = String::new();
            write(&tree, &mut text);
            // Letters of the mathematical alphabets become plain ones.
            clean(&text.nfkc().collect::<String>())
        }
        None => stripped(latex),
    }
}

/// A text in which each formula between delimiters is a text as well.
pub(crate) fn readable(text: &str) -> String {
    if !text.contains(['$', '\\']) {
        return text.to_owned();
    }
    let mut readable = String::new();
    let mut rest = text;
    while let Some((before, latex, after)) = next(rest) {
        readable.push_str(before);
        readable.push_str(&linear(latex));
        rest = after;
    }
    readable.push_str(&if rest.contains('\\') { stripped(rest) } else { rest.to_owned() });
    clean(&readable)
}

/// The next formula of a text, with what stands before and behind.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let pairs = [("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$")];
    let found = pairs.into_iter().filter_map(|(open, close)| {
        let (before, rest) = text.split_once(open)?;
        let (latex, after) = rest.split_once(close)?;
        let is_formula = open != "$" || !(latex.is_empty() || latex.starts_with(' ') || latex.ends_with(' '));
        is_formula.then_some((before, latex, after))
    });
    found.min_by_key(|(before, ..)| before.len())
}

/// LaTeX that can't be read, without its signs.
fn stripped(latex: &str) -> String {
    let spaced = latex.replace(['{', '}', '$', '&', '~'], " ").replace("\\\\", " ").replace('\\', " ");
    clean(&spaced)
}

fn write(node: &Node, text: &mut String) {
    match node {
        Node::Row(nodes) => nodes.iter().for_each(|node| write(node, text)),
        Node::Atom { text: atom, class: Class::Relation | Class::Binary } => {
            text.push_str(&format!(" {atom} "));
        }
        Node::Atom { text: atom, class: Class::Operator } => text.push_str(&format!(" {atom} ")),
        Node::Atom { text: atom, class: Class::Punctuation } => text.push_str(&format!("{atom} ")),
        Node::Atom { text: atom, .. } | Node::Text(atom) => text.push_str(atom),
        Node::Space(width) => text.push_str(if *width > 0.2 { " " } else { "" }),
        Node::Fraction { over, under, .. } => {
            group(over, text);
            text.push('/');
            group(under, text);
        }
        Node::Root { radicand, .. } => {
            text.push('√');
            group(radicand, text);
        }
        Node::Scripts { base, sub, sup, .. } => {
            write(base, text);
            for (sign, script) in [('_', sub), ('^', sup)] {
                if let Some(script) = script {
                    text.push(sign);
                    group(script, text);
                }
            }
        }
        Node::Fenced { open, inside, close } => {
            text.extend(*open);
            write(inside, text);
            text.extend(*close);
        }
        Node::Grid { rows, .. } => {
            for row in rows {
                row.iter().for_each(|cell| {
                    write(cell, text);
                    text.push(' ');
                });
                text.push_str("; ");
            }
        }
    }
}

/// Parentheses stand around more than one sign.
fn group(node: &Node, text: &mut String) {
    let mut inside = String::new();
    write(node, &mut inside);
    let inside = inside.trim();
    if inside.chars().count() > 1 && !inside.chars().all(|character| character.is_ascii_digit()) {
        text.push_str(&format!("({inside})"));
    } else {
        text.push_str(inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_readable_as_text() {
        assert_eq!(linear(r"E = mc^2"), "E = mc^2");
        assert_eq!(linear(r"\frac{a+b}{2}"), "(a + b)/2");
        assert_eq!(linear(r"\sqrt{2} \le \alpha_{10}"), "√2 ≤ α_10");
        assert_eq!(linear(r"\unknown{x}"), "unknown x");
        assert_eq!(readable(r"If $x^2$ then \(y\) costs $5"), "If x^2 then y costs $5");
        assert_eq!(readable(r"a \broken b"), "a broken b");
        assert!(!readable(r"$\frac{1}{$ \\ \end{x}").contains('\\'));
    }
}
