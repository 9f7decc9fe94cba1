//! What the values of parameters may be: functions from a text to the typed value, or to what is wrong with it.

use std::ops::RangeInclusive;
use std::str::FromStr;

use kernel::time::Timestamp;

/// A whole number within a range, in digits only. A number beyond the largest is read as the largest.
pub fn integer(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> {
    move |text| {
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let value = is_whole.then(|| text.parse().unwrap_or(u64::MAX)).filter(|value| range.contains(value));
        value.ok_or_else(|| match *range.end() {
            u64::MAX => format!("must be a whole number from {}", range.start()),
            end => format!("must be a whole number from {} to {end}", range.start()),
        })
    }
}

/// A number within a range.
pub fn number(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> {
    move |text| {
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| format!("must be a number from {} to {}", range.start(), range.end()))
    }
}

/// A text of so many characters, without NUL, which no database stores.
pub fn text(length: RangeInclusive<usize>) -> impl Fn(&str) -> Result<String, String> {
    move |text| {
        if text.contains('\0') {
            return Err("must not have the character NUL".to_owned());
        }
        if !length.contains(&text.chars().count()) {
            return Err(format!("must have {} to {} characters", length.start(), length.end()));
        }
        Ok(text.to_owned())
    }
}

/// `true` or `false`.
pub fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}

/// An identifier.
pub fn id<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a UUID".to_owned())
}

/// An instant in RFC 3339. A plus sign that nobody escaped arrives as a space, and is read as what it was.
pub fn timestamp(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_rfc3339(text)
        .or_else(|| Timestamp::parse_rfc3339(&text.replace(' ', "+")))
        .ok_or_else(|| "must be a date and time in RFC 3339".to_owned())
}

/// One of some words.
pub fn one_of<T: Copy>(words: &'static [(&'static str, T)]) -> impl Fn(&str) -> Result<T, String> {
    move |text| {
        let known = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        known.ok_or_else(|| {
            let list: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            format!("must be one of {}", list.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_within_the_range() {
        assert_eq!(integer(1..=100)("100"), Ok(100));
        assert_eq!(integer(1..=u64::MAX)("99999999999999999999999"), Ok(u64::MAX));
        for wrong in ["0", "101", "-1", "", "x", "1.5", "\0", "+1", "1e1", "\u{661}", "99999999999999999999999"] {
            assert_eq!(integer(1..=100)(wrong), Err("must be a whole number from 1 to 100".to_owned()), "{wrong}");
        }
        assert_eq!(integer(1..=u64::MAX)("0"), Err("must be a whole number from 1".to_owned()));
    }

    #[test]
    fn numbers_are_finite_and_within_the_range() {
        assert_eq!(number(0.0..=1.0)("0.75").map(f64::to_bits), Ok(0.75_f64.to_bits()));
        for wrong in ["-0.1", "1.01", "NaN", "inf", "", "x", "0,5", " 1"] {
            assert!(number(0.0..=1.0)(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_are_bounded_and_have_no_nul() {
        assert_eq!(text(1..=3)("äöü"), Ok("äöü".to_owned()));
        for wrong in ["", "äöüß", "a\0"] {
            assert!(text(1..=3)(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn an_instant_may_have_lost_its_plus_sign() {
        let expected = timestamp("2026-11-01T01:00:00+02:00").unwrap();
        assert_eq!(timestamp("2026-11-01T01:00:00 02:00"), Ok(expected));
        assert_eq!(timestamp("2026-10-31T23:00:00Z"), Ok(expected));
        for wrong in ["", "2026-11-01", "yesterday", "2026-11-01T25:00:00Z", "2026-11-01T01:00:00", "1795282725"] {
            assert!(timestamp(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_taken_to_the_letter() {
        const WORDS: &[(&str, u8)] = &[("one", 1), ("two", 2)];
        assert_eq!(one_of(WORDS)("two"), Ok(2));
        assert_eq!(one_of(WORDS)("Two"), Err("must be one of one, two".to_owned()));
        assert_eq!((boolean("true"), boolean("1").is_err(), boolean("True").is_err()), (Ok(true), true, true));
    }
}
