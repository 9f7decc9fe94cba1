//! Everything that can go wrong with a request, and the one table that gives each case its status.
//!
//! A [`Problem`] never shows its cause to the client: unexpected causes are logged once, by
//! [`crate::context`], with the request's id. Each surface has an envelope of its own: see [`render`] (section 7 of
//! both API documents).

mod payment;
mod platform;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CONTENT_RANGE, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use store::StoreError;

pub use payment::PaymentInstructions;
pub use platform::{PlatformError, PlatformErrorBody};

/// Why a request was not carried out.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// The body is no acceptable JSON.
    #[error("The request body is not valid JSON: {0}.")]
    MalformedJson(String),
    /// The body is no acceptable form.
    #[error("The request body is not a valid multipart form.")]
    MalformedForm,
    /// Fields of the request are wrong; every one of them is listed.
    #[error("The request is invalid.")]
    Invalid(Vec<Detail>),
    /// No credential, or one that authorizes nothing.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// The password was right, and the admin has a second factor.
    #[error("A second factor is needed: send code or recoveryCode too.")]
    SecondFactorRequired,
    /// The operator has no second factor, and the service wants one.
    #[error("Operators of this service need a second factor. Set one up first.")]
    SecondFactorMissing,
    /// A key that was revoked, where its holder is told so.
    #[error("The API key was revoked.")]
    KeyRevoked,
    /// A key whose time is over, where its holder is told so.
    #[error("The API key has expired.")]
    KeyExpired,
    /// The workspace of the key is suspended.
    #[error("The workspace is suspended.")]
    WorkspaceSuspended,
    /// The workspace of the key has no verified e-mail address yet.
    #[error("The workspace's e-mail address is not verified.")]
    EmailUnverified,
    /// The workspace never had anything but its free credits, and they don't suffice.
    #[error("The free credits are used up and no payment method is registered.")]
    FreeCreditsExhausted,
    /// The workspace's credits don't suffice.
    #[error("The workspace has insufficient credits.")]
    InsufficientCredits,
    /// A hard spending cap stands against it; the sentence names the cap.
    #[error("{0}")]
    SpendingCapReached(String),
    /// Nothing that the workspace has pays for the request, and a payment that comes with it would.
    #[error("The workspace has insufficient credits. The request can be paid for, or a payment method registered.")]
    PaymentRequired(Arc<PaymentInstructions>),
    /// The payment that came with the request is not taken.
    #[error("{why}")]
    PaymentFailed {
        /// What is wrong with it, for people.
        why: String,
        /// How to pay.
        instructions: Arc<PaymentInstructions>,
    },
    /// A known caller without the right to do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The named thing does not exist for this caller.
    #[error("{0} not found.")]
    NotFound(&'static str),
    /// No operation at this path.
    #[error("There is no such route.")]
    UnknownRoute,
    /// The path exists, with other methods.
    #[error("This route does not take that method.")]
    MethodNotAllowed,
    /// The state, or an earlier request with the same idempotency key, stands against it.
    #[error("{0}")]
    Conflict(&'static str),
    /// The client acted on another version of the thing than the current one.
    #[error("The resource was changed since the version that If-Match names.")]
    PreconditionFailed,
    /// The file does not have the bytes that the request names.
    #[error("The file has {length_bytes} bytes; the range lies outside of it.")]
    RangeNotSatisfiable {
        /// The file's length in bytes.
        length_bytes: u64,
    },
    /// The body is longer than the limit.
    #[error("The request body is larger than {limit_bytes} bytes.")]
    TooLarge {
        /// The limit in bytes.
        limit_bytes: usize,
    },
    /// The body is of a type that this operation doesn't read.
    #[error("The Content-Type must be application/json.")]
    UnsupportedMediaType,
    /// The body is of a type that this operation, which reads no JSON, doesn't read; the sentence names those it does.
    #[error("{0}")]
    UnsupportedUpload(&'static str),
    /// The body did not arrive in time, or the connection broke.
    #[error("The request body did not arrive in full.")]
    IncompleteBody,
    /// Too many requests; try again after the given time.
    #[error("{message}")]
    TooManyRequests {
        /// What was exceeded.
        message: &'static str,
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// Something that the service needs is away. A write is whole or absent; which of them may be unknown.
    #[error("The service is temporarily unavailable. Try again shortly, a create with the same idempotency key.")]
    Unavailable(Arc<dyn Error + Send + Sync>),
    /// Something that this operation needs is known to be away for a while: nothing was done, and nothing is wrong that the
    /// log would have to say.
    #[error("{message}")]
    NotReady {
        /// What is away.
        message: &'static str,
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// A generator made nothing of a request, which changed nothing. The code and the sentence are the generator's.
    #[error("{message}")]
    NotGenerated {
        /// What programs branch on, such as `nothing_else`.
        code: &'static str,
        /// Why, for people.
        message: String,
        /// When it is worth trying again; `None` where the same request would end alike.
        retry_after: Option<Duration>,
    },
    /// A defect of the service.
    #[error("An unexpected error happened.")]
    Unexpected(Arc<dyn Error + Send + Sync>),
}

/// One wrong field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Detail {
    /// Where in the request: `payload.lessons[0].title`; empty for the body itself.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

/// How long a client is asked to wait when the service is unavailable.
const UNAVAILABLE_RETRY_AFTER: Duration = Duration::from_secs(5);

impl Problem {
    /// A single wrong field.
    pub fn field(path: &str, message: &str) -> Self {
        Self::Invalid(vec![Detail { path: path.to_owned(), message: message.to_owned() }])
    }

    /// Both values, or what stands against them: all faults of two invalid parts of a request together.
    ///
    /// # Errors
    /// What is wrong with either.
    pub fn both<A, B>(one: Result<A, Self>, other: Result<B, Self>) -> Result<(A, B), Self> {
        match (one, other) {
            (Ok(one), Ok(other)) => Ok((one, other)),
            (Err(Self::Invalid(mut details)), Err(Self::Invalid(more))) => {
                details.extend(more);
                Err(Self::Invalid(details))
            }
            // Invalid is what a request is only when it could be read at all.
            (Err(Self::Invalid(_)), Err(problem)) | (Err(problem), _) | (_, Err(problem)) => Err(problem),
        }
    }

    /// Wraps a cause that no client can do anything about.
    pub fn unexpected(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Unexpected(Arc::new(cause))
    }

    /// The HTTP status of this case.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::MalformedJson(_) | Self::MalformedForm | Self::Invalid(_) | Self::IncompleteBody => {
                StatusCode::BAD_REQUEST
            }
            Self::Unauthorized(_) | Self::SecondFactorRequired | Self::KeyRevoked | Self::KeyExpired => {
                StatusCode::UNAUTHORIZED
            }
            Self::InsufficientCredits
            | Self::SpendingCapReached(_)
            | Self::PaymentRequired(_)
            | Self::PaymentFailed { .. } => StatusCode::PAYMENT_REQUIRED,
            Self::Forbidden(_)
            | Self::SecondFactorMissing
            | Self::WorkspaceSuspended
            | Self::EmailUnverified
            | Self::FreeCreditsExhausted => StatusCode::FORBIDDEN,
            Self::NotFound(_) | Self::UnknownRoute => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) | Self::NotGenerated { retry_after: None, .. } => StatusCode::CONFLICT,
            Self::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            Self::RangeNotSatisfiable { .. } => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType | Self::UnsupportedUpload(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) | Self::NotReady { .. } | Self::NotGenerated { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unexpected(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The cause to log, when there is one that an operator should see.
    pub fn cause(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable(cause) | Self::Unexpected(cause) => Some(&**cause),
            _ => None,
        }
    }

    /// How the request can be paid for, where it is said.
    fn payment_instructions(&self) -> Option<&PaymentInstructions> {
        match self {
            Self::PaymentRequired(instructions) | Self::PaymentFailed { instructions, .. } => Some(instructions),
            _ => None,
        }
    }

    /// The header `Retry-After`, in whole seconds, where another try may help.
    pub fn retry_after_header(&self) -> Option<HeaderValue> {
        let seconds = self.retry_after()?.as_millis().div_ceil(1000).max(1);
        Some(HeaderValue::from(u64::try_from(seconds).unwrap_or(u64::MAX)))
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooManyRequests { retry_after, .. } | Self::NotReady { retry_after, .. } => Some(*retry_after),
            Self::Unavailable(_) => Some(UNAVAILABLE_RETRY_AFTER),
            Self::NotGenerated { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable => Self::Unavailable(Arc::new(error)),
            _ => Self::unexpected(error),
        }
    }
}

/// The error body of the content surface (content-api section 7).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "statusCode": 400,
    "message": "The request is invalid.",
    "error": "Bad Request",
    "details": [
        { "path": "title", "message": "must not be empty" },
        { "path": "quizzes[1].correctAnswers[0]", "message": "must be one of the options" },
    ],
}))]
pub struct ContentErrorBody {
    /// The HTTP status again.
    pub status_code: u16,
    /// A sentence for a person.
    pub message: String,
    /// The status's name.
    pub error: String,
    /// Every wrong field; on a 400 only.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<Detail>>,
    /// `second_factor_required` or `second_factor_missing` where a second factor is the reason; the generator's code, such as
    /// `nothing_else`, where nothing was generated. Else absent.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
}

/// Renders a problem in the envelope of the surface that a path belongs to.
pub fn render(path: &str, problem: &Problem) -> Response {
    let is_platform = path.strip_prefix("/v1/platform").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let status = problem.status();
    let details = match problem {
        Problem::Invalid(details) => Some(details.clone()),
        Problem::MalformedJson(message) => Some(vec![Detail { path: String::new(), message: message.clone() }]),
        Problem::MalformedForm | Problem::IncompleteBody => {
            Some(vec![Detail { path: String::new(), message: problem.to_string() }])
        }
        _ => None,
    };
    let text = if is_platform {
        serde_json::to_string(&PlatformErrorBody::of(problem, status, details))
    } else {
        serde_json::to_string(&ContentErrorBody {
            status_code: status.as_u16(),
            message: problem.to_string(),
            error: status.canonical_reason().unwrap_or("Error").to_owned(),
            details,
            code: match problem {
                Problem::SecondFactorRequired => Some("second_factor_required"),
                Problem::SecondFactorMissing => Some("second_factor_missing"),
                Problem::NotGenerated { code, .. } => Some(code),
                _ => None,
            },
        })
    };
    let text = text.expect("an error body always serializes");
    let mut response = (status, [(CONTENT_TYPE, "application/json")], text).into_response();
    response.headers_mut().extend(problem.retry_after_header().map(|wait| (RETRY_AFTER, wait)));
    if let Problem::RangeNotSatisfiable { length_bytes } = problem {
        let length = HeaderValue::try_from(format!("bytes */{length_bytes}")).expect("digits are a header value");
        response.headers_mut().insert(CONTENT_RANGE, length);
    }
    if let Some(instructions) = problem.payment_instructions() {
        response.headers_mut().extend(instructions.headers.iter().cloned());
    }
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(http::header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// Leaves the rendering to the surface: the problem travels in the response's extensions to
/// [`crate::context::Tracking`].
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The fallback of every surface's router.
pub async fn unknown_route() -> Problem {
    Problem::UnknownRoute
}

/// Keeps the `Allow` header that the router gave its 405 while the body becomes the envelope's.
pub(crate) fn keep_allow(from: &Response, to: &mut Response) {
    if let Some(allow) = from.headers().get(ALLOW) {
        to.headers_mut().insert(ALLOW, allow.clone());
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    async fn body_of(problem: Problem) -> serde_json::Value {
        let bytes = render("/", &problem).into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[tokio::test]
    async fn the_content_envelope_has_the_three_members_of_section_7() {
        let body = body_of(Problem::Unauthorized("The content integration key is invalid or missing.")).await;
        assert_eq!(
            body,
            serde_json::json!({
                "statusCode": 401,
                "message": "The content integration key is invalid or missing.",
                "error": "Unauthorized",
            })
        );
    }

    #[tokio::test]
    async fn a_400_names_every_field() {
        let body = body_of(Problem::field("payload.lessons[0]", "must be an object or a string")).await;
        assert_eq!(body["details"][0]["path"], "payload.lessons[0]");
        assert_eq!(body["error"], "Bad Request");
    }

    #[test]
    fn waiting_is_told_in_whole_seconds_rounded_up() {
        let problem = Problem::TooManyRequests { message: "Too many.", retry_after: Duration::from_millis(1001) };
        assert_eq!(render("/", &problem).headers()[RETRY_AFTER], "2");
        let lost = Problem::Unavailable(Arc::new(std::io::Error::other("password=hunter2")));
        let response = render("/", &lost);
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(RETRY_AFTER));
        let away = Problem::NotReady { message: "It is away.", retry_after: Duration::from_secs(29) };
        assert_eq!(away.status(), response.status());
        assert_eq!(render("/", &away).headers()[RETRY_AFTER], "29");
        assert!(away.cause().is_none(), "there is nothing that the log would have to say");
    }

    #[tokio::test]
    async fn what_was_not_generated_has_the_generators_code_and_a_wait_where_one_helps() {
        let problem = |retry_after| {
            let message = "The source gives no other question.".to_owned();
            Problem::NotGenerated { code: "nothing_else", message, retry_after }
        };
        let body = body_of(problem(None)).await;
        assert_eq!(
            body,
            serde_json::json!({
                "statusCode": 409, "message": "The source gives no other question.", "error": "Conflict",
                "code": "nothing_else",
            })
        );
        let passing = render("/", &problem(Some(Duration::from_secs(5))));
        assert_eq!((passing.status().as_u16(), &passing.headers()[RETRY_AFTER]), (503, &HeaderValue::from(5)));
    }

    #[tokio::test]
    async fn causes_are_never_shown() {
        let body = body_of(Problem::unexpected(std::io::Error::other("/var/lib/secret"))).await;
        assert!(!body.to_string().contains("secret"));
    }
}
