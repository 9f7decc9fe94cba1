//! Compares the platform's clock with that of this machine.

use std::time::Duration;

use kernel::time::Timestamp;
use lti::LEEWAY;

use super::Diagnosis;

const SUBJECT: &str = "clock";
/// More than this is worth knowing.
const NOTABLE: Duration = Duration::from_secs(5);
/// The header has whole seconds.
const RESOLUTION: Duration = Duration::from_millis(999);

/// How far the platform's clock differs from ours at least, whatever the network did meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skew {
    Ahead(Duration),
    Behind(Duration),
}

impl Skew {
    /// From the date of an answer that came between two instants of our clock.
    pub(super) fn between(asked_at: Timestamp, answered_at: Timestamp, date: Timestamp) -> Self {
        match date.duration_since(answered_at) {
            Duration::ZERO => Self::Behind(asked_at.duration_since(date.plus(RESOLUTION))),
            ahead => Self::Ahead(ahead),
        }
    }
}

/// Judges the first answer that had a date.
pub(super) fn compare(skews: impl IntoIterator<Item = Option<Skew>>) -> Diagnosis {
    let (difference, direction) = match skews.into_iter().flatten().next() {
        None => return Diagnosis::warning(SUBJECT, "no answer of the platform says what time it has there"),
        Some(Skew::Ahead(difference)) => (difference, "ahead of"),
        Some(Skew::Behind(difference)) => (difference, "behind"),
    };
    if difference <= NOTABLE {
        return Diagnosis::fine(SUBJECT, "the platform has the same time as this machine");
    }
    let found = format!("the platform's clock is {} s {direction} that of this machine", difference.as_secs());
    let leeway = LEEWAY.as_secs();
    if difference <= LEEWAY {
        return Diagnosis::warning(SUBJECT, format!("{found}; {leeway} s are tolerated. Let NTP set both clocks"));
    }
    Diagnosis::wrong(
        SUBJECT,
        format!("{found}, so launches or access tokens are refused; {leeway} s are tolerated. Let NTP set both clocks"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lti::doctor::Severity;

    fn judged(date: i64) -> Severity {
        let at = |seconds: i64| Timestamp::from_millis(1_795_282_725_400 + seconds * 1000);
        // The answer came within two seconds.
        let date = Timestamp::from_millis((1_795_282_725 + date) * 1000);
        compare([None, Some(Skew::between(at(0), at(2), date))]).severity
    }

    #[test]
    fn the_network_and_whole_seconds_make_no_difference() {
        for (date, expected) in [
            (0, Severity::Fine),
            (2, Severity::Fine),
            (7, Severity::Fine),
            (8, Severity::Warning),
            (62, Severity::Warning),
            (63, Severity::Wrong),
            (-5, Severity::Fine),
            (-6, Severity::Warning),
            (-60, Severity::Warning),
            (-61, Severity::Wrong),
            (86_400, Severity::Wrong),
        ] {
            assert_eq!(judged(date), expected, "{date}");
        }
        assert_eq!(compare([None]).severity, Severity::Warning);
    }
}
