//! Plain text and words, the same way for every figure.

use std::collections::HashSet;

use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation as _;

/// Words in a row that count as taken from the source.
const RUN: usize = 4;

/// The words of a text in lower case. In scripts without spaces a word is about a character.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.unicode_words().map(str::to_lowercase).collect()
}

/// The text of an HTML fragment: what stands in tags is left out, and a tag ends a word.
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let is_tag = rest[at + 1..].starts_with(|next: char| next.is_ascii_alphabetic() || "/!".contains(next));
        let end = if is_tag { rest[at..].find('>') } else { None };
        match end {
            Some(end) => {
                text.push('\n');
                rest = &rest[at + end + 1..];
            }
            None => {
                text.push('<');
                rest = &rest[at + 1..];
            }
        }
    }
    text.push_str(rest);
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

/// The strings and numbers in a JSON value, in order.
pub(crate) fn leaves(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(plain(text)),
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(members) => members.iter().for_each(|member| collect(member, found)),
        Value::Object(members) => members.values().for_each(|member| collect(member, found)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A text on one line.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The most words in a row that both have.
pub(crate) fn longest_run(left: &[String], right: &[String]) -> usize {
    let (mut longest, mut before) = (0, vec![0; right.len() + 1]);
    for word in left {
        let mut row = vec![0; right.len() + 1];
        for (at, other) in right.iter().enumerate() {
            if word == other {
                row[at + 1] = before[at] + 1;
                longest = longest.max(row[at + 1]);
            }
        }
        before = row;
    }
    longest
}

/// How many words of a text stand in runs of at least four that the source has too.
pub(crate) fn copied(words: &[String], source: &[String]) -> usize {
    let runs: HashSet<&[String]> = source.windows(RUN).collect();
    let mut is_copied = vec![false; words.len()];
    for (at, run) in words.windows(RUN).enumerate() {
        if runs.contains(run) {
            is_copied[at..at + RUN].fill(true);
        }
    }
    is_copied.into_iter().filter(|copied| *copied).count()
}

/// A number that stands at the beginning of an option, behind a sign or a currency: `£2,205`, `−18 °C`, `1.41`.
pub(crate) fn number(option: &str) -> Option<f64> {
    let text = option.trim().trim_start_matches(|sign: char| !sign.is_ascii_digit() && !"-−".contains(sign));
    let is_short = option.trim().chars().count() - text.chars().count() <= 3;
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(digits) => (-1.0, digits),
        None => (1.0, text),
    };
    let end = digits.find(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != ',').unwrap_or(digits.len());
    let digits = digits[..end].trim_end_matches(['.', ',']);
    let value: f64 = decimal(digits).parse().ok()?;
    (is_short && !digits.is_empty()).then_some(sign * value)
}

/// The digits as Rust reads them: a mark before exactly three last digits separates thousands.
fn decimal(digits: &str) -> String {
    let Some(last) = digits.rfind(['.', ',']) else { return digits.to_owned() };
    let whole: String = digits[..last].chars().filter(char::is_ascii_digit).collect();
    let rest = &digits[last + 1..];
    let groups = rest.len() == 3 && whole != "0";
    if groups { whole + rest } else { format!("{whole}.{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_left_out_and_signs_are_not() {
        assert_eq!(plain("<p>a &lt; b</p>5 < 6"), "\na < b\n5 < 6");
    }

    #[test]
    fn numbers_are_read_in_the_ways_of_several_countries() {
        let read = ["£2,205", "R$ 1.560,00", "−18 °C", "1.41", "0.075", "Mars", "§ 8", "12.000 TL"].map(number);
        let expected =
            [Some(2205.0), Some(1560.0), Some(-18.0), Some(1.41), Some(0.075), None, Some(8.0), Some(12_000.0)];
        assert_eq!(read, expected);
    }

    #[test]
    fn runs_of_words_count_as_copied() {
        let (left, right) = (words("one two three four five"), words("zero two three four five six"));
        assert_eq!(longest_run(&left, &right), 4);
        assert_eq!(copied(&left, &right), 4);
    }
}
