//! Work that one process of all does once a day: a row says when it began last, and whether it is over.
//!
//! The row is one of `rate_window`: one request a day, of the whole service, leased by who carries it out.

use std::time::Duration;

use kernel::time::Timestamp;
use store::{StoreError, Tx};

const DAILY: Duration = Duration::from_secs(24 * 3600);
/// Who has not ended the work by then was killed.
const LONGEST: Duration = Duration::from_secs(6 * 3600);

/// The right of this process to do a day's work. Two that overlap, because the first took too long, must do no harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyLease {
    subject: &'static str,
    began: Timestamp,
}

impl DailyLease {
    /// Takes the work by this name where it is due. One statement, so that of several who ask one gets it; run it through
    /// [`store::Store::claim`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn take(tx: &mut Tx<'_>, subject: &'static str) -> Result<Option<Self>, StoreError> {
        let now = tx.now();
        let taken = tx.execute(
            "INSERT INTO rate_window (subject, started_at, leased) VALUES ($1, $2, 1)
             ON CONFLICT (subject) DO UPDATE SET started_at = excluded.started_at, leased = excluded.leased
             WHERE rate_window.started_at <= $3 OR (rate_window.leased = 1 AND rate_window.started_at <= $4)",
            &[&subject, &now, &now.minus(DAILY), &now.minus(LONGEST)],
        )?;
        Ok((taken > 0).then_some(Self { subject, began: now }))
    }

    /// The work is done: it is due again a day after it began.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn end(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let sql = "UPDATE rate_window SET leased = 0 WHERE subject = $1 AND started_at = $2";
        tx.execute(sql, &[&self.subject, &self.began]).map(|_| ())
    }

    /// The work was cut off: who asks next has it.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn give_back(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let sql = "DELETE FROM rate_window WHERE subject = $1 AND started_at = $2 AND leased = 1";
        tx.execute(sql, &[&self.subject, &self.began]).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use store::Store;
    use testkit::{TestStore, both_stores};

    use super::*;

    async fn take(store: &Store) -> Option<DailyLease> {
        store.claim("test", |tx| DailyLease::take(tx, "test")).await.unwrap()
    }

    #[both_stores]
    async fn of_two_processes_one_has_the_days_work(test: TestStore) {
        let other = test.open_again().await;
        let (one, another) = tokio::join!(take(&test.store), take(&other));
        assert_eq!([one, another].into_iter().flatten().count(), 1);
        let lease = one.or(another).unwrap();
        test.store.claim("test", move |tx| lease.end(tx)).await.unwrap();
        test.clock.advance(DAILY - Duration::from_millis(1));
        assert_eq!((take(&test.store).await, take(&other).await), (None, None));
        test.clock.advance(Duration::from_millis(1));
        assert!(take(&other).await.is_some());
        other.close().await;
    }

    #[both_stores]
    async fn a_killed_process_keeps_the_days_work_for_hours_only(test: TestStore) {
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
