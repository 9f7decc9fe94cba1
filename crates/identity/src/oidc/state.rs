//! What a sign-in remembers while the browser is at the provider. The browser keeps it, sealed, in a cookie: a flood of
//! sign-ins leaves nothing here.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use kernel::ambient::Ambient;
use kernel::secret::{Sealer, random_token, sha256_hex};
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Refusal;

/// How long a person may take at the provider.
const LIFETIME: Duration = Duration::from_secs(600);
/// What is sealed; nothing else is sealed for this purpose.
const CONTEXT: &str = "state";

/// A sign-in that is under way.
#[derive(Serialize, Deserialize)]
pub(super) struct State {
    pub(super) provider: String,
    /// What the provider sends back; it finds the cookie.
    pub(super) state: String,
    /// What the ID token has to say.
    pub(super) nonce: String,
    /// The secret of PKCE.
    pub(super) verifier: String,
    pub(super) timezone: String,
    pub(super) return_to: Option<String>,
    begun_at_millis: i64,
}

impl State {
    pub(super) fn begin(ambient: &Ambient, provider: &str, timezone: String, return_to: Option<String>) -> Self {
        Self {
            provider: provider.to_owned(),
            state: random_token(ambient),
            nonce: random_token(ambient),
            verifier: random_token(ambient),
            timezone,
            return_to,
            begun_at_millis: ambient.now().as_millis(),
        }
    }

    /// What the provider is told of the verifier (RFC 7636, method S256).
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.as_bytes()))
    }

    /// The cookie that gives the state to the browser.
    pub(super) fn cookie(&self, sealer: &Sealer, ambient: &Ambient, is_secure: bool) -> HeaderValue {
        let text = serde_json::to_vec(self).expect("a state has a form in JSON");
        let sealed = sealer.seal(ambient, CONTEXT, &text);
        set_cookie(&cookie_name(&self.state), &sealed, LIFETIME.as_secs(), is_secure)
    }

    /// The cookie that takes the state back.
    pub(super) fn take_back(&self, is_secure: bool) -> HeaderValue {
        set_cookie(&cookie_name(&self.state), "", 0, is_secure)
    }

    /// The state that the browser kept for what the provider sent back.
    ///
    /// # Errors
    /// [`Refusal::State`].
    pub(super) fn find(
        headers: &HeaderMap,
        sealer: &Sealer,
        provider: &str,
        state: &str,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let name = cookie_name(state);
        let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let (_, sealed) = pairs.find(|(own, _)| *own == name).ok_or(Refusal::State)?;
        let text = sealer.open(CONTEXT, sealed).map_err(|_| Refusal::State)?;
        let kept: Self = serde_json::from_slice(&text).map_err(|_| Refusal::State)?;
        let is_young = now < Timestamp::from_millis(kept.begun_at_millis).plus(LIFETIME);
        if kept.state == state && kept.provider == provider && is_young { Ok(kept) } else { Err(Refusal::State) }
    }
}

/// Several sign-ins may be under way in one browser.
fn cookie_name(state: &str) -> String {
    format!("oidc-{}", &sha256_hex(state.as_bytes())[..16])
}

/// `Lax`: the provider's answer is a link from another site.
fn set_cookie(name: &str, value: &str, max_age_seconds: u64, is_secure: bool) -> HeaderValue {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/auth/oidc; Max-Age={max_age_seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).expect("a sealed text is made of header characters")
}
