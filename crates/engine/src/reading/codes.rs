//! Texts that are written for machines: codes, serial numbers, slugs, constants, and what counts the lessons.

use std::collections::{HashMap, HashSet};

use crate::source::SourceLevel;

/// Longest id that is written like a code, in bytes.
const LONGEST_CODE: usize = 40;
/// Most that the number of a lesson may be above that of the lesson before it.
const MOST_SKIPPED: u32 = 3;
/// Signs between the parts of a code.
const JOINERS: [char; 2] = ['_', '-'];
/// Longest part of a code that consists of letters, in characters.
const LONGEST_PART: usize = 5;

/// The names of fields that hold another code in each lesson that has them: the lessons' ids. One lesson alone may be about
/// "COVID-19".
pub(super) fn lesson_ids(source: &SourceLevel) -> HashSet<&str> {
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    for field in source.lessons.iter().flat_map(|lesson| &lesson.fields) {
        // Only a text is a code.
        values.entry(&field.name).or_default().push(field.value.as_str().unwrap_or_default());
    }
    values.into_iter().filter_map(|(name, values)| (are_ids(&values) || count_up(&values)).then_some(name)).collect()
}

fn are_ids(values: &[&str]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let first = sorted.iter().find(|text| is_code(text));
    let is_id = |text: &&str| is_code(text) || first.is_some_and(|code| continues(code, text));
    let is_series = sorted.iter().filter(|text| is_code(text)).nth(1).is_some();
    is_series && sorted.iter().all(is_id) && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// "BB/V/1", "BB/V/2", "BB/V/4": one text with a number or a letter that counts the lessons. Numbers without a letter may be years, and two
/// names without a joiner may be names: "NO2", "NO3".
fn count_up(values: &[&str]) -> bool {
    let is_code = |text: &&str| text.len() <= LONGEST_CODE && !text.contains(char::is_whitespace);
    let parts: Vec<Vec<&str>> = values.iter().filter(|text| is_code(text)).map(|text| parts_of(text)).collect();
    let [first, second, ..] = &parts[..] else { return false };
    let Some(at) = first.iter().zip(second).position(|(one, other)| one != other) else { return false };
    let is_alike = |parts: &Vec<&str>| {
        parts.len() == first.len() && (0..parts.len()).all(|place| place == at || parts[place] == first[place])
    };
    let is_lettered = (0..first.len()).any(|place| place != at && first[place].contains(char::is_alphabetic));
    let is_joined = parts.len() > 2 || first.iter().any(|part| ["/", "-", "_", "."].contains(part));
    let counter = |parts: &Vec<&str>| {
        let mut signs = parts[at].chars();
        let letter = signs.next().filter(|sign| sign.is_alphabetic() && signs.next().is_none());
        letter.map(u32::from).or_else(|| parts[at].parse().ok())
    };
    let follows = |pair: &[u32]| pair[1].checked_sub(pair[0]).is_some_and(|step| (1..=MOST_SKIPPED).contains(&step));
    parts.len() == values.len()
        && is_lettered
        && is_joined
        && parts.iter().all(is_alike)
        && parts.iter().map(counter).collect::<Option<Vec<u32>>>().is_some_and(|all| all.windows(2).all(follows))
}

/// A text by its runs of digits, its runs of letters, and the signs between them.
fn parts_of(text: &str) -> Vec<&str> {
    let sort = |sign: char| (sign.is_ascii_digit(), sign.is_alphabetic());
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let alone = sort(first) == (false, false);
        let end = rest.char_indices().skip(1).find(|(_, sign)| alone || sort(*sign) != sort(first));
        let (part, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        parts.push(part);
        rest = behind;
    }
    parts
}

/// "6kQzT1vXw", "online_upload", "sfwd-lessons": a code, or words that a machine joins.
pub(super) fn is_machines(text: &str) -> bool {
    let digit = text.contains(|sign: char| sign.is_ascii_digit());
    let joined = text.contains(['_', '-', ':']);
    text.is_ascii()
        && !text.contains(char::is_whitespace)
        && (digit || joined || text.chars().any(char::is_uppercase) && text.chars().skip(1).any(char::is_uppercase))
}

/// "AX-02", "usr_0447", "GEO-4.1": a code with letters, digits and what joins them. It may also be what is taught: "COVID-19".
pub(super) fn is_code(text: &str) -> bool {
    let has = |fits: fn(char) -> bool| text.contains(fits);
    is_written_like_a_code(text) && has(|sign| sign.is_ascii_digit()) && has(|sign| sign.is_ascii_alphabetic())
}

fn is_written_like_a_code(text: &str) -> bool {
    text.len() <= LONGEST_CODE
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || JOINERS.contains(&sign) || sign == '.')
        && text.contains(JOINERS)
        && text.ends_with(|sign: char| sign.is_ascii_alphanumeric())
}

/// "AX-TEST" beside "AX-02": the same letters in front of the first joiner, and none that are small.
fn continues(code: &str, text: &str) -> bool {
    fn series(text: &str) -> Option<&str> {
        text.split(JOINERS).next()
    }
    is_written_like_a_code(text) && !text.contains(char::is_lowercase) && series(code) == series(text)
}

/// "ZHSJ-4X-jq0513", "AX-BNK-02": a code of several parts, one of which mixes letters and digits or begins with a nought.
/// "SARS-CoV-2" and "Vitamin-B12-Mangel" are names.
pub(super) fn is_serial(text: &str) -> bool {
    let parts: Vec<&str> = text.split(JOINERS).filter(|part| !part.is_empty()).collect();
    let has = |part: &&str, fits: fn(char) -> bool| part.contains(fits);
    let numbered = |part: &&str| {
        has(part, char::is_numeric) && (has(part, char::is_alphabetic) || part.len() > 1 && part.starts_with('0'))
    };
    let is_word = |part: &&str| part.chars().count() > LONGEST_PART && part.chars().all(char::is_alphabetic);
    text.len() <= LONGEST_CODE
        && text.chars().all(|sign| sign.is_alphanumeric() || JOINERS.contains(&sign))
        && parts.len() > 2
        && parts.iter().any(numbered)
        && !parts.iter().any(is_word)
}

/// "the-cell", "unit_3": words in lower case, joined by hyphens or underscores.
pub(super) fn is_slug(text: &str) -> bool {
    text.contains(['-', '_'])
        && text.bytes().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || b"-_".contains(&sign))
}

/// "TITLE_AND_BODY": the constant of a program.
pub(super) fn is_constant(text: &str) -> bool {
    text.contains('_')
        && text.bytes().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == b'_')
        && text.bytes().any(|sign| sign.is_ascii_uppercase())
}

/// A UUID, by its length and signs.
pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_counts_the_lessons_is_an_id() {
        for ids in [
            &["BB/V/1", "BB/V/2", "BB/V/3"][..],
            &["CF001", "CF002", "CF004"],
            &["A1.7a", "A1.7b"],
            &["SST-MET-A", "SST-MET-B", "SST-MET-C"],
            &["ว22102-ผ.5/1", "ว22102-ผ.5/2"],
            &["FH-2.1/a", "FH-2.1/b"],
        ] {
            assert!(count_up(ids), "{ids:?}");
        }
        for content in [
            &["1914", "1916"][..],
            &["H2O", "CO2"],
            &["Week 9", "Week 10"],
            &["Hepatitis A", "Hepatitis B", "Hepatitis C"],
            &["NO2", "NO3"],
            &["BB/V/2", "BB/V/1"],
            &["A/4294967295", "A/5"],
            &["one", "two"],
            &["BB/V/1", "BB/V/1"],
            &["BB/V/1"],
            &["Act 1: the storm", "Act 2: the island"],
        ] {
            assert!(!count_up(content), "{content:?}");
        }
    }
}
