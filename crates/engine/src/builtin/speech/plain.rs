//! Formulas as plain text for a screen: `x=-\frac{b}{2a}` is "x = −b/(2a)".

use super::pieces::latex_at;
use super::signs::greek_letter;
use super::tokens::{Token, tokens};

/// The formulas between delimiters in a text.
pub(crate) fn formulas(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut unpaired = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '\\']) {
        match latex_at(&rest[at..], &mut unpaired) {
            Some((formula, length)) => {
                found.push(formula);
                rest = &rest[at + length..];
            }
            None => rest = &rest[at + 1..],
        }
    }
    found
}

/// A formula in LaTeX as plain text; `None` where plain text can't show it.
pub(crate) fn plain(formula: &str) -> Option<String> {
    let tokens = tokens(formula, true);
    let mut writer = Writer { tokens: &tokens, at: 0, depth: 0 };
    let shown = writer.until_close()?;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    (writer.at == tokens.len() && !shown.is_empty()).then_some(shown)
}

struct Writer<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Writer<'_> {
    fn until_close(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > 8 {
            return None;
        }
        let mut shown = String::new();
        while let Some(token) = self.tokens.get(self.at) {
            if matches!(token, Token::Close(_)) {
                break;
            }
            let part = self.part(&shown)?;
            // Words and commands are set apart; letters of a product are not.
            if let (Token::Number(_), true) = (token, shown.ends_with(char::is_alphanumeric)) {
                shown.push(' ');
            }
            shown.push_str(&part);
        }
        self.depth -= 1;
        Some(shown)
    }

    fn part(&mut self, before: &str) -> Option<String> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        Some(match token {
            Token::Number(text) => text,
            Token::Word(text) => text,
            Token::Text(text) => format!(" {text} "),
            Token::Open('{') => {
                let inside = self.until_close()?;
                self.close()?;
                inside
            }
            Token::Open(open) => {
                let inside = self.until_close()?;
                let close = self.close()?;
                format!("{open}{}{close}", inside.trim())
            }
            Token::Sign('^') => self.moved(true)?,
            Token::Sign('_') => self.moved(false)?,
            Token::Sign(sign @ ('=' | '≠' | '≤' | '≥' | '≈' | '+' | '±' | '×' | '·' | '÷')) => {
                format!(" {sign} ")
            }
            Token::Sign('-' | '−') => {
                let operand =
                    before.trim_end().ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | '²' | '³'));
                if operand { " − ".to_owned() } else { "−".to_owned() }
            }
            Token::Sign(sign @ (',' | ';')) => format!("{sign} "),
            // A screen shows nothing that looks like markup.
            Token::Sign('<' | '>') => return None,
            Token::Sign(sign) => sign.to_string(),
            Token::Command(name) => self.command(&name)?,
            Token::Close(_) | Token::Unknown => return None,
        })
    }

    fn close(&mut self) -> Option<char> {
        let Some(Token::Close(close)) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        Some(*close)
    }

    /// What is raised or lowered, in small digits where there are some.
    fn moved(&mut self, up: bool) -> Option<String> {
        if matches!(self.tokens.get(self.at), Some(Token::Command(name)) if name == "circ") {
            self.at += 1;
            return Some("°".to_owned());
        }
        let moved = self.part("")?;
        let digits = if up { "⁰¹²³⁴⁵⁶⁷⁸⁹" } else { "₀₁₂₃₄₅₆₇₈₉" };
        let small: Option<String> = moved
            .chars()
            .map(|character| match character {
                '−' if up => Some('⁻'),
                digit => digits.chars().nth(digit.to_digit(10)? as usize),
            })
            .collect();
        Some(match small {
            Some(small) => small,
            None if moved.chars().count() == 1 => format!("{}{moved}", if up { '^' } else { '_' }),
            None => format!("{}({moved})", if up { '^' } else { '_' }),
        })
    }

    fn command(&mut self, name: &str) -> Option<String> {
        Some(match name {
            "frac" | "dfrac" | "tfrac" => {
                let (above, below) = (self.part("")?, self.part("")?);
                format!("{}/{}", bracketed(&above, 2), bracketed(&below, 1))
            }
            "sqrt" => {
                let under = self.part("")?;
                format!("√{}", bracketed(&under, 1))
            }
            "cdot" => " · ".to_owned(),
            "times" => " × ".to_owned(),
            "div" => " ÷ ".to_owned(),
            "pm" => {
                if self.at == 1 {
                    "±".to_owned()
                } else {
                    " ± ".to_owned()
                }
            }
            "neq" | "ne" => " ≠ ".to_owned(),
            "le" | "leq" => " ≤ ".to_owned(),
            "ge" | "geq" => " ≥ ".to_owned(),
            "approx" => " ≈ ".to_owned(),
            "to" | "rightarrow" => " → ".to_owned(),
            "Rightarrow" | "implies" => " ⇒ ".to_owned(),
            "infty" => "∞".to_owned(),
            "circ" => "°".to_owned(),
            "left" | "right" | "big" | "Big" | "displaystyle" => String::new(),
            "quad" | "qquad" => " ".to_owned(),
            "vec" | "bar" | "overline" | "mathbb" | "boxed" => self.part("")?,
            "sin" | "cos" | "tan" | "log" | "ln" => format!("{name} "),
            letter => greek_letter(letter)?.to_string(),
        })
    }
}

/// In brackets where it is more than a number or `most` letters.
fn bracketed(text: &str, most: usize) -> String {
    let text = text.trim();
    let simple = text.chars().all(|character| character.is_ascii_digit())
        || text.chars().all(|character| character.is_alphanumeric()) && text.chars().count() <= most
        || text.starts_with('−') && text.chars().count() == 2;
    if simple { text.to_owned() } else { format!("({text})") }
}
