//! `[workers]`: how much is done in the background at once.

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static IN_FLIGHT: Setting = Setting::new("workers", "in_flight", "LECTERN_WORKERS").or("32").shaped(Shape::Bare);

/// `[workers]`
#[derive(Clone, Debug)]
pub struct Workers {
    /// Jobs in flight in this process, 1 to 1024.
    pub in_flight: usize,
}

impl Workers {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { in_flight: reader.required(&IN_FLIGHT, parse::count(1, 1024))? })
    }
}
