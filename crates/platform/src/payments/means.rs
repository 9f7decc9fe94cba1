//! What pays for an evaluation (decisions, "who pays"): the workspace's balance, then the processor, then the payment that came
//! along. Whoever has none of them is told how to pay.

use billing::catalog::PriceSnapshot;
use billing::ledger::{self, Funding, Reservation, Shortage, SpendError, Spending};
use edge::problem::Problem;
use kernel::id::{KeyId, SubjectId, WorkspaceId};
use store::{StoreError, Tx, sql};

use super::row::{Binding, PaymentRow};
use super::{PAYMENT_FAILED, VerifiedPayment, X402};
use crate::billing::payment_methods;
use crate::evaluations::{EvaluationRow, Graded};
use crate::notices;
use crate::workspaces::BillingMode;

/// The operation that payments are bound to.
const OPERATION: &str = "POST /v1/platform/evaluations";

/// What a request can be paid with besides what its workspace has.
#[derive(Clone, Default)]
pub(crate) struct Means {
    /// How payments are taken, where they are.
    pub(crate) x402: Option<X402>,
    /// The payment that came along, where it is needed and good.
    pub(crate) verified: Option<VerifiedPayment>,
}

/// What pays.
enum Payer {
    Balance(Reservation),
    Processor,
    Payment(Box<VerifiedPayment>),
}

impl Means {
    /// Sets the price aside for work that begins; the payment, where one pays for it. With the grade at hand, the payment is stored as
    /// one that may have been sent.
    ///
    /// # Errors
    /// 402 or 403 where nothing pays.
    pub(crate) fn reserve(
        &self,
        tx: &mut Tx<'_>,
        row: &EvaluationRow,
        key: Option<KeyId>,
        grade: Option<&Graded>,
    ) -> Result<Option<PaymentRow>, Problem> {
        match self.find_payer(tx, row, key, ledger::reserve)? {
            Payer::Balance(_) => Ok(None),
            Payer::Processor => {
                let reserved = ledger::reserve(tx, &spending(row, Funding::Processor, key)).map_err(unexpected)?;
                notices::follow(tx, &reserved)?;
                Ok(None)
            }
            Payer::Payment(verified) => {
                let binding = Binding { row, route: OPERATION, grade };
                let Some(payment) = PaymentRow::add(tx, &verified, &binding)? else {
                    return Err(self
                        .x402
                        .as_ref()
                        .map_or(Problem::InsufficientCredits, |x402| x402.used(&verified.offer)));
                };
                let reserved = ledger::reserve(tx, &spending(row, Funding::X402, key)).map_err(unexpected)?;
                notices::follow(tx, &reserved)?;
                Ok(Some(payment))
            }
        }
    }

    /// Pays for work that is done. A payment can't: it is settled before there is anything to show for it.
    ///
    /// # Errors
    /// As [`Means::reserve`].
    pub(crate) fn charge(
        &self,
        tx: &mut Tx<'_>,
        row: &EvaluationRow,
        key: Option<KeyId>,
    ) -> Result<Reservation, Problem> {
        match self.find_payer(tx, row, key, ledger::charge)? {
            Payer::Balance(paid) => Ok(paid),
            Payer::Processor => {
                let paid = ledger::charge(tx, &spending(row, Funding::Processor, key)).map_err(unexpected)?;
                notices::follow(tx, &paid)?;
                Ok(paid)
            }
            Payer::Payment(verified) => Err(self.ask_for_payment(&verified.offer)),
        }
    }

    fn find_payer(
        &self,
        tx: &mut Tx<'_>,
        row: &EvaluationRow,
        key: Option<KeyId>,
        take: impl Fn(&mut Tx<'_>, &Spending) -> Result<Reservation, SpendError>,
    ) -> Result<Payer, Problem> {
        let shortage = match self.find_shortage(tx, row)? {
            Some(shortage) => shortage,
            None => match take(tx, &spending(row, Funding::Balance, key)) {
                Ok(taken) => {
                    notices::follow(tx, &taken)?;
                    return Ok(Payer::Balance(taken));
                }
                Err(SpendError::Shortage(shortage)) => shortage,
                Err(error) => return Err(unexpected(error)),
            },
        };
        if has_processor(tx, row.workspace)? {
            return Ok(Payer::Processor);
        }
        match (&self.x402, &self.verified) {
            // A price that has risen since is not paid.
            (Some(_), Some(verified)) if verified.offer.amount == row.price.amount => {
                Ok(Payer::Payment(Box::new(verified.clone())))
            }
            (Some(x402), _) => Err(self.ask_for_payment(&x402.offer(&row.price, row.mode))),
            (None, _) => Err(refusal(shortage)),
        }
    }

    /// What the balance lacks, where a payment came along: it was needed a moment ago and most probably is, so the balance is looked at
    /// before anybody tries to take from it.
    fn find_shortage(&self, tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<Option<Shortage>, Problem> {
        if self.verified.is_none() {
            return Ok(None);
        }
        let (wanted, balance) = (row.price.amount, ledger::find_balance(tx, row.workspace)?);
        Ok(balance.filter(|balance| balance.available() < wanted).map(|balance| Shortage {
            available: balance.available(),
            wanted,
            never_had_credits: !balance.had_credits,
        }))
    }

    /// The refusal of a payment that was not settled, where that is how its evaluation ended.
    pub(crate) fn unsettled(&self, verified: &VerifiedPayment, row: &EvaluationRow) -> Option<Problem> {
        let failure = row.failure.as_ref().filter(|failure| failure.code == PAYMENT_FAILED)?;
        let VerifiedPayment { payment, offer } = verified;
        let x402 = self.x402.as_ref()?;
        Some(x402.unsettled(offer, payment.version, "settlement_failed", failure.message.clone()))
    }

    fn ask_for_payment(&self, offer: &x402::Offer) -> Problem {
        self.x402.as_ref().map_or(Problem::InsufficientCredits, |x402| x402.required(offer))
    }
}

/// Why nothing pays for work that no request can pay for: what its evaluation fails with.
pub(crate) struct Unpaid {
    /// What programs branch on.
    pub(crate) code: &'static str,
    /// What people read.
    pub(crate) message: &'static str,
}

const TOO_FEW_CREDITS: Unpaid = Unpaid {
    code: "insufficient_credits",
    message: "The workspace's credits don't suffice. A person can grade the answer.",
};
const CAP_REACHED: Unpaid = Unpaid {
    code: "spending_cap_reached",
    message: "A spending cap does not allow it. A person can grade the answer.",
};

/// Sets the price aside for work that no request can pay for; why not, where nothing pays.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn reserve_without_payment(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<Result<(), Unpaid>, StoreError> {
    let reserved = match ledger::reserve(tx, &spending(row, Funding::Balance, None)) {
        Err(SpendError::Shortage(_)) if has_processor(tx, row.workspace)? => {
            ledger::reserve(tx, &spending(row, Funding::Processor, None))
        }
        reserved => reserved,
    };
    match reserved {
        Ok(reserved) => notices::follow(tx, &reserved).map(Ok),
        Err(SpendError::Shortage(_)) => Ok(Err(TOO_FEW_CREDITS)),
        Err(SpendError::Cap(_)) => Ok(Err(CAP_REACHED)),
        Err(error) => Err(store_error(error)),
    }
}

fn store_error(error: SpendError) -> StoreError {
    match error {
        SpendError::Store(error) => error,
        error => StoreError::Unexpected(Box::new(error)),
    }
}

/// Whether something other than a payment pays for work of this price now.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn can_pay(tx: &mut Tx<'_>, workspace: WorkspaceId, price: &PriceSnapshot) -> Result<bool, StoreError> {
    let balance = ledger::find_balance(tx, workspace)?;
    Ok(balance.is_some_and(|balance| balance.available() >= price.amount) || has_processor(tx, workspace)?)
}

/// Whether the processor bills the workspace.
fn has_processor(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<bool, StoreError> {
    let mode = sql!("SELECT billing_mode FROM workspace WHERE id = {workspace}").find(tx, |row| row.get(0))?;
    Ok(mode == Some(BillingMode::ProcessorMetered) && payment_methods::has_active(tx, workspace)?)
}

fn spending(row: &EvaluationRow, funding: Funding, key: Option<KeyId>) -> Spending {
    Spending { workspace: row.workspace, subject: SubjectId::of(row.id), amount: row.price.amount, funding, key }
}

/// What a shortage is answered with where no payment is taken.
fn refusal(shortage: Shortage) -> Problem {
    if shortage.never_had_credits { Problem::FreeCreditsExhausted } else { Problem::InsufficientCredits }
}

fn unexpected(error: SpendError) -> Problem {
    match error {
        SpendError::Shortage(shortage) => refusal(shortage),
        SpendError::Cap(reached) => Problem::SpendingCapReached(reached.to_string()),
        SpendError::Unknown => Problem::unexpected(error),
        SpendError::Store(error) => error.into(),
    }
}
