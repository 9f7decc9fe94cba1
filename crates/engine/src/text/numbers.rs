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
        while at < bytes.len() && (bytes[at].is_ascii_digit() || separates(bytes, at)) {
            at += 1;
        }
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

/// Numbers of the same form that are near, none of them equal to it.
pub(crate) fn near(number: Number<'_>, seed: u64) -> Vec<String> {
    let text = number.text;
    if let Ok(value) = text.parse::<u64>() {
        let steps: [i64; 6] = match value {
            _ if number.is_year() => [3, -4, 7, -9, 11, -2],
            0..=9 => [1, 2, 3, -1, 4, -2],
            10..=99 => [2, -3, 10, 5, -5, 4],
            _ => [0, 0, 0, 0, 0, 0],
        };
        if steps[0] == 0 {
            return scaled(value, text);
        }
        let from = usize::try_from(seed % 3).unwrap_or(0);
        return (0..6)
            .filter_map(|at| value.checked_add_signed(steps[(at + from) % 6]))
            .filter(|near| *near > 0 && *near != value)
            .map(|near| near.to_string())
            .collect();
    }
    decimals(text)
}

/// 206 becomes 216, 196 …; 1 200 000 becomes 1 300 000 …: the second digit moves.
fn scaled(value: u64, text: &str) -> Vec<String> {
    let unit = 10u64.pow(u32::try_from(text.len().saturating_sub(2)).unwrap_or(1));
    [value + unit, value.saturating_sub(unit), value + 2 * unit, value + 3 * unit]
        .into_iter()
        .filter(|near| *near != value && *near > 0)
        .map(|near| near.to_string())
        .collect()
}

/// 3.5 becomes 4.5, 2.5 …: the whole part moves.
fn decimals(text: &str) -> Vec<String> {
    let Some(at) = text.find(['.', ',']) else { return Vec::new() };
    let (Ok(whole), fraction) = (text[..at].parse::<u64>(), &text[at..]) else { return Vec::new() };
    let step = (whole / 10).max(1);
    [whole + step, whole.saturating_sub(step), whole + 2 * step, whole + 3 * step]
        .into_iter()
        .filter(|near| *near != whole)
        .map(|near| format!("{near}{fraction}"))
        .collect()
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

    #[test]
    fn near_numbers_differ() {
        for text in ["1914", "5", "42", "206", "1200000", "3.5", "0"] {
            let number = Number { start: 0, text };
            let near = near(number, 7);
            assert!(near.len() >= 3 && near.iter().all(|other| other != text), "{text}: {near:?}");
        }
    }
}
