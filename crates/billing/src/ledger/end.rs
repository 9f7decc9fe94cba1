//! What was set aside is paid or given back, once.

use kernel::id::SubjectId;
use store::{Record as _, StoreError, Tx, sql};

use super::transfer::{Account, Journal, Movement, TransferKind, count};
use super::{Reservation, ReservationState, find_reservation};
use crate::caps;

/// Why a reservation was neither settled nor released.
#[derive(Debug, thiserror::Error)]
pub enum EndError {
    /// Nothing was ever reserved for the work.
    #[error("nothing is reserved for the work")]
    Unknown,
    /// It has ended before, in this way. Nothing has changed now.
    #[error("the reservation has ended before: {0:?}")]
    Ended(ReservationState),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Pays for work that is done with what was set aside for it.
///
/// # Errors
/// [`EndError`].
pub fn settle(tx: &mut Tx<'_>, subject: SubjectId) -> Result<Reservation, EndError> {
    let reservation = end(tx, subject, ReservationState::Settled)?;
    let movements = [
        (Account::ReservedFree, Account::Revenue, reservation.free),
        (Account::ReservedCredits, Account::Revenue, reservation.credits),
        (reservation.funding.account(), Account::Revenue, reservation.outside()),
    ];
    let sql = "UPDATE ledger_balance SET
            reserved_free_micros = reserved_free_micros - $2,
            reserved_credit_micros = reserved_credit_micros - $3,
            entries = entries + $4
        WHERE workspace_id = $1";
    move_all(tx, &reservation, TransferKind::Settle, &movements, sql)?;
    Ok(reservation)
}

/// Gives back what was set aside for work that was not done, to where it came from.
///
/// # Errors
/// [`EndError`].
pub fn release(tx: &mut Tx<'_>, subject: SubjectId) -> Result<Reservation, EndError> {
    let reservation = end(tx, subject, ReservationState::Released)?;
    let movements = [
        (Account::ReservedFree, Account::Free, reservation.free),
        (Account::ReservedCredits, Account::Credits, reservation.credits),
    ];
    let sql = "UPDATE ledger_balance SET
            reserved_free_micros = reserved_free_micros - $2, free_micros = free_micros + $2,
            reserved_credit_micros = reserved_credit_micros - $3, credit_micros = credit_micros + $3,
            entries = entries + $4
        WHERE workspace_id = $1";
    move_all(tx, &reservation, TransferKind::Release, &movements, sql)?;
    let Reservation { workspace, key, amount, created_at, .. } = reservation;
    caps::give_back(tx, workspace, key, amount, created_at)?;
    Ok(reservation)
}

/// Ends an open reservation; of several that try, one does.
fn end(tx: &mut Tx<'_>, subject: SubjectId, state: ReservationState) -> Result<Reservation, EndError> {
    let now = tx.now();
    let ended = sql!(
        "UPDATE ledger_reservation SET state = {state}, ended_at = {now} WHERE subject_id = {subject} AND state = 'open'
         RETURNING {Reservation::*}"
    )
    .find(tx, Reservation::from_row)?;
    if let Some(reservation) = ended {
        return Ok(reservation);
    }
    let known = find_reservation(tx, subject)?;
    Err(known.map_or(EndError::Unknown, |reservation| EndError::Ended(reservation.state)))
}

fn move_all(
    tx: &mut Tx<'_>,
    reservation: &Reservation,
    kind: TransferKind,
    movements: &[Movement],
    sql: &'static str,
) -> Result<(), StoreError> {
    let transfers = count(movements);
    if transfers == 0 {
        return Ok(());
    }
    tx.execute_later(sql, &[&reservation.workspace, &reservation.free, &reservation.credits, &transfers])?;
    Journal::of(reservation, kind).write_behind(tx, movements)
}
