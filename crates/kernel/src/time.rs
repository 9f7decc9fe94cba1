//! An instant, as the wire and the database see it: milliseconds since the Unix epoch, UTC.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

/// Milliseconds since the Unix epoch, UTC. On the wire RFC 3339 with milliseconds and `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// An instant from milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the epoch, as signatures and cookies count.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Reads RFC 3339 (`2026-01-31T12:00:00Z`, any offset). `None` when it is not one, or lies outside of the years 0 to
    /// 9999 of UTC, which it could not be written in.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        // Not `jiff::Timestamp`, which ends before the last day of 9999 does.
        let written = jiff::fmt::temporal::Pieces::parse(text).ok()?;
        let (time, offset) = (written.time()?, written.to_numeric_offset()?);
        let since_midnight = time.duration_since(jiff::civil::Time::midnight()).as_millis();
        let midnight = days_since_epoch(written.date()) * DAY_MILLIS;
        let millis = midnight + i64::try_from(since_midnight).ok()? - i64::from(offset.seconds()) * 1000;
        (FIRST_OF_YEAR_0..FIRST_OF_YEAR_10000.cast_signed()).contains(&millis).then_some(Self(millis))
    }

    /// Reads the date of an HTTP header (`Tue, 24 Nov 2026 23:52:32 GMT`), which has whole seconds. `None` when it is not one.
    pub fn parse_http_date(text: &str) -> Option<Self> {
        let parser = jiff::fmt::rfc2822::DateTimeParser::new();
        parser.parse_timestamp(text).ok().map(|read| Self(read.as_millisecond()))
    }

    /// This much later; saturates at the end of time.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(millis(span)))
    }

    /// This much earlier; saturates at the beginning of time.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(millis(span)))
    }

    /// The UTC day that the instant is in.
    pub const fn day(self) -> Day {
        Day(self.0.div_euclid(DAY_MILLIS))
    }

    /// Time passed since `earlier`; zero when `earlier` lies ahead.
    pub fn duration_since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

const MILLIS_A_DAY: u64 = 86_400_000;
const FIRST_OF_YEAR_0: i64 = -62_167_219_200_000;
const FIRST_OF_YEAR_10000: u64 = 253_402_300_800_000;

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.encode() {
            Some(text) => f.write_str(std::str::from_utf8(&text).expect("digits and signs are ASCII")),
            None => {
                let instant = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
                write!(f, "{instant:.3}")
            }
        }
    }
}

impl Timestamp {
    /// The wire form of the years 1970 to 9999. Every answer has two of them, and a formatter takes several times as
    /// long.
    fn encode(self) -> Option<[u8; 24]> {
        let millis = u64::try_from(self.0).ok().filter(|millis| *millis < FIRST_OF_YEAR_10000)?;
        let (days, rest) = (millis / MILLIS_A_DAY, millis % MILLIS_A_DAY);
        let (year, month, day) = date_of(days);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        put(&mut text[0..4], year);
        put(&mut text[5..7], month);
        put(&mut text[8..10], day);
        put(&mut text[11..13], rest / 3_600_000);
        put(&mut text[14..16], rest / 60_000 % 60);
        put(&mut text[17..19], rest / 1000 % 60);
        put(&mut text[20..23], rest % 1000);
        Some(text)
    }
}

/// Year, month and day so many days after 1970-01-01. Years are counted from March, so that a leap day is the
/// last of its year and the lengths of the months before it follow one rule.
const fn date_of(days: u64) -> (u64, u64, u64) {
    // From 0000-03-01, which begins a cycle of 400 years.
    let days = days + 719_468;
    let (cycle, day_of_cycle) = (days / 146_097, days % 146_097);
    // Leap days before this one, less those that centuries leave out.
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, is_next_year) =
        if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    (cycle * 400 + year_of_cycle + is_next_year, month, day)
}

fn put(digits: &mut [u8], mut number: u64) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).expect("a digit");
        number /= 10;
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.encode() {
            Some(text) => serializer.serialize_str(std::str::from_utf8(&text).expect("digits and signs are ASCII")),
            None => serializer.collect_str(self),
        }
    }
}

const DAY_MILLIS: i64 = 86_400_000;
const EPOCH: jiff::civil::Date = jiff::civil::date(1970, 1, 1);

/// A UTC day, counted from 1970-01-01. On the wire `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The first day that can be written.
    pub const MIN: Self = Self(-719_528);
    /// The last day that can be written, 9999-12-31.
    pub const MAX: Self = Self(2_932_896);

    /// A day from its number; `None` when its year has not four digits.
    pub const fn from_number(number: i64) -> Option<Self> {
        if number < Self::MIN.0 || number > Self::MAX.0 { None } else { Some(Self(number)) }
    }

    /// Days since 1970-01-01.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// When the day begins.
    pub const fn start(self) -> Timestamp {
        Timestamp(self.0 * DAY_MILLIS)
    }

    /// Reads `YYYY-MM-DD`. `None` when it is not one, or no such day exists.
    pub fn parse(text: &str) -> Option<Self> {
        let has_shape = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let date: jiff::civil::Date = text.parse().ok().filter(|_| has_shape)?;
        Self::from_number(days_since_epoch(date))
    }
}

fn days_since_epoch(date: jiff::civil::Date) -> i64 {
    (date - EPOCH).get_days().into()
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&EPOCH.saturating_add(jiff::Span::new().days(self.0)), f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wire_form_has_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(1_767_225_600_120).to_string(), "2026-01-01T00:00:00.120Z");
    }

    #[test]
    fn dates_of_http_headers_are_read_and_nothing_else() {
        let read = Timestamp::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(read, Some(Timestamp::from_millis(784_111_777_000)));
        for wrong in ["", "now", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994", "Sun, 36 Nov 1994 08:49:37 GMT"] {
            assert_eq!(Timestamp::parse_http_date(wrong), None, "{wrong}");
        }
    }

    fn as_jiff_writes(millis: i64) -> String {
        format!("{:.3}", jiff::Timestamp::from_millisecond(millis).unwrap())
    }

    #[test]
    fn the_last_and_the_first_day_of_every_month_are_written_as_the_calendar_has_them() {
        for year in 1970..=9998_i16 {
            for month in 1..=12 {
                let first = jiff::civil::date(year, month, 1);
                for day in [first, first.last_of_month()] {
                    let instant =
                        day.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_millisecond() + 86_399_999;
                    assert_eq!(Timestamp::from_millis(instant).to_string(), format!("{day}T23:59:59.999Z"));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_instant_is_written_as_jiff_writes_it(millis in -400_000_000_000_000..=253_402_207_200_000_i64) {
            let millis = millis.max(jiff::Timestamp::MIN.as_millisecond());
            let instant = Timestamp::from_millis(millis);
            prop_assert_eq!(instant.to_string(), as_jiff_writes(millis));
            prop_assert_eq!(serde_json::to_value(instant).unwrap(), as_jiff_writes(millis));
        }
    }

    #[test]
    fn offsets_are_read_as_utc() {
        let read = Timestamp::parse_rfc3339("2026-01-01T01:00:00.5+01:00");
        assert_eq!(read, Some(Timestamp::from_millis(1_767_225_600_500)));
        assert_eq!(Timestamp::parse_rfc3339("tomorrow"), None);
    }

    #[test]
    fn every_instant_of_the_years_0_to_9999_is_read() {
        for (text, millis) in [
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999),
            ("9999-12-31T23:59:59+14:00", 253_402_250_399_000),
            ("9999-12-31T23:59:60Z", 253_402_300_799_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0000-01-01T00:00:00Z", FIRST_OF_YEAR_0),
        ] {
            let read = Timestamp::parse_rfc3339(text);
            assert_eq!(read, Some(Timestamp(millis)), "{text}");
        }
        let last = Timestamp(253_402_300_799_999);
        assert_eq!(Timestamp::parse_rfc3339(&last.to_string()), Some(last));
        for wrong in [
            "9999-12-31T23:59:59-00:01",
            "0000-01-01T00:00:00+00:01",
            "10000-01-01T00:00:00Z",
            "-000001-12-31T00:00:00Z",
            "2026-01-01T00:00:00",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "2026-02-29T00:00:00Z",
            "",
        ] {
            assert_eq!(Timestamp::parse_rfc3339(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn instants_are_read_as_jiff_reads_them(millis in -62_167_219_200_000_i64..253_402_200_000_000, offset in -93_599..93_599_i32) {
            let instant = jiff::Timestamp::from_millisecond(millis).unwrap();
            let text = instant.display_with_offset(jiff::tz::Offset::from_seconds(offset / 60 * 60).unwrap()).to_string();
            prop_assert_eq!(Timestamp::parse_rfc3339(&text), Some(Timestamp(millis)), "{}", text);
        }
    }

    #[test]
    fn days_are_utc_and_have_one_form() {
        for (text, number) in [("1970-01-01", 0), ("1969-12-31", -1), ("2026-02-28", 20_512), ("9999-12-31", 2_932_896)]
        {
            let day = Day::parse(text).unwrap();
            assert_eq!((day.number(), day.to_string().as_str()), (number, text));
            assert_eq!(day.start().day(), day);
            assert_eq!(Timestamp(day.start().0 - 1).day().number(), number - 1);
        }
        assert_eq!(Day::parse("0000-01-01"), Some(Day::MIN));
        for wrong in ["", "2026-02-29", "2026-2-1", "20260201", "2026-02-01T00:00:00Z", "2026-W01-1", "+02026-2-1"] {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn arithmetic_saturates() {
        let end = Timestamp::from_millis(i64::MAX);
        assert_eq!(end.plus(Duration::from_secs(1)), end);
        assert_eq!(Timestamp::from_millis(0).duration_since(end), Duration::ZERO);
    }
}
