//! What the surface tidies up and proves from time to time: sums of usage, bytes of files that nothing names, and once a
//! night the books.

use std::time::Duration;

use billing::reconcile::reconcile;
use billing::usage::roll_up_all;
use files::storage::StoredFile;
use futures_util::StreamExt as _;
use store::StoreError;

use crate::Platform;
use crate::evaluations::files::drop_all;

const ROLL_UP_EVERY: Duration = Duration::from_secs(60);
const NIGHTLY: Duration = Duration::from_secs(24 * 3600);
/// Bytes younger than this may belong to a request that is still being carried out.
const ORPHAN_AGE: Duration = Duration::from_secs(24 * 3600);

/// Runs until `shutdown`.
pub async fn run(platform: Platform, shutdown: impl Future<Output = ()>) {
    let mut roll_up = tokio::time::interval(ROLL_UP_EVERY);
    let mut nightly = tokio::time::interval(NIGHTLY);
    tokio::pin!(shutdown);
    loop {
        let outcome = tokio::select! {
            () = &mut shutdown => break,
            _ = roll_up.tick() => roll_up_all(&platform.door.store).await,
            _ = nightly.tick() => night(&platform).await,
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, "maintenance of the platform is put off: the store is unavailable");
        }
    }
}

async fn night(platform: &Platform) -> Result<(), StoreError> {
    let report = reconcile(&platform.door.store).await?;
    if report.is_clean() {
        tracing::info!(workspaces = report.workspaces, transfers = report.transfers, "the books are right");
    } else {
        tracing::error!(differences = report.differences, shown = ?report.shown, "the books are wrong");
    }
    metrics::gauge!("lectern_ledger_differences").set(report.differences as f64);
    sweep_orphans(platform).await
}

/// Removes the bytes of files that no row names: a request that was cut off between the two left them.
///
/// # Errors
/// Any [`StoreError`].
pub async fn sweep_orphans(platform: &Platform) -> Result<(), StoreError> {
    let old = platform.door.ambient.now().minus(ORPHAN_AGE);
    let mut stored = platform.files.store.list(None);
    while let Some(next) = stored.next().await {
        let StoredFile { key, put_at, .. } = match next {
            Ok(file) => file,
            Err(error) => {
                tracing::warn!(%error, "files can't be listed; what nothing names is swept another night");
                return Ok(());
            }
        };
        if put_at > old {
            continue;
        }
        let known = platform.door.store.read("files.is_named", move |tx| {
            tx.find("SELECT 1 FROM evaluation_file WHERE id = $1", &[&key.file], |_| Ok(()))
        });
        if known.await?.is_none() {
            drop_all(&platform.files, key.workspace, vec![key.file]).await;
        }
    }
    Ok(())
}
