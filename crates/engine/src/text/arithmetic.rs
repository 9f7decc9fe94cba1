//! Calculations that stand in a text: "8 cm × 3 cm = 24 cm²".
//!
//! A calculation is taken for one only where its result is right.

use super::numbers;

/// Longest calculation, in bytes, and how deep its brackets go.
const MAX_LENGTH: usize = 120;
const MAX_DEPTH: u8 = 4;
/// Longest unit behind a number, in characters.
const MAX_UNIT: usize = 6;

/// A calculation with its result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Calculation {
    /// What stands before the equals sign.
    pub(crate) text: String,
    pub(crate) result: f64,
    /// The result as it is written.
    pub(crate) result_text: String,
}

impl Calculation {
    /// The numbers that are calculated with.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &str> {
        number_runs(&self.text).into_iter().map(|(start, end)| &self.text[start..end])
    }

    /// The same with other numbers; none when the result can't be written in the same form.
    pub(crate) fn with(&self, others: &[(String, String)]) -> Option<Self> {
        let mut text = String::with_capacity(self.text.len() + 8);
        let mut from = 0;
        for (start, end) in number_runs(&self.text) {
            text.push_str(&self.text[from..start]);
            let number = &self.text[start..end];
            text.push_str(others.iter().find(|(old, _)| old == number).map_or(number, |(_, new)| new));
            from = end;
        }
        text.push_str(&self.text[from..]);
        let mut parser = Parser { text: &text, at: 0, operations: 0 };
        let result = parser.sum(0)?;
        parser.space();
        if parser.at < text.len() {
            return None;
        }
        let places = fraction_of(&self.result_text);
        let scaled = result * 10_f64.powi(places);
        let whole = scaled.round();
        let exact = (scaled - whole).abs() < 1e-6 && whole.abs() < 1e12;
        let result_text = numbers::formed(exact.then_some(whole as i64)?, &self.result_text)?;
        Some(Self { text, result, result_text })
    }
}

/// The calculations of a text whose results are right.
pub(crate) fn find(text: &str) -> Vec<Calculation> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find('=').map(|at| from + at) {
        from = at + 1;
        let right = text[from..].trim_start();
        let result_end = number_runs(right).first().filter(|(start, _)| *start == 0).map(|(_, end)| *end);
        let Some(result_text) = result_end.map(|end| &right[..end]) else { continue };
        let Some(result) = numbers::value(result_text) else { continue };
        let begin = text.floor_char_boundary(at.saturating_sub(MAX_LENGTH));
        let side = text[begin..at].rsplit(['=', ':', ';', '$', '≈']).next().unwrap_or_default();
        // The longest calculation that ends at the equals sign.
        let starts = side.char_indices().filter(|(_, character)| character.is_ascii_digit() || *character == '(');
        let mut previous = None;
        for (start, character) in starts {
            let inside_number = previous == Some(start.saturating_sub(1)) && character.is_ascii_digit();
            previous = Some(start);
            let joined = side[..start].chars().next_back().is_some_and(|before| {
                before.is_alphanumeric() || matches!(before, '.' | ',' | '^' | '_' | '\\' | '-' | '−')
            });
            if inside_number || joined {
                continue;
            }
            let mut parser = Parser { text: side, at: start, operations: 0 };
            let value = parser.sum(0);
            parser.space();
            let whole = parser.at == side.len() && parser.operations > 0;
            let right = |value: f64| (value - result).abs() < 1e-9 * value.abs().max(1.0);
            if whole && value.is_some_and(right) {
                let text = side[start..].trim_end().to_owned();
                found.push(Calculation { text, result, result_text: result_text.to_owned() });
                break;
            }
        }
    }
    found
}

/// Where numbers stand.
fn number_runs(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        at = numbers::end_of(bytes, start);
        runs.push((start, at));
    }
    runs
}

/// How many digits a number has behind its decimal mark.
fn fraction_of(number: &str) -> i32 {
    let Some(at) = number.rfind(['.', ',']) else { return 0 };
    let behind = number.len() - at - 1;
    if numbers::groups_thousands(number) { 0 } else { i32::try_from(behind).unwrap_or(0) }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    operations: u32,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\u{A0}']).len();
    }

    /// Takes the first of some signs that comes next.
    fn sign(&mut self, signs: &[&str]) -> bool {
        self.space();
        let found = signs.iter().find(|sign| self.rest().starts_with(**sign)).map(|sign| sign.len());
        self.at += found.unwrap_or(0);
        found.is_some()
    }

    fn sum(&mut self, depth: u8) -> Option<f64> {
        let mut value = self.product(depth)?;
        loop {
            if self.sign(&["+"]) {
                value += self.product(depth)?;
            } else if self.sign(&["-", "−", "–"]) {
                value -= self.product(depth)?;
            } else {
                return Some(value);
            }
            self.operations += 1;
        }
    }

    fn product(&mut self, depth: u8) -> Option<f64> {
        let mut value = self.number(depth)?;
        loop {
            if self.sign(&["×", "·", "*", "⋅", "\\times", "\\cdot"]) {
                value *= self.number(depth)?;
            } else if self.sign(&["÷", "/", "\\div"]) {
                value /= self.number(depth)?;
            } else {
                return value.is_finite().then_some(value);
            }
            self.operations += 1;
        }
    }

    fn number(&mut self, depth: u8) -> Option<f64> {
        self.space();
        if depth < MAX_DEPTH && self.sign(&["("]) {
            let value = self.sum(depth + 1)?;
            return self.sign(&[")"]).then_some(value);
        }
        let bytes = self.text.as_bytes();
        if !bytes.get(self.at)?.is_ascii_digit() {
            return None;
        }
        let end = numbers::end_of(bytes, self.at);
        let value = numbers::value(&self.text[self.at..end])?;
        self.at = end;
        self.unit();
        Some(value)
    }

    /// Passes over a unit: "cm", "m²", "€".
    fn unit(&mut self) {
        let rest = self.rest();
        let unit = rest.trim_start_matches([' ', '\u{A0}']);
        let is_part =
            |character: &char| character.is_alphabetic() || matches!(character, '²' | '³' | '°' | '€' | '£' | '%');
        let length = unit.chars().take_while(is_part).count();
        if (1..=MAX_UNIT).contains(&length) {
            let bytes: usize = unit.chars().take(length).map(char::len_utf8).sum();
            self.at += rest.len() - unit.len() + bytes;
            // "kg/L": what it is per.
            let per = self.rest().strip_prefix('/').filter(|per| per.starts_with(char::is_alphabetic));
            let letters = per.map_or(0, |per| per.chars().take_while(is_part).map(char::len_utf8).sum::<usize>() + 1);
            self.at += letters;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculations_are_found_where_they_are_right() {
        let found = |text: &str| {
            find(text).into_iter().map(|found| format!("{} = {}", found.text, found.result_text)).collect::<Vec<_>>()
        };
        assert_eq!(found("A = 8 cm × 3 cm = 24 cm²"), ["8 cm × 3 cm = 24"]);
        assert_eq!(found("Price: (200 + 50) * 2 = 500 euros"), ["(200 + 50) * 2 = 500"]);
        assert_eq!(found("1,5 · 4 = 6"), ["1,5 · 4 = 6"]);
        assert_eq!(found("15 L · 2,37 kg/L = 35,55 kg"), ["15 L · 2,37 kg/L = 35,55"]);
        for nothing in ["x = 5", "2 + 2 = 5", "2x + 3 = 7", "10/4/2026 = day", "3 = 3", "= = ="] {
            assert_eq!(found(nothing), Vec::<String>::new(), "{nothing}");
        }
    }

    #[test]
    fn a_calculation_is_done_again_in_the_same_form() {
        let first = find("7.50 × 4 = 30.00").remove(0);
        let other = first.with(&[("4".to_owned(), "3".to_owned())]).unwrap();
        assert_eq!((other.text.as_str(), other.result_text.as_str()), ("7.50 × 3", "22.50"));
        let thirds = find("12 / 4 = 3").remove(0);
        assert_eq!(thirds.with(&[("4".to_owned(), "7".to_owned())]), None);
    }
}
