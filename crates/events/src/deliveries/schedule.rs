//! When a failed delivery is tried again, and when no more.

use std::time::Duration;

use kernel::time::Timestamp;
use net::header::{HeaderMap, RETRY_AFTER};

/// The longest wait that a receiver can ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);
/// Attempts beyond the schedule that a delivery gets when processes die while they send it.
const SPARE_ATTEMPTS: u32 = 4;

/// The waits between attempts. One more attempt is made than there are waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrySchedule {
    delays: Vec<Duration>,
}

impl Default for RetrySchedule {
    /// 5, 25 and 125 seconds: four attempts.
    fn default() -> Self {
        Self::new([5, 25, 125].map(Duration::from_secs).to_vec())
    }
}

impl RetrySchedule {
    /// `delays[0]` passes between the first failure and the second attempt, and so on.
    pub fn new(delays: Vec<Duration>) -> Self {
        Self { delays }
    }

    /// How long to wait after attempt number `attempt` (from 1) failed; `None` when it was the last.
    pub(super) fn delay_after(&self, attempt: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let index = usize::try_from(attempt.max(1) - 1).unwrap_or(usize::MAX);
        let delay = *self.delays.get(index)?;
        Some(retry_after.map_or(delay, |asked| delay.max(asked.min(MAX_RETRY_AFTER))))
    }

    /// The highest attempt number that is sent. Attempts whose outcome was lost with their process count,
    /// so that a delivery on which every process dies comes to an end too.
    pub(super) fn last_attempt(&self) -> u32 {
        u32::try_from(self.delays.len()).unwrap_or(u32::MAX).saturating_add(1 + SPARE_ATTEMPTS)
    }
}

/// What the receiver asked for, in seconds or as a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    Some(Timestamp::from_millis(at.as_millisecond()).duration_since(now))
}

#[cfg(test)]
mod tests {
    use net::header::HeaderValue;

    use super::*;

    const fn seconds(count: u64) -> Option<Duration> {
        Some(Duration::from_secs(count))
    }

    #[test]
    fn three_waits_make_four_attempts() {
        let schedule = RetrySchedule::default();
        let waits = [1, 2, 3, 4, 5].map(|attempt| schedule.delay_after(attempt, None));
        assert_eq!(waits, [seconds(5), seconds(25), seconds(125), None, None]);
        assert_eq!(RetrySchedule::new(Vec::new()).delay_after(1, None), None);
    }

    #[test]
    fn a_receiver_can_ask_for_more_time_but_not_for_less_or_for_ever() {
        let schedule = RetrySchedule::default();
        assert_eq!(schedule.delay_after(1, seconds(60)), seconds(60));
        assert_eq!(schedule.delay_after(2, seconds(1)), seconds(25));
        assert_eq!(schedule.delay_after(1, seconds(u64::MAX)), seconds(3600));
        assert_eq!(schedule.delay_after(4, seconds(60)), None, "no attempt is added");
    }

    #[test]
    fn both_forms_of_retry_after_are_read() {
        let now = Timestamp::parse_rfc3339("2026-11-06T08:49:37Z").expect("a date");
        let read = |text: &'static str| {
            let headers = [(RETRY_AFTER, HeaderValue::from_static(text))].into_iter().collect();
            retry_after(&headers, now)
        };
        assert_eq!(read("120"), seconds(120));
        assert_eq!(read("Fri, 06 Nov 2026 08:50:37 GMT"), seconds(60));
        assert_eq!(read("Fri, 06 Nov 2026 08:00:00 GMT"), seconds(0));
        for nonsense in ["", "soon", "-1", "1.5", "2026-11-06"] {
            assert_eq!(read(nonsense), None, "{nonsense:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
