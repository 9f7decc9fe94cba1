//! Money is set aside for work that begins, or paid at once for work that is done.
//!
//! Checking and taking are one statement: of many at the end of a balance, as many get through as it holds.

use kernel::id::{KeyId, SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use store::{Record as _, StoreError, Tx};

use super::transfer::{Account, Journal, TransferKind};
use super::{Balance, Follows, Funding, Reservation, ReservationState, find_balance};
use crate::caps::{self, CapReached, TakeError};

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
    /// The key of the workspace that asks for it, whose spending caps count too.
    pub key: Option<KeyId>,
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
    /// A hard spending cap stands against it.
    #[error(transparent)]
    Cap(#[from] CapReached),
    /// The workspace has no balance.
    #[error("the workspace has no balance")]
    Unknown,
    /// The database. `Unique` when the work was reserved or charged for already.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TakeError> for SpendError {
    fn from(error: TakeError) -> Self {
        match error {
            TakeError::Reached(reached) => Self::Cap(reached),
            TakeError::Store(error) => Self::Store(error),
        }
    }
}

/// Sets aside the price of work that begins, from the free credits first. It stays so until [`super::settle`] or
/// [`super::release`]. What others fund is noted, and touches the balance at no time. Spending caps count it, whoever funds it.
///
/// # Errors
/// [`SpendError`]; after a shortage or at a cap nothing has changed.
pub fn reserve(tx: &mut Tx<'_>, spending: &Spending) -> Result<Reservation, SpendError> {
    let taken = match spending.funding {
        Funding::Balance => take(tx, spending, RESERVE)?,
        // Nothing moves before it is settled.
        Funding::Processor | Funding::X402 => take(tx, spending, HOLD)?,
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
        // Makes room for the one transfer of a charge that the balance does not pay.
        Funding::Processor | Funding::X402 => take(tx, spending, COUNT)?,
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

/// What a spending took from the balance, the number of its last transfer, and what it brought about.
#[derive(Default)]
struct Taken {
    free: MicroUsd,
    credits: MicroUsd,
    entries: i64,
    follows: Follows,
    key: Option<KeyId>,
}

/// `$3` says whether the workspace has spending caps: who has none is served by this statement alone.
const RESERVE: &str = "
    UPDATE ledger_balance SET
        last_free_micros = CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        free_micros = CASE WHEN free_micros < $2 THEN 0 ELSE free_micros - $2 END,
        credit_micros = CASE WHEN free_micros < $2 THEN credit_micros + free_micros - $2 ELSE credit_micros END,
        reserved_free_micros = reserved_free_micros + CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        reserved_credit_micros = reserved_credit_micros + CASE WHEN free_micros < $2 THEN $2 - free_micros ELSE 0 END,
        low_entry = CASE
            WHEN low_entry > 0 OR free_micros + credit_micros - $2
                >= coalesce(low_micros, CASE WHEN had_credits = 1 THEN 5000000 ELSE 0 END) THEN low_entry
            ELSE entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END END,
        entries = entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END
    WHERE workspace_id = $1 AND free_micros + credit_micros >= $2 AND is_capped = $3
    RETURNING last_free_micros, entries, low_entry";

const CHARGE: &str = "
    UPDATE ledger_balance SET
        last_free_micros = CASE WHEN free_micros < $2 THEN free_micros ELSE $2 END,
        free_micros = CASE WHEN free_micros < $2 THEN 0 ELSE free_micros - $2 END,
        credit_micros = CASE WHEN free_micros < $2 THEN credit_micros + free_micros - $2 ELSE credit_micros END,
        low_entry = CASE
            WHEN low_entry > 0 OR free_micros + credit_micros - $2
                >= coalesce(low_micros, CASE WHEN had_credits = 1 THEN 5000000 ELSE 0 END) THEN low_entry
            ELSE entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END END,
        entries = entries + CASE WHEN free_micros > 0 AND free_micros < $2 THEN 2 ELSE 1 END
    WHERE workspace_id = $1 AND free_micros + credit_micros >= $2 AND is_capped = $3
    RETURNING last_free_micros, entries, low_entry";

/// The row is locked although nothing in it changes: whoever sets caps waits for it. Others who reserve or pay do not.
const HOLD: &str = "
    SELECT CAST(0 AS BIGINT), entries, CAST(-1 AS BIGINT) FROM ledger_balance
    WHERE workspace_id = $1 AND CAST($2 AS BIGINT) >= 0 AND is_capped = $3
    FOR KEY SHARE";

const COUNT: &str = "
    UPDATE ledger_balance SET entries = entries + 1
    WHERE workspace_id = $1 AND CAST($2 AS BIGINT) >= 0 AND is_capped = $3
    RETURNING CAST(0 AS BIGINT), entries, CAST(-1 AS BIGINT)";

fn take(tx: &mut Tx<'_>, spending: &Spending, sql: &'static str) -> Result<Taken, SpendError> {
    let Spending { workspace, amount, key, .. } = *spending;
    let is_balance = spending.funding == Funding::Balance;
    if amount.is_zero() {
        let is_known = is_balance || find_balance(tx, workspace)?.is_some();
        return if is_known { Ok(Taken::default()) } else { Err(SpendError::Unknown) };
    }
    if let Some(taken) = move_money(tx, spending, sql, false)? {
        return Ok(taken);
    }
    let balance = find_balance(tx, workspace)?.ok_or(SpendError::Unknown)?;
    if !balance.is_capped || is_balance && balance.available() < amount {
        return Err(shortage(&balance, amount).into());
    }
    let now = tx.now();
    // The balance before the caps, as whoever gives back has it: two that wait for each other would wait in vain.
    tx.execute("UPDATE ledger_balance SET entries = entries WHERE workspace_id = $1", &[&workspace])?;
    let counted = caps::take(tx, workspace, key, amount, now)?;
    match move_money(tx, spending, sql, true)? {
        Some(taken) => {
            let follows = Follows { crossed: counted.crossed, ..taken.follows };
            Ok(Taken { follows, key: counted.key, ..taken })
        }
        None => {
            caps::give_back(tx, workspace, counted.key, amount, now)?;
            Err(shortage(&balance, amount).into())
        }
    }
}

fn move_money(
    tx: &mut Tx<'_>,
    spending: &Spending,
    sql: &'static str,
    is_capped: bool,
) -> Result<Option<Taken>, StoreError> {
    let Spending { workspace, amount, funding, .. } = *spending;
    tx.find(sql, &[&workspace, &amount, &is_capped], |row| {
        let (free, entries, low_entry): (MicroUsd, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let credits = match funding {
            Funding::Balance => amount.checked_sub(free).expect("no more is taken than the amount"),
            Funding::Processor | Funding::X402 => MicroUsd::ZERO,
        };
        let follows = Follows { is_low: low_entry == entries, ..Follows::default() };
        Ok(Taken { free, credits, entries, follows, key: None })
    })
}

fn shortage(balance: &Balance, wanted: MicroUsd) -> Shortage {
    Shortage { available: balance.available(), wanted, never_had_credits: !balance.had_credits }
}

fn note(
    tx: &mut Tx<'_>,
    spending: &Spending,
    taken: &Taken,
    state: ReservationState,
) -> Result<Reservation, StoreError> {
    let Spending { workspace, subject, amount, funding, .. } = *spending;
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
        key: taken.key,
        follows: taken.follows,
    };
    reservation.insert(tx)?;
    Ok(reservation)
}
