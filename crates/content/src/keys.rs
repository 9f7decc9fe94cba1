//! Content API keys, as an organization's admin manages them. The keys themselves are `edge::keys`.

pub mod create;
pub mod list;
pub mod revoke;
pub mod rotate;

use edge::keys::MintedKey;
use edge::problem::Problem;
use kernel::id::KeyId;
use kernel::secret::ExposeSecret as _;
use kernel::time::Timestamp;
use serde::Serialize;

/// Requests a minute when a key is made without a limit.
pub const DEFAULT_RATE_LIMIT_PER_MINUTE: u32 = 60;
/// The highest limit a key may have.
pub const HIGHEST_RATE_LIMIT_PER_MINUTE: u32 = 100_000;

/// The answer that holds the raw key, once (content-api section 2).
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedKey {
    /// The raw key; null when an idempotent create is repeated, because only its hash was kept.
    #[schema(required, example = "svc_content_m3Jx…")]
    pub api_key: Option<String>,
    /// The key's id.
    pub key_id: KeyId,
    /// The key's first characters, safe to log.
    #[schema(example = "svc_content_m3JxQ0aB")]
    pub key_prefix: String,
    /// The name it was given.
    pub name: String,
    /// Requests a minute.
    pub rate_limit_per_minute: u32,
    /// When it stops authorizing; null for never.
    #[schema(required)]
    pub expires_at: Option<Timestamp>,
}

impl CreatedKey {
    /// The answer for a key that was just made.
    pub fn of(minted: &MintedKey) -> Self {
        Self { api_key: Some(minted.raw.expose_secret().to_owned()), ..Self::without_raw_key(minted) }
    }

    /// The form that may be kept.
    pub fn without_raw_key(minted: &MintedKey) -> Self {
        Self {
            api_key: None,
            key_id: minted.key.id,
            key_prefix: minted.key.prefix.clone(),
            name: minted.key.name.clone(),
            rate_limit_per_minute: minted.key.rate_limit_per_minute,
            expires_at: minted.key.expires_at,
        }
    }
}

fn key_param(text: &str) -> Result<KeyId, Problem> {
    text.parse().map_err(|_| Problem::NotFound("API key"))
}
