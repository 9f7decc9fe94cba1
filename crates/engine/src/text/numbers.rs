//! Numbers in sentences, and others that are near them.

/// A number as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number<'t> {
    pub(crate) start: usize,
    pub(crate) text: &'t str,
}

impl Number<'_> {
    pub(crate) fn is_year(&self) -> bool {
        self.text.len() == 4 && self.text.parse::<u32>().is_ok_and(|year| (1000..=2100).contains(&year))
    }
}

/// The numbers of a sentence that stand for themselves: no parts of dates, times, codes, names or
/// ordinals.
pub(crate) fn find(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        at = end_of(bytes, start);
        if stands_alone(text, start, at) {
            found.push(Number { start, text: &text[start..at] });
        }
    }
    found
}

fn separates(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let mut rest = text[end..].chars();
    let after = rest.next();
    let latin = |character: char| character.is_alphabetic() && !language::script::is_unspaced(character);
    let tied = |character: char| {
        matches!(character, '-' | '/' | ':' | '#' | '_' | '$' | '^' | '{' | '\\' | '–' | '−' | '=' | '(' | '}')
    };
    let date = matches!(after, Some('-' | '/' | ':' | '–' | '^' | '_' | '}' | '\\'))
        || after == Some('.') && rest.next().is_some_and(|next| next == ' ');
    let sign = before.is_some_and(|character| tied(character) || latin(character) || matches!(character, '.' | ','));
    let unit = after.is_some_and(latin);
    !sign && !date && !unit && text[start..end].matches(['.', ',']).count() <= 1 && end - start <= 9
}

/// Others of the same form on both sides of a number, the nearest first. `behind` is the text that follows it.
pub(crate) fn around(number: Number<'_>, behind: &str) -> (Vec<String>, Vec<String>) {
    let text = number.text;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let Ok(value) = digits.parse::<i64>() else { return (Vec::new(), Vec::new()) };
    if value == 0 {
        return (Vec::new(), Vec::new());
    }
    let (below, above) = if number.is_year() { years(value) } else { steps(value) };
    let most = if is_share(behind) { scale_of(text, 100) } else { i64::MAX };
    let written = |values: Vec<i64>| {
        let fitting = values.into_iter().filter(|other| (1..=most).contains(other) && *other != value);
        fitting.filter_map(|other| formed(other, text)).take(3).collect::<Vec<String>>()
    };
    (written(below), written(above))
}

/// Years further apart the longer they are ago, none of them to come.
fn years(year: i64) -> (Vec<i64>, Vec<i64>) {
    const LAST: i64 = 2030;
    let step = ((LAST - year) / 40).clamp(3, 25);
    let below = (1..=3).map(|times| year - times * step).collect();
    let above = (1..=3).map(|times| year + times * step).filter(|other| *other <= LAST.max(year)).collect();
    (below, above)
}

/// Numbers as round as this one.
fn steps(value: i64) -> (Vec<i64>, Vec<i64>) {
    let mut unit = 1;
    while value % (unit * 10) == 0 {
        unit *= 10;
    }
    let significant = value / unit;
    if unit > 1 && matches!(significant, 1 | 2 | 5) {
        return by_halves(value);
    }
    let step = match significant {
        0..=9 => 1,
        _ if significant % 5 == 0 => (significant / 50).max(1) * 5,
        _ => (significant / 8).max(1),
    };
    let at = |times: i64| (significant + times * step) * unit;
    ((1..=3).map(|times| at(-times)).collect(), (1..=3).map(at).collect())
}

/// 1, 2, 5, 10, 20, 50 …
fn by_halves(value: i64) -> (Vec<i64>, Vec<i64>) {
    let mut row: Vec<i64> = Vec::new();
    let mut unit = 1;
    while unit <= value.saturating_mul(100) && row.len() < 60 {
        row.extend([1, 2, 5].map(|digit| digit * unit));
        unit = unit.saturating_mul(10);
    }
    let below = row.iter().rev().copied().filter(|other| *other < value).take(3).collect();
    (below, row.into_iter().filter(|other| *other > value).take(3).collect())
}

/// Whether what stands behind a number makes it a share of a hundred.
fn is_share(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '\u{A0}', '\u{202F}']);
    let word: String = behind.chars().take_while(|character| character.is_alphabetic()).collect();
    behind.starts_with(['%', '％', '٪'])
        || !word.is_empty()
            && language::taught()
                .any(|(tag, _)| language::speech(tag).forms_of("%").any(|percent| word.eq_ignore_ascii_case(percent)))
}

/// A whole number in the digits of `like`: 100 beside "12.5" is 1000.
fn scale_of(like: &str, whole: i64) -> i64 {
    let behind = like.rfind(['.', ',']).filter(|_| !groups_thousands(like)).map_or(0, |at| like.len() - at - 1);
    whole.saturating_mul(10_i64.saturating_pow(u32::try_from(behind).unwrap_or(0)))
}

/// Digits written as another number is: 1500 like "1,200" is "1,500".
pub(crate) fn formed(digits: i64, like: &str) -> Option<String> {
    let mut written = u64::try_from(digits).ok()?.to_string();
    let marks: Vec<(usize, char)> = like
        .char_indices()
        .filter(|(_, character)| !character.is_ascii_digit())
        .map(|(at, character)| (like.len() - at - character.len_utf8(), character))
        .collect();
    if groups_thousands(like) || marks.is_empty() {
        let Some((_, mark)) = marks.first() else { return Some(written) };
        let mut at = written.len();
        while at > 3 {
            at -= 3;
            written.insert(at, *mark);
        }
        return Some(written);
    }
    let [(behind, mark)] = marks[..] else { return None };
    while written.len() <= behind {
        written.insert(0, '0');
    }
    written.insert(written.len() - behind, mark);
    Some(written)
}

/// "1,200" and "1.200.000": marks that part thousands.
pub(crate) fn groups_thousands(number: &str) -> bool {
    let mut parts = number.split(['.', ',']);
    let first = parts.next().unwrap_or_default();
    let mut rest = parts.peekable();
    rest.peek().is_some()
        && (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && rest.all(|part| part.len() == 3)
}

/// What a number is worth; none when it can't be read.
pub(crate) fn value(number: &str) -> Option<f64> {
    if groups_thousands(number) {
        return number.replace(['.', ','], "").parse().ok();
    }
    if number.matches(['.', ',']).count() > 1 {
        return None;
    }
    number.replace(',', ".").parse().ok()
}

/// Where a number that begins at `start` ends.
pub(crate) fn end_of(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && (bytes[at].is_ascii_digit() || separates(bytes, at)) {
        at += 1;
    }
    at
}

/// The runs of digits in a text.
pub(crate) fn digits(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_ascii_digit()).filter(|run| !run.is_empty())
}

/// A number with its unit, as a whole text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    /// All that is not the number, without spaces.
    pub(crate) unit: String,
    pub(crate) text: String,
}

impl Quantity {
    pub(crate) fn is_year(&self) -> bool {
        self.unit.is_empty() && self.value.fract() == 0.0 && (1000.0..=2100.0).contains(&self.value)
    }
}

/// A text that is one number with its unit: "20 °C", "$1,200", "−3".
pub(crate) fn quantity(text: &str) -> Option<Quantity> {
    let bytes = text.as_bytes();
    let start = bytes.iter().position(u8::is_ascii_digit)?;
    let end = end_of(bytes, start);
    let (before, behind) = (&text[..start], &text[end..]);
    let further = behind.chars().chain(before.chars()).any(char::is_numeric);
    let sign = if before.trim_end().ends_with(['-', '−']) { -1.0 } else { 1.0 };
    let unit: String = before
        .chars()
        .chain(behind.chars())
        .filter(|part| !part.is_whitespace() && !matches!(part, '-' | '−'))
        .collect();
    let brief = unit.chars().count() <= 12 && !unit.contains(['–', '~', '≈', '<', '>', '^', '×']);
    (!further && brief).then_some(Quantity { value: sign * value(&text[start..end])?, unit, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        find(text).iter().map(|number| number.text).collect()
    }

    #[test]
    fn finds_numbers_that_stand_for_themselves() {
        assert_eq!(texts("In 1914 about 3.5 million of 12 men, A4, 12:30, 2024-05-01, H2O."), ["1914", "3.5", "12"]);
        assert_eq!(texts("Am 3. Oktober 1990 um 5 Uhr"), ["1990", "5"]);
        assert_eq!(texts("水在100度沸腾"), ["100"]);
    }

    fn sides(text: &str, behind: &str) -> (Vec<String>, Vec<String>) {
        around(Number { start: 0, text }, behind)
    }

    #[test]
    fn others_stand_on_both_sides_and_are_as_round() {
        for text in ["1914", "42", "206", "1200000", "3.5", "8", "1,200", "350"] {
            let (below, above) = sides(text, " m");
            assert!(below.len() >= 2 && above.len() == 3, "{text}: {below:?} {above:?}");
            let asked = value(text).unwrap();
            assert!(below.iter().all(|other| value(other).unwrap() < asked), "{text}: {below:?}");
            assert!(above.iter().all(|other| value(other).unwrap() > asked), "{text}: {above:?}");
        }
        assert_eq!(sides("1,200", "").1, ["1,300", "1,400", "1,500"]);
        assert_eq!(sides("100", "").0, ["50", "20", "10"]);
        assert_eq!(sides("0", ""), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_share_stays_within_a_hundred_and_no_year_is_to_come() {
        assert_eq!(sides("95", " % of all").1, ["100"]);
        assert!(sides("98.5", "%").1.iter().all(|other| value(other).unwrap() <= 100.0));
        assert!(sides("98", " percent").1.len() < 3 && sides("98", " cars").1.len() == 3);
        assert!(sides("2024", "").1.iter().all(|year| year.as_str() <= "2030"));
    }

    #[test]
    fn quantities_are_one_number_with_its_unit() {
        let read = |text: &str| quantity(text).map(|found| (found.value, found.unit));
        assert_eq!(read("20 °C"), Some((20.0, "°C".to_owned())));
        assert_eq!(read("−3"), Some((-3.0, String::new())));
        assert_eq!(read("$1,200"), Some((1200.0, "$".to_owned())));
        assert_eq!(read("1.5"), Some((1.5, String::new())));
        for nothing in ["5–10", "about", "3 × 10^5", "12:30"] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
