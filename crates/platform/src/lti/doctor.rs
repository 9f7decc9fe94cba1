//! Checks a registration against the real learning platform, for `lectern lti doctor`: keys, endpoints, clock and scopes.
//!
//! Each [`Diagnosis`] says in plain words what was checked, what was found and what to do. The examination changes nothing at
//! the platform: it asks for access tokens, and throws them away. In this service it makes the first key pair, where there is
//! none yet. No transaction is open while it calls anybody. Where to read next: [`endpoints`] asks the platform's key set and its
//! authorization endpoint, [`scopes`] its token endpoint, [`clock`] compares the clocks, [`service`] looks at this service as a
//! platform sees it, and [`history`] reads what happened so far.

mod clock;
mod endpoints;
mod history;
mod probe;
mod scopes;
mod service;
#[cfg(test)]
mod tests;

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use net::{OperatorClient, OutboundClient, Url};
use store::{Store, StoreError};

use self::history::History;
use super::registrations::Registration;
use super::tool_keys::ToolKeys;

/// What one call may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// What was checked, in a word or two.
    pub subject: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what to do.
    pub message: String,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// As it should be.
    Fine,
    /// Worth knowing; nothing is broken.
    Warning,
    /// Launches, grades or rosters fail.
    Wrong,
}

impl Diagnosis {
    fn fine(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, severity: Severity::Fine, message: message.into() }
    }

    fn warning(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, severity: Severity::Warning, message: message.into() }
    }

    fn wrong(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, severity: Severity::Wrong, message: message.into() }
    }
}

/// Examines registrations.
pub struct Doctor {
    store: Store,
    ambient: Ambient,
    outbound: OutboundClient,
    own: OperatorClient,
    tool_keys: ToolKeys,
    base_url: Url,
    /// What one call may take.
    timeout: Duration,
}

impl Doctor {
    /// A doctor of the registrations in a store. `outbound` calls platforms; `own` calls this service at `base_url`, its public
    /// address.
    pub fn new(
        store: Store,
        ambient: Ambient,
        outbound: OutboundClient,
        own: OperatorClient,
        master: &MasterKey,
        base_url: Url,
    ) -> Self {
        let tool_keys = ToolKeys::new(store.clone(), ambient.clone(), master);
        Self { store, ambient, outbound, own, tool_keys, base_url, timeout: TIMEOUT }
    }

    /// Examines one registration. Every check is made, whatever the others find.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn examine(&self, registration: &Registration) -> Result<Vec<Diagnosis>, StoreError> {
        let history = History::read(&self.store, registration.id, registration.workspace_id).await?;
        let signing = self.tool_keys.signing().await?;
        let (key_set, sign_in, tokens, own_keys) = tokio::join!(
            self.key_set(registration),
            self.sign_in(registration),
            self.tokens(registration, &history),
            self.own_keys(&signing),
        );
        let clock = clock::compare([tokens.skew, sign_in.skew, key_set.skew]);
        let mut found = history.standing(registration);
        found.extend(service::address(&self.base_url));
        found.push(own_keys);
        found.extend(key_set.found.into_iter().chain(sign_in.found));
        found.push(clock);
        found.extend(tokens.found);
        found.extend(history.launches());
        Ok(found)
    }
}
