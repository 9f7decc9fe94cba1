//! What is remembered between a challenge and its answer. The client keeps it, sealed for one purpose.
//!
//! A ceremony is answered once: whoever acts on one stores its digest in the same transaction
//! ([`edge::second_factors::passkeys::use_challenge`]).

use std::time::Duration;

use edge::problem::Problem;
use edge::second_factors::passkeys;
use kernel::ambient::Ambient;
use kernel::secret::{MasterKey, Sealer, sha256_hex};
use kernel::time::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::Tx;

/// How long a person may take.
pub(super) const LIFETIME: Duration = Duration::from_secs(300);
const INVALID: &str = "was answered before, has expired, or is not this service's: begin again";

/// Seals and opens ceremonies.
pub(super) struct Ceremonies(Sealer);

#[derive(Serialize, Deserialize)]
struct Kept<S> {
    state: S,
    expires_at_millis: i64,
}

/// A ceremony that came back.
pub(super) struct Ceremony<S> {
    pub(super) state: S,
    digest: String,
    expires_at: Timestamp,
}

impl Ceremonies {
    pub(super) fn new(master: &MasterKey) -> Self {
        Self(master.sealer("passkey ceremonies"))
    }

    /// Seals what the library has to remember, for one purpose.
    pub(super) fn seal<S: Serialize>(&self, ambient: &Ambient, purpose: &str, state: S) -> Result<String, Problem> {
        let kept = Kept { state, expires_at_millis: ambient.now().plus(LIFETIME).as_millis() };
        let text = serde_json::to_vec(&kept).map_err(Problem::unexpected)?;
        Ok(self.0.seal(ambient, purpose, &text))
    }

    /// Opens what came back.
    ///
    /// # Errors
    /// 400 for one that has expired, or that is for another purpose.
    pub(super) fn open<S: DeserializeOwned>(
        &self,
        now: Timestamp,
        purpose: &str,
        sealed: &str,
    ) -> Result<Ceremony<S>, Problem> {
        let invalid = || Problem::field("ceremony", INVALID);
        let text = self.0.open(purpose, sealed).map_err(|_| invalid())?;
        let kept: Kept<S> = serde_json::from_slice(&text).map_err(|_| invalid())?;
        let expires_at = Timestamp::from_millis(kept.expires_at_millis);
        if expires_at <= now {
            return Err(invalid());
        }
        Ok(Ceremony { state: kept.state, digest: sha256_hex(sealed.as_bytes()), expires_at })
    }
}

impl<S> Ceremony<S> {
    /// Its use, apart from the state.
    pub(super) fn split(self) -> (S, Use) {
        (self.state, Use { digest: self.digest, expires_at: self.expires_at })
    }
}

/// What makes a ceremony count once.
#[derive(Clone)]
pub(super) struct Use {
    digest: String,
    expires_at: Timestamp,
}

impl Use {
    /// Uses the ceremony up.
    ///
    /// # Errors
    /// 400 where it was used before.
    pub(super) fn note(&self, tx: &mut Tx<'_>) -> Result<(), Problem> {
        let is_first = passkeys::use_challenge(tx, &self.digest, self.expires_at)?;
        if is_first { Ok(()) } else { Err(Problem::field("ceremony", INVALID)) }
    }
}
