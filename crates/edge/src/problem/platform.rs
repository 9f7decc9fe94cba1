//! The platform surface's envelope and its table of codes (platform-api section 7).

use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Detail, Problem};

/// The error body of the platform surface.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(example = json!({ "error": {
    "code": "platform_invalid_request",
    "message": "The request is invalid: questionText is required; tier must be one of fast, standard, advanced.",
    "status": 400,
    "details": [
        { "path": "questionText", "message": "is required" },
        { "path": "tier", "message": "must be one of fast, standard, advanced" },
    ],
} }))]
pub struct PlatformErrorBody {
    /// What went wrong.
    pub error: PlatformError,
    /// On a 402 for which a payment is taken, how to pay: `x402`, `billingSessionUrl`, `x402Version` and `accepts`.
    #[serde(flatten)]
    #[schema(ignore)]
    pub payment: Map<String, Value>,
}

/// What went wrong.
#[derive(Serialize, utoipa::ToSchema)]
pub struct PlatformError {
    /// What programs branch on.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
    /// The HTTP status again.
    pub status: u16,
    /// Every wrong field; on a 400 only.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<Detail>>,
}

impl PlatformError {
    /// What stands against one part of a request whose parts are answered each on its own.
    pub fn of(problem: &Problem) -> Self {
        let details = match problem {
            Problem::Invalid(details) => Some(details.clone()),
            _ => None,
        };
        PlatformErrorBody::of(problem, problem.status(), details).error
    }
}

impl PlatformErrorBody {
    pub(super) fn of(problem: &Problem, status: StatusCode, details: Option<Vec<Detail>>) -> Self {
        let message = match problem {
            Problem::Invalid(details) => sentence(details),
            problem => problem.to_string(),
        };
        let payment = problem.payment_instructions().map(|instructions| instructions.body.clone()).unwrap_or_default();
        Self { error: PlatformError { code: code(problem), message, status: status.as_u16(), details }, payment }
    }
}

/// The document has no codes of their own for what HTTP tells by its status: those share the code of their class.
fn code(problem: &Problem) -> &'static str {
    match problem {
        Problem::MalformedJson(_)
        | Problem::MalformedForm
        | Problem::Invalid(_)
        | Problem::IncompleteBody
        | Problem::MethodNotAllowed
        | Problem::PreconditionFailed
        | Problem::RangeNotSatisfiable { .. }
        | Problem::TooLarge { .. }
        | Problem::UnsupportedMediaType
        | Problem::UnsupportedUpload(_) => "platform_invalid_request",
        Problem::Unauthorized(_) | Problem::SecondFactorRequired => "platform_invalid_api_key",
        Problem::KeyRevoked => "platform_api_key_revoked",
        Problem::KeyExpired => "platform_api_key_expired",
        Problem::Forbidden(_) | Problem::SecondFactorMissing => "platform_forbidden",
        Problem::WorkspaceSuspended => "platform_workspace_suspended",
        Problem::EmailUnverified => "email_verification_required",
        Problem::FreeCreditsExhausted => "free_credits_exhausted",
        Problem::InsufficientCredits | Problem::SpendingCapReached(_) => "platform_insufficient_credits",
        Problem::PaymentRequired(_) => "payment_required",
        Problem::PaymentFailed { .. } => "x402_payment_failed",
        Problem::NotFound(_) | Problem::UnknownRoute => "platform_not_found",
        Problem::Conflict(_) | Problem::NotGenerated { retry_after: None, .. } => "platform_conflict",
        Problem::TooManyRequests { .. } => "platform_rate_limit_exceeded",
        Problem::Unavailable(_)
        | Problem::NotReady { .. }
        | Problem::NotGenerated { retry_after: Some(_), .. }
        | Problem::Unexpected(_) => "platform_internal_error",
    }
}

/// Names the fields: clients show the message, and few look at the details.
fn sentence(details: &[Detail]) -> String {
    let faults: Vec<_> = details
        .iter()
        .map(|Detail { path, message }| match path.as_str() {
            "" => format!("the body {message}"),
            path => format!("{path} {message}"),
        })
        .collect();
    format!("The request is invalid: {}.", faults.join("; "))
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use serde_json::json;

    use super::*;
    use crate::problem::render;

    async fn body_of(path: &str, problem: Problem) -> Value {
        let bytes = render(path, &problem).into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn the_platform_envelope_has_code_message_and_status() {
        let body = body_of("/v1/platform/workspaces", Problem::WorkspaceSuspended).await;
        let error =
            json!({ "code": "platform_workspace_suspended", "message": "The workspace is suspended.", "status": 403 });
        assert_eq!(body, json!({ "error": error }));
    }

    #[tokio::test]
    async fn a_generator_that_is_away_is_no_conflict() {
        for (retry_after, code) in
            [(None, "platform_conflict"), (Some(std::time::Duration::from_secs(5)), "platform_internal_error")]
        {
            let problem = Problem::NotGenerated { code: "nothing_else", message: "No.".to_owned(), retry_after };
            assert_eq!(body_of("/v1/platform/videos", problem).await["error"]["code"], code);
        }
    }

    #[tokio::test]
    async fn the_envelope_is_the_surfaces_own() {
        for path in ["/v1/platform", "/v1/platform/", "/v1/platform/nowhere"] {
            assert_eq!(body_of(path, Problem::UnknownRoute).await["error"]["code"], "platform_not_found", "{path}");
        }
        for path in ["/", "/v1/platformx", "/v1/content/nowhere"] {
            assert_eq!(body_of(path, Problem::UnknownRoute).await["statusCode"], 404, "{path}");
        }
    }

    #[tokio::test]
    async fn a_400_names_every_field_in_its_message_and_in_its_details() {
        let faults = Problem::both::<(), ()>(
            Err(Problem::field("questionText", "is required")),
            Err(Problem::field("tier", "must be a string")),
        );
        let error = body_of("/v1/platform/evaluations", faults.unwrap_err()).await["error"].clone();
        assert_eq!(error["message"], "The request is invalid: questionText is required; tier must be a string.");
        assert_eq!(error["details"][1], json!({ "path": "tier", "message": "must be a string" }));
    }
}
