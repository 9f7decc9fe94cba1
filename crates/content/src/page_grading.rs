//! How many open answers are graded on an organization's pages: a budget for each UTC day, which its admins set.
//!
//! Anybody answers a public test, and a grade by a language model costs money. [`reserve`] counts answers before they are graded, in
//! the transaction that compares them with the budget, so that a day never has more. Answers themselves are not stored. Where to read
//! next: the crate `web`, which grades.

pub mod get;
pub mod update;

use kernel::id::OrganizationId;
use serde::Serialize;
use store::{StoreError, Tx, sql};

/// The budget of an organization whose admins have set none.
const DEFAULT_PER_DAY: u32 = 200;
/// The highest budget that can be set.
const MOST_PER_DAY: u32 = 100_000;

/// The budget of an organization, and how much of it the day has used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageGrading {
    /// How many open answers to tests are graded a day, by UTC. With 0 none are: a person has to look at them.
    #[schema(maximum = 100_000)]
    pub open_answers_per_day: u32,
    /// How many the current day has counted.
    pub open_answers_today: u32,
}

impl PageGrading {
    fn load(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Self, StoreError> {
        let select = sql!("SELECT per_day, day, answers FROM page_grading WHERE organization_id = {organization}");
        let found = select.find(tx, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let (per_day, day, answers): (Option<i64>, i64, i64) = found.unwrap_or_default();
        let answers = if day == tx.now().day().number() { answers } else { 0 };
        Ok(Self {
            open_answers_per_day: per_day.and_then(|n| u32::try_from(n).ok()).unwrap_or(DEFAULT_PER_DAY),
            open_answers_today: u32::try_from(answers).unwrap_or(u32::MAX),
        })
    }

    /// What the day has left.
    fn left(self) -> u32 {
        self.open_answers_per_day.saturating_sub(self.open_answers_today)
    }
}

/// Answers that were counted, and on which day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// How many may be graded.
    pub answers: u32,
    day: i64,
}

/// Counts as many of the wanted answers as the day has left. They may be graded once this is committed.
///
/// # Errors
/// Any [`StoreError`].
pub fn reserve(tx: &mut Tx<'_>, organization: OrganizationId, wanted: u32) -> Result<Reservation, StoreError> {
    let grading = PageGrading::load(tx, organization)?;
    let reservation = Reservation { answers: wanted.min(grading.left()), day: tx.now().day().number() };
    if reservation.answers > 0 {
        let (day, answers) = (reservation.day, i64::from(grading.open_answers_today + reservation.answers));
        sql!(
            "INSERT INTO page_grading (organization_id, day, answers) VALUES ({organization}, {day}, {answers})
             ON CONFLICT (organization_id) DO UPDATE SET day = excluded.day, answers = excluded.answers"
        )
        .execute(tx)?;
    }
    Ok(reservation)
}

/// Takes back the count of answers that got no grade. On a later day there is nothing to take back.
///
/// # Errors
/// Any [`StoreError`].
pub fn give_back(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    reservation: Reservation,
    ungraded: u32,
) -> Result<(), StoreError> {
    let (day, ungraded) = (reservation.day, i64::from(ungraded.min(reservation.answers)));
    sql!(
        "UPDATE page_grading SET answers = CASE WHEN answers > {ungraded} THEN answers - {ungraded} ELSE 0 END
         WHERE organization_id = {organization} AND day = {day}"
    )
    .execute(tx)?;
    Ok(())
}

/// Sets the budget; `None` for the default.
fn set(tx: &mut Tx<'_>, organization: OrganizationId, per_day: Option<u32>) -> Result<(), StoreError> {
    let (per_day, day) = (per_day.map(i64::from), tx.now().day().number());
    sql!(
        "INSERT INTO page_grading (organization_id, per_day, day, answers) VALUES ({organization}, {per_day}, {day}, 0)
         ON CONFLICT (organization_id) DO UPDATE SET per_day = excluded.per_day"
    )
    .execute(tx)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use store::Store;
    use testkit::{TestStore, both_stores};

    use super::*;

    async fn organization(test: &TestStore, name: &'static str) -> OrganizationId {
        let ambient = test.ambient.clone();
        let make = move |tx: &mut Tx<'_>| crate::organizations::create::create(tx, &ambient, name);
        test.store.write("test", make).await.unwrap().id
    }

    async fn reserved(store: &Store, organization: OrganizationId, wanted: u32) -> Reservation {
        store.write("test", move |tx| reserve(tx, organization, wanted)).await.unwrap()
    }

    async fn budget(test: &TestStore, organization: OrganizationId, per_day: Option<u32>) {
        test.store.write("test", move |tx| set(tx, organization, per_day)).await.unwrap();
    }

    async fn today(test: &TestStore, organization: OrganizationId) -> (u32, u32) {
        let load = move |tx: &mut Tx<'_>| PageGrading::load(tx, organization);
        let grading = test.store.read("test", load).await.unwrap();
        (grading.open_answers_per_day, grading.open_answers_today)
    }

    #[both_stores]
    async fn a_day_has_its_budget_and_the_next_day_another(test: TestStore) {
        let (own, other) = (organization(&test, "Own").await, organization(&test, "Other").await);
        assert_eq!(today(&test, own).await, (DEFAULT_PER_DAY, 0));
        budget(&test, own, Some(5)).await;
        assert_eq!(reserved(&test.store, own, 3).await.answers, 3);
        assert_eq!(reserved(&test.store, own, 3).await.answers, 2, "what is left");
        assert_eq!(reserved(&test.store, own, 1).await.answers, 0);
        assert_eq!(today(&test, own).await, (5, 5));
        assert_eq!(reserved(&test.store, other, 1).await.answers, 1, "another organization has its own");
        test.clock.advance(Duration::from_secs(24 * 3600));
        assert_eq!(today(&test, own).await, (5, 0));
        assert_eq!(reserved(&test.store, own, 9).await.answers, 5);
        budget(&test, own, Some(0)).await;
        assert_eq!((reserved(&test.store, own, 1).await.answers, today(&test, own).await), (0, (0, 5)));
        budget(&test, own, None).await;
        assert_eq!(reserved(&test.store, own, 1000).await.answers, DEFAULT_PER_DAY - 5);
    }

    #[both_stores]
    async fn answers_that_got_no_grade_are_taken_back_on_their_day_only(test: TestStore) {
        let own = organization(&test, "Own").await;
        budget(&test, own, Some(5)).await;
        let reservation = reserved(&test.store, own, 4).await;
        let back = move |tx: &mut Tx<'_>| give_back(tx, own, reservation, 3);
        test.store.write("test", back).await.unwrap();
        assert_eq!(today(&test, own).await, (5, 1));
        test.clock.advance(Duration::from_secs(24 * 3600));
        assert_eq!(reserved(&test.store, own, 2).await.answers, 2);
        test.store.write("test", back).await.unwrap();
        assert_eq!(today(&test, own).await, (5, 2), "of yesterday's answers none counts today");
    }

    #[both_stores]
    async fn many_at_once_never_exceed_the_budget(test: TestStore) {
        let own = organization(&test, "Own").await;
        budget(&test, own, Some(10)).await;
        let asking = (0..16).map(|_| {
            let store = test.store.clone();
            tokio::spawn(async move { reserved(&store, own, 1).await.answers })
        });
        let mut granted = 0;
        for asked in asking.collect::<Vec<_>>() {
            granted += asked.await.unwrap();
        }
        assert_eq!((granted, today(&test, own).await), (10, (10, 10)));
    }
}
