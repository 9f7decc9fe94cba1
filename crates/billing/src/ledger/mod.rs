//! The ledger: what a workspace can spend, what is set aside for work that is not done, and every movement of it.
//!
//! Double entry: each row of `ledger_transfer` moves an amount out of one account into another, and is never changed.
//! `ledger_balance` says at once what those rows add up to; its checks keep it from falling below zero, whoever writes.
//! A reservation is a row under the id of its work, so that nothing is set aside, paid or given back twice.
//!
//! One file a verb: [`open`], [`top_up`] and [`give`], [`reserve`] and [`charge`], [`settle`] and [`release`]. [`list_metered`] finds what the
//! payment processor has to be told of, and [`list`] shows people the transfers.

mod end;
mod list;
mod low;
mod metered;
mod open;
pub mod payments;
mod reassign;
mod reserve;
mod top_up;
mod transfer;

use std::collections::HashMap;

use kernel::id::{KeyId, SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Group, Record, StoreError, Tx, sql};

use crate::caps::Crossed;

pub use end::{EndError, release, settle};
pub use list::{Entry, EntryFilter, EntryPage, MOST_PASSED, Place, list};
pub use low::{USUAL_LOW, mark_capped, set_low};
pub use metered::{Metered, list_metered, list_metered_workspaces, metered_total};
pub use open::open;
pub use reassign::reassign_open;
pub use reserve::{Shortage, SpendError, Spending, charge, reserve};
pub use top_up::{TopUp, TopUpError, give, top_up};
pub use transfer::{Account, TransferKind};

/// What a workspace has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Record)]
#[record(table = "ledger_balance")]
pub struct Balance {
    /// Free credits that can be spent. They are spent first.
    #[column(name = "free_micros")]
    pub free: MicroUsd,
    /// Bought or given credits that can be spent.
    #[column(name = "credit_micros")]
    pub credits: MicroUsd,
    /// Free credits that are set aside.
    #[column(name = "reserved_free_micros")]
    pub reserved_free: MicroUsd,
    /// Other credits that are set aside.
    #[column(name = "reserved_credit_micros")]
    pub reserved_credits: MicroUsd,
    /// Whether the workspace ever had other than free credits.
    pub had_credits: bool,
    /// Whether it or one of its keys has spending caps.
    pub is_capped: bool,
    /// The balance below which it is warned; `None` for the usual one.
    #[column(name = "low_micros")]
    pub low: Option<MicroUsd>,
}

impl Balance {
    /// What can be spent: free and other credits.
    pub fn available(&self) -> MicroUsd {
        self.free.checked_add(self.credits).unwrap_or(MicroUsd::MAX)
    }
}

impl Balance {
    /// The balance below which it is warned: the usual one only where credits were ever bought.
    pub fn low_threshold(&self) -> MicroUsd {
        self.low.unwrap_or(if self.had_credits { USUAL_LOW } else { MicroUsd::ZERO })
    }
}

/// What a workspace has; `None` when it was never opened.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_balance(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Option<Balance>, StoreError> {
    sql!("SELECT {Balance::*} FROM ledger_balance WHERE workspace_id = {workspace}").find(tx, Balance::from_row)
}

/// What every workspace has.
///
/// # Errors
/// Any [`StoreError`].
pub fn balances(tx: &mut Tx<'_>) -> Result<HashMap<WorkspaceId, Balance>, StoreError> {
    let rows = sql!("SELECT workspace_id, {Balance::*} FROM ledger_balance")
        .query(tx, |row| Ok((row.get(0)?, Balance::read_at(row, 1)?)))?;
    Ok(rows.into_iter().collect())
}

/// What pays for a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub enum Funding {
    /// The workspace's balance: free credits, then the others.
    Balance,
    /// The payment processor, which meters the work and bills the customer.
    Processor,
    /// A payment that came with the request.
    X402,
}

impl Funding {
    /// Where settled money comes from that was not taken from a balance before.
    fn account(self) -> Account {
        match self {
            Self::Balance => Account::Credits,
            Self::Processor => Account::Processor,
            Self::X402 => Account::X402,
        }
    }
}

/// How far the payment for a piece of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub enum ReservationState {
    /// Set aside.
    Open,
    /// Paid.
    Settled,
    /// Given back.
    Released,
}

/// What was set aside for one piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
#[record(table = "ledger_reservation")]
pub struct Reservation {
    /// The work.
    #[column(name = "subject_id")]
    pub subject: SubjectId,
    /// For whom it is done.
    #[column(name = "workspace_id")]
    pub workspace: WorkspaceId,
    /// What pays for it.
    pub funding: Funding,
    /// All of it.
    #[column(name = "amount_micros")]
    pub amount: MicroUsd,
    /// What came from the free credits.
    #[column(name = "free_micros")]
    pub free: MicroUsd,
    /// What came from the other credits.
    #[column(name = "credit_micros")]
    pub credits: MicroUsd,
    /// How far it is.
    pub state: ReservationState,
    /// When it was set aside.
    pub created_at: Timestamp,
    /// When it was paid or given back.
    pub ended_at: Option<Timestamp>,
    /// The key whose spending caps count it, if any do.
    #[column(name = "key_id")]
    pub key: Option<KeyId>,
    /// What it brought about as it was made.
    #[column(skip)]
    pub follows: Follows,
}

/// What a spending brings about besides itself; known only of one that was just made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Follows {
    /// The balance fell below what its workspace is warned of.
    pub is_low: bool,
    /// The spending caps that it crossed.
    pub crossed: Crossed,
}

impl Follows {
    /// Whether it brought about nothing.
    pub const fn is_nothing(&self) -> bool {
        !self.is_low && self.crossed.is_empty()
    }
}

impl Reservation {
    /// What the balance does not pay.
    fn outside(&self) -> MicroUsd {
        match self.funding {
            Funding::Balance => MicroUsd::ZERO,
            Funding::Processor | Funding::X402 => self.amount,
        }
    }
}

/// The reservation for a piece of work, if there ever was one.
///
/// # Errors
/// Any [`StoreError`].
pub fn find_reservation(tx: &mut Tx<'_>, subject: SubjectId) -> Result<Option<Reservation>, StoreError> {
    sql!("SELECT {Reservation::*} FROM ledger_reservation WHERE subject_id = {subject}").find(tx, Reservation::from_row)
}
