//! Keys that start with `svc_platform_`, and what the door asks of one and of its workspace before anything else
//! happens (platform-api section 5, in the order: key, suspension, e-mail, rate limit).

use edge::keys::{KeyRules, KeySurface, KnownKey};
use edge::problem::Problem;
use kernel::id::{KeyId, WorkspaceId};
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx};

use crate::workspaces::Status;

/// The keys of almost every operation: their workspace has a verified e-mail address where the operator asks for one.
pub struct PlatformKeys;

/// The same keys where an unverified address does not stand in the way: whoever waits for the verification has to be
/// able to ask for it.
pub struct UnverifiedKeys;

const NAME: &str = "platform";
const PREFIX: &str = "svc_platform_";
const INVALID_KEY: &str = "The platform API key is invalid or missing.";

impl KeySurface for PlatformKeys {
    const NAME: &'static str = NAME;
    const PREFIX: &'static str = PREFIX;
    const INVALID_KEY: &'static str = INVALID_KEY;

    fn authenticate(tx: &mut Tx<'_>, token_hash: &str, rules: KeyRules) -> Result<KnownKey, Problem> {
        let holder = Holder::load(tx, token_hash)?;
        if rules.requires_verified_email && !holder.is_email_verified {
            return Err(Problem::EmailUnverified);
        }
        Ok(holder.key)
    }
}

impl KeySurface for UnverifiedKeys {
    const NAME: &'static str = NAME;
    const PREFIX: &'static str = PREFIX;
    const INVALID_KEY: &'static str = INVALID_KEY;

    fn authenticate(tx: &mut Tx<'_>, token_hash: &str, _: KeyRules) -> Result<KnownKey, Problem> {
        Ok(Holder::load(tx, token_hash)?.key)
    }
}

/// A working key of a workspace that isn't suspended.
struct Holder {
    key: KnownKey,
    is_email_verified: bool,
}

/// A key and its workspace, before they are judged.
#[derive(Record)]
struct Found {
    id: KeyId,
    owner_id: WorkspaceId,
    is_service_admin: bool,
    revoked_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    rate_limit_per_minute: u32,
    status: Status,
    email_verified_at: Option<Timestamp>,
}

impl Holder {
    fn load(tx: &mut Tx<'_>, token_hash: &str) -> Result<Self, Problem> {
        let now = tx.now();
        let found = find(tx, token_hash)?.ok_or(Problem::Unauthorized(INVALID_KEY))?;
        if found.revoked_at.is_some() {
            return Err(Problem::KeyRevoked);
        }
        if found.expires_at.is_some_and(|end| end <= now) {
            return Err(Problem::KeyExpired);
        }
        if found.status == Status::Suspended {
            return Err(Problem::WorkspaceSuspended);
        }
        let key = KnownKey {
            id: found.id,
            owner_id: found.owner_id.to_string(),
            counted_as: found.owner_id.uuid(),
            rate_limit_per_minute: found.rate_limit_per_minute,
            is_service_admin: found.is_service_admin,
        };
        Ok(Self { key, is_email_verified: found.email_verified_at.is_some() })
    }
}

fn find(tx: &mut Tx<'_>, token_hash: &str) -> Result<Option<Found>, StoreError> {
    tx.find(
        "SELECT k.id, k.owner_id, k.is_service_admin, k.revoked_at, k.expires_at, w.rate_limit_per_minute, w.status,
                w.email_verified_at
         FROM api_key k JOIN workspace w ON w.id = k.owner_id WHERE k.token_hash = $1 AND k.surface = $2",
        &[&token_hash, &NAME],
        |row| Found::read_at(row, 0),
    )
}
