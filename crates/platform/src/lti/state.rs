//! What a login tells its launch. The browser carries it, sealed, so that a flood of logins leaves nothing behind here.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::RegistrationId;
use kernel::secret::{MasterKey, Sealer, random_token, sha256_hex};
use kernel::time::Timestamp;
use lti::{LONGEST_ID, LoginRequest, Reason, Refusal};
use serde::{Deserialize, Serialize};

use super::Slot;

/// How long a launch may take after its login.
pub(super) const LIFE: Duration = Duration::from_secs(600);
/// What is sealed; nothing else is sealed for this purpose.
const CONTEXT: &str = "state";
/// The state is part of an address, and so is this.
const LONGEST_TARGET: usize = 2048;

/// Seals and opens states. Cheap to clone.
#[derive(Clone)]
pub(crate) struct States(Sealer);

/// What a login tells its launch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) registration: RegistrationId,
    /// What the ID token has to say.
    pub(crate) nonce: String,
    /// What only the browser of the login knows.
    pub(crate) browser: String,
    pub(crate) deployment_id: Option<String>,
    pub(crate) target_link_uri: String,
    pub(crate) storage_target: Option<String>,
    begun_at_millis: i64,
}

impl States {
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self(master.sealer("LTI logins"))
    }

    pub(super) fn seal(&self, ambient: &Ambient, state: &State) -> String {
        let text = serde_json::to_vec(state).expect("a state has a form in JSON");
        self.0.seal(ambient, CONTEXT, &text)
    }

    /// # Errors
    /// [`Reason::ForeignState`].
    pub(super) fn open(&self, sealed: &str) -> Result<State, Refusal> {
        let text = self.0.open(CONTEXT, sealed).map_err(|_| Reason::ForeignState)?;
        serde_json::from_slice(&text).map_err(|_| Reason::ForeignState.into())
    }
}

impl State {
    /// The state of a login that begins now.
    ///
    /// # Errors
    /// [`Reason::TooLong`].
    pub(super) fn begin(
        ambient: &Ambient,
        registration: RegistrationId,
        login: &LoginRequest,
    ) -> Result<Self, Refusal> {
        let bounded = [
            ("target_link_uri", Some(&login.target_link_uri), LONGEST_TARGET),
            ("lti_deployment_id", login.deployment_id.as_ref(), LONGEST_ID),
            ("lti_storage_target", login.storage_target.as_ref(), LONGEST_ID),
        ];
        for (name, value, most) in bounded {
            if value.is_some_and(|value| value.len() > most) {
                return Err(Refusal::differs(Reason::TooLong, format!("{most} bytes"), name));
            }
        }
        Ok(Self {
            registration,
            nonce: random_token(ambient),
            browser: random_token(ambient),
            deployment_id: login.deployment_id.clone(),
            target_link_uri: login.target_link_uri.clone(),
            storage_target: login.storage_target.clone(),
            begun_at_millis: ambient.now().as_millis(),
        })
    }

    /// What the browser, or the platform for it, keeps.
    pub(super) fn slot(&self) -> Slot {
        let name = format!("lti-{}", &sha256_hex(self.nonce.as_bytes())[..16]);
        Slot { name, value: self.browser.clone() }
    }

    /// # Errors
    /// [`Reason::LateState`].
    pub(super) fn check_age(&self, now: Timestamp) -> Result<(), Refusal> {
        if now < Timestamp::from_millis(self.begun_at_millis).plus(LIFE) {
            Ok(())
        } else {
            Err(Reason::LateState.into())
        }
    }
}
