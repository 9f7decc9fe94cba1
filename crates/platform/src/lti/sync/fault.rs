//! Why a score does not arrive.

use lti::ags::SCOPE_SCORE;
use net::{OutboundError, StatusCode};
use store::StoreError;

pub(super) use crate::lti::tokens::TokenFault;

/// What stands in the way for as long as nobody changes it: another attempt would end alike.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Obstacle {
    #[error("no launch session of this workspace has this ID")]
    UnknownSession,
    #[error("the launch was for picking content: it opened no link that a score could belong to")]
    NoResourceLink,
    #[error("the launch was anonymous: the platform named nobody who could get the score")]
    Anonymous,
    #[error("the launch offered no gradebook: the platform has not given this tool Assignment and Grade Services")]
    NoGradeService,
    #[error("the platform does not let this tool send scores: the scope {SCOPE_SCORE} is missing")]
    NoScoreScope,
    #[error(
        "the link has no line item, and the platform does not let this tool look for one: the scope \
         https://purl.imsglobal.org/spec/lti-ags/scope/lineitem is missing"
    )]
    NoLineItemScope,
    #[error(
        "the course has no line item for this link, and the platform does not let this tool make one: it may only read them"
    )]
    NoLineItem,
    #[error("the registration of the platform is inactive")]
    Inactive,
    #[error("the registration of the platform was deleted")]
    Deleted,
    #[error("the service stopped at every attempt")]
    GivenUp,
    #[error(
        "the gradebook refused the score (409 Conflict): it has a grade of this learner with a later time. Somebody graded there, \
         or the platform's clock is ahead. Send the score again to replace that grade"
    )]
    LaterGrade,
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error(transparent)]
    Obstacle(#[from] Obstacle),
    #[error("the platform does not take the access token that it gave")]
    Unauthorized,
    /// No fault of anybody: another sync makes the same line item just now.
    #[error("the line item of the link is being made")]
    Busy,
    #[error("the token endpoint: {0}")]
    Token(TokenFault),
    #[error("{0}: the address is not allowed")]
    Address(Endpoint),
    #[error("{0}: no answer ({error})", error = .1.class())]
    NoAnswer(Endpoint, OutboundError),
    #[error("{0}: the answer was {1}")]
    Answer(Endpoint, StatusCode),
    /// The platform refused the score, and may have it from an attempt before.
    #[error(
        "the scores of the line item: the answer was {0}. An earlier attempt got no answer, so the gradebook may have this score, and \
         its results do not show it: look into the gradebook"
    )]
    InDoubt(StatusCode),
    #[error("{0}: the answer can't be read")]
    Unreadable(Endpoint),
    #[error("the platform took too long")]
    Slow,
    #[error("the service could not use its store")]
    Store(#[from] StoreError),
}

impl Fault {
    /// Whether the platform may have taken the score although it did not say so.
    pub(super) fn is_unanswered(&self) -> bool {
        match self {
            Self::NoAnswer(endpoint, _) | Self::Unreadable(endpoint) => *endpoint == Endpoint::Scores,
            Self::Answer(endpoint, status) => *endpoint == Endpoint::Scores && status.is_server_error(),
            Self::Slow => true,
            _ => false,
        }
    }
}

/// The service of the platform that was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    LineItems,
    Scores,
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::LineItems => "the line items of the course",
            Self::Scores => "the scores of the line item",
        })
    }
}
