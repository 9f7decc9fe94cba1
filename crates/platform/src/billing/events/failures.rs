//! Payments that the processor could not collect: what notices and operators are told of.

use kernel::id::{PaymentFailureId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use store::{Record, StoreError, Tx, sql};

use super::event::Event;
use crate::billing::processor::calls::seconds;
use crate::notices::{Notice, tell};

/// Currencies of which the processor counts whole units. It counts hundredths of Ugandan shillings and Icelandic krónur, which have none.
const WITHOUT_DECIMALS: [&str; 15] =
    ["bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf"];
const WITH_THREE_DECIMALS: [&str; 5] = ["bhd", "jod", "kwd", "omr", "tnd"];

/// A payment that failed.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
#[record(table = "payment_failure")]
pub struct PaymentFailure {
    /// Its id.
    pub id: PaymentFailureId,
    /// Who was to pay.
    pub workspace_id: WorkspaceId,
    /// The processor's event.
    pub event_id: String,
    /// The processor's invoice; absent for credits that were to be bought.
    pub invoice_id: Option<String>,
    /// What was to be paid, in the currency's smallest unit.
    pub amount_minor: Option<i64>,
    /// The currency, in lower case.
    pub currency: Option<String>,
    /// How often the processor has tried.
    pub attempts: Option<i64>,
    /// When the processor tries again.
    pub next_attempt_at: Option<Timestamp>,
    /// When it failed.
    pub failed_at: Timestamp,
    /// When it became known here.
    pub created_at: Timestamp,
}

/// Notes a failure.
///
/// # Errors
/// Any [`StoreError`].
pub(super) fn record(tx: &mut Tx<'_>, workspace: WorkspaceId, event: &Event) -> Result<(), StoreError> {
    let object = &event.object;
    let is_invoice = object["object"] == "invoice" || event.kind.starts_with("invoice.");
    let amount = if is_invoice { &object["amount_due"] } else { &object["amount_total"] };
    let currency = object["currency"].as_str().filter(|code| code.len() == 3 && code.is_ascii());
    let failure = PaymentFailure {
        id: tx.ambient().id(),
        workspace_id: workspace,
        event_id: event.id.clone(),
        invoice_id: if is_invoice { event.reference("id") } else { None },
        amount_minor: amount.as_i64(),
        currency: currency.map(str::to_ascii_lowercase),
        attempts: object["attempt_count"].as_i64(),
        next_attempt_at: seconds(&object["next_payment_attempt"]),
        failed_at: event.created_at,
        created_at: tx.now(),
    };
    failure.insert(tx)?;
    tell(tx, workspace, failure.notice(event.kind.clone()))
}

impl PaymentFailure {
    fn notice(&self, reason: String) -> Notice {
        let cents = self.amount_minor.filter(|_| self.currency.as_deref() == Some("usd"));
        let usd = cents.and_then(|cents| MicroUsd::from_credits(u64::try_from(cents).ok()?));
        let amount = self.amount_minor.zip(self.currency.as_deref()).map(|(minor, code)| decimal(minor, code));
        Notice::PaymentFailed {
            amount_usd: usd.map(MicroUsd::to_usd_number),
            amount,
            currency: self.currency.as_deref().map(str::to_ascii_uppercase),
            reason,
        }
    }
}

/// An amount in a currency's smallest unit as a decimal number of the currency, such as `12.50`.
fn decimal(minor: i64, currency: &str) -> String {
    let decimals = match currency {
        code if WITHOUT_DECIMALS.contains(&code) => return minor.to_string(),
        code if WITH_THREE_DECIMALS.contains(&code) => 3,
        _ => 2,
    };
    let (sign, unit) = (if minor < 0 { "-" } else { "" }, 10_u64.pow(decimals));
    let (whole, rest, width) = (minor.unsigned_abs() / unit, minor.unsigned_abs() % unit, decimals as usize);
    format!("{sign}{whole}.{rest:0width$}")
}

/// A workspace's failures after one of them, the oldest first.
///
/// # Errors
/// Any [`StoreError`].
pub fn list_after(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    after: Option<PaymentFailureId>,
    limit: u32,
) -> Result<Vec<PaymentFailure>, StoreError> {
    let after = after.map_or_else(String::new, |id| id.to_string());
    sql!(
        "SELECT {PaymentFailure::*} FROM payment_failure WHERE workspace_id = {workspace} AND id > {after}
         ORDER BY id LIMIT {limit}"
    )
    .query(tx, PaymentFailure::from_row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_of_their_currency() {
        for (minor, currency, shown) in [
            (1250, "eur", "12.50"),
            (5, "usd", "0.05"),
            (1200, "jpy", "1200"),
            (1_234_567, "kwd", "1234.567"),
            (500, "isk", "5.00"),
            (-1205, "eur", "-12.05"),
            (i64::MIN, "eur", "-92233720368547758.08"),
        ] {
            assert_eq!(decimal(minor, currency), shown, "{minor} {currency}");
        }
    }
}
