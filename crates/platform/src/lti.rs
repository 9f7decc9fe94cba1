//! LTI 1.3: learning platforms (an LMS each) that workspaces register, and what they launch here (platform-api section 4).
//!
//! The protocol itself is in the crate `lti`. In the order of a launch: [`login`] sends the browser to the platform,
//! [`launch`] judges what comes back and stores it as one of the [`sessions`], [`refusals`] notes what was refused and why. [`sync`]
//! brings scores back. [`deep_linking`] places [`links`] that teachers pick, [`registration_links`] have the platforms'
//! administrators register them, and [`doctor`] checks a registration against its platform.
//! The pages around them are in the crate `web`.

pub mod deep_linking;
pub mod doctor;
mod guarded;
pub mod key_set;
pub mod launch;
pub mod links;
pub mod login;
pub mod platform_keys;
pub mod refusals;
pub mod registration_links;
pub mod registrations;
pub mod sessions;
pub(crate) mod state;
pub mod sync;
pub(crate) mod tokens;
pub mod tool_keys;

use lti::{Reason, Refusal};
use store::StoreError;

pub(crate) use self::guarded::GuardedRegistration;

/// Where platforms begin a login, below the service's address.
pub const LOGIN_PATH: &str = "/v1/platform/lti/login";
/// Where they post the launch.
pub const LAUNCH_PATH: &str = "/v1/platform/lti/launch";
/// Where they find the public keys of the service.
pub const KEY_SET_PATH: &str = "/v1/platform/lti/.well-known/jwks.json";
/// Where they open a registration link, whose token follows.
pub const REGISTER_PATH: &str = "/v1/platform/lti/register";

/// The redirect URI, as platforms know it.
fn launch_url(base_url: &str) -> String {
    format!("{base_url}{LAUNCH_PATH}")
}

/// What a browser keeps from a login to its launch, so that nobody else's launch is taken for its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name, each login's own: several may be under way.
    pub name: String,
    /// What it holds.
    pub value: String,
}

/// Why there is no launch.
#[derive(Debug, thiserror::Error)]
pub enum NotLaunched {
    /// It is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is away, or a defect.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Reason> for NotLaunched {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}

#[cfg(test)]
pub(crate) mod tests;
