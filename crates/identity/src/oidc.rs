//! Sign-in through identity providers: OpenID Connect with the authorization code flow, PKCE (S256), nonce, and a state that is
//! bound to the browser by a cookie.
//!
//! A provider's ID token is believed when one of its keys signed it and it says what it has to ([`id_token`]). An account is
//! matched by its verified address the first time, and by issuer and subject ever after ([`accounts`]). Where to read next:
//! [`login`] sends the browser away, [`callback`] takes it back, [`provider`] talks to the provider.

mod accounts;
pub mod callback;
pub mod id_token;
pub mod list;
pub mod login;
mod provider;
mod state;
#[cfg(test)]
mod tests;

pub use provider::{OpenProviderError, Provider};

use edge::admins::Role;
use edge::problem::Problem;
use kernel::secret::SecretString;

/// What the operator decides about a provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Its name in addresses: lower-case letters, digits and hyphens.
    pub name: String,
    /// The issuer, exactly as its tokens say it.
    pub issuer: String,
    /// How it knows this service.
    pub client_id: String,
    /// Proves that it is this service; none for a public client.
    pub client_secret: Option<SecretString>,
    /// What is asked for; `openid` is always.
    pub scopes: Vec<String>,
    /// A claim that holds an address that the operator trusts without `email_verified`.
    pub trusted_email_claim: Option<String>,
    /// The claim that holds groups.
    pub groups_claim: String,
    /// Groups whose members operate the service; none: the provider has no say in it.
    pub operator_groups: Vec<String>,
    /// The roles that groups give.
    pub organization_groups: Vec<GroupRole>,
    /// Whether an unknown address gets an account.
    pub creates_accounts: bool,
    /// When a sign-in counts as one with a second factor.
    pub second_factor: SecondFactorRule,
    /// Trusted besides the system's certificates, PEM.
    pub extra_ca_pem: Option<Vec<u8>>,
}

/// The role in an organization that a group of a provider gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRole {
    /// The group, as tokens name it.
    pub group: String,
    /// The organization's slug.
    pub slug: String,
    /// The role of the group's members. Of several, the one that includes the others counts.
    pub role: Role,
}

/// When a sign-in through a provider counts as one with a second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondFactorRule {
    /// When the ID token says so: `amr` has `mfa`, or `acr` is one of these classes.
    Token {
        /// Authentication context classes that imply a second factor.
        acr: Vec<String>,
    },
    /// Always: the provider is trusted to ask for one.
    Provider,
    /// Never: the session waits for a second factor of this service.
    Totp,
}

/// Why nobody was signed in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The browser did not begin this sign-in, or too long ago.
    #[error("the sign-in was not begun in this browser, or too long ago")]
    State,
    /// The answer comes from another issuer than the one that was asked (RFC 9207).
    #[error("the answer names another issuer, or none")]
    AnswerIssuer,
    /// The provider says no.
    #[error("the provider refused: {0}")]
    Provider(String),
    /// The provider can't be reached, or makes no sense.
    #[error("the provider did not answer as one: {0}")]
    Unreachable(String),
    /// The ID token is not to be believed.
    #[error("the ID token {0}")]
    Token(#[from] id_token::TokenFault),
    /// The token has no address, or none that somebody vouches for.
    #[error("the provider does not vouch for the address")]
    UnverifiedAddress,
    /// Nobody has the address, and accounts are not made.
    #[error("nobody here has the address")]
    UnknownAddress,
    /// The address belongs to another subject of the issuer.
    #[error("the address belongs to another account of the provider")]
    OtherSubject,
}

impl Refusal {
    /// What the browser is told.
    fn problem(&self) -> Problem {
        match self {
            Self::State => Problem::Unauthorized("The sign-in was not begun in this browser, or too long ago."),
            Self::AnswerIssuer => Problem::Unauthorized("The answer does not come from the identity provider."),
            Self::Provider(_) => Problem::Unauthorized("The identity provider refused the sign-in."),
            Self::Unreachable(_) => Problem::NotReady {
                message: "The identity provider can't be reached.",
                retry_after: std::time::Duration::from_secs(10),
            },
            Self::Token(_) => Problem::Unauthorized("The identity provider's token is not valid."),
            Self::UnverifiedAddress => Problem::Forbidden("The identity provider does not vouch for your address."),
            Self::UnknownAddress => Problem::Forbidden("Nobody here has your address. Ask for an invitation."),
            Self::OtherSubject => {
                Problem::Forbidden("Your address is linked to another account of the identity provider.")
            }
        }
    }
}
