//! `[platform]`: what workspaces of the grading platform need and get.

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

static REQUIRE_VERIFIED_EMAIL: Setting =
    Setting::new("platform", "require_verified_email", "LECTERN_REQUIRE_VERIFIED_EMAIL").or("true").shaped(Shape::Bare);

/// `[platform]`
#[derive(Clone, Debug)]
pub struct Platform {
    /// Whether a workspace's keys work only once its e-mail address is verified.
    pub requires_verified_email: bool,
}

impl Platform {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { requires_verified_email: reader.required(&REQUIRE_VERIFIED_EMAIL, parse::flag)? })
    }
}
