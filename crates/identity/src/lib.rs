//! The surface `/auth` beside sign-in by password, which `edge` has: the first run, new passwords by e-mail, the list of sessions, second
//! factors, passkeys, sign-in through identity providers (OpenID Connect), users, and the members of organizations with their
//! invitations.
//!
//! Links in e-mail are signed and count once; nothing that opens a session or an account is stored as it is. Nobody learns
//! from an answer, or from how long it takes, whether an address has an account. Where to read next: [`Identity`], then
//! `api.rs`, which lists the operations.

pub mod api;
pub mod first_run;
mod forms;
pub mod invitations;
pub mod jobs;
mod links;
mod mailing;
pub mod members;
pub mod oidc;
mod pages;
pub mod passkeys;
pub mod password_resets;
pub mod second_factors;
pub mod sessions;
#[cfg(test)]
mod testing;
pub mod users;

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use edge::door::Door;
use edge::passwords;
use edge::problem::Problem;
use edge::sessions::LoginThrottle;
use kernel::secret::{Authenticator, MasterKey, Sealer, SecretString};
use url::Url;

use crate::first_run::Installer;
use crate::links::Links;
use crate::oidc::{Provider, ProviderSettings};
use crate::passkeys::RelyingParty;

/// Requests for a new password in a quarter of an hour, for an address and from an address of the network.
const RESETS_PER_ACCOUNT: u32 = 3;
const RESETS_PER_ADDRESS: u32 = 30;

/// Invitations in a quarter of an hour, by an admin and to an address.
const INVITATIONS_PER_ADMIN: u32 = 100;
const INVITATIONS_PER_RECIPIENT: u32 = 5;
/// Refused passkeys from an address of the network in a quarter of an hour.
const FAILED_PASSKEYS_PER_ADDRESS: u32 = 100;

/// What a client is told to wait when many set passwords at once.
const CROWD_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The surface. Cheap to clone.
#[derive(Clone)]
pub struct Identity(Arc<Parts>);

/// What an [`Identity`] leads to.
pub struct Parts {
    /// The way into the store.
    pub door: Door,
    base_url: String,
    reset_links: Links,
    invitation_links: Links,
    reset_throttle: LoginThrottle,
    second_factor_throttle: LoginThrottle,
    inviter_throttle: LoginThrottle,
    invited_throttle: LoginThrottle,
    passkey_throttle: LoginThrottle,
    relying_party: Option<RelyingParty>,
    sign_in_states: Sealer,
    providers: Vec<Arc<Provider>>,
    /// Makes the codes for the first run.
    setup_codes: Authenticator,
    setup_throttle: LoginThrottle,
    installer: Option<Arc<dyn Installer>>,
}

impl Identity {
    /// The surface on a door; links lead below `base_url`, the service's public address.
    ///
    /// # Errors
    /// When there can be no client for an identity provider.
    pub fn new(
        door: Door,
        master: &MasterKey,
        base_url: &Url,
        providers: &[ProviderSettings],
    ) -> Result<Self, oidc::OpenProviderError> {
        let relying_party = RelyingParty::of(base_url, master);
        let base_url = base_url.as_str().trim_end_matches('/').to_owned();
        let providers = providers.iter().map(|settings| Provider::open(settings, &door.ambient).map(Arc::new));
        Ok(Self(Arc::new(Parts {
            reset_links: Links::new(master, "password resets", format!("{base_url}{}", password_resets::CONFIRM)),
            invitation_links: Links::new(master, "invitations", format!("{base_url}{}", invitations::ACCEPT)),
            reset_throttle: LoginThrottle::new(RESETS_PER_ACCOUNT, RESETS_PER_ADDRESS),
            second_factor_throttle: LoginThrottle::default(),
            inviter_throttle: LoginThrottle::of_accounts(INVITATIONS_PER_ADMIN),
            invited_throttle: LoginThrottle::of_accounts(INVITATIONS_PER_RECIPIENT),
            // A passkey can't be guessed: only what a network address makes the service do is counted.
            passkey_throttle: LoginThrottle::new(u32::MAX, FAILED_PASSKEYS_PER_ADDRESS),
            relying_party,
            sign_in_states: master.sealer("OpenID Connect sign-in"),
            providers: providers.collect::<Result<_, _>>()?,
            setup_codes: master.authenticator("first run"),
            setup_throttle: LoginThrottle::new(first_run::GUESSES, first_run::GUESSES_PER_ADDRESS),
            installer: None,
            base_url,
            door,
        })))
    }

    /// The same surface, where an empty installation may be set up, before anybody else has it.
    #[must_use]
    pub fn installing(self, installer: impl Installer + 'static) -> Self {
        let mut parts = Arc::into_inner(self.0).expect("a new surface has one owner");
        parts.installer = Some(Arc::new(installer));
        Self(Arc::new(parts))
    }

    /// The path below which the service is reached, without a slash at its end; mostly empty.
    fn root(&self) -> &str {
        let host = self.base_url.find("://").map_or(0, |at| at + 3);
        self.base_url[host..].find('/').map_or("", |at| &self.base_url[host + at..])
    }

    fn provider(&self, name: &str) -> Option<&Arc<Provider>> {
        self.providers.iter().find(|provider| provider.settings.name == name)
    }
}

impl Deref for Identity {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<Identity> for Door {
    fn from_ref(identity: &Identity) -> Self {
        identity.door.clone()
    }
}

/// The hash of a new password, in turn with sign-ins.
///
/// # Errors
/// 429 where too many wait.
async fn password_hash(password: SecretString) -> Result<String, Problem> {
    let hashing = tokio::spawn(async move {
        let turn = passwords::turn().await.ok_or(Problem::TooManyRequests {
            message: "Too many sign-ins at once; try again shortly.",
            retry_after: CROWD_RETRY_AFTER,
        })?;
        passwords::hash_in_turn(&turn, password).await.map_err(Problem::unexpected)
    });
    hashing.await.map_err(Problem::unexpected)?
}
