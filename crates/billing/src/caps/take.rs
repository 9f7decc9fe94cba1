//! A spending is counted, or refused by a hard cap; and what was not done is given back.

use kernel::id::{KeyId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{StoreError, Tx, sql};

use super::{CapReached, Crossed, Period, Standing, Subject, find, periods};

/// Why a spending was not counted.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// A hard cap stands against it. Nothing is counted.
    #[error(transparent)]
    Reached(#[from] CapReached),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a spending that was counted came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The caps that it crossed.
    pub crossed: Crossed,
    /// The key, where its own caps count it.
    pub key: Option<KeyId>,
}

/// Counts a spending against the caps of a workspace and of a key of it.
///
/// # Errors
/// [`TakeError`].
pub fn take(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    key: Option<KeyId>,
    amount: MicroUsd,
    now: Timestamp,
) -> Result<Counted, TakeError> {
    // The key's first: most requests that are refused are refused by it, and others wait for the workspace's row.
    let of_key = key.map(|key| count(tx, Subject::Key(key), amount, now)).transpose()?.flatten();
    let key = key.filter(|_| of_key.is_some());
    match count(tx, Subject::Workspace(workspace), amount, now) {
        Ok(of_workspace) => {
            let crossed = of_key.unwrap_or_default().with(of_workspace.unwrap_or_default());
            Ok(Counted { crossed, key })
        }
        Err(error) => {
            if let Some(key) = key {
                uncount(tx, Subject::Key(key), amount, now)?;
            }
            Err(error)
        }
    }
}

/// Takes a spending of an earlier instant out of the counts again, as far as its periods go on.
///
/// # Errors
/// Any [`StoreError`].
pub fn give_back(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    key: Option<KeyId>,
    amount: MicroUsd,
    taken_at: Timestamp,
) -> Result<(), StoreError> {
    if amount.is_zero() {
        return Ok(());
    }
    if let Some(key) = key {
        uncount(tx, Subject::Key(key), amount, taken_at)?;
    }
    uncount(tx, Subject::Workspace(workspace), amount, taken_at)
}

/// Counts a spending in one statement; `None` where the subject has no caps.
fn count(tx: &mut Tx<'_>, subject: Subject, amount: MicroUsd, now: Timestamp) -> Result<Option<Crossed>, TakeError> {
    let (id, (day, month)) = (subject.id(), periods(now));
    let (day, month) = (day.number(), month.number());
    // A process whose clock is behind counts in the period of the others.
    let counted = sql!(
        "UPDATE spending_cap SET
            takes = takes + 1,
            day_soft_at = CASE
                WHEN day >= {day} AND day_soft_at > 0 THEN day_soft_at
                WHEN daily_soft_micros <= CASE WHEN day >= {day} THEN day_micros ELSE 0 END + {amount} THEN takes + 1
                ELSE 0 END,
            day_hard_at = CASE
                WHEN day >= {day} AND day_hard_at > 0 THEN day_hard_at
                WHEN daily_hard_micros < CASE WHEN day >= {day} THEN day_micros ELSE 0 END + {amount} + {amount}
                    THEN takes + 1
                ELSE 0 END,
            month_soft_at = CASE
                WHEN month >= {month} AND month_soft_at > 0 THEN month_soft_at
                WHEN monthly_soft_micros <= CASE WHEN month >= {month} THEN month_micros ELSE 0 END + {amount}
                    THEN takes + 1
                ELSE 0 END,
            month_hard_at = CASE
                WHEN month >= {month} AND month_hard_at > 0 THEN month_hard_at
                WHEN monthly_hard_micros < CASE WHEN month >= {month} THEN month_micros ELSE 0 END + {amount} + {amount}
                    THEN takes + 1
                ELSE 0 END,
            day_micros = CASE WHEN day >= {day} THEN day_micros ELSE 0 END + {amount},
            month_micros = CASE WHEN month >= {month} THEN month_micros ELSE 0 END + {amount},
            day = CASE WHEN day >= {day} THEN day ELSE {day} END,
            month = CASE WHEN month >= {month} THEN month ELSE {month} END
         WHERE subject_id = {id}
            AND (daily_hard_micros IS NULL
                OR CASE WHEN day >= {day} THEN day_micros ELSE 0 END + {amount} <= daily_hard_micros)
            AND (monthly_hard_micros IS NULL
                OR CASE WHEN month >= {month} THEN month_micros ELSE 0 END + {amount} <= monthly_hard_micros)
         RETURNING takes, day_soft_at, day_hard_at, month_soft_at, month_hard_at"
    )
    .find(tx, |row| {
        let take: i64 = row.get(0)?;
        let is_crossed = |at: i64| at == take;
        let places = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?].map(is_crossed);
        Ok(Crossed::of(subject, places))
    })?;
    if counted.is_some() {
        return Ok(counted);
    }
    let Some(standing) = find(tx, subject, now)? else { return Ok(None) };
    Err(reached(subject, &standing, amount).into())
}

/// The cap that refused a spending. Where both do, the month's: it holds longer.
fn reached(subject: Subject, standing: &Standing, amount: MicroUsd) -> CapReached {
    let Standing { limits, day, month } = *standing;
    let refuses = |limit: MicroUsd, spent: MicroUsd| spent.checked_add(amount).is_none_or(|sum| sum > limit);
    match (limits.monthly_hard, limits.daily_hard) {
        (Some(limit), _) if refuses(limit, month) => CapReached { subject, period: Period::Month, limit, spent: month },
        (limit, None) => {
            CapReached { subject, period: Period::Month, limit: limit.unwrap_or(MicroUsd::ZERO), spent: month }
        }
        (_, Some(limit)) => CapReached { subject, period: Period::Day, limit, spent: day },
    }
}

fn uncount(tx: &mut Tx<'_>, subject: Subject, amount: MicroUsd, taken_at: Timestamp) -> Result<(), StoreError> {
    let (id, (day, month)) = (subject.id(), periods(taken_at));
    let (day, month) = (day.number(), month.number());
    sql!(
        "UPDATE spending_cap SET
            day_micros = CASE WHEN day <> {day} THEN day_micros WHEN day_micros > {amount} THEN day_micros - {amount}
                ELSE 0 END,
            month_micros = CASE WHEN month <> {month} THEN month_micros
                WHEN month_micros > {amount} THEN month_micros - {amount} ELSE 0 END
         WHERE subject_id = {id}"
    )
    .execute_later(tx)
}
