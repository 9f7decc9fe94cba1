//! Platform keys: `svc_platform_…`, made for a workspace, listed, revoked and rotated (platform-api sections 2 and 4).

pub mod create;
pub mod list;
pub mod revoke;
pub mod rotate;

use edge::keys::{self, ApiKey, KeyStatus, MintedKey};
use edge::problem::Problem;
use kernel::id::KeyId;
use kernel::secret::ExposeSecret as _;
use kernel::time::Timestamp;
use serde::Serialize;
use store::Tx;

use crate::callers::Caller;
use crate::credentials::PlatformKeys;

/// The scope of keys that manage the whole service.
pub const SCOPE_ADMIN: &str = "platform:admin";
const SCOPES: &[(&str, ())] = &[(SCOPE_ADMIN, ())];

edge::documented_words! {
    /// What a key may do beyond its own workspace.
    pub KeyScope = SCOPES
}

/// A key as its workspace may see it (platform-api section 2).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlatformKey {
    /// Its id.
    id: KeyId,
    /// Its name.
    #[schema(example = "production")]
    name: String,
    /// The key's first characters.
    #[schema(example = "svc_platform_Zm9vYmFy")]
    key_prefix: String,
    /// `ACTIVE`, `REVOKED` or `EXPIRED`.
    status: KeyStatus,
    /// The workspace.
    #[schema(format = Uuid)]
    platform_workspace_id: String,
    /// What it may do beyond its own workspace.
    #[schema(value_type = Vec<KeyScope>)]
    scopes: Vec<&'static str>,
    /// When it was last used; at most a minute behind.
    #[schema(required)]
    last_used_at: Option<Timestamp>,
    /// When it stops authorizing; null means never.
    #[schema(required)]
    expires_at: Option<Timestamp>,
    /// When it was made.
    created_at: Timestamp,
    /// When it was revoked, else when it was made.
    updated_at: Timestamp,
}

impl PlatformKey {
    /// The key as it is at an instant.
    pub fn of(key: ApiKey, now: Timestamp) -> Self {
        Self {
            id: key.id,
            status: key.status(now),
            scopes: scopes(&key),
            name: key.name,
            key_prefix: key.prefix,
            platform_workspace_id: key.owner_id,
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
            created_at: key.created_at,
            updated_at: key.revoked_at.unwrap_or(key.created_at),
        }
    }
}

/// A key that was just made.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedPlatformKey {
    /// The raw key, shown this once: null in a replay, because only its hash is kept.
    #[schema(required)]
    api_key: Option<String>,
    /// The key's id.
    key_id: KeyId,
    /// The key's first characters.
    #[schema(example = "svc_platform_Zm9vYmFy")]
    key_prefix: String,
    /// Its name.
    #[schema(example = "production")]
    name: String,
}

impl CreatedPlatformKey {
    /// The answer for a key that was just made.
    pub fn of(minted: &MintedKey) -> Self {
        Self { api_key: Some(minted.raw.expose_secret().to_owned()), ..Self::without_raw_key(minted) }
    }

    fn without_raw_key(minted: &MintedKey) -> Self {
        Self {
            api_key: None,
            key_id: minted.key.id,
            key_prefix: minted.key.prefix.clone(),
            name: minted.key.name.clone(),
        }
    }
}

fn scopes(key: &ApiKey) -> Vec<&'static str> {
    if key.is_service_admin { vec![SCOPE_ADMIN] } else { Vec::new() }
}

/// The key that a path names, where the caller may change it. Whoever can't make a key with the scope
/// `platform:admin` can't take one over by rotating it either.
///
/// # Errors
/// 404 for a key that does not exist for the caller, 403 for one with a scope that the caller lacks.
pub(crate) fn changeable(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<ApiKey, Problem> {
    const NOT_FOUND: Problem = Problem::NotFound("API key");
    let id: KeyId = id.parse().map_err(|_| NOT_FOUND)?;
    let key = keys::find::<PlatformKeys>(tx, id)?.ok_or(NOT_FOUND)?;
    let workspace = key.owner_id.parse().map_err(Problem::unexpected)?;
    if !caller.sees(workspace) {
        return Err(NOT_FOUND);
    }
    if key.is_service_admin {
        caller.manages_the_service()?;
    }
    Ok(key)
}
