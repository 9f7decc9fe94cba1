//! Passkeys (WebAuthn): a second factor that is also a whole sign-in, because the authenticator asks for a PIN, a finger or a face.
//!
//! The library `webauthn-rs` judges what authenticators say; this module keeps what it has to remember between a challenge and
//! its answer. The client keeps that, sealed ([`ceremony`]): a flood of sign-ins leaves nothing here. An answer counts once
//! and for five minutes. User verification is always asked for and always checked. Where to read next: [`enroll`] and [`confirm`]
//! add a passkey, [`challenge`] and [`login`] sign in with one.

mod ceremony;
pub mod challenge;
pub mod confirm;
pub mod enroll;
pub mod list;
pub mod login;
pub mod remove;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use edge::openapi::AnyObject;
use edge::problem::Problem;
use kernel::secret::MasterKey;
use serde::Serialize;
use serde_json::Value;
use url::Url;
use webauthn_rs::prelude::{Webauthn, WebauthnBuilder};

use self::ceremony::Ceremonies;
use crate::Identity;

/// The longest answer of an authenticator, in bytes.
const LONGEST_CREDENTIAL: usize = 12 * 1024;
/// The name that authenticators show.
const NAME: &str = "Lectern";

/// A challenge for an authenticator.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyChallenge {
    /// Goes back with the authenticator's answer, within five minutes.
    ceremony: String,
    /// The options for `navigator.credentials`, in WebAuthn's JSON.
    #[schema(value_type = AnyObject)]
    public_key: Value,
}

/// The service as authenticators know it.
pub(crate) struct RelyingParty {
    webauthn: Webauthn,
    ceremonies: Ceremonies,
}

impl RelyingParty {
    /// `None` where the service's address has no domain name: browsers make passkeys for names only.
    pub(crate) fn of(base_url: &Url, master: &MasterKey) -> Option<Self> {
        let builder = WebauthnBuilder::new(base_url.domain()?, base_url).ok()?;
        let webauthn = builder.rp_name(NAME).timeout(ceremony::LIFETIME).build().ok()?;
        Some(Self { webauthn, ceremonies: Ceremonies::new(master) })
    }
}

impl Identity {
    /// # Errors
    /// 409 where there can be no passkeys.
    fn relying_party(&self) -> Result<&RelyingParty, Problem> {
        let unnamed =
            Problem::Conflict("Passkeys need a service address with a domain name. Ask the operator for one.");
        self.relying_party.as_ref().ok_or(unnamed)
    }
}

/// The options of a challenge as clients read them, and the sealed ceremony beside them.
fn challenge_of(options: &impl Serialize, ceremony: String) -> Result<PasskeyChallenge, Problem> {
    let mut options = serde_json::to_value(options).map_err(Problem::unexpected)?;
    Ok(PasskeyChallenge { ceremony, public_key: options["publicKey"].take() })
}

fn credential_id_text(id: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(id)
}
