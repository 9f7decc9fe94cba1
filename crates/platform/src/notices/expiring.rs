//! Keys that end soon: told 14, 3 and 1 days before, once each, by whichever process looks first.

use std::time::Duration;

use kernel::id::KeyId;
use kernel::time::Timestamp;
use store::{Group as _, Record, Store, StoreError, Tx, sql};

use super::{Notice, tell};

const DAY: Duration = Duration::from_secs(24 * 3600);
/// Keys in one transaction.
const KEYS: i64 = 100;

/// A key that is to be told of.
#[derive(Record)]
struct Expiring {
    id: KeyId,
    owner_id: String,
    name: String,
    expires_at: Timestamp,
}

/// Tells of all platform keys that end soon. A key that was made with a shorter life is not told of the days before.
///
/// # Errors
/// Any [`StoreError`].
pub async fn tell_of_expiring_keys(store: &Store) -> Result<(), StoreError> {
    for (days, sooner) in [(1, 0), (3, 1), (14, 3)] {
        while store.claim("notices.expiring", move |tx| tell_some(tx, days, sooner)).await? == KEYS {}
    }
    Ok(())
}

/// Tells of keys that end within some days, but not sooner than others; how many there were.
fn tell_some(tx: &mut Tx<'_>, days: u32, sooner: u32) -> Result<i64, StoreError> {
    let now = tx.now();
    let (from, until, span) = (now.plus(DAY * sooner), now.plus(DAY * days), DAY * days);
    let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    let expiring = sql!(
        "SELECT id, owner_id, name, expires_at FROM api_key AS k
         WHERE surface = 'platform' AND revoked_at IS NULL AND expires_at > {from} AND expires_at <= {until}
            AND created_at + CAST({span} AS BIGINT) <= expires_at
            AND NOT EXISTS (SELECT 1 FROM key_notice AS n WHERE n.key_id = k.id AND n.days = {days})
         ORDER BY expires_at, id LIMIT {KEYS}"
    )
    .query(tx, |row| Expiring::read_at(row, 0))?;
    let mut told = 0;
    for Expiring { id, owner_id, name, expires_at } in expiring {
        told += 1;
        let is_first = sql!(
            "INSERT INTO key_notice (key_id, days, created_at) VALUES ({id}, {days}, {now}) ON CONFLICT (key_id, days) DO NOTHING"
        )
        .execute(tx)?
            > 0;
        if let Some(workspace) = owner_id.parse().ok().filter(|_| is_first) {
            let expires_at = expires_at.to_string();
            let notice = Notice::KeyExpiring { key_id: id, key_name: name, days: i64::from(days), expires_at };
            tell(tx, workspace, notice)?;
        }
    }
    Ok(told)
}
