//! The errors of the API: each case of [`Problem`] with its meaning and what a caller does about it.
//!
//! Status, code, message and body come from the problem itself, as [`edge::problem::render`] makes them.

use std::sync::Arc;
use std::time::Duration;

use edge::problem::{Detail, PaymentInstructions, PlatformError, Problem};

/// A case.
#[derive(Clone, Debug)]
pub(crate) struct ErrorCase {
    /// The case's id on the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) status: u16,
    /// `error.code` of the platform surface.
    pub(crate) code: &'static str,
    /// `code` of the other surfaces, where there is one.
    pub(crate) content_code: &'static str,
    /// An example of the sentence for people.
    pub(crate) message: String,
    pub(crate) meaning: &'static str,
    pub(crate) remedy: &'static str,
}

/// Every case, by status.
pub(crate) fn cases() -> Vec<ErrorCase> {
    let mut cases: Vec<ErrorCase> = problems().iter().map(case).collect();
    cases.sort_by_key(|case| case.status);
    cases
}

fn case(problem: &Problem) -> ErrorCase {
    let [id, title, meaning, remedy] = words(problem);
    let content_code = match problem {
        Problem::SecondFactorRequired => "second_factor_required",
        Problem::SecondFactorMissing => "second_factor_missing",
        Problem::NotGenerated { code, .. } => code,
        _ => "",
    };
    let PlatformError { code, message, status, .. } = PlatformError::of(problem);
    ErrorCase { id, title, status, code, content_code, message, meaning, remedy }
}

/// One of each.
fn problems() -> Vec<Problem> {
    let cause = || Arc::new(std::io::Error::other("an example"));
    let wait = Duration::from_secs(12);
    let pay = || Arc::new(PaymentInstructions::default());
    vec![
        Problem::MalformedJson("expected a comma at line 3, column 5".to_owned()),
        Problem::MalformedForm,
        Problem::Invalid(vec![Detail { path: "questionText".to_owned(), message: "is required".to_owned() }]),
        Problem::IncompleteBody,
        Problem::Unauthorized("The API key is invalid or missing."),
        Problem::SecondFactorRequired,
        Problem::KeyRevoked,
        Problem::KeyExpired,
        Problem::InsufficientCredits,
        Problem::SpendingCapReached("The workspace's spending cap of the day is reached.".to_owned()),
        Problem::PaymentRequired(pay()),
        Problem::PaymentFailed { why: "The payment's signature is not the payer's.".to_owned(), instructions: pay() },
        Problem::SecondFactorMissing,
        Problem::WorkspaceSuspended,
        Problem::EmailUnverified,
        Problem::FreeCreditsExhausted,
        Problem::Forbidden("The key has no right to do this."),
        Problem::NotFound("Evaluation"),
        Problem::UnknownRoute,
        Problem::MethodNotAllowed,
        Problem::Conflict("The idempotency key was used for another request."),
        Problem::NotGenerated {
            code: "nothing_else",
            message: "The source gives no other question.".to_owned(),
            retry_after: None,
        },
        Problem::PreconditionFailed,
        Problem::TooLarge { limit_bytes: 2_097_152 },
        Problem::UnsupportedMediaType,
        Problem::UnsupportedUpload("The Content-Type must be application/zip or text/html."),
        Problem::RangeNotSatisfiable { length_bytes: 4096 },
        Problem::TooManyRequests { message: "The rate limit of the key is exceeded.", retry_after: wait },
        Problem::Unexpected(cause()),
        Problem::Unavailable(cause()),
        Problem::NotReady { message: "The language model is not available.", retry_after: wait },
    ]
}

/// The id, the title, the meaning, and what to do.
fn words(problem: &Problem) -> [&'static str; 4] {
    match problem {
        Problem::MalformedJson(_) => [
            "malformed-json",
            "Malformed JSON",
            "The body is no JSON, or has a member twice.",
            "Send JSON in UTF-8. `details` says at which line and column reading stopped.",
        ],
        Problem::MalformedForm => [
            "malformed-form",
            "Malformed form",
            "The body is no multipart form.",
            "Let the HTTP client write the form and its `Content-Type` with the boundary.",
        ],
        Problem::Invalid(_) => [
            "invalid-request",
            "Invalid request",
            "Fields of the request are wrong. Nothing was changed.",
            "Correct every field that `details` lists: `path` says where, `message` says what is wrong.",
        ],
        Problem::IncompleteBody => [
            "incomplete-body",
            "Incomplete body",
            "The body did not arrive in full, or too slowly.",
            "Send the request again. Use the same `Idempotency-Key` for a create.",
        ],
        Problem::Unauthorized(_) => [
            "invalid-api-key",
            "No valid credential",
            "The key or session is missing, mistyped, revoked or of another surface.",
            "Send `Authorization: Bearer` and a key of this surface. Sign in again where a session is used.",
        ],
        Problem::SecondFactorRequired => [
            "second-factor-required",
            "Second factor required",
            "The password was right, and the account has a second factor.",
            "Ask the person for a code and send `code` or `recoveryCode` with the password.",
        ],
        Problem::KeyRevoked => [
            "api-key-revoked",
            "Key revoked",
            "Somebody revoked the key, or rotated it and its grace is over.",
            "Use the key that took its place, or create one.",
        ],
        Problem::KeyExpired => [
            "api-key-expired",
            "Key expired",
            "The time of the key is over. `key.expiring` told so before.",
            "Create or rotate a key. Subscribe to `key.expiring` to hear in time.",
        ],
        Problem::InsufficientCredits => [
            "insufficient-credits",
            "Insufficient credits",
            "The workspace's credits don't pay for the request.",
            "Buy credits at the payment page, or let an operator add some. Subscribe to `billing.low_balance`.",
        ],
        Problem::SpendingCapReached(_) => [
            "spending-cap-reached",
            "Spending cap reached",
            "A hard cap of the workspace or the key is reached for the day or the month (UTC).",
            "Wait for the next day or month, or raise the cap.",
        ],
        Problem::PaymentRequired(_) => [
            "payment-required",
            "Payment required",
            "The credits don't suffice, and a payment that comes with the request would.",
            "Pay as `accepts` says and send the request again with `X-PAYMENT`, or open `billingSessionUrl`.",
        ],
        Problem::PaymentFailed { .. } => [
            "payment-failed",
            "Payment not taken",
            "The payment that came with the request is not valid or was not settled.",
            "Read the message, make another payment as `accepts` says, and send the request again.",
        ],
        Problem::SecondFactorMissing => [
            "second-factor-missing",
            "Second factor missing",
            "The service requires a second factor of operators, and the account has none.",
            "Set one up on the account page of the console.",
        ],
        Problem::WorkspaceSuspended => [
            "workspace-suspended",
            "Workspace suspended",
            "An operator suspended the workspace.",
            "Ask the operator. Repeating the request does not help.",
        ],
        Problem::EmailUnverified => [
            "email-verification-required",
            "E-mail address not verified",
            "The workspace's e-mail address is not verified yet.",
            "Open the link in the mail. `resendVerification` sends another mail.",
        ],
        Problem::FreeCreditsExhausted => [
            "free-credits-exhausted",
            "Free credits used up",
            "The workspace had free credits only, and they don't pay for the request.",
            "Register a payment method, or buy credits.",
        ],
        Problem::Forbidden(_) => [
            "forbidden",
            "Forbidden",
            "The caller is known and has no right to do this.",
            "Use a key with the scope `platform:admin` or a session that manages the organization.",
        ],
        Problem::NotFound(_) => [
            "not-found",
            "Not found",
            "There is no such thing for this caller. What belongs to others is not found either.",
            "Check the ID, and that the key belongs to the same organization or workspace.",
        ],
        Problem::UnknownRoute => [
            "unknown-route",
            "No such route",
            "No operation has this path.",
            "Compare the path with this reference, the letters' case too.",
        ],
        Problem::MethodNotAllowed => [
            "method-not-allowed",
            "Method not allowed",
            "The path exists with other methods, which the header `Allow` names.",
            "Use a method that `Allow` names.",
        ],
        Problem::Conflict(_) => [
            "conflict",
            "Conflict",
            "The state stands against it, or the idempotency key was used for another request.",
            "Read the message. Wait where a job still runs; use a new `Idempotency-Key` for another request.",
        ],
        Problem::PreconditionFailed => [
            "precondition-failed",
            "Changed meanwhile",
            "Somebody changed the resource after the version that `If-Match` names.",
            "Read the resource, merge both changes, and send them with the new `ETag`.",
        ],
        Problem::TooLarge { .. } => [
            "body-too-large",
            "Body too large",
            "The body is longer than the service takes.",
            "Send less at once. The message names the limit in bytes.",
        ],
        Problem::UnsupportedMediaType => [
            "unsupported-media-type",
            "Not JSON",
            "The body's `Content-Type` is not `application/json`.",
            "Send JSON, and say so in `Content-Type`.",
        ],
        Problem::UnsupportedUpload(_) => [
            "unsupported-upload",
            "Type of file not taken",
            "The operation does not read files of this type.",
            "Send one of the types that the message names.",
        ],
        Problem::RangeNotSatisfiable { .. } => [
            "range-not-satisfiable",
            "Range outside of the file",
            "The header `Range` names bytes that the file does not have.",
            "`Content-Range` of the response has the file's length.",
        ],
        Problem::TooManyRequests { .. } => [
            "rate-limit-exceeded",
            "Too many requests",
            "A rate limit is exceeded. Nothing was done.",
            "Wait for the seconds in `Retry-After`, then send the request again. `RateLimit-Remaining` helps to slow down before.",
        ],
        Problem::Unexpected(_) => [
            "internal-error",
            "Unexpected error",
            "The service has a defect. It is logged.",
            "Send the request again, a create with the same `Idempotency-Key`. Give `X-Request-Id` to the operator if it stays.",
        ],
        Problem::Unavailable(_) => [
            "unavailable",
            "Temporarily unavailable",
            "The database or another part of the service is away. A write happened as a whole or not at all.",
            "Wait for the seconds in `Retry-After`. Repeat a create with the same `Idempotency-Key`.",
        ],
        Problem::NotGenerated { .. } => [
            "not-generated",
            "Nothing was generated",
            "The generator made no draft of the request. Nothing was changed. `code` says why: `nothing_else` where the source \
             gives no other part, or a code of the generation.",
            "Keep the part as it is, or change it by hand. With status 503, wait for the seconds in `Retry-After` and send the \
             request again.",
        ],
        Problem::NotReady { .. } => [
            "not-ready",
            "A part is away",
            "Something that this operation needs, such as the language model, is away for a while. Nothing was done.",
            "Wait for the seconds in `Retry-After`, then send the request again.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use http_body_util::BodyExt as _;
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_case_of_a_problem_is_listed_once() {
        let source = include_str!("../../edge/src/problem.rs");
        let body = source.split("pub enum Problem {\n").nth(1).unwrap().split("\n}\n").next().unwrap();
        let variants: BTreeSet<String> = body
            .lines()
            .filter_map(|line| line.strip_prefix("    "))
            .filter(|line| line.starts_with(|letter: char| letter.is_ascii_uppercase()))
            .map(|line| line.split([',', '(', ' ']).next().unwrap().to_owned())
            .collect();
        let names = problems().iter().map(|problem| format!("{problem:?}")).collect::<Vec<_>>();
        let listed: BTreeSet<String> =
            names.iter().map(|name| name.split(['(', ' ']).next().unwrap().to_owned()).collect();
        assert!(variants.len() > 20);
        assert_eq!(listed, variants);
        let ids: BTreeSet<_> = cases().iter().map(|case| case.id).collect();
        assert_eq!((ids.len(), problems().len()), (variants.len(), variants.len()));
    }

    #[tokio::test]
    async fn the_table_says_what_the_service_answers() {
        for problem in problems() {
            let case = case(&problem);
            for (path, pointer) in [("/v1/platform/x", "/error/code"), ("/v1/content/x", "/code")] {
                let response = edge::problem::render(path, &problem);
                assert_eq!(response.status().as_u16(), case.status, "{}", case.id);
                let bytes = response.into_body().collect().await.unwrap().to_bytes();
                let body: Value = serde_json::from_slice(&bytes).unwrap();
                let expected = if pointer == "/code" { case.content_code } else { case.code };
                assert_eq!(body.pointer(pointer).and_then(Value::as_str).unwrap_or_default(), expected, "{}", case.id);
            }
        }
    }
}
