//! Why a login or a launch is refused: one reason for each check.

/// A login or a launch that is refused: for which reason, and what was wrong with it where a value tells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .reason.sentence())]
pub struct Refusal {
    /// For which reason.
    pub reason: Reason,
    /// What the value should have been.
    pub expected: Option<String>,
    /// What it was.
    pub received: Option<String>,
}

impl Refusal {
    /// A refusal because a value is another than it should be.
    pub fn differs(reason: Reason, expected: impl Into<String>, received: impl Into<String>) -> Self {
        Self { reason, expected: Some(expected.into()), received: Some(received.into()) }
    }

    /// A refusal because of a value.
    pub fn of(reason: Reason, received: impl Into<String>) -> Self {
        Self { reason, expected: None, received: Some(received.into()) }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self { reason, expected: None, received: None }
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident = $code:literal, $sentence:literal, $advice:literal;)*) => {
        /// Why a login or a launch is refused.
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

            /// What is wrong, as a sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$reason => $sentence,)* }
            }

            /// What an administrator of the platform can do about it.
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$reason => $advice,)* }
            }
        }
    };
}

reasons! {
    /// The login has no `iss`.
    NoIssuer = "no_issuer",
        "The login request has no iss.",
        "Open the tool from a course. If that is what you did, the platform did not send its issuer.";
    /// The login has no `login_hint`.
    NoLoginHint = "no_login_hint",
        "The login request has no login_hint.",
        "Open the tool from a course. If that is what you did, the platform did not say who is signed in.";
    /// The login has no `target_link_uri`.
    NoTarget = "no_target",
        "The login request has no target_link_uri.",
        "Give the tool a target link URI (also called launch URL) in the platform.";
    /// A parameter of the login is longer than any platform's.
    TooLong = "too_long",
        "A parameter of the request is too long.",
        "Shorten the launch URL or the custom parameters of the link.";
    /// No registration has this issuer and client id.
    UnknownPlatform = "unknown_platform",
        "No registration has this issuer and client ID.",
        "Register the platform with exactly this issuer and client ID: each character counts, a final slash too.";
    /// Several registrations have the issuer, and the login names none by its client id.
    AmbiguousPlatform = "ambiguous_platform",
        "Several registrations have this issuer, and the login request has no client_id.",
        "Let the platform send client_id with the login request.";
    /// The registration is inactive.
    InactivePlatform = "inactive_platform",
        "The registration is inactive.",
        "Ask whoever manages the registration to activate it.";
    /// The workspace that the registration belongs to is suspended.
    SuspendedWorkspace = "suspended_workspace",
        "The workspace of the registration is suspended.",
        "Ask whoever manages the workspace to have it activated.";
    /// The platform answered the authentication request with an error.
    PlatformError = "platform_error",
        "The platform refused to sign the user in.",
        "Sign in to the platform again. If that does not help, compare the redirect URI there with the launch URL of this service.";
    /// The form of the launch has no `state`.
    NoState = "no_state",
        "The launch has no state.",
        "Open the tool from a course again; a launch can't be opened by itself.";
    /// The `state` was not made by this service.
    ForeignState = "foreign_state",
        "The state of the launch was not made by this service.",
        "Open the tool from a course again. If that does not help, something between platform and service changes the form.";
    /// Too much time has passed since the login.
    LateState = "late_state",
        "Too much time has passed since the login.",
        "Open the tool from a course again.";
    /// The launch arrives in another browser than its login, or the browser keeps no cookies and the platform no data for it.
    OtherBrowser = "other_browser",
        "The launch did not come from the browser that began it.",
        "Open the tool in a new window, or allow its cookies.";
    /// The form of the launch has no `id_token`.
    NoToken = "no_token",
        "The launch has no ID token.",
        "Compare the redirect URI in the platform with the launch URL of this service.";
    /// The ID token is not a signed JSON Web Token with a JSON object as payload.
    NotAToken = "not_a_token",
        "The ID token is not a signed JSON Web Token.",
        "Choose LTI 1.3 in the platform; LTI 1.1 does not work here.";
    /// The token is signed with another algorithm than RS256, or not at all.
    Algorithm = "algorithm",
        "The ID token is not signed with RS256.",
        "Let the platform sign with RS256.";
    /// The token does not name its key.
    NoKeyId = "no_key_id",
        "The ID token does not name the key that signed it.",
        "Let the platform send kid in the header of its tokens.";
    /// The platform's key set can't be had.
    NoKeySet = "no_key_set",
        "The key set of the platform could not be read.",
        "Check the JWKS endpoint of the registration: it must answer this service with a JSON Web Key Set.";
    /// The platform's key set has no such key.
    UnknownKey = "unknown_key",
        "The key set of the platform has no key with this ID.",
        "Check the JWKS endpoint of the registration; after a change of keys, try again in a minute.";
    /// The signature is not that of the key.
    Signature = "signature",
        "The signature of the ID token is wrong.",
        "Check the JWKS endpoint of the registration: it may belong to another platform.";
    /// `iss` is another platform.
    Issuer = "issuer",
        "The ID token was issued by another platform.",
        "Register the platform with exactly the issuer that it sends.";
    /// `aud` does not name the tool, or names others beside it.
    Audience = "audience",
        "The ID token is not meant for this tool.",
        "Compare the client ID of the registration with that of the platform.";
    /// `azp` is another client, or absent where there are several audiences.
    AuthorizedParty = "authorized_party",
        "The ID token was issued to another client.",
        "Compare the client ID of the registration with that of the platform.";
    /// `exp` is absent or no time.
    NoExpiry = "no_expiry",
        "The ID token does not say when it expires.",
        "Let the platform send exp.";
    /// `exp` has passed.
    Expired = "expired",
        "The ID token has expired.",
        "Open the tool again. If that does not help, set the clock of the platform right.";
    /// `iat` is absent or no time.
    NoIssueTime = "no_issue_time",
        "The ID token does not say when it was issued.",
        "Let the platform send iat.";
    /// `iat` lies ahead.
    IssuedInFuture = "issued_in_future",
        "The ID token was issued in the future.",
        "Set the clock of the platform right.";
    /// The token has no `nonce`.
    NoNonce = "no_nonce",
        "The ID token has no nonce.",
        "Let the platform send back the nonce of the login.";
    /// `nonce` is not that of the login.
    Nonce = "nonce",
        "The ID token answers another login.",
        "Open the tool from a course again.";
    /// The launch was made before.
    Replayed = "replayed",
        "This launch was used already.",
        "Open the tool from a course again; going back to a launch does not work.";
    /// `version` is not 1.3.0.
    Version = "version",
        "The message is not one of LTI 1.3.0.",
        "Choose LTI 1.3 in the platform.";
    /// The message is of a type that the tool does not know.
    MessageType = "message_type",
        "The tool does not know this type of message.",
        "Use the tool as a resource link or for deep linking.";
    /// `deployment_id` is absent, too long or not ASCII.
    NoDeployment = "no_deployment",
        "The ID token does not name its deployment.",
        "Deploy the tool in the platform.";
    /// `deployment_id` is not that of the login.
    Deployment = "deployment",
        "The ID token is of another deployment than the login.",
        "Open the tool from a course again.";
    /// The registration does not list the deployment.
    DeploymentNotListed = "deployment_not_listed",
        "The registration does not list this deployment.",
        "Ask whoever manages the registration to add the deployment ID.";
    /// `target_link_uri` is not that of the login.
    Target = "target",
        "The ID token leads to another place than the login.",
        "Open the tool from a course again. If that does not help, the platform changes the launch URL between login and launch.";
    /// A resource link has no usable id.
    NoResourceLink = "no_resource_link",
        "The launch does not say which link of the course it came from.",
        "Add the tool to a course as a link and open that.";
    /// `roles` is absent or not a list of texts.
    NoRoles = "no_roles",
        "The ID token has no list of roles.",
        "Let the platform send roles; the list may be empty.";
    /// `sub` is no usable user id.
    Subject = "subject",
        "The user ID of the ID token is too long or not ASCII.",
        "Let the platform send a user ID of at most 255 ASCII characters.";
    /// A request for deep linking does not say where the answer goes.
    DeepLinkingSettings = "deep_linking_settings",
        "The settings of deep linking are not complete.",
        "Start from the course's content picker; its request has to have a return URL and the types that it accepts.";
    /// The claim of a service is not as its specification says.
    ServiceClaim = "service_claim",
        "The ID token describes one of the platform's services wrongly.",
        "Check the services of the tool in the platform: each address has to be absolute.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_reason_has_a_code_a_sentence_and_an_advice_of_its_own() {
        let codes: HashSet<_> = Reason::ALL.iter().map(|reason| reason.code()).collect();
        let sentences: HashSet<_> = Reason::ALL.iter().map(|reason| reason.sentence()).collect();
        assert_eq!((codes.len(), sentences.len()), (Reason::ALL.len(), Reason::ALL.len()));
        for reason in Reason::ALL {
            assert!(reason.code().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{reason:?}");
            assert!(reason.sentence().ends_with('.') && reason.advice().ends_with('.'), "{reason:?}");
        }
    }
}
