//! Work in the background, and the audit log.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How the work in the background stands.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Queues {
    pub(crate) works_here: bool,
    pub(crate) is_complete: bool,
    pub(crate) jobs: Vec<JobQueue>,
    pub(crate) deliveries: DeliveryQueue,
}

/// The jobs of one kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JobQueue {
    pub(crate) kind: String,
    pub(crate) due: i64,
    pub(crate) oldest_due_at: Option<String>,
    pub(crate) later: i64,
    pub(crate) running: i64,
    pub(crate) failed: i64,
    pub(crate) last_failure: Option<LastFailure>,
}

/// A failed job.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LastFailure {
    pub(crate) at: String,
    pub(crate) error: Option<String>,
}

/// Requests to webhooks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct DeliveryQueue {
    pub(crate) pending: i64,
    pub(crate) oldest_due_at: Option<String>,
    pub(crate) failed_today: i64,
    pub(crate) last_failed_at: Option<String>,
}

/// Jobs, those due first in front.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JobPage {
    pub(crate) items: Vec<Job>,
    pub(crate) next_cursor: Option<String>,
}

/// A background job.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) tenant: String,
    pub(crate) about: BTreeMap<String, String>,
    pub(crate) state: String,
    pub(crate) run_at: String,
    pub(crate) attempt: i64,
    pub(crate) last_error: Option<String>,
    pub(crate) updated_at: String,
}

impl Job {
    /// A running job is its worker's until it ends.
    pub(crate) fn can_be_changed(&self) -> bool {
        self.state != "running"
    }
}

/// Changes, the newest first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ChangePage {
    pub(crate) items: Vec<Change>,
    pub(crate) next_cursor: Option<String>,
}

/// A change of the audit log.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Change {
    pub(crate) created_at: String,
    pub(crate) operation: String,
    pub(crate) user_id: Option<String>,
    pub(crate) user_email: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) key_id: Option<String>,
    pub(crate) key_prefix: Option<String>,
    pub(crate) organization_id: Option<String>,
    pub(crate) workspace_id: Option<String>,
    pub(crate) resource_id: Option<String>,
    pub(crate) request_id: Option<String>,
}

impl Change {
    /// The person's address, or the first characters of the key.
    pub(crate) fn actor(&self) -> String {
        if let Some(email) = &self.user_email {
            return email.clone();
        }
        match (&self.key_prefix, &self.key_id) {
            (Some(prefix), _) => format!("{prefix}…"),
            (None, Some(_)) => "A key that is gone".to_owned(),
            (None, None) => "An account that is gone".to_owned(),
        }
    }

    /// The filter for more changes of the same person or key.
    pub(crate) fn actor_filter(&self) -> String {
        match (&self.user_id, &self.key_id) {
            (Some(user), _) => crate::fields::query([("userId", user.as_str())]),
            (None, Some(key)) => crate::fields::query([("keyId", key.as_str())]),
            (None, None) => String::new(),
        }
    }
}
