//! Formulas in running text: found before the tokenizers of HTML and Markdown see the text, and put back behind them.
//!
//! A formula is TeX between `$…$`, `$$…$$`, `\(…\)` or `\[…\]`, or a TeX environment. Its signs mean other things to HTML and
//! Markdown, so a placeholder takes its place. Whether dollar signs hold a formula or prices is decided by what stands between
//! them ([`content`]). The work is linear: every search has a reach.

mod content;
mod mask;

pub(super) use content::{is_bracketed_formula, normalise};
pub(super) use mask::{Masked, Syntax, mask};

/// Stands for `<`, which Markdown would take for a tag.
pub(super) const LESS_THAN: char = '\u{FDD0}';
/// Begins the placeholder of a formula; its number follows.
const OPENS: char = '\u{FDD1}';
/// Ends it.
const CLOSES: char = '\u{FDD2}';
/// Stands in front of a line that must not begin a block. It is dropped like all invisible characters.
pub(super) const GUARD: char = '\u{FDD3}';

/// Stands for a `~` alone, which Markdown's dialects take for the mark of struck-out text.
pub(super) const TILDE: char = '\u{FDD4}';

/// Stands for a `*` that multiplies.
pub(super) const TIMES: char = '\u{FDD5}';

/// Whether a character is one of the placeholders.
fn is_placeholder(character: char) -> bool {
    matches!(character, '\u{FDD0}'..='\u{FDD5}')
}

/// The character that a placeholder stands for.
pub(super) fn unmasked(character: char) -> char {
    match character {
        LESS_THAN => '<',
        TILDE => '~',
        TIMES => '*',
        other => other,
    }
}

/// A part of a text that holds placeholders.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Text(&'t str),
    Formula(&'t Formula),
}

/// A formula of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Formula {
    /// As the source has it, with its delimiters.
    pub(super) raw: String,
    /// LaTeX on one line, without delimiters.
    pub(super) latex: String,
    /// Stands on a line of its own.
    pub(super) display: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a text: inline formulas in `$`, display formulas in `$$`.
    fn found(text: &str) -> Vec<String> {
        let masked = mask(text, Syntax::Markdown);
        let shown = |formula: &Formula| {
            let sign = if formula.display { "$$" } else { "$" };
            format!("{sign}{}{sign}", formula.latex)
        };
        masked.formulas.iter().map(shown).collect()
    }

    #[test]
    fn formulas_are_found_by_every_delimiter() {
        for (text, formula) in [
            (r"The roots are $x=-\frac{b}{2a}$.", r"$x=-\frac{b}{2a}$"),
            (r"so \(a^2 + b^2\) holds", "$a^2 + b^2$"),
            (r"so \[ a^2 + b^2 \] holds", "$$a^2 + b^2$$"),
            ("first\n\n$$\nE = mc^2\n$$\n\nlast", "$$E = mc^2$$"),
            (r"\begin{align} x &= 1 \\ y &= 2 \end{align}", r"$$\begin{align} x &= 1 \\ y &= 2 \end{align}$$"),
            ("If $n$ is even", "$n$"),
            ("where $a > 0$ holds", "$a > 0$"),
            ("$ 2x + 3 = 7 $", "$2x + 3 = 7$"),
            ("a point $(x, y)$ of", "$(x, y)$"),
            ("$f(x)$", "$f(x)$"),
            (r"$\sin x$", r"$\sin x$"),
            ("$x_1$, $x_2$", "$x_1$"),
        ] {
            assert_eq!(found(text).first().map(String::as_str), Some(formula), "{text}");
        }
    }

    #[test]
    fn prices_are_no_formulas() {
        for text in [
            "It costs $5 and $7.",
            "between $5-$7 a day",
            "US$5 or A$6 or C$7",
            "Pay $10, $20 or $30.",
            "a $5/$6 coin",
            "costs 5$ or 6$ here",
            "$5 million of $7 million",
            "$1,000 + $2,000",
            "echo $HOME and $PATH",
            "$ and $",
            "$$",
            "$5.00 = $5",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn code_holds_no_formulas() {
        for text in ["Use `$x$` here.", "```sh\necho $a$b\n```", "``a ` $x$``", "~~~\n$x$\n~~~"] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_is_masked_is_restored() {
        for text in ["a $x^2$ b", r"\[x\] and `c`", "no formula < here", "$$x$$"] {
            let masked = mask(text, Syntax::Markdown);
            assert_eq!(masked.restored(&masked.text), text);
        }
    }
}
