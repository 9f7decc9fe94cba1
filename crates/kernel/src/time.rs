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

    /// Reads RFC 3339 (`2026-01-31T12:00:00Z`, any offset). `None` when it is not one.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|instant| Self(instant.as_millisecond()))
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

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        write!(f, "{instant:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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
        Self::from_number((date - EPOCH).get_days().into())
    }
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
    use super::*;

    #[test]
    fn wire_form_has_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(1_767_225_600_120).to_string(), "2026-01-01T00:00:00.120Z");
    }

    #[test]
    fn offsets_are_read_as_utc() {
        let read = Timestamp::parse_rfc3339("2026-01-01T01:00:00.5+01:00");
        assert_eq!(read, Some(Timestamp::from_millis(1_767_225_600_500)));
        assert_eq!(Timestamp::parse_rfc3339("tomorrow"), None);
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
