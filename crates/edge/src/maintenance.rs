//! Periodic work of the door: saves key uses, returns unused parts of rate limits, forgets sessions, challenges, kept answers and old
//! entries of the audit log.

use std::time::Duration;

use store::StoreError;

use crate::door::Door;
use crate::second_factors::passkeys;
use crate::{audit, idempotency, sessions};

/// `lastUsedAt` is at most a minute behind: saved well within it.
const SAVE_USES_EVERY: Duration = Duration::from_secs(20);
/// A window of a rate limit is a minute: what is returned is still of use to other processes.
const RETURN_EVERY: Duration = Duration::from_secs(10);
const SWEEP_EVERY: Duration = Duration::from_secs(600);

/// Runs until `shutdown`, then saves the key uses and returns what is unused of rate limits a last time.
pub async fn run(door: Door, shutdown: impl Future<Output = ()>) {
    let mut save_uses = tokio::time::interval(SAVE_USES_EVERY);
    let mut return_unused = tokio::time::interval(RETURN_EVERY);
    let mut sweep = tokio::time::interval(SWEEP_EVERY);
    tokio::pin!(shutdown);
    loop {
        let outcome = tokio::select! {
            () = &mut shutdown => break,
            _ = save_uses.tick() => door.save_key_uses().await,
            _ = return_unused.tick() => door.return_unused_requests(false).await,
            _ = sweep.tick() => sweep_expired(&door).await,
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, "maintenance is put off: the store is unavailable");
        }
    }
    if let Err(error) = door.save_key_uses().await {
        tracing::warn!(%error, "the last uses of keys were not saved");
    }
    if let Err(error) = door.return_unused_requests(true).await {
        tracing::warn!(%error, "unused requests of rate limits were not returned");
    }
}

/// Forgets sessions, answered challenges, kept answers and entries of the audit log whose time is over.
pub async fn sweep_expired(door: &Door) -> Result<(), StoreError> {
    door.store.write("sessions.sweep", sessions::sweep).await?;
    door.store.write("passkeys.sweep", passkeys::sweep).await?;
    door.store.write("idempotency.sweep", idempotency::sweep).await?;
    let retention = door.audit_retention;
    while door.store.write("audit.sweep", move |tx| audit::sweep(tx, retention)).await? > 0 {}
    Ok(())
}
