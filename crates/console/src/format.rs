//! Numbers, amounts and times as people read them.

use kernel::time::Timestamp;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A number, or a reference to one: templates hand over both.
pub(crate) trait Plain<T> {
    fn plain(&self) -> T;
}

impl Plain<f64> for f64 {
    fn plain(&self) -> f64 {
        *self
    }
}

impl Plain<i64> for i64 {
    fn plain(&self) -> i64 {
        *self
    }
}

impl<T, N: Plain<T>> Plain<T> for &N {
    fn plain(&self) -> T {
        (*self).plain()
    }
}

/// A whole number with spaces between thousands: `12 345`, with narrow no-break spaces.
pub(crate) fn whole(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    if number < 0 { format!("\u{2212}{text}") } else { text }
}

/// An amount in US dollars: `$1 234.50`. Fractions of a cent are shown where they are all there is.
pub(crate) fn usd(amount: f64) -> String {
    let sign = if amount < 0.0 { "\u{2212}" } else { "" };
    let amount = amount.abs();
    if amount > 0.0 && amount < 0.01 {
        return format!("{sign}${amount:.4}");
    }
    let cents = (amount * 100.0).round();
    #[expect(clippy::cast_possible_truncation, reason = "an amount of the ledger is far below 2^53 cents")]
    let cents = cents as i64;
    format!("{sign}${}.{:02}", whole(cents / 100), cents % 100)
}

/// A number without needless digits: `7.55`, `8`.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A part of one as a percentage: `37 %`.
pub(crate) fn percent(part: impl Plain<f64>) -> String {
    format!("{:.0}\u{202f}%", part.plain() * 100.0)
}

/// The whole time: `27 Nov 2026, 19:56 UTC`.
pub(crate) fn moment(time: Timestamp) -> String {
    let text = time.to_string();
    let clock = text.get(11..16).unwrap_or_default();
    format!("{}, {clock} UTC", day(&text))
}

/// The day of a time or date on the wire: `27 Nov 2026`.
pub(crate) fn day(wire: &str) -> String {
    let number = |range| wire.get(range).and_then(|text: &str| text.parse::<usize>().ok());
    let (Some(day), Some(month)) = (number(8..10), number(5..7)) else { return wire.to_owned() };
    let month = month.checked_sub(1).and_then(|index| MONTHS.get(index)).copied().unwrap_or_default();
    format!("{day} {month} {}", wire.get(0..4).unwrap_or_default())
}

/// How long ago a time was, or how soon it comes: `3 min ago`, `in 2 days`. A day after 30 of them.
pub(crate) fn relative(time: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_seconds() - time.as_seconds();
    let (ahead, span) = (seconds < 0, seconds.unsigned_abs());
    let (count, unit) = match span {
        0..45 => return if ahead { "in a moment".to_owned() } else { "just now".to_owned() },
        45..3600 => ((span + 30) / 60, "min"),
        3600..86_400 => (span / 3600, "h"),
        86_400..2_592_000 => (span / 86_400, if span < 172_800 { "day" } else { "days" }),
        _ => return day(&time.to_string()),
    };
    if ahead { format!("in {count} {unit}") } else { format!("{count} {unit} ago") }
}

/// A word of the API as a label: `rubric_short_answer` becomes `Rubric short answer`.
pub(crate) fn label(word: &str) -> String {
    spelled(&word.replace(['_', '-'], " ").to_lowercase())
}

/// The grader of an answer.
pub(crate) fn grader(word: &str) -> String {
    match word {
        "builtin" => "Built-in grader".to_owned(),
        "exact" => "Exact comparison".to_owned(),
        "model" => "Language model".to_owned(),
        other => label(other),
    }
}

/// The failure of a request to a webhook.
pub(crate) fn delivery_failure(word: &str) -> String {
    let text = match word {
        "refused" => "The address is not allowed",
        "dns" => "The name was not found",
        "connect" => "Could not connect",
        "tls" => "No secure connection",
        "timeout" => "Timed out",
        "too_large" => "The answer was too large",
        "protocol" => "The answer was not valid HTTP",
        other => return label(other),
    };
    text.to_owned()
}

/// A count with its noun: `1 module`, `46 evaluations`.
pub(crate) fn counted(count: i64, noun: &str) -> String {
    format!("{} {noun}{}", whole(count), if count == 1 { "" } else { "s" })
}

/// Abbreviations in names and labels, which stay in capitals.
const ABBREVIATIONS: [&str; 7] = ["api", "id", "json", "lti", "oidc", "totp", "url"];

/// Words in small letters as a label: with a capital in front, and abbreviations in capitals.
fn spelled(text: &str) -> String {
    let words = text
        .split(' ')
        .map(|word| if ABBREVIATIONS.contains(&word) { word.to_ascii_uppercase() } else { word.to_owned() });
    capitalized(&words.collect::<Vec<_>>().join(" "))
}

/// A text with a capital letter in front.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A text with a capital letter in front and a full stop at its end, unless it ends like a sentence already.
pub(crate) fn sentence(text: &str) -> String {
    let text = capitalized(text.trim());
    if text.is_empty() || text.ends_with(['.', '!', '?', '…']) { text } else { format!("{text}.") }
}

/// The path of a field in a request as a label: `rubricCriteria[0].maxScore` becomes `Rubric criteria 1 max score`.
pub(crate) fn path_label(path: &str) -> String {
    let parts = path.split(['[', ']', '.']).filter(|part| !part.is_empty());
    let parts = parts.map(|part| part.parse::<u32>().map_or_else(|_| separated(part), |at| (at + 1).to_string()));
    spelled(&parts.collect::<Vec<_>>().join(" "))
}

/// A name in one word with capitals inside as words: `GradeAnswer` and `gradeAnswer` become `Grade answer`, and `rotateApiKey`
/// becomes `Rotate API key`.
pub(crate) fn words(name: &str) -> String {
    spelled(&separated(name))
}

fn separated(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// How long something takes: `4 s`, `3 min`, `2 h`, `5 days`.
pub(crate) fn span(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// A text as a cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front.
pub(crate) fn csv_cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn numbers_and_amounts_are_read_at_a_glance() {
        assert_eq!(whole(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(whole(-12), "\u{2212}12");
        assert_eq!(usd(1234.5), "$1\u{202f}234.50");
        assert_eq!(usd(0.004), "$0.0040");
        assert_eq!(usd(-3.0), "\u{2212}$3.00");
        assert_eq!(decimal(8.0), "8");
        assert_eq!(decimal(7.55), "7.55");
        assert_eq!(label("rubric_short_answer"), "Rubric short answer");
    }

    #[test]
    fn names_and_spans_are_words() {
        assert_eq!(words("GradeAnswer"), "Grade answer");
        assert_eq!(words("rotateApiKey"), "Rotate API key");
        assert_eq!(label("source_json"), "Source JSON");
        assert_eq!([grader("builtin"), grader("human")], ["Built-in grader", "Human"]);
        assert_eq!([delivery_failure("connect"), delivery_failure("timeout")], ["Could not connect", "Timed out"]);
        assert_eq!([counted(1, "module"), counted(46, "evaluation")], ["1 module", "46 evaluations"]);
        assert_eq!(path_label("rubricCriteria[0].maxScore"), "Rubric criteria 1 max score");
        assert_eq!(path_label("clientId"), "Client ID");
        assert_eq!(sentence("must be JSON"), "Must be JSON.");
        assert_eq!(sentence("Is that all?"), "Is that all?");
        assert_eq!([4, 200, 7300, 400_000].map(span), ["4 s", "3 min", "2 h", "4 days"]);
    }

    #[test]
    fn a_cell_is_one_cell_and_no_formula() {
        assert_eq!(csv_cell("a, \"b\"\nc"), "\"a, \"\"b\"\"\nc\"");
        assert_eq!(csv_cell("=1+1"), "'=1+1");
        assert_eq!(csv_cell("2026-11-27"), "2026-11-27");
    }

    #[test]
    fn times_are_near_or_dates() {
        let now = Timestamp::parse_rfc3339("2026-11-27T19:56:10Z").unwrap();
        let ago = |seconds| relative(now.minus(Duration::from_secs(seconds)), now);
        assert_eq!(ago(5), "just now");
        assert_eq!(ago(200), "3 min ago");
        assert_eq!(ago(7300), "2 h ago");
        assert_eq!(ago(90_000), "1 day ago");
        assert_eq!(ago(9_000_000), "15 Aug 2026");
        assert_eq!(relative(now.plus(Duration::from_secs(200_000)), now), "in 2 days");
        assert_eq!(moment(now), "27 Nov 2026, 19:56 UTC");
    }
}
