//! Days, months and times of day in the forms that people write.

use std::borrow::Cow;

use language::script::is_thai;

use super::{folding, vocabulary};

/// Says that a year is counted from the Buddha's death, and how many years that was before Christ.
const BUDDHIST_ERA: &str = "พศ";
const BUDDHIST_YEARS: u32 = 543;

/// A date; what isn't said is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    year: Option<u32>,
    month: u32,
    day: Option<u32>,
}

impl Date {
    /// Whether it says what another date says, and perhaps more: 26 June 1992 is in June 1992.
    pub(super) fn holds(self, other: Self) -> bool {
        let fits = |own: Option<u32>, wanted: Option<u32>| wanted.is_none() || own == wanted;
        self.month == other.month && fits(self.year, other.year) && fits(self.day, other.day)
    }

    /// Whether it is in a year.
    pub(super) fn is_in(self, year: u32) -> bool {
        self.year == Some(year)
    }
}

/// The year that a text in plain characters is and nothing else: `1992`, `in 1992`.
pub(super) fn year(text: &str) -> Option<u32> {
    let digits = text.trim().strip_prefix("in ").unwrap_or(text.trim());
    let is_year = digits.len() == 4 && digits.starts_with(['1', '2']) && digits.bytes().all(|one| one.is_ascii_digit());
    digits.parse().ok().filter(|_| is_year)
}

/// The date that a text in plain characters is.
pub(super) fn parse(text: &str, language: &str) -> Option<Date> {
    if text.len() > 60 {
        return None;
    }
    in_digits(text.trim(), language).or_else(|| in_words(text, language))
}

/// The month that a word names in any language.
fn month_of(word: &str) -> Option<u32> {
    language::taught().find_map(|(_, teaching)| teaching.answers.month(word))
}

fn in_digits(text: &str, language: &str) -> Option<Date> {
    let text = text.replace(['年', '月', '년', '월'], "-").replace(['日', '일'], "").replace("- ", "-");
    let mark = text.chars().find(|one| matches!(one, '-' | '/' | '.'))?;
    let parts: Vec<&str> = text.split(mark).map(str::trim).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    let all_digits =
        parts.iter().all(|part| !part.is_empty() && part.len() <= 4 && part.bytes().all(|one| one.is_ascii_digit()));
    if !all_digits {
        return None;
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let (first_number, second_number, third_number) = (number(first)?, number(second)?, number(third)?);
    if first.len() == 4 {
        return made(Some(first_number), second_number, Some(third_number));
    }
    let year = match third.len() {
        4 => third_number,
        2 => third_number + if third_number < 50 { 2000 } else { 1900 },
        _ => return None,
    };
    let lower = language.to_ascii_lowercase();
    let is_month_first = mark == '/' && matches!(lower.as_str(), "en" | "en-us" | "en-ph" | "es-us");
    let (day, month) = if is_month_first && first_number <= 12 || second_number > 12 {
        (second_number, first_number)
    } else {
        (first_number, second_number)
    };
    made(Some(year), month, Some(day))
}

fn in_words(text: &str, language: &str) -> Option<Date> {
    let (mut year, mut month, mut day) = (None, None, None);
    let folded = folding::words(&without_thai_dots(text).replace(['.', ','], " "), language);
    let is_buddhist = folded.iter().any(|word| word == BUDDHIST_ERA);
    for word in folded.iter().filter(|word| *word != BUDDHIST_ERA) {
        let digits = word.trim_end_matches(|one: char| one.is_alphabetic());
        let ordinal = &word[digits.len()..];
        if let Some(found) = month_of(word).filter(|_| month.is_none()) {
            month = Some(found);
        } else if !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit()) && (ordinal.len() <= 3) {
            let value: u32 = digits.parse().ok()?;
            match digits.len() {
                1 | 2 if day.is_none() => day = Some(value),
                3 | 4 if year.is_none() && ordinal.is_empty() => year = Some(value),
                _ => return None,
            }
        } else if !is_beside(word) && !vocabulary::of(language).is_function_word(word) {
            return None;
        }
    }
    let month = month?;
    let year = if is_buddhist { Some(year?.checked_sub(BUDDHIST_YEARS)?) } else { year };
    if year.is_none() && day.is_none() { None } else { made(year, month, day) }
}

/// The text with Thai abbreviations in one word: "มี.ค.", "พ.ศ.".
fn without_thai_dots(text: &str) -> Cow<'_, str> {
    if !text.contains(is_thai) {
        return Cow::Borrowed(text);
    }
    let mut before = None;
    let keeps = |one: &char| {
        let keeps = *one != '.' || !before.is_some_and(is_thai);
        before = if keeps { Some(*one) } else { before };
        keeps
    };
    Cow::Owned(text.chars().filter(keeps).collect())
}

/// Whether a word stands in dates of any language: weekdays and the like.
fn is_beside(word: &str) -> bool {
    let words = language::taught().flat_map(|(_, teaching)| teaching.answers.date_words.split_ascii_whitespace());
    words.into_iter().any(|known| known == word)
}

fn made(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Date> {
    let fits = (1..=12).contains(&month) && day.is_none_or(|day| (1..=31).contains(&day));
    fits.then_some(Date { year, month, day })
}

/// The minutes since midnight that a text says: `3:30 pm`, `15.30 Uhr`, `15h30`.
pub(super) fn time_of_day(text: &str) -> Option<u32> {
    let lower = text.trim().to_lowercase().replace('.', ":");
    if lower.len() > 20 {
        return None;
    }
    let letters = lower.find(|one: char| !one.is_ascii_digit() && one != ':' && one != 'h').unwrap_or(lower.len());
    let suffix = lower[letters..].replace([':', ' '], "");
    let clock = lower[..letters].trim_matches([' ', ':']);
    let (hours, minutes) = clock.split_once([':', 'h']).unwrap_or((clock, ""));
    let hours: u32 = hours.parse().ok()?;
    let minutes: u32 = if minutes.is_empty() { 0 } else { minutes.parse().ok().filter(|_| minutes.len() == 2)? };
    let is_clock = clock.contains([':', 'h']) || !suffix.is_empty();
    let hours = match suffix.as_str() {
        "am" if (1..=12).contains(&hours) => hours % 12,
        "pm" if (1..=12).contains(&hours) => hours % 12 + 12,
        "" | "uhr" | "h" | "oclock" | "o'clock" if hours < 24 => hours,
        _ => return None,
    };
    (is_clock && minutes < 60).then_some(hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_day_has_many_forms() {
        let day = Date { year: Some(2024), month: 3, day: Some(5) };
        for (text, language) in [
            ("2024-03-05", "en"),
            ("2024/3/5", "en"),
            ("5 March 2024", "en"),
            ("March 5, 2024", "en"),
            ("Mar. 5th, 2024", "en"),
            ("the 5th of March 2024", "en"),
            ("3/5/2024", "en"),
            ("5/3/2024", "en-GB"),
            ("05.03.2024", "de"),
            ("5. März 2024", "de"),
            ("5 de marzo de 2024", "es"),
            ("5 mars 2024", "fr"),
            ("5 марта 2024 года", "ru"),
            ("2024年3月5日", "ja"),
            ("5 มี.ค. 2024", "th"),
            ("วันที่ 5 มีนาคม ค.ศ. 2024", "th"),
            ("5 มีนาคม พ.ศ. 2567", "th"),
        ] {
            assert_eq!(parse(text, language), Some(day), "{text}");
        }
        for text in ["2024", "3.14", "1/2", "May", "5", "13/13/2024", "1.2.3.4", ""] {
            assert_eq!(parse(text, "en"), None, "{text}");
        }
    }

    #[test]
    fn one_time_has_many_forms() {
        for text in ["15:30", "3:30 pm", "3:30 p.m.", "15.30 Uhr", "15h30"] {
            assert_eq!(time_of_day(text), Some(930), "{text}");
        }
        for text in ["15", "25:00", "3:5", "x", ""] {
            assert_eq!(time_of_day(text), None, "{text}");
        }
    }
}
