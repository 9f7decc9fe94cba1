//! Why a roster can't be read, and how a request is answered then.

use std::time::Duration;

use edge::problem::Problem;
use lti::access_token::NoToken;
use net::OutboundError;

use crate::lti::tokens::TokenFault;

/// How long a client is asked to wait for a platform that fails.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// Why a roster can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RosterFault {
    NoService,
    NoLink,
    Inactive,
    Address,
    NoToken,
    NoScope,
    Unauthorized,
    Refused,
    Unreadable,
    Elsewhere,
    TooLarge,
    NoAnswer,
    Slow,
    Failed,
    Claimed,
    NoKey,
    Store,
}

impl RosterFault {
    /// What an answer of this status means that brings no roster.
    pub(super) fn of_status(status: net::StatusCode) -> Self {
        match status {
            net::StatusCode::UNAUTHORIZED => Self::Unauthorized,
            net::StatusCode::TOO_MANY_REQUESTS => Self::Failed,
            status if status.is_server_error() => Self::Failed,
            _ => Self::Refused,
        }
    }

    /// What is wrong and what to do, for the people who manage the service and the learning platform.
    const fn sentence(self) -> &'static str {
        match self {
            Self::NoService => {
                "The launch offered no roster. Give this tool Names and Role Provisioning Services in the learning platform, \
                 and launch again."
            }
            Self::NoLink => "The launch opened no link. Read the roster of the course, without resourceLinkOnly.",
            Self::Inactive => "The registration of the learning platform is inactive. Activate it.",
            Self::Address => {
                "The address of the token endpoint or of the roster may not be called. It must be a public https address."
            }
            Self::NoToken => {
                "The learning platform gives no access token. `lectern lti doctor` with the ID of the registration says why."
            }
            Self::NoScope => {
                "The learning platform does not grant the scope \
                 https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly. \
                 Give this tool Names and Role Provisioning Services there."
            }
            Self::Unauthorized => {
                "The learning platform does not take the access token that it gave. Check the services of the tool there."
            }
            Self::Refused => {
                "The learning platform refuses the roster of the course. Check the services of the tool there, and launch again."
            }
            Self::Unreadable => {
                "The learning platform's answer is no roster of Names and Role Provisioning Services 2.0."
            }
            Self::Elsewhere => {
                "The roster goes on at another server than it begins at. The access token is not sent there."
            }
            Self::TooLarge => "The roster has more than 10,000 members, 200 pages or 8 MiB.",
            Self::NoAnswer => "The learning platform can't be reached. Try again.",
            Self::Slow => "The learning platform takes too long. Try again.",
            Self::Failed => "The learning platform fails. Try again.",
            Self::Claimed => "Another workspace has registered this client ID of the learning platform before.",
            Self::NoKey => "The service has no key to sign with.",
            Self::Store => "The service can't use its store. Try again.",
        }
    }
}

impl std::fmt::Display for RosterFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for RosterFault {}

impl From<OutboundError> for RosterFault {
    fn from(error: OutboundError) -> Self {
        match error {
            OutboundError::Refused => Self::Address,
            OutboundError::TooLarge => Self::TooLarge,
            OutboundError::Timeout => Self::Slow,
            OutboundError::Dns | OutboundError::Connect | OutboundError::Tls | OutboundError::Protocol => {
                Self::NoAnswer
            }
        }
    }
}

impl From<TokenFault> for RosterFault {
    fn from(fault: TokenFault) -> Self {
        match fault {
            TokenFault::Address => Self::Address,
            TokenFault::NoAnswer(OutboundError::TooLarge) | TokenFault::Unusable => Self::NoToken,
            TokenFault::NoAnswer(error) => error.into(),
            TokenFault::Refused(_, NoToken::Refused(code)) if code == "invalid_scope" => Self::NoScope,
            TokenFault::Refused(status, _) if Self::of_status(status) == Self::Failed => Self::Failed,
            TokenFault::Refused(..) => Self::NoToken,
            TokenFault::Claimed => Self::Claimed,
            TokenFault::NoKey => Self::NoKey,
            TokenFault::Store => Self::Store,
        }
    }
}

impl From<RosterFault> for Problem {
    fn from(fault: RosterFault) -> Self {
        match fault {
            RosterFault::NoAnswer | RosterFault::Slow | RosterFault::Failed | RosterFault::Store => {
                Self::NotReady { message: fault.sentence(), retry_after: RETRY_AFTER }
            }
            RosterFault::NoKey => Self::unexpected(fault),
            fault => Self::Conflict(fault.sentence()),
        }
    }
}

#[cfg(test)]
mod tests {
    use net::StatusCode;

    use super::*;

    fn status(fault: impl Into<RosterFault>) -> u16 {
        Problem::from(fault.into()).status().as_u16()
    }

    #[test]
    fn a_client_tries_again_what_may_pass_and_nothing_else() {
        for error in [
            OutboundError::Dns,
            OutboundError::Connect,
            OutboundError::Tls,
            OutboundError::Timeout,
            OutboundError::Protocol,
        ] {
            assert_eq!((status(error), status(TokenFault::NoAnswer(error))), (503, 503), "{error}");
        }
        for error in [OutboundError::Refused, OutboundError::TooLarge] {
            assert_eq!((status(error), status(TokenFault::NoAnswer(error))), (409, 409), "{error}");
        }
        let refused = |status, code: &str| TokenFault::Refused(status, NoToken::Refused(code.to_owned()));
        assert_eq!(RosterFault::from(refused(StatusCode::BAD_REQUEST, "invalid_scope")), RosterFault::NoScope);
        assert_eq!(RosterFault::from(refused(StatusCode::UNAUTHORIZED, "invalid_client")), RosterFault::NoToken);
        let failed = TokenFault::Refused(StatusCode::BAD_GATEWAY, NoToken::Unreadable);
        assert_eq!((status(failed), status(TokenFault::NoKey)), (503, 500));
    }
}
