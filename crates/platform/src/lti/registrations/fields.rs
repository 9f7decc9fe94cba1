//! The fields of a registration in request bodies, each with its rule.

use edge::body::{At, Check, any_text, label, object};
use kernel::json::JsonText;
use lti::LONGEST_ID;
use net::{MAX_URL_BYTES, OutboundClient, Url};
use serde::Deserialize as _;
use serde_json::Value;

use super::{GradeSync, TestSettings};

const LONGEST_METADATA: usize = 16 * 1024;
const LONGEST_COMMENT: usize = 500;
const MOST_DEPLOYMENTS: usize = 1000;
const MOST_ATTEMPTS: u32 = 100;

/// A registration's name.
pub(in crate::lti) fn name() -> impl Check<Value = String> {
    label(1..=200)
}

/// An issuer or a client id: compared to the letter.
pub(super) fn identifier() -> impl Check<Value = String> {
    label(1..=LONGEST_ID)
}

/// An address of the platform; [`is_reachable`] judges it.
pub(super) fn endpoint() -> impl Check<Value = String> {
    any_text().length(1..=MAX_URL_BYTES).format("uri")
}

/// The rule of an address: it is one that the service may call.
pub(super) fn is_reachable(at: &mut At<'_>, name: &'static str, url: Option<&str>, outbound: &OutboundClient) {
    if let Some(Err(refused)) = url.map(|url| outbound.check_url(url)) {
        at.member(name).refuse::<()>(refused.to_string());
    }
}

/// The caller's own data, kept as it is, with the settings that this service reads.
pub(in crate::lti) fn metadata() -> impl Check<Value = JsonText> {
    object(LONGEST_METADATA).then(|metadata, at| {
        let is_url = metadata.get("launchUrl").is_none_or(is_launch_url);
        if !is_url {
            at.member("launchUrl").refuse::<()>("must be an absolute http or https URL");
        }
        let are_ids = metadata.get("deploymentIds").is_none_or(are_deployments);
        if !are_ids {
            let message =
                format!("must be a list of at most {MOST_DEPLOYMENTS} texts of 1 to {LONGEST_ID} ASCII characters");
            at.member("deploymentIds").refuse::<()>(message);
        }
        let is_audience = metadata.get("tokenAudience").is_none_or(|audience| is_text(audience, MAX_URL_BYTES));
        if !is_audience {
            at.member("tokenAudience").refuse::<()>(format!("must be a text of 1 to {MAX_URL_BYTES} characters"));
        }
        let is_sync = metadata.get("gradeSync").is_none_or(is_grade_sync);
        if !is_sync {
            let message = format!(
                "must be an object with onReview, \"send\" or \"hold\", and comment, a text of 1 to {LONGEST_COMMENT} characters"
            );
            at.member("gradeSync").refuse::<()>(message);
        }
        let are_tests = metadata.get("tests").is_none_or(are_test_settings);
        if !are_tests {
            let message = format!(
                "must be an object with attempts, 1 to {MOST_ATTEMPTS}, and tier, \"fast\", \"standard\" or \"advanced\""
            );
            at.member("tests").refuse::<()>(message);
        }
        (is_url && are_ids && is_audience && is_sync && are_tests).then(|| JsonText::of(&metadata))
    })
}

fn is_launch_url(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) if text.len() <= MAX_URL_BYTES => {
            Url::parse(text).is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host())
        }
        _ => false,
    }
}

fn is_text(value: &Value, longest: usize) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| (1..=longest).contains(&text.chars().count()))
}

fn is_grade_sync(value: &Value) -> bool {
    let has_comment = value.get("comment").is_none_or(|comment| is_text(comment, LONGEST_COMMENT));
    has_comment && Option::<GradeSync>::deserialize(value).is_ok()
}

fn are_test_settings(value: &Value) -> bool {
    let settings = Option::<TestSettings>::deserialize(value);
    settings.is_ok_and(|settings| {
        settings.and_then(|settings| settings.attempts).is_none_or(|attempts| (1..=MOST_ATTEMPTS).contains(&attempts))
    })
}

fn are_deployments(value: &Value) -> bool {
    let is_id = |id: &Value| id.as_str().is_some_and(|id| (1..=LONGEST_ID).contains(&id.len()) && id.is_ascii());
    match value {
        Value::Null => true,
        Value::Array(ids) => ids.len() <= MOST_DEPLOYMENTS && ids.iter().all(is_id),
        _ => false,
    }
}
