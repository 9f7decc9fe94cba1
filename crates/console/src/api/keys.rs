//! Keys of either surface.

use serde::Deserialize;

/// A key, without its secret.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) key_prefix: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
    pub(crate) expires_at: Option<String>,
    pub(crate) last_used_at: Option<String>,
    pub(crate) rate_limit_per_minute: Option<i64>,
    pub(crate) scopes: Vec<String>,
}

impl Key {
    pub(crate) fn is_active(&self) -> bool {
        self.status == "ACTIVE"
    }
}

/// A new key. The secret is `None` when the request was made before.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CreatedKey {
    pub(crate) api_key: Option<String>,
    pub(crate) name: String,
}
