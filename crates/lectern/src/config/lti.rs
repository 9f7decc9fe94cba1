//! `[lti]`: how scores are sent to learning platforms again.

use std::time::Duration;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static RETRY_DELAYS: Setting =
    Setting::new("lti", "retry_delays", "LECTERN_LTI_RETRY_DELAYS").or("5s,30s,120s").shaped(Shape::List);

/// `[lti]`
#[derive(Clone, Debug)]
pub struct Lti {
    /// The waits between attempts to send a score; one more attempt is made than there are waits.
    pub retry_delays: Vec<Duration>,
}

impl Lti {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { retry_delays: reader.required(&RETRY_DELAYS, parse::durations)? })
    }
}
