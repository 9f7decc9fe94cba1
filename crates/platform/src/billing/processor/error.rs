//! Why the processor did not do what it was asked to do.

use std::time::Duration;

use net::OutboundError;
use serde_json::Value;

/// Characters of the processor's own words that are kept for the operator.
const MOST_WORDS: usize = 300;

/// A call that came to nothing, or may have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessorError {
    /// No connection: the processor has heard nothing.
    #[error("the payment processor can't be reached: {0}")]
    NotSent(OutboundError),
    /// The answer did not come, or broke off. The processor may have acted.
    #[error("the payment processor gave no answer: {0}")]
    Unanswered(OutboundError),
    /// The processor limits the rate of calls, and has done nothing.
    #[error("the payment processor asks for fewer calls")]
    Busy {
        /// When it may be asked again.
        retry_after: Option<Duration>,
    },
    /// The processor has a fault, or is at the same call already. It may have acted.
    #[error("the payment processor answered {status}")]
    Unavailable {
        /// The HTTP status.
        status: u16,
        /// When it may be asked again.
        retry_after: Option<Duration>,
    },
    /// The processor says no, and has done nothing.
    #[error("the payment processor answered {status}: {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Its word for the reason.
        code: Option<String>,
        /// The parameter that it is about.
        parameter: Option<String>,
        /// The reason, for the operator alone.
        message: String,
    },
    /// The answer is not what such a call is answered with. The processor may have acted.
    #[error("the payment processor's answer can't be read")]
    Unreadable,
    /// An id that no processor would give.
    #[error("an id of the payment processor has characters that it can't have")]
    Reference,
}

impl ProcessorError {
    /// An answer that says no.
    pub(super) fn refused(status: u16, body: Option<&Value>) -> Self {
        let text = |name: &str| {
            let text = body?.get("error")?.get(name)?.as_str()?;
            Some(text.chars().filter(|character| !character.is_control()).take(MOST_WORDS).collect::<String>())
        };
        let message = text("message").unwrap_or_else(|| "without a reason".to_owned());
        Self::Refused { status, code: text("code"), parameter: text("param"), message }
    }

    /// Whether the same call may succeed soon.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NotSent(_) | Self::Unanswered(_) | Self::Busy { .. } | Self::Unavailable { .. } => true,
            Self::Refused { .. } | Self::Unreadable | Self::Reference => false,
        }
    }

    /// Whether the processor may have acted all the same.
    pub fn may_have_acted(&self) -> bool {
        matches!(self, Self::Unanswered(_) | Self::Unavailable { .. } | Self::Unreadable)
    }

    /// How long the processor asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after } | Self::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether the thing that was named does not exist there.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Refused { status, code, .. } => *status == 404 || code.as_deref() == Some("resource_missing"),
            _ => false,
        }
    }

    /// Whether a meter event was refused because the processor has it: an earlier attempt arrived.
    pub(super) fn is_duplicate(&self) -> bool {
        match self {
            Self::Refused { code, message, .. } => {
                code.as_deref() == Some("duplicate_meter_event")
                    || message.starts_with("An event already exists with identifier")
            }
            _ => false,
        }
    }
}

impl From<OutboundError> for ProcessorError {
    fn from(error: OutboundError) -> Self {
        match error {
            OutboundError::Refused | OutboundError::Dns | OutboundError::Connect | OutboundError::Tls => {
                Self::NotSent(error)
            }
            OutboundError::Timeout | OutboundError::TooLarge | OutboundError::Protocol => Self::Unanswered(error),
        }
    }
}
