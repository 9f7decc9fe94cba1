//! Whose night it is: a row says when the last one began and whether it is over, so that one process of all has it, once.
//!
//! The row is one of `rate_window`: one request a day, of the whole service, leased by who carries it out.

use std::time::Duration;

use kernel::time::Timestamp;
use store::{StoreError, Tx};

const SUBJECT: &str = "platform.night";
const NIGHTLY: Duration = Duration::from_secs(24 * 3600);
/// Whoever has not ended its night by then was killed. Two that overlap do no harm.
const LONGEST: Duration = Duration::from_secs(6 * 3600);

/// A night that this process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    began: Timestamp,
}

impl Turn {
    /// Takes the night that is due; `None` when none is. One statement, so that of several who ask one gets it; run it
    /// through [`store::Store::claim`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn take(tx: &mut Tx<'_>) -> Result<Option<Self>, StoreError> {
        let now = tx.now();
        let taken = tx.execute(
            "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, 1)
             ON CONFLICT (subject) DO UPDATE SET started_at = excluded.started_at, leased = excluded.leased
             WHERE rate_window.started_at <= $3 OR (rate_window.leased = 1 AND rate_window.started_at <= $4)",
            &[&SUBJECT, &now, &now.minus(NIGHTLY), &now.minus(LONGEST)],
        )?;
        Ok((taken > 0).then_some(Self { began: now }))
    }

    /// The night is over: the next one begins a day after it did.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn end(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let sql = "UPDATE rate_window SET leased = 0 WHERE subject = $1 AND started_at = $2";
        tx.execute(sql, &[&SUBJECT, &self.began]).map(|_| ())
    }

    /// The night was cut off: who asks next has it.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn give_back(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let sql = "DELETE FROM rate_window WHERE subject = $1 AND started_at = $2 AND leased = 1";
        tx.execute(sql, &[&SUBJECT, &self.began]).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use store::Store;
    use testkit::{TestStore, both_stores};

    use super::*;

    async fn take(store: &Store) -> Option<Turn> {
        store.claim("test", Turn::take).await.unwrap()
    }

    #[both_stores]
    async fn of_two_processes_one_has_the_night(test: TestStore) {
        let other = test.open_again().await;
        let (one, another) = tokio::join!(take(&test.store), take(&other));
        assert_eq!([one, another].into_iter().flatten().count(), 1);
        let turn = one.or(another).unwrap();
        test.store.claim("test", move |tx| turn.end(tx)).await.unwrap();
        test.clock.advance(NIGHTLY - Duration::from_millis(1));
        assert_eq!((take(&test.store).await, take(&other).await), (None, None));
        test.clock.advance(Duration::from_millis(1));
        assert!(take(&other).await.is_some());
        other.close().await;
    }

    #[both_stores]
    async fn a_killed_process_keeps_its_night_for_hours_only(test: TestStore) {
        let lost = take(&test.store).await.unwrap();
        test.clock.advance(LONGEST - Duration::from_millis(1));
        assert_eq!(take(&test.store).await, None);
        test.clock.advance(Duration::from_millis(1));
        let taken = take(&test.store).await.unwrap();
        test.store.claim("test", move |tx| lost.give_back(tx)).await.unwrap();
        assert_eq!(take(&test.store).await, None, "who lost it gives nothing back");
        test.store.claim("test", move |tx| taken.give_back(tx)).await.unwrap();
        assert!(take(&test.store).await.is_some());
    }
}
