//! Caps are set, changed and taken away.

use kernel::id::{KeyId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{StoreError, Tx, sql};

use super::{Limits, Standing, Subject, find, periods};
use crate::ledger;

/// Sets the limits of a workspace, or of a key of it; what was told before is told again. A workspace's counts begin with
/// what it has spent in the current day and month, a key's with nothing: the ledger does not know who asked. Changed
/// limits keep the counts.
///
/// # Errors
/// Any [`StoreError`].
pub fn set(tx: &mut Tx<'_>, workspace: WorkspaceId, subject: Subject, limits: &Limits) -> Result<Standing, StoreError> {
    let (id, now) = (subject.id(), tx.now());
    if let Subject::Key(key) = subject
        && limits.is_none()
    {
        // Its next caps count from nothing: what is set aside now must not be given back to them.
        ledger::reassign_open(tx, workspace, key, None)?;
    }
    // Before any cap, as spending does, and so that whoever else sets one waits: who counts caps then sees them all.
    ledger::mark_capped(tx, workspace, true)?;
    if limits.is_none() {
        sql!("DELETE FROM spending_cap WHERE subject_id = {id}").execute(tx)?;
        let others = sql!("SELECT count(*) FROM spending_cap WHERE workspace_id = {workspace}")
            .find(tx, |row| row.get::<i64>(0))?;
        ledger::mark_capped(tx, workspace, others.unwrap_or(0) > 0)?;
        return Ok(Standing::default());
    }
    let (day, month) = periods(now);
    let (day_number, month_number) = (day.number(), month.number());
    let is_new = sql!(
        "INSERT INTO spending_cap (subject_id, workspace_id, daily_soft_micros, daily_hard_micros, monthly_soft_micros,
            monthly_hard_micros, takes, day, day_micros, day_soft_at, day_hard_at, month, month_micros, month_soft_at,
            month_hard_at, updated_at)
         VALUES ({id}, {workspace}, {limits.daily_soft}, {limits.daily_hard}, {limits.monthly_soft}, {limits.monthly_hard},
            0, {day_number}, 0, 0, 0, {month_number}, 0, 0, 0, {now})
         ON CONFLICT (subject_id) DO NOTHING"
    )
    .execute(tx)?
        > 0;
    if !is_new {
        sql!(
            "UPDATE spending_cap SET daily_soft_micros = {limits.daily_soft}, daily_hard_micros = {limits.daily_hard},
                monthly_soft_micros = {limits.monthly_soft}, monthly_hard_micros = {limits.monthly_hard},
                day_soft_at = 0, day_hard_at = 0, month_soft_at = 0, month_hard_at = 0, updated_at = {now}
             WHERE subject_id = {id}"
        )
        .execute(tx)?;
    }
    if is_new && matches!(subject, Subject::Workspace(_)) {
        let spent_today = spent_since(tx, workspace, day_number, day.start().as_millis())?;
        let spent_this_month = spent_since(tx, workspace, month_number, month.start().as_millis())?;
        sql!(
            "UPDATE spending_cap SET day_micros = {spent_today}, month_micros = {spent_this_month} WHERE subject_id = {id}"
        )
        .execute(tx)?;
    }
    Ok(find(tx, subject, now)?.unwrap_or_default())
}

/// Gives a key of a workspace that takes another's place its limits and counts, and what is set aside under them.
///
/// # Errors
/// Any [`StoreError`].
pub fn pass_on(tx: &mut Tx<'_>, workspace: WorkspaceId, from: KeyId, to: KeyId) -> Result<(), StoreError> {
    ledger::reassign_open(tx, workspace, from, Some(to))?;
    sql!("UPDATE spending_cap SET subject_id = {to} WHERE subject_id = {from}").execute_later(tx)
}

/// What was graded since a day, and what is set aside since an instant for work that is not done.
fn spent_since(tx: &mut Tx<'_>, workspace: WorkspaceId, day: i64, instant: i64) -> Result<MicroUsd, StoreError> {
    let used = sql!(
        "SELECT CAST(coalesce(sum(billable_micros), 0) AS BIGINT) FROM usage_day
         WHERE workspace_id = {workspace} AND day >= {day} AND service = 'evaluation'"
    )
    .find(tx, |row| row.get::<i64>(0))?;
    let open = sql!(
        "SELECT CAST(coalesce(sum(amount_micros), 0) AS BIGINT) FROM ledger_reservation
         WHERE workspace_id = {workspace} AND state = 'open' AND created_at >= {instant}"
    )
    .find(tx, |row| row.get::<i64>(0))?;
    let sum = used.unwrap_or(0).saturating_add(open.unwrap_or(0));
    Ok(MicroUsd::from_micros(sum).unwrap_or(MicroUsd::MAX))
}
