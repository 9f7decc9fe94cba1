//! The fields of a workspace in request bodies, each with its rule.

use edge::body::{Check, Plain, any_text, integer, label, one_of};
use mail::Address;

use super::BillingMode;

/// Requests a minute of a workspace that asks for no other limit (platform-api section 8).
pub const DEFAULT_RATE_LIMIT_PER_MINUTE: u32 = 1000;
/// The highest limit that a workspace may have.
pub const HIGHEST_RATE_LIMIT_PER_MINUTE: u32 = 1_000_000;
const LONGEST_SLUG: usize = 100;
/// What a slug has to be, in words.
pub const SLUG_RULE: &str = "must be 1 to 100 letters, digits, hyphens, dots or underscores, a letter or digit first";

/// A workspace's name.
pub(super) fn name() -> impl Check<Value = String> {
    label(1..=200)
}

/// A workspace's handle.
pub(super) fn slug() -> impl Check<Value = String> {
    let text = any_text().length(1..=LONGEST_SLUG).pattern("^[A-Za-z0-9][A-Za-z0-9._~-]*$");
    text.parsed(|slug| if is_slug(&slug) { Ok(slug) } else { Err(SLUG_RULE) })
}

/// Whether a text may be a slug: letters and digits first, then also what a path segment holds unescaped.
pub fn is_slug(text: &str) -> bool {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    starts_well && text.len() <= LONGEST_SLUG && text.bytes().all(is_safe)
}

/// An address that our mail can be sent to; whether it arrives is for the verification to find out.
pub(super) fn email() -> impl Check<Value = String> {
    let text = any_text().length(0..=254).format("email");
    text.parsed(|email| Address::bare(&email).map(|_| email.clone()).map_err(|_| "must be an e-mail address"))
}

/// Requests a minute of all keys together.
pub(super) fn rate_limit() -> impl Check<Value = u32> {
    integer(1..=HIGHEST_RATE_LIMIT_PER_MINUTE)
}

/// The operator's word for a plan.
pub(super) fn plan_code() -> impl Check<Value = String> {
    label(1..=100)
}

/// The payment processor's id of something.
pub(super) fn processor_reference() -> impl Check<Value = String> {
    label(1..=255)
}

impl Plain for BillingMode {
    fn check() -> impl Check<Value = Self> {
        one_of(Self::WORDS).shown_as::<Self>()
    }
}
