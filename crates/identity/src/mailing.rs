//! How the jobs of this crate send mail: again after a while where that may help, with what the server said for the operator.

use std::error::Error as _;
use std::time::Duration;

use kernel::time::Timestamp;
use mail::MailError;
use store::jobs::{ClaimedJob, Outcome};

/// The waits between attempts to send one mail.
const RETRY_DELAYS: [Duration; 4] =
    [Duration::from_secs(10), Duration::from_secs(60), Duration::from_secs(5 * 60), Duration::from_secs(15 * 60)];

/// What becomes of the job of a mail.
pub(crate) fn outcome(sent: Result<(), MailError>, claimed: &ClaimedJob, now: Timestamp) -> Outcome {
    match sent {
        Ok(()) => Outcome::Done,
        Err(error) => {
            let why = error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
            if error.is_transient() { retry(claimed, now, why) } else { Outcome::Fail { why } }
        }
    }
}

/// Another attempt, if there is one left.
pub(crate) fn retry(claimed: &ClaimedJob, now: Timestamp, why: String) -> Outcome {
    let index = usize::try_from(claimed.attempt.saturating_sub(1)).unwrap_or(usize::MAX);
    match RETRY_DELAYS.get(index) {
        Some(delay) => Outcome::Retry { at: now.plus(*delay), why },
        None => Outcome::Fail { why },
    }
}
