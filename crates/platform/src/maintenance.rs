//! What the surface tidies up and proves from time to time: sums of usage each minute, and once a night the books, the questions of
//! evaluations that an earlier version made, the processor's old events and visits to it, the keys that sign for learning platforms, and the bytes of files that nothing names.
//!
//! Every process that works runs this, and a shutdown ends it at once, whatever it is at: each step is a short transaction
//! of its own. Of all processes one has the night, by [`DailyLease`].

pub mod orphans;

use std::time::Duration;

use billing::usage::roll_up_all;
use edge::rate::DailyLease;
use store::StoreError;

use crate::billing::{events, sessions};
use crate::evaluations::locate::locate_all;
use crate::notices::expiring::tell_of_expiring_keys;
use crate::reconcile::reconcile;
use crate::{Platform, invoices};

const NIGHT: &str = "platform.night";
const ROLL_UP_EVERY: Duration = Duration::from_secs(60);
/// How often a process asks whether a night is due.
const ASK_EVERY: Duration = Duration::from_secs(600);

/// How often keys that end soon are looked for.
const WARN_EVERY: Duration = Duration::from_secs(600);

/// Runs until `shutdown`.
pub async fn run(platform: Platform, shutdown: impl Future<Output = ()>) {
    run_with(&platform, shutdown, night).await;
}

/// Runs with this work for the nights.
async fn run_with<N: Future<Output = Result<(), StoreError>>>(
    platform: &Platform,
    shutdown: impl Future<Output = ()>,
    night: impl Fn(Platform) -> N,
) {
    let mut turn = None;
    tokio::select! {
        () = shutdown => {}
        () = keep_tidy(platform, &mut turn, night) => {}
    }
    if let Err(error) = give_back(platform, &mut turn).await {
        tracing::warn!(%error, "a night that was cut off is done again only when its turn lapses");
    }
}

async fn keep_tidy<N: Future<Output = Result<(), StoreError>>>(
    platform: &Platform,
    turn: &mut Option<DailyLease>,
    night: impl Fn(Platform) -> N,
) {
    let mut roll_up = tokio::time::interval(ROLL_UP_EVERY);
    let mut ask = tokio::time::interval(ASK_EVERY);
    let mut warn = tokio::time::interval(WARN_EVERY);
    loop {
        let outcome = tokio::select! {
            _ = roll_up.tick() => roll_up_all(&platform.door.store).await,
            _ = warn.tick() => tell_of_expiring_keys(&platform.door.store).await,
            _ = ask.tick() => take_turn(platform, turn, &night).await,
        };
        if let Err(error) = outcome {
            tracing::warn!(%error, "maintenance of the platform is put off: the store is unavailable");
        }
    }
}

/// Does the night's work when it is due and nobody else does it. Cut off or failed, it is left for the next who asks.
async fn take_turn<N: Future<Output = Result<(), StoreError>>>(
    platform: &Platform,
    turn: &mut Option<DailyLease>,
    night: impl Fn(Platform) -> N,
) -> Result<(), StoreError> {
    let store = &platform.door.store;
    give_back(platform, turn).await?;
    *turn = store.claim("maintenance.take_turn", |tx| DailyLease::take(tx, NIGHT)).await?;
    if turn.is_none() {
        return Ok(());
    }
    night(platform.clone()).await?;
    match turn.take() {
        Some(taken) => store.claim("maintenance.end_turn", move |tx| taken.end(tx)).await,
        None => Ok(()),
    }
}

async fn give_back(platform: &Platform, turn: &mut Option<DailyLease>) -> Result<(), StoreError> {
    let Some(taken) = *turn else { return Ok(()) };
    platform.door.store.claim("maintenance.give_back", move |tx| taken.give_back(tx)).await?;
    *turn = None;
    Ok(())
}

async fn night(platform: Platform) -> Result<(), StoreError> {
    let report = reconcile(&platform.door.store).await?;
    if report.differences.is_empty() {
        let (workspaces, evaluations) = (report.books.workspaces, report.evaluations);
        tracing::info!(workspaces, evaluations, "the books are right");
    } else {
        tracing::error!(differences = report.differences.count, shown = ?report.differences.shown, "the books are wrong");
    }
    metrics::gauge!("lectern_ledger_differences").set(report.differences.count as f64);
    let located = locate_all(&platform.door.store).await?;
    if located > 0 {
        tracing::info!(evaluations = located, "evaluations of an earlier version got their questions");
    }
    invoices::finalize(&platform).await?;
    while platform.door.store.claim("billing_events.forget", events::forget_old).await? {}
    while platform.door.store.claim("billing_sessions.forget", sessions::forget_old).await? {}
    platform.tool_keys.tend().await?;
    orphans::sweep(&platform).await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::sync::Arc;

    use futures_util::FutureExt as _;
    use testkit::{TestStore, both_stores};
    use tokio::sync::Notify;

    use super::*;
    use crate::testing::App;

    /// Asks for the night; whether it was done.
    async fn is_done(app: &App, turn: &mut Option<DailyLease>) -> bool {
        let done = Arc::new(Notify::new());
        let night = |_| {
            done.notify_one();
            ready(Ok(()))
        };
        take_turn(&app.platform, turn, night).await.unwrap();
        done.notified().now_or_never().is_some()
    }

    #[both_stores]
    async fn a_shutdown_during_the_night_ends_it_at_once_and_leaves_it_to_the_next(test: TestStore) {
        let app = App::new(test);
        for _ in 0..2 {
            let begun = Arc::new(Notify::new());
            let endless = |_| {
                begun.notify_one();
                pending()
            };
            run_with(&app.platform, begun.clone().notified_owned(), endless).await;
        }
    }

    #[both_stores]
    async fn a_night_that_is_done_is_not_done_again_by_another_process_or_after_a_restart(test: TestStore) {
        let app = App::new(test);
        let mut turn = None;
        assert!(is_done(&app, &mut turn).await);
        assert!(!is_done(&app, &mut turn).await);
        assert!(!is_done(&app, &mut None).await);
        app.test.clock.advance(Duration::from_secs(24 * 3600));
        assert!(is_done(&app, &mut None).await);
    }

    #[both_stores]
    async fn a_night_that_fails_is_done_when_it_is_asked_for_again(test: TestStore) {
        let app = App::new(test);
        let mut turn = None;
        let failed = take_turn(&app.platform, &mut turn, |_| ready(Err(StoreError::Unavailable))).await;
        assert!(failed.is_err() && turn.is_some());
        assert!(is_done(&app, &mut turn).await);
    }
}
