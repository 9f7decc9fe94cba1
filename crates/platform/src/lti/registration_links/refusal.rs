//! Why a platform is not registered: one reason for each check. Pages say it in the reader's language, programs get the sentence.

use serde::Serialize;

use super::Failure;

/// A registration that is refused: for which reason, and what was wrong where a value tells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .reason.sentence())]
pub struct Refusal {
    /// For which reason.
    pub reason: Reason,
    /// What was wrong, in the words of the specification. It holds nothing that the platform sent.
    pub detail: Option<String>,
}

impl Refusal {
    /// A refusal because of something that has a name.
    pub(super) fn of(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: Some(detail.into()) }
    }

    pub(super) fn failure(&self) -> Failure {
        Failure { reason: self.reason.code().to_owned(), detail: self.detail.clone() }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self { reason, detail: None }
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident = $code:literal, $sentence:literal;)*) => {
        /// Why a platform is not registered.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason {
            $($(#[$doc])* $reason,)*
        }

        impl Reason {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$reason,)*];

            /// The name by which programs know it; it never changes.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$reason => $code,)* }
            }

            /// What is wrong, and what to do about it.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$reason => $sentence,)* }
            }
        }
    };
}

reasons! {
    /// No link has this token.
    UnknownLink = "unknown_link", "There is no such registration link. Ask whoever sent it for another one.";
    /// It registered a platform before.
    UsedLink = "used_link", "The registration link was used already. Ask for another one to connect another platform.";
    /// Its time is over.
    ExpiredLink = "expired_link", "The registration link has expired. Ask whoever sent it for another one.";
    /// The workspace took it back.
    RevokedLink = "revoked_link", "The registration link was revoked. Ask whoever sent it for another one.";
    /// Somebody else is at it.
    BusyLink = "busy_link", "The registration link is being used right now. Try again in a minute.";
    /// The workspace may not act.
    SuspendedWorkspace = "suspended_workspace", "The workspace of the registration link is suspended.";
    /// A browser opened it, no platform.
    NoPlatform = "no_platform",
        "openid_configuration is missing. Enter the link in the learning platform, where a tool's registration URL is asked for.";
    /// The platform's own address can't be called.
    PlatformAddress = "platform_address", "The address of the platform's configuration can't be called from here.";
    /// The registration token can't be sent.
    RegistrationToken = "registration_token", "The registration token is too long, or not visible ASCII characters.";
    /// The platform does not show its configuration.
    NoConfiguration = "no_configuration", "The platform's configuration could not be read.";
    /// The configuration lacks something, or has something wrong.
    Configuration = "configuration", "The platform's configuration is incomplete or wrong.";
    /// The configuration speaks for another platform.
    Issuer = "issuer", "The issuer of the platform is not the server that its configuration comes from.";
    /// The platform said no.
    Refused = "refused", "The platform refused the registration. Start it again in the platform.";
    /// The platform may have registered the tool, but did not say so.
    NoAnswer = "no_answer",
        "The platform did not answer the registration. Remove the tool there, should it be listed, and start again.";
    /// The platform registered the tool under no usable name.
    Answer = "answer",
        "The platform's answer to the registration can't be used. Remove the tool there, should it be listed, and start again.";
    /// The platform has given a client id that is registered.
    Taken = "taken", "The platform is registered under this issuer and client ID already.";
    /// The link was revoked, or the lease lapsed, while the platform registered the tool.
    LostLink = "lost_link",
        "The registration link was taken away while the platform registered the tool. Remove the tool there, and ask for another link.";
}

impl Reason {
    /// The reason of this code.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|reason| reason.code() == code)
    }

    /// Whether the same link may be tried again.
    pub const fn leaves_link_open(self) -> bool {
        match self {
            Self::UnknownLink
            | Self::UsedLink
            | Self::ExpiredLink
            | Self::RevokedLink
            | Self::SuspendedWorkspace
            | Self::LostLink => false,
            Self::BusyLink
            | Self::NoPlatform
            | Self::PlatformAddress
            | Self::RegistrationToken
            | Self::NoConfiguration
            | Self::Configuration
            | Self::Issuer
            | Self::Refused
            | Self::NoAnswer
            | Self::Answer
            | Self::Taken => true,
        }
    }
}

/// Why the last attempt to register a platform came to nothing.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = LtiRegistrationFailure)]
pub struct ShownFailure {
    /// The name of the reason, which never changes.
    #[schema(example = "configuration")]
    reason: String,
    /// What is wrong.
    #[schema(example = "The platform's configuration is incomplete or wrong.")]
    message: &'static str,
    /// What exactly, where a value tells.
    #[schema(required, example = "jwks_uri must be an https URL")]
    detail: Option<String>,
}

impl ShownFailure {
    pub(super) fn of(failure: Failure) -> Self {
        let message = Reason::of_code(&failure.reason).map_or("", Reason::sentence);
        Self { reason: failure.reason, message, detail: failure.detail }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_reason_has_a_code_and_a_sentence_of_its_own() {
        let codes: HashSet<_> = Reason::ALL.iter().map(|reason| reason.code()).collect();
        let sentences: HashSet<_> = Reason::ALL.iter().map(|reason| reason.sentence()).collect();
        assert_eq!((codes.len(), sentences.len()), (Reason::ALL.len(), Reason::ALL.len()));
        for reason in Reason::ALL {
            assert!(reason.code().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{reason:?}");
            assert!(reason.sentence().ends_with('.'), "{reason:?}");
            assert_eq!(Reason::of_code(reason.code()), Some(*reason));
        }
    }
}
