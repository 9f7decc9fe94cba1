//! Numbers as people write them: which separator is the decimal one depends on the language, and is said by the
//! numeral itself more often than one thinks.

pub(super) use language::numerals::{Separators, separators};

use super::ratio::Ratio;

/// A number that was written out in digits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numeral {
    /// Its exact value; `None` where it is too long for one.
    pub(super) ratio: Option<Ratio>,
    /// Its value.
    pub(super) approximate: f64,
    /// Digits without separators and leading zeros, with the exponent of the last: equal texts are equal numbers.
    pub(super) canonical: (String, i64),
    /// Digits behind the decimal separator, less a power of ten; `None` for what is written as a whole number.
    pub(super) decimals: Option<i64>,
    /// Digits that say something.
    pub(super) significant: usize,
    /// The separator could have meant something else.
    pub(super) is_ambiguous: bool,
}

impl Numeral {
    /// The same digits, moved by a power of ten.
    pub(super) fn times_ten_to(&self, power: i64) -> Option<Self> {
        let (digits, last) = &self.canonical;
        if digits.is_empty() {
            return Some(self.clone());
        }
        let last = last.checked_add(power)?;
        let decimals = self.decimals.unwrap_or(0).checked_sub(power)?;
        Some(Self {
            ratio: exact(digits, last),
            approximate: approximate(digits, last)?,
            canonical: (digits.clone(), last),
            decimals: (self.decimals.is_some() || power != 0).then_some(decimals),
            ..self.clone()
        })
    }
}

/// What a comma between digits is where the numeral doesn't say so, in a language with a decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoneComma {
    /// A decimal comma of a guest.
    Decimal,
    /// A comma between two numbers.
    Separates,
}

/// Reads the numeral at the start of `text`; returns it with the bytes it takes.
pub(super) fn read(text: &str, separators: Separators, comma: LoneComma) -> Option<(Numeral, usize)> {
    let run = run_length(text, separators, comma);
    let (shape, length) = shape_of(&text[..run], separators, comma)?;
    let (exponent, taken) = exponent(&text[length..]);
    let numeral = build(&shape, exponent)?;
    Some((numeral, length + taken))
}

/// The fraction that a decimal with a period is, such as `0.(3)`, `0.333…` or `1.2(45)`, and the bytes that say so behind its first
/// `length` bytes.
pub(super) fn period(text: &str, length: usize) -> Option<(u64, u64, usize)> {
    // A separator without digits behind it, `0.(3)`, is no part of the numeral.
    let is_bare = text[length..].starts_with(".(") || text[length..].starts_with(",(");
    let length = length + usize::from(is_bare);
    let (whole, fraction) = text[..length].split_once(['.', ','])?;
    let (fixed, repeated, more) = if let Some(inner) = text[length..].strip_prefix('(') {
        let digits = inner.split(')').next().filter(|digits| digits.len() < inner.len())?;
        (fraction, digits, digits.len() + 2 + usize::from(is_bare))
    } else {
        text[length..].strip_prefix('…')?;
        let tail = |count: usize| fraction.len().checked_sub(count).and_then(|from| fraction.get(from..));
        let count = (1..=fraction.len() / 2)
            .find(|count| tail(*count).zip(tail(2 * count)).is_some_and(|(one, two)| two == one.repeat(2)))?;
        (fraction, tail(count)?, '…'.len_utf8())
    };
    let is_short = |digits: &str| digits.bytes().all(|one| one.is_ascii_digit()) && digits.len() < 9;
    if repeated.is_empty()
        || ![whole, fixed, repeated].into_iter().all(is_short)
        || whole.len() + fixed.len() + repeated.len() > 18
    {
        return None;
    }
    let without: u64 = format!("0{whole}{fixed}").parse().ok()?;
    let with: u64 = format!("0{whole}{fixed}{repeated}").parse().ok()?;
    let nines = 10_u64.checked_pow(u32::try_from(repeated.len()).ok()?)?.checked_sub(1)?;
    let below = nines.checked_mul(10_u64.checked_pow(u32::try_from(fixed.len()).ok()?)?)?;
    Some((with - without, below, more))
}

/// Digits of the whole and of the fraction.
struct Shape {
    whole: String,
    fraction: Option<String>,
    is_ambiguous: bool,
}

/// More separators are in no number; a long list must not be read again for each of its numbers.
const MOST_SEPARATORS: usize = 16;

/// How far digits go with single separators between them.
fn run_length(text: &str, separators: Separators, comma: LoneComma) -> usize {
    let (mut end, mut marks) = (0, 0);
    for (at, character) in text.char_indices() {
        if character.is_ascii_digit() {
            end = at + 1;
        } else if is_separator(character) && (end > 0 || matches!(character, '.' | ',' | '\u{66b}')) {
            let follows = text[at + character.len_utf8()..].bytes();
            let digits = follows.take(4).take_while(u8::is_ascii_digit).count();
            let groups = matches!(character, ' ' | '\'' | '\u{66c}');
            let is_list =
                character == ',' && comma == LoneComma::Separates && separators == Separators::Point && digits != 3;
            marks += 1;
            if marks > MOST_SEPARATORS || digits == 0 || groups && digits != 3 || is_list || at != end {
                break;
            }
        } else {
            break;
        }
    }
    end
}

fn is_separator(character: char) -> bool {
    matches!(character, '.' | ',' | ' ' | '\'' | '\u{66b}' | '\u{66c}')
}

/// Which of the separators of a run is the decimal one. The run is cut where it can't be one number.
fn shape_of(run: &str, separators: Separators, comma: LoneComma) -> Option<(Shape, usize)> {
    let marks: Vec<(usize, char)> = run.char_indices().filter(|(_, one)| !one.is_ascii_digit()).collect();
    if run.is_empty() {
        return None;
    }
    let shape = |decimal: Option<usize>, is_ambiguous: bool| {
        let digits = |part: &str| part.chars().filter(char::is_ascii_digit).collect::<String>();
        let (whole, fraction) = match decimal {
            Some(at) => (digits(&run[..at]), Some(digits(&run[at..]))),
            None => (digits(run), None),
        };
        Shape { whole, fraction, is_ambiguous }
    };
    let Some(&(last_at, last)) = marks.last() else { return Some((shape(None, false), run.len())) };
    let is_grouped = |until: usize| grouped(&run[..until]);
    let count = marks.iter().filter(|(_, one)| *one == last).count();
    let others = marks.len() - count;
    if last == '\u{66b}' || last_at == 0 {
        return Some((shape(Some(last_at), false), run.len()));
    }
    if matches!(last, ' ' | '\'' | '\u{66c}') {
        return if others == 0 && is_grouped(run.len()) {
            Some((shape(None, false), run.len()))
        } else {
            cut(run, &marks, separators, comma)
        };
    }
    if count == 1 && others > 0 {
        return if is_grouped(last_at) {
            Some((shape(Some(last_at), false), run.len()))
        } else {
            cut(run, &marks, separators, comma)
        };
    }
    if count > 1 {
        return if others == 0 && is_grouped(run.len()) {
            Some((shape(None, false), run.len()))
        } else {
            cut(run, &marks, separators, comma)
        };
    }
    let could_group = is_grouped(run.len());
    let groups = could_group && matches!((last, separators), (',', Separators::Point) | ('.', Separators::Comma));
    let is_ambiguous = could_group && (last == '.') == (separators != Separators::Point);
    Some((shape((!groups).then_some(last_at), is_ambiguous), run.len()))
}

/// Only the digits before the first separator, or before the second where those are one number.
fn cut(run: &str, marks: &[(usize, char)], separators: Separators, comma: LoneComma) -> Option<(Shape, usize)> {
    let (first, character) = *marks.first()?;
    let until = match marks.get(1) {
        Some((second, _)) if character == '.' || character == ',' && comma == LoneComma::Decimal => *second,
        _ => first,
    };
    shape_of(&run[..until], separators, comma)
}

/// 1,234,567 or, as in India, 12,34,567.
fn grouped(digits: &str) -> bool {
    let mut parts = digits.split(|one: char| !one.is_ascii_digit());
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    let Some((last, middle)) = rest.split_last() else { return true };
    let has_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let thousands = middle.iter().all(|part| part.len() == 3);
    let lakhs = first.len() < 3 && !middle.is_empty() && middle.iter().all(|part| part.len() == 2);
    has_first && last.len() == 3 && (thousands || lakhs)
}

/// `e3` or `E-3` behind a numeral.
fn exponent(text: &str) -> (i64, usize) {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return (0, 0) };
    let sign = rest.starts_with(['-', '+']);
    let digits = rest[usize::from(sign)..].bytes().take_while(u8::is_ascii_digit).count();
    let end = 1 + usize::from(sign) + digits;
    let is_word = text[end..].chars().next().is_some_and(char::is_alphabetic);
    match text[1..end].parse() {
        Ok(exponent) if digits > 0 && digits < 10 && !is_word => (exponent, end),
        _ => (0, 0),
    }
}

fn build(shape: &Shape, exponent: i64) -> Option<Numeral> {
    let fraction = shape.fraction.as_deref().unwrap_or_default();
    let places = i64::try_from(fraction.len()).ok()?;
    let digits = format!("{}{fraction}", shape.whole);
    let stripped = digits.trim_start_matches('0');
    let significant = if shape.fraction.is_some() { stripped.len() } else { stripped.trim_end_matches('0').len() };
    let kept = stripped.trim_end_matches('0');
    let dropped = i64::try_from(stripped.len() - kept.len()).ok()?;
    let last = if kept.is_empty() { 0 } else { exponent - places + dropped };
    let approximate = approximate(kept, last)?;
    Some(Numeral {
        ratio: exact(kept, last),
        approximate,
        canonical: (kept.to_owned(), last),
        decimals: (shape.fraction.is_some() || exponent != 0).then_some(places - exponent),
        significant,
        is_ambiguous: shape.is_ambiguous,
    })
}

/// A double has 17 digits; more than 400 say nothing about it.
fn approximate(digits: &str, exponent: i64) -> Option<f64> {
    let first = &digits[..digits.len().min(400)];
    let dropped = i64::try_from(digits.len() - first.len()).ok()?;
    if first.is_empty() { Some(0.0) } else { format!("{first}e{}", exponent.saturating_add(dropped)).parse().ok() }
}

fn exact(digits: &str, exponent: i64) -> Option<Ratio> {
    let value: i128 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    Ratio::whole(value).times(Ratio::whole(10).power(i128::from(exponent))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, language: &str) -> Option<f64> {
        let (numeral, length) = read(text, separators(language), LoneComma::Decimal)?;
        (length == text.len()).then_some(numeral.approximate)
    }

    #[test]
    fn the_language_decides_only_what_the_numeral_leaves_open() {
        for (text, language, expected) in [
            ("1,000", "en", 1000.0),
            ("1,000", "de", 1.0),
            ("1.000", "en", 1.0),
            ("1.000", "de", 1000.0),
            ("1.000", "fr", 1.0),
            ("1.000", "de-CH", 1.0),
            ("3.25", "de", 3.25),
            ("3,25", "en", 3.25),
            ("0,111", "en", 0.111),
            ("0.111", "de", 0.111),
            ("1,234.5", "de", 1234.5),
            ("1.234,5", "en", 1234.5),
            ("1 000", "en", 1000.0),
            ("12 345 678,5", "fr", 12_345_678.5),
            ("1'000.5", "de-CH", 1000.5),
            ("12,34,567", "hi", 1_234_567.0),
            ("1,000,000", "de", 1_000_000.0),
            ("1.000.000", "en", 1_000_000.0),
            (".5", "en", 0.5),
            (",5", "de", 0.5),
            ("3٫5", "ar", 3.5),
            ("1e3", "en", 1000.0),
            ("1.5E-3", "en", 0.0015),
            ("007", "en", 7.0),
        ] {
            assert_eq!(value(text, language), Some(expected), "{text} in {language}");
        }
        for text in ["1,2,3", "1.2.3", "1 00", "1,00,0", "12:30", ""] {
            assert_eq!(value(text, "en"), None, "{text}");
        }
    }

    #[test]
    fn long_numerals_keep_every_digit() {
        let long = "9".repeat(50_000);
        let (numeral, length) = read(&long, Separators::Point, LoneComma::Decimal).unwrap();
        assert_eq!((length, numeral.canonical.0.len(), numeral.ratio), (50_000, 50_000, None));
        assert!(read("1e999999999", Separators::Point, LoneComma::Decimal).unwrap().0.approximate.is_infinite());
    }
}
