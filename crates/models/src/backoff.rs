//! How long it is waited before another try.

use std::time::Duration;

use jiff::fmt::rfc2822;
use kernel::time::Timestamp;
use net::header::{HeaderMap, RETRY_AFTER};

use crate::settings::Pacing;

/// What a server asks for beyond this is as good as never.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The wait before the try after `tries` failed ones: any time up to a bound that doubles, so that those who failed together
/// don't come back together, and never less than the server asks for. `None` when that is longer than `left`.
pub(crate) fn pause(
    pacing: &Pacing,
    tries: u32,
    chance: [u8; 4],
    retry_after: Option<Duration>,
    left: Duration,
) -> Option<Duration> {
    let doubled = pacing.first_delay.saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1)));
    let fraction = f64::from(u32::from_le_bytes(chance)) / f64::from(u32::MAX);
    let pause = match retry_after {
        Some(wait) => wait + pacing.first_delay.mul_f64(fraction),
        None => doubled.min(pacing.longest_delay).mul_f64(fraction),
    };
    (pause < left).then_some(pause)
}

/// What `Retry-After` says: seconds, or a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => {
            let date = rfc2822::parse(text).ok()?.timestamp().as_millisecond();
            Duration::from_millis(u64::try_from(date - now.as_millis()).unwrap_or(0))
        }
    };
    Some(wait.min(LONGEST_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACING: Pacing = Pacing {
        first_delay: Duration::from_secs(1),
        longest_delay: Duration::from_secs(5),
        cooling: Duration::ZERO,
        longest_cooling: Duration::ZERO,
    };
    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_bound_doubles_up_to_a_limit_and_chance_takes_any_part_of_it() {
        let longest = |tries| pause(&PACING, tries, [255; 4], None, LONG).unwrap().as_secs();
        assert_eq!([1, 2, 3, 4, 99].map(longest), [1, 2, 4, 5, 5]);
        assert_eq!(pause(&PACING, 9, [0; 4], None, LONG), Some(Duration::ZERO));
        let half = pause(&PACING, 2, [0, 0, 0, 128], None, LONG).unwrap().as_millis();
        assert!((990..=1010).contains(&half), "{half}");
    }

    #[test]
    fn what_the_server_asks_for_is_kept_to_or_given_up_at_once() {
        let asked = Some(Duration::from_secs(30));
        for chance in [[0; 4], [255; 4]] {
            let wait = pause(&PACING, 1, chance, asked, LONG).unwrap();
            assert!((30..=31).contains(&wait.as_secs()), "{wait:?}");
        }
        assert_eq!(pause(&PACING, 1, [0; 4], asked, Duration::from_secs(29)), None);
    }

    #[test]
    fn retry_after_is_a_number_or_a_date() {
        let now = Timestamp::parse_rfc3339("2026-11-22T08:00:00Z").unwrap();
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            retry_after(&headers, now).map(|wait| wait.as_millis())
        };
        assert_eq!((read("7"), read(" 0.5 ")), (Some(7_000), Some(500)));
        assert_eq!(read("Sun, 22 Nov 2026 08:00:09 GMT"), Some(9_000));
        assert_eq!(read("Sun, 22 Nov 2026 07:00:00 GMT"), Some(0), "that is past");
        assert_eq!(read("99999999"), Some(3_600_000));
        for wrong in ["-1", "soon", "", "NaN", "inf"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
