//! `[limits]`: what a request may cost.

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const MOST_BODY_BYTES: usize = 64 * 1024 * 1024;

static BODY_BYTES: Setting =
    Setting::new("limits", "body_bytes", "LECTERN_BODY_BYTES").or("1048576").shaped(Shape::Bare);

/// `[limits]`
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest JSON body, in bytes.
    pub body_bytes: usize,
}

impl Limits {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { body_bytes: reader.required(&BODY_BYTES, parse::count(1024, MOST_BODY_BYTES))? })
    }
}
