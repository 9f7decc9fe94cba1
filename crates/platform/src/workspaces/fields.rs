//! The fields of a workspace in request bodies, each with its rule.

use edge::body::{At, Fields, any_text, integer, label, one_of};
use mail::Address;
use serde_json::Value;

use super::{BillingMode, Processor};

/// Requests a minute of a workspace that asks for no other limit (platform-api section 8).
pub const DEFAULT_RATE_LIMIT_PER_MINUTE: u32 = 1000;
/// The highest limit that a workspace may have.
pub const HIGHEST_RATE_LIMIT_PER_MINUTE: u32 = 1_000_000;
const LONGEST_SLUG: usize = 100;
/// What a slug has to be, in words.
pub const SLUG_RULE: &str = "must be 1 to 100 letters, digits, hyphens, dots or underscores, a letter or digit first";

pub(super) fn name(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=200)(value, at)
}

pub(super) fn slug(value: &Value, at: &mut At<'_>) -> Option<String> {
    let slug = any_text(value, at)?;
    if is_slug(&slug) { Some(slug) } else { at.refuse(SLUG_RULE) }
}

/// Whether a text may be a slug: letters and digits first, then also what a path segment holds unescaped.
pub fn is_slug(text: &str) -> bool {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    starts_well && text.len() <= LONGEST_SLUG && text.bytes().all(is_safe)
}

/// An address that our mail can be sent to; whether it arrives is for the verification to find out.
pub(super) fn email(value: &Value, at: &mut At<'_>) -> Option<String> {
    let email = any_text(value, at)?;
    match Address::bare(&email) {
        Ok(_) => Some(email),
        Err(_) => at.refuse("must be an e-mail address"),
    }
}

pub(super) fn rate_limit(value: &Value, at: &mut At<'_>) -> Option<u32> {
    let limit = integer(1..=i64::from(HIGHEST_RATE_LIMIT_PER_MINUTE))(value, at)?;
    u32::try_from(limit).ok()
}

pub(super) fn plan_code(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=100)(value, at)
}

pub(super) fn billing_mode(value: &Value, at: &mut At<'_>) -> Option<BillingMode> {
    one_of(BillingMode::WORDS)(value, at)
}

pub(super) fn processor_reference(value: &Value, at: &mut At<'_>) -> Option<String> {
    label(1..=255)(value, at)
}

/// The five references of a new workspace.
pub(super) fn processor(fields: &mut Fields<'_>) -> Option<Processor> {
    let mut reference = |name| fields.optional(name, processor_reference);
    let customer = reference("processorCustomerId");
    let subscription = reference("processorSubscriptionId");
    let fast = reference("processorSubscriptionItemIdFast");
    let standard = reference("processorSubscriptionItemIdStandard");
    let advanced = reference("processorSubscriptionItemIdAdvanced");
    Some(Processor {
        processor_customer_id: customer?,
        processor_subscription_id: subscription?,
        processor_subscription_item_id_fast: fast?,
        processor_subscription_item_id_standard: standard?,
        processor_subscription_item_id_advanced: advanced?,
    })
}
