//! The launch log: logins and launches of a registered platform that were refused, each with the reason, what was expected
//! and what came, so that the platform's administrator can mend it.
//!
//! Strangers can cause refusals. So a registration keeps its newest only, and of a flood few are written.

pub mod list;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::id::{RefusalId, RegistrationId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use lti::Refusal;
use serde_json::Value;
use store::{Record, Store, StoreError, Tx};

/// Refusals that a registration keeps.
const KEPT: u32 = 100;
/// Refusals of a registration that one process writes in a [`PERIOD`].
const MOST_WRITTEN: u32 = 30;
const PERIOD: Duration = Duration::from_secs(60);
/// What is kept of a value, in characters.
const LONGEST_VALUE: usize = 500;

/// Writes the launch log.
pub struct LaunchLog {
    store: Store,
    ambient: Ambient,
    written: Mutex<Written>,
}

/// How many were written in the period that began at an instant.
#[derive(Default)]
struct Written {
    since: Option<Timestamp>,
    by_registration: HashMap<RegistrationId, u32>,
}

/// A login or launch that was refused, as the log keeps it.
#[derive(Clone, Debug, Record)]
#[record(table = "lti_refusal")]
pub(crate) struct RefusalRow {
    #[column(key)]
    pub(crate) id: RefusalId,
    pub(crate) registration_id: RegistrationId,
    pub(crate) reason: String,
    pub(crate) expected: Option<String>,
    pub(crate) received: Option<String>,
    pub(crate) sent: JsonText,
    pub(crate) created_at: Timestamp,
}

impl LaunchLog {
    pub(crate) fn new(store: Store, ambient: Ambient) -> Self {
        Self { store, ambient, written: Mutex::default() }
    }

    /// Notes a refusal, unless there were too many just now. `sent` is what the platform sent, without secrets.
    pub(super) async fn note(&self, registration: RegistrationId, refusal: &Refusal, sent: &Value) {
        let now = self.ambient.now();
        if !self.admits(registration, now) {
            return;
        }
        let row = RefusalRow {
            id: self.ambient.id(),
            registration_id: registration,
            reason: refusal.reason.code().to_owned(),
            expected: refusal.expected.as_deref().map(shortened),
            received: refusal.received.as_deref().map(shortened),
            sent: JsonText::of(sent),
            created_at: now,
        };
        if let Err(error) = self.store.write("lti_refusals.note", move |tx| row.keep(tx)).await {
            tracing::warn!(%error, "a refused launch is missing in the log");
        }
    }

    fn admits(&self, registration: RegistrationId, now: Timestamp) -> bool {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if written.since.is_none_or(|since| since.plus(PERIOD) <= now) {
            *written = Written { since: Some(now), by_registration: HashMap::new() };
        }
        let count = written.by_registration.entry(registration).or_default();
        *count += 1;
        *count <= MOST_WRITTEN
    }
}

impl RefusalRow {
    /// Adds it, and forgets the oldest.
    fn keep(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let registered =
            tx.find("SELECT 1 FROM lti_registration WHERE id = $1", &[&self.registration_id], |row| row.get::<i64>(0))?;
        if registered.is_none() {
            return Ok(());
        }
        self.insert(tx)?;
        tx.execute_later(
            "DELETE FROM lti_refusal WHERE registration_id = $1 AND id NOT IN
                 (SELECT id FROM lti_refusal WHERE registration_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2)",
            &[&self.registration_id, &KEPT],
        )
    }
}

fn shortened(value: &str) -> String {
    value.chars().take(LONGEST_VALUE).collect()
}
