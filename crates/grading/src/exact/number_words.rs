//! Numbers in words, in the task's language: "forty-two", "zweiundvierzig", "cuarenta y dos", "сорок два", "四十二".

use language::lists::holds;
use language::script::{is_thai, is_unspaced};
use language::segments;

use super::vocabulary::Words;

/// The text with a number in words at its start written in digits; `None` where there is none.
pub(super) fn in_digits(text: &str, words: &Words) -> Option<String> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let lower = text.to_lowercase();
    let (sign, rest) = match lower.split_once(' ') {
        Some((first, rest)) if holds(words.minus, first) => ("-", rest),
        _ => ("", lower.as_str()),
    };
    let (value, rest) = leading(rest, words)?;
    Some(format!("{sign}{value}{}{rest}", if rest.is_empty() { "" } else { " " }))
}

/// The digits of a text that is a number in words and nothing else.
pub(super) fn whole(text: &str, words: &Words) -> Option<String> {
    in_digits(text, words).filter(|digits| !digits.contains(char::is_alphabetic) && !digits.contains(' '))
}

const MOST_WORDS: usize = 40;

fn value_of(list: &str, word: &str) -> Option<u64> {
    let entry = list.split_ascii_whitespace().find_map(|entry| entry.strip_prefix(word)?.strip_prefix('='))?;
    entry.parse().ok()
}

/// A sentence with its numbers in words written in digits. "One" and articles stay: they are seldom numbers there.
pub(super) fn digits_within(sentence: &str, words: &Words) -> String {
    let lower = sentence.to_lowercase();
    let tokens: Vec<&str> = lower.split([' ', '-']).filter(|token| !token.is_empty()).collect();
    let (mut written, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let bare: Vec<&str> = tokens[at..]
            .iter()
            .take(MOST_WORDS)
            .map(|token| token.trim_end_matches(['.', ',', '!', '?', ':']))
            .collect();
        match of_tokens(&bare, words).filter(|(digits, rest, used)| digits != "1" && rest.is_empty() && *used > 0) {
            Some((digits, _, used)) => {
                written.push(digits);
                at += used;
            }
            None => {
                written.push(tokens[at].to_owned());
                at += 1;
            }
        }
    }
    written.join(" ")
}

/// The number that a text in lower case begins with, in digits, and what stands behind it.
fn leading(text: &str, words: &Words) -> Option<(String, String)> {
    let tokens: Vec<&str> = text.split([' ', '-']).filter(|token| !token.is_empty()).take(MOST_WORDS).collect();
    let (digits, rest, used) = of_tokens(&tokens, words)?;
    let behind = std::iter::once(rest).filter(|rest| !rest.is_empty()).chain(tokens[used..].iter().copied());
    Some((digits, behind.collect::<Vec<_>>().join(" ")))
}

/// The number that words begin with, the rest of the last of its words, and how many words it takes.
fn of_tokens<'t>(tokens: &[&'t str], words: &Words) -> Option<(String, &'t str, usize)> {
    let part = |at: usize| value_of(words.parts, tokens.get(at)?);
    let mut number = Composed { words, total: 0, section: 0, small: None, last_scale: u64::MAX, count: 0 };
    let mut decimals = String::new();
    let mut used = 0;
    while let Some(token) = tokens.get(used) {
        let follows = tokens.get(used + 1);
        let goes_on = follows.is_some_and(|next| value_of(words.numbers, next).is_some()) || part(used + 1).is_some();
        if !decimals.is_empty() || number.count > 0 && holds(words.points, token) && goes_on {
            if holds(words.points, token) {
                decimals.push('.');
            } else if let Some(digit) = value_of(words.numbers, token).filter(|digit| *digit < 10) {
                decimals.push_str(&digit.to_string());
            } else {
                break;
            }
        } else if holds(words.one, token) && used == 0 {
            // An article unless a number goes on: "a third", "un millón".
            if !goes_on && (tokens.len() > 1 || value_of(words.numbers, token).is_none()) {
                return None;
            }
            number.add(1, false)?;
        } else if number.count > 0 && holds(words.number_joints, token) && goes_on {
            if words.tag == "en" && !number.may_join() {
                break;
            }
        } else if let Some((values, rest)) = segments(token, words) {
            for (at, value) in values.iter().enumerate() {
                number.add(*value, at > 0)?;
            }
            if !rest.is_empty() {
                return Some((number.value().to_string(), rest, used + 1));
            }
        } else {
            break;
        }
        used += 1;
    }
    match part(used) {
        Some(2) if used == 0 => Some(("1/2".to_owned(), "", 1)),
        Some(below) if number.count > 0 => Some((format!("{}/{below}", number.value()), "", used + 1)),
        _ if number.count > 0 => Some((format!("{}{decimals}", number.value()), "", used)),
        _ => None,
    }
}

/// The numbers that a word is made of. The rest is a unit or a noun, in scripts that write it without a space.
fn segments<'t>(token: &'t str, words: &Words) -> Option<(Vec<u64>, &'t str)> {
    if let Some(value) = value_of(words.numbers, token) {
        return Some((vec![value], ""));
    }
    let known = || words.numbers.split_ascii_whitespace().filter_map(|entry| entry.split_once('='));
    let (mut rest, mut values) = (token, Vec::new());
    while !rest.is_empty() && values.len() < MOST_WORDS {
        let fitting = known().filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len());
        if let Some((word, value)) = fitting {
            values.push(value.parse().ok()?);
            rest = &rest[word.len()..];
        } else if let Some(joint) = words.number_joints.split(' ').find(|joint| {
            !joint.is_empty() && !values.is_empty() && rest.strip_prefix(*joint).is_some_and(|rest| !rest.is_empty())
        }) {
            rest = &rest[joint.len()..];
        } else {
            break;
        }
    }
    // "สาม" is three, and begins "สามารถ" as well.
    let is_word = || !rest.starts_with(is_thai) || segments::is_whole(token, 0..token.len() - rest.len());
    let may_stop =
        rest.is_empty() || rest.starts_with(is_unspaced) && !matches!(values.first(), Some(100..) | None) && is_word();
    (may_stop && !values.is_empty()).then_some((values, rest))
}

/// A number on the way.
struct Composed<'w> {
    words: &'w Words,
    /// What thousands and greater scales have closed.
    total: u64,
    /// Hundreds; tens too where ten is a scale.
    section: u64,
    small: Option<u64>,
    last_scale: u64,
    count: usize,
}

impl Composed<'_> {
    fn value(&self) -> u64 {
        self.total.saturating_add(self.section).saturating_add(self.small.unwrap_or(0))
    }

    /// English "and" stands behind hundreds and thousands only.
    fn may_join(&self) -> bool {
        self.small.is_none() && self.value() > 0
    }

    /// Takes the next number; `is_joined` where it stands in one word with the one before. `None` where it can't follow.
    fn add(&mut self, value: u64, is_joined: bool) -> Option<()> {
        let words = self.words;
        let small = self.small.unwrap_or(0);
        if value == 0 && self.count > 0 && small == 0 && matches!(words.tag, "zh" | "ja" | "ko") {
            return Some(());
        }
        let ten_is_scale = matches!(words.tag, "zh" | "ja" | "ko" | "th");
        let is_scale = value >= 1_000 || value == 100 || value == 10 && ten_is_scale;
        self.count += 1;
        if is_scale {
            let is_bare = small == 0 && self.section == 0;
            if is_bare && words.tag == "en"
                || value < 1_000 && (small >= value || !self.section.is_multiple_of(value * 10))
            {
                return None;
            }
            if value < 1_000 {
                self.section = self.section.checked_add(small.max(1).checked_mul(value)?)?;
            } else if value > self.last_scale || self.total == 0 {
                self.total = self.value().max(1).checked_mul(value)?;
                self.section = 0;
            } else {
                self.total = self.total.checked_add((self.section + small).max(1).checked_mul(value)?)?;
                self.section = 0;
            }
            if value >= 1_000 {
                self.last_scale = value;
            }
            self.small = None;
            return Some(());
        }
        if value > 100 {
            let is_free = self.section == 0 && self.small.is_none();
            self.section = value;
            return is_free.then_some(());
        }
        let adds = match (small, value) {
            (0, _) if self.small.is_none() => self.count == 1 || value > 0,
            (4, 20) if words.tag == "fr" => {
                self.small = Some(80);
                return Some(());
            }
            // Units stand in front of tens within one word: fünfundzwanzig.
            (1..=9, 20..) => is_joined && matches!(words.tag, "de" | "nl"),
            (10, 1..=9) => matches!(words.tag, "fr" | "tr"),
            (60 | 80, 10..=19) => words.tag == "fr",
            (20.., 1..=9) => small.is_multiple_of(10),
            // Arabic says the units first.
            (3..=9, _) if words.tag == "ar" => value >= 20,
            _ => false,
        };
        self.small = Some(small + value);
        adds.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary;
    use super::*;

    #[test]
    fn numbers_compose_in_the_language_of_the_task() {
        for (language, words, digits) in [
            ("en", "one thousand", "1000"),
            ("en", "forty-two", "42"),
            ("en", "Three hundred and five", "305"),
            ("en", "two million three hundred thousand and one", "2300001"),
            ("en", "twelve kilometers", "12 kilometers"),
            ("en", "minus seven", "-7"),
            ("en", "three point one four", "3.14"),
            ("en", "two thirds", "2/3"),
            ("en", "one half", "1/2"),
            ("en", "half", "1/2"),
            ("en", "a hundred", "100"),
            ("de", "zwölf", "12"),
            ("de", "fünfundzwanzig", "25"),
            ("de", "dreihundertfünfundvierzig Meter", "345 meter"),
            ("de", "zwei Drittel", "2/3"),
            ("de", "drei Komma fünf", "3.5"),
            ("nl", "vijfentwintig", "25"),
            ("fr", "quatre mètres", "4 mètres"),
            ("fr", "quatre-vingt-dix-sept", "97"),
            ("fr", "soixante et onze", "71"),
            ("fr", "deux mille vingt-cinq", "2025"),
            ("es", "treinta y cinco", "35"),
            ("es", "once", "11"),
            ("es", "mil novecientos ochenta y cuatro", "1984"),
            ("pt", "vinte e três", "23"),
            ("it", "venticinque", "25"),
            ("it", "ventuno", "21"),
            ("it", "duemila", "2000"),
            ("pl", "dwadzieścia pięć", "25"),
            ("ru", "сорок два", "42"),
            ("ru", "две тысячи пятьсот", "2500"),
            ("uk", "двадцять п'ять", "25"),
            ("tr", "yirmi beş", "25"),
            ("tr", "on iki", "12"),
            ("zh", "二十五", "25"),
            ("zh", "三千五百", "3500"),
            ("zh", "三百零五", "305"),
            ("zh", "五公里", "5 公里"),
            ("ja", "十二", "12"),
            ("ko", "이십오", "25"),
            ("hi", "दस", "10"),
            ("th", "ยี่สิบเอ็ด", "21"),
            ("th", "สามร้อยห้า", "305"),
            ("th", "หนึ่งล้านสองแสน", "1200000"),
            ("th", "ห้ากิโลเมตร", "5 กิโลเมตร"),
            ("ar", "خمسة", "5"),
        ] {
            assert_eq!(in_digits(words, vocabulary::of(language)).as_deref(), Some(digits), "{words}");
        }
        for (language, words) in [
            ("en", "Paris"),
            ("en", "one two"),
            ("en", "twenty thirty"),
            ("en", "hundred"),
            ("en", "and"),
            ("en", ""),
            ("en", "once"),
            ("en", "on"),
            ("en", "zwölf"),
            ("en", "a cat"),
            ("es", "un gato"),
            ("de", "eine Katze"),
            ("de", "once"),
            ("th", "สามารถ"),
            ("th", "ห้าง"),
            ("th", "เก้าอี้"),
        ] {
            assert_eq!(in_digits(words, vocabulary::of(language)), None, "{words}");
        }
    }
}
