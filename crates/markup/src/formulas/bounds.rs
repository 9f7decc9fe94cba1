//! Which LaTeX is read at all: short, shallow, and without definitions of commands.
//!
//! The parser of LaTeX calls itself for each command that is the argument of another without braces (`\sqrt\sqrt…`), and
//! reads a group once for each group around it. These bounds keep its stack and time small.

/// Longest LaTeX, in bytes.
pub(super) const LONGEST: usize = 4_000;
/// Most groups, environments and delimiters inside of each other.
const MOST_NESTED: usize = 40;
/// Most commands that may be arguments of each other.
const MOST_CHAINED: usize = 64;
/// No command takes as many arguments.
const MOST_ARGUMENTS: usize = 6;
/// Commands that are not read. What defines commands could make a text of any length; `\char` with a sign behind it that is
/// not ASCII makes the parser panic.
const REFUSED: [&str; 11] = [
    "char",
    "def",
    "edef",
    "futurelet",
    "gdef",
    "let",
    "newcommand",
    "newenvironment",
    "providecommand",
    "renewcommand",
    "xdef",
];

/// Whether a LaTeX may be given to the parser.
pub(super) fn is_bounded(latex: &str) -> bool {
    is_kept(latex) && Scan::default().runs_through(latex)
}

/// Whether a LaTeX that may not be readable is kept beside a formula.
pub(super) fn is_kept(latex: &str) -> bool {
    !latex.is_empty() && latex.len() <= LONGEST && !latex.contains(is_refused)
}

/// Characters that no formula needs, and that would not come back from HTML as they went in.
fn is_refused(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t')) || ('\u{FDD0}'..='\u{FDEF}').contains(&character)
}

/// Commands that follow each other at one level of groups.
#[derive(Clone, Copy, Default)]
struct Chain {
    commands: usize,
    /// Arguments since the last command.
    others: usize,
}

#[derive(Default)]
struct Scan {
    chain: Chain,
    outer: Vec<Chain>,
    environments: usize,
}

impl Scan {
    fn runs_through(mut self, latex: &str) -> bool {
        let mut rest = latex;
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '\\' => {
                    let end = rest.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len());
                    let (name, after) = match (end, rest.chars().next()) {
                        (0, Some(symbol)) => rest.split_at(symbol.len_utf8()),
                        (end, _) => rest.split_at(end),
                    };
                    rest = after;
                    self.command(name);
                    if REFUSED.contains(&name) {
                        return false;
                    }
                }
                '{' => self.outer.push(std::mem::take(&mut self.chain)),
                '}' => {
                    self.chain = self.outer.pop().unwrap_or_default();
                    self.other();
                }
                '&' => self.chain = Chain::default(),
                '%' => rest = rest.split_once('\n').map_or("", |(_, next)| next),
                space if space.is_whitespace() => {}
                _ => self.other(),
            }
            if self.chain.commands > MOST_CHAINED || self.outer.len() + self.environments > MOST_NESTED {
                return false;
            }
        }
        true
    }

    fn command(&mut self, name: &str) {
        match name {
            "\\" => self.chain = Chain::default(),
            "begin" | "left" => self.environments += 1,
            "end" | "right" => self.environments = self.environments.saturating_sub(1),
            _ => {}
        }
        if name != "\\" {
            self.chain = Chain { commands: self.chain.commands + 1, others: 0 };
        }
    }

    fn other(&mut self) {
        self.chain.others += 1;
        if self.chain.others > MOST_ARGUMENTS {
            self.chain = Chain::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_is_short_shallow_and_defines_nothing() {
        for read in [
            r"x^2 + \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}".to_owned(),
            r"\alpha & \beta \\".repeat(200),
            r"\frac{\alpha}{2} + x + y + z + ".repeat(80),
            "{".repeat(40) + &"}".repeat(40),
        ] {
            assert!(is_bounded(&read), "{read}");
        }
        for refused in [
            "x".repeat(LONGEST + 1),
            "{".repeat(41) + &"}".repeat(41),
            r"\left(".repeat(41),
            r"\sqrt".repeat(65) + " x",
            r"\frac1".repeat(65),
            r"\frac{1}".repeat(65),
            r"\def\a{\a\a}\a".to_owned(),
            r"\let\a\b".to_owned(),
            r"x\char é".to_owned(),
            "a\u{0}b".to_owned(),
            "a\u{FDD0}b".to_owned(),
        ] {
            assert!(!is_bounded(&refused), "{refused}");
        }
    }
}
