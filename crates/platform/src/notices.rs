//! What workspaces and operators are told of money and keys: a low balance, a cap, a failed payment, a key that ends soon.
//!
//! Each is an event of the transaction that makes it true, with the job that writes e-mail about it. Read on in [`send`], and
//! in [`expiring`] for keys.

pub mod expiring;
pub mod send;

use billing::caps::{self, Crossing, Period, Subject};
use billing::ledger::{self, Reservation};
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::id::{KeyId, WorkspaceId};
use kernel::money::MicroUsd;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};
use store::{StoreError, Tx, jobs};

use self::send::SendNotice;

/// Something that is told. Its fields are those of the event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Notice {
    /// The balance fell below what its workspace is warned of.
    LowBalance {
        /// What is left.
        balance_usd: Number,
        /// What it fell below.
        threshold_usd: Number,
    },
    /// A spending cap was reached.
    CapReached {
        /// Whose it is; null for the workspace's own.
        key_id: Option<KeyId>,
        /// `day` or `month`.
        period: String,
        /// `soft` or `hard`.
        level: String,
        /// The cap.
        cap_usd: Number,
        /// What was spent in the period.
        spent_usd: Number,
    },
    /// A payment failed.
    PaymentFailed {
        /// What should have been paid; null in another currency, or where the processor does not say.
        amount_usd: Option<Number>,
        /// The same in its currency, as a decimal number; null where the processor does not say.
        #[serde(default)]
        amount: Option<String>,
        /// The currency's code, in upper case; null where the processor does not say.
        #[serde(default)]
        currency: Option<String>,
        /// Why, in the processor's words.
        reason: String,
    },
    /// A key ends soon.
    KeyExpiring {
        /// Which.
        key_id: KeyId,
        /// Its name.
        key_name: String,
        /// Within how many days.
        days: i64,
        /// When, as RFC 3339.
        expires_at: String,
    },
}

impl Notice {
    const fn event(&self) -> PlatformEvent {
        match self {
            Self::LowBalance { .. } => PlatformEvent::BillingLowBalance,
            Self::CapReached { .. } => PlatformEvent::BillingCapReached,
            Self::PaymentFailed { .. } => PlatformEvent::BillingPaymentFailed,
            Self::KeyExpiring { .. } => PlatformEvent::KeyExpiring,
        }
    }

    fn fields(&self, workspace: WorkspaceId) -> Map<String, Value> {
        let own = match json!(self) {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        let named = [("workspaceId".to_owned(), json!(workspace))].into_iter();
        named.chain(own.into_iter().filter(|(name, _)| name != "kind")).collect()
    }
}

/// Tells a workspace and the operators of something, in the transaction that makes it true.
///
/// # Errors
/// Any [`StoreError`].
pub fn tell(tx: &mut Tx<'_>, workspace: WorkspaceId, notice: Notice) -> Result<(), StoreError> {
    let subject_id = match &notice {
        Notice::CapReached { key_id: Some(key), .. } | Notice::KeyExpiring { key_id: key, .. } => key.to_string(),
        _ => workspace.to_string(),
    };
    let fact = PlatformFact { event: notice.event(), subject_id, fields: notice.fields(workspace) };
    record_for_workspace(tx, &workspace.to_string(), &fact)?;
    jobs::enqueue(tx, workspace, &SendNotice::to_everybody(workspace, notice)).map(drop)
}

/// Tells what a spending that was just reserved or charged brought about.
///
/// # Errors
/// Any [`StoreError`].
pub fn follow(tx: &mut Tx<'_>, reservation: &Reservation) -> Result<(), StoreError> {
    let (workspace, follows) = (reservation.workspace, reservation.follows);
    if follows.is_low
        && let Some(balance) = ledger::find_balance(tx, workspace)?
    {
        let (balance_usd, threshold_usd) =
            (balance.available().to_usd_number(), balance.low_threshold().to_usd_number());
        tell(tx, workspace, Notice::LowBalance { balance_usd, threshold_usd })?;
    }
    for crossing in follows.crossed.iter() {
        if let Some(notice) = cap_reached(tx, reservation, crossing)? {
            tell(tx, workspace, notice)?;
        }
    }
    Ok(())
}

fn cap_reached(tx: &mut Tx<'_>, reservation: &Reservation, crossing: Crossing) -> Result<Option<Notice>, StoreError> {
    let Crossing { is_of_key, period, level } = crossing;
    let key_id = reservation.key.filter(|_| is_of_key);
    let subject = key_id.map_or(Subject::Workspace(reservation.workspace), Subject::Key);
    let Some(standing) = caps::find(tx, subject, reservation.created_at)? else { return Ok(None) };
    let spent = if period == Period::Day { standing.day } else { standing.month };
    let cap = standing.limits.of(period, level).unwrap_or(MicroUsd::ZERO);
    Ok(Some(Notice::CapReached {
        key_id,
        period: period.as_str().to_owned(),
        level: level.as_str().to_owned(),
        cap_usd: cap.to_usd_number(),
        spent_usd: spent.to_usd_number(),
    }))
}

#[cfg(test)]
mod tests;
