//! `[webhooks]`: how deliveries are repeated.

use std::time::Duration;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static RETRY_DELAYS: Setting =
    Setting::new("webhooks", "retry_delays", "LECTERN_WEBHOOK_RETRY_DELAYS").or("5s,25s,125s").shaped(Shape::List);

/// `[webhooks]`
#[derive(Clone, Debug)]
pub struct Webhooks {
    /// The waits between attempts; one more attempt is made than there are waits.
    pub retry_delays: Vec<Duration>,
}

impl Webhooks {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { retry_delays: reader.required(&RETRY_DELAYS, parse::durations)? })
    }
}
