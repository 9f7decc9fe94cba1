//! `[platform]`: what workspaces of the grading platform need and get.

use std::time::Duration;

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static REQUIRE_VERIFIED_EMAIL: Setting =
    Setting::new("platform", "require_verified_email", "LECTERN_REQUIRE_VERIFIED_EMAIL").or("true").shaped(Shape::Bare);
static OUTAGE_DELAYS: Setting =
    Setting::new("platform", "outage_delays", "LECTERN_OUTAGE_DELAYS").or("5s,10s,20s,40s").shaped(Shape::List);

/// `[platform]`
#[derive(Clone, Debug)]
pub struct Platform {
    /// Whether a workspace's keys work only once its e-mail address is verified.
    pub requires_verified_email: bool,
    /// The waits of a queued evaluation whose model or files are away, after which it fails.
    pub outage_delays: Vec<Duration>,
}

impl Platform {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let requires_verified_email = reader.required(&REQUIRE_VERIFIED_EMAIL, parse::flag);
        let outage_delays = reader.required(&OUTAGE_DELAYS, parse::durations);
        Some(Self { requires_verified_email: requires_verified_email?, outage_delays: outage_delays? })
    }
}
