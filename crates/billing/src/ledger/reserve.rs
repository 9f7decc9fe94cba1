//! Money is set aside for work that begins, or paid at once for work that is done.
//!
//! Checking and taking are one statement: of many at the end of a balance, as many get through as it holds.

use kernel::id::{SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{Record as _, StoreError, Tx};

use super::transfer::{Account, Journal, TransferKind};
use super::{Funding, Reservation, ReservationState, find_balance};

/// What is to be paid, by whom and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spending {
    /// For whom the work is done.
    pub workspace: WorkspaceId,
    /// The work. It is reserved or charged for once.
    pub subject: SubjectId,
    /// What it costs.
    pub amount: MicroUsd,
    /// What pays for it. Other than the balance, the caller has made sure of it.
    pub funding: Funding,
}

/// What a workspace lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the workspace has {available}, and {wanted} are wanted")]
pub struct Shortage {
    /// What it can spend.
    pub available: MicroUsd,
    /// What the work costs.
    pub wanted: MicroUsd,
    /// Whether it never had any but free credits.
    pub never_had_credits: bool,
}

/// Why money was not taken.
#[derive(Debug, thiserror::Error)]
pub enum SpendError {
    /// There is not enough.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// The workspace has no balance.
    #[error("the workspace has no balance")]
    Unknown,
    /// The database. `Unique` when the work was reserved or charged for already.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Sets aside the price of work that begins, from the free credits first. It stays so until [`super::settle`] or
/// [`super::release`]. What others fund is noted, and touches the balance at no time.
///
/// # Errors
/// [`SpendError`]; after a shortage nothing has changed.
pub fn reserve(tx: &mut Tx<'_>, spending: &Spending) -> Result<Reservation, SpendError> {
    let taken = match spending.funding {
        Funding::Balance => take(tx, spending, RESERVE)?,
        // Nothing moves before it is settled.
        Funding::Processor | Funding::X402 => find_balance(tx, spending.workspace)?
            .map(|_| Taken { entries: 0, free: MicroUsd::ZERO, credits: MicroUsd::ZERO })
            .ok_or(SpendError::Unknown)?,
    };
    let reservation = note(tx, spending, &taken, ReservationState::Open)?;
    let movements = [
        (Account::Free, Account::ReservedFree, taken.free),
        (Account::Credits, Account::ReservedCredits, taken.credits),
    ];
    Journal::of(&reservation, TransferKind::Reserve).write(tx, taken.entries, &movements)?;
    Ok(reservation)
}

/// Pays for work that is done in this transaction: [`reserve`] and [`super::settle`] in one.
///
/// # Errors
/// As [`reserve`].
pub fn charge(tx: &mut Tx<'_>, spending: &Spending) -> Result<Reservation, SpendError> {
    let taken = match spending.funding {
        Funding::Balance => take(tx, spending, CHARGE)?,
        Funding::Processor | Funding::X402 => count_entry(tx, spending)?,
    };
    let reservation = note(tx, spending, &taken, ReservationState::Settled)?;
    let movements = [
        (Account::Free, Account::Revenue, taken.free),
        (Account::Credits, Account::Revenue, taken.credits),
        (spending.funding.account(), Account::Revenue, reservation.outside()),
    ];
    Journal::of(&reservation, TransferKind::Charge).write(tx, taken.entries, &movements)?;
    Ok(reservation)
}

/// What a spending took from the balance, and the number of its last transfer.
struct Taken {
    entries: i64,
    free: MicroUsd,
    credits: MicroUsd,
}

const RESERVE: &str = "
    UPDATE ledger_balance SET
        last_free_micros = CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        free_micros = CASE WHEN free_micros < $2 THEN 0 ELSE free_micros - $2 END,
        credit_micros = CASE WHEN free_micros < $2 THEN credit_micros + free_micros - $2 ELSE credit_micros END,
        reserved_free_micros = reserved_free_micros + CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        reserved_credit_micros = reserved_credit_micros + CASE WHEN free_micros < $2 THEN $2 - free_micros ELSE 0 END,
        entries = entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END
    WHERE workspace_id = $1 AND free_micros + credit_micros >= $2
    RETURNING last_free_micros, entries";

const CHARGE: &str = "
    UPDATE ledger_balance SET
        last_free_micros = CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        free_micros = CASE WHEN free_micros < $2 THEN 0 ELSE free_micros - $2 END,
        credit_micros = CASE WHEN free_micros < $2 THEN credit_micros + free_micros - $2 ELSE credit_micros END,
        entries = entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END
    WHERE workspace_id = $1 AND free_micros + credit_micros >= $2
    RETURNING last_free_micros, entries";

fn take(tx: &mut Tx<'_>, spending: &Spending, sql: &'static str) -> Result<Taken, SpendError> {
    let Spending { workspace, amount, .. } = *spending;
    if amount.is_zero() {
        return Ok(Taken { entries: 0, free: amount, credits: amount });
    }
    let taken = tx.find(sql, &[&workspace, &amount], |row| Ok((row.get::<MicroUsd>(0)?, row.get::<i64>(1)?)))?;
    if let Some((free, entries)) = taken {
        let credits = amount.checked_sub(free).expect("no more is taken than the amount");
        return Ok(Taken { entries, free, credits });
    }
    let balance = find_balance(tx, workspace)?.ok_or(SpendError::Unknown)?;
    let shortage = Shortage { available: balance.available(), wanted: amount, never_had_credits: !balance.had_credits };
    Err(shortage.into())
}

/// Makes room for the one transfer of a charge that the balance does not pay.
fn count_entry(tx: &mut Tx<'_>, spending: &Spending) -> Result<Taken, SpendError> {
    let entries = tx.find(
        "UPDATE ledger_balance SET entries = entries + $2 WHERE workspace_id = $1 RETURNING entries",
        &[&spending.workspace, &i64::from(!spending.amount.is_zero())],
        |row| row.get(0),
    )?;
    let entries = entries.ok_or(SpendError::Unknown)?;
    Ok(Taken { entries, free: MicroUsd::ZERO, credits: MicroUsd::ZERO })
}

fn note(
    tx: &mut Tx<'_>,
    spending: &Spending,
    taken: &Taken,
    state: ReservationState,
) -> Result<Reservation, StoreError> {
    let Spending { workspace, subject, amount, funding } = *spending;
    let now = tx.now();
    let reservation = Reservation {
        subject,
        workspace,
        funding,
        amount,
        free: taken.free,
        credits: taken.credits,
        state,
        created_at: now,
        ended_at: (state != ReservationState::Open).then_some(now),
    };
    reservation.insert(tx)?;
    Ok(reservation)
}
