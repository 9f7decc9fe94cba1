//! Why a try gave no answer, in classes: what the engine is told, what is tried again, what another provider may do better.

use std::time::Duration;

use kernel::model::ModelError;
use net::OutboundError;

use crate::complaint::Complaint;

/// A try without an answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) cause: Cause,
    /// When the server says that it is worth trying again.
    pub(crate) retry_after: Option<Duration>,
    /// What the server said about the request, for finding out what it does not take. It is never shown or kept.
    pub(crate) complaint: Option<Complaint>,
}

/// Why a server gave no answer. It holds nothing that the server said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// There is no connection, or it broke, or what came was no HTTP.
    Unreachable(OutboundError),
    /// It took too long.
    TimedOut,
    /// The answer ended before it was whole.
    Truncated,
    /// It says that it failed; its status, 200 where it said so in the middle of an answer.
    ServerError(u16),
    /// It has too many requests.
    Busy,
    /// It failed so often that it is left alone for a while.
    Resting,
    /// It does not take the key, or wants one.
    KeyRefused,
    /// The account may not spend more.
    NoCredit,
    /// It has no such model.
    NoSuchModel,
    /// It does not know the path, or redirects.
    WrongAddress,
    /// It does not take the request, for a reason that is not understood; its status.
    Refused(u16),
    /// The prompt is too long for the model.
    TooLong,
    /// The model declined, or a filter stopped it.
    Declined,
    /// The answer ended at its limit of length.
    CutOff {
        /// Whether the model spent tokens on thinking.
        has_thought: bool,
    },
    /// What came is no answer of the protocol, or an empty one.
    Unreadable,
}

impl Cause {
    /// What the engine is told.
    pub(crate) const fn error(self, retry_after: Option<Duration>) -> ModelError {
        match self {
            Self::Unreachable(OutboundError::TooLarge) | Self::Unreadable => ModelError::Unreadable,
            Self::Unreachable(OutboundError::Timeout) | Self::TimedOut => ModelError::TimedOut,
            Self::Unreachable(_) | Self::Truncated | Self::ServerError(_) | Self::Resting => {
                ModelError::Unavailable { retry_after }
            }
            Self::Busy => ModelError::Busy { retry_after },
            Self::KeyRefused | Self::NoCredit | Self::NoSuchModel | Self::WrongAddress | Self::Refused(_) => {
                ModelError::Misconfigured
            }
            Self::TooLong => ModelError::TooLong,
            Self::Declined => ModelError::Declined,
            Self::CutOff { .. } => ModelError::CutOff,
        }
    }

    /// One word for log lines.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Unreachable(error) => error.class(),
            Self::TimedOut => "timeout",
            Self::Truncated => "truncated",
            Self::ServerError(_) => "server_error",
            Self::Busy => "busy",
            Self::Resting => "resting",
            Self::KeyRefused => "key_refused",
            Self::NoCredit => "no_credit",
            Self::NoSuchModel => "no_such_model",
            Self::WrongAddress => "wrong_address",
            Self::Refused(_) => "refused",
            Self::TooLong => "too_long",
            Self::Declined => "declined",
            Self::CutOff { .. } => "cut_off",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Failure {
    /// What the engine is told.
    pub(crate) fn error(&self) -> ModelError {
        self.cause.error(self.retry_after)
    }

    /// Whether it counts as the server being down.
    pub(crate) fn is_outage(&self) -> bool {
        matches!(self.error(), ModelError::Unavailable { .. } | ModelError::TimedOut) && self.cause != Cause::Resting
    }

    /// Whether another provider may do better: it may be up, or read and write more. What one declined is not offered to
    /// the next until one takes it.
    pub(crate) fn is_worth_another(&self) -> bool {
        self.cause != Cause::Declined
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self { cause, retry_after: None, complaint: None }
    }
}

impl From<OutboundError> for Failure {
    fn from(error: OutboundError) -> Self {
        Self::from(match error {
            OutboundError::Timeout => Cause::TimedOut,
            OutboundError::TooLarge => Cause::Unreadable,
            other => Cause::Unreachable(other),
        })
    }
}
