//! How payments end, in the transaction that ends their evaluation or finds out about them.

use billing::ledger::{self, TopUpError};
use kernel::id::EvaluationId;
use store::{StoreError, Tx, jobs, sql};
use x402::facilitator::Receipt;

use super::resolve::ResolvePayment;
use super::row::PaymentRow;
use crate::evaluations::{EvaluationRow, Graded, Status};

/// Notes, before the facilitator is asked, that it will be; from now on only it or the chain know whether the money moved. The grade
/// is kept until they say so. `false` where the payment is not open any more or the learner was erased.
pub(crate) fn note_sending(tx: &mut Tx<'_>, id: EvaluationId, graded: &Graded) -> Result<bool, StoreError> {
    let graded = store::Value::json(graded)?;
    let noted = sql!(
        "UPDATE x402_payment SET maybe_sent = 1, graded = {graded} WHERE evaluation_id = {id} AND state = 'open'
            AND EXISTS (SELECT 1 FROM evaluation WHERE id = {id} AND request <> 'null')"
    );
    Ok(noted.execute(tx)? > 0)
}

/// Keeps the grade of a payment of which nothing has reached the facilitator. Takes [`note_sending`] back, too.
pub(crate) fn note_unsent(tx: &mut Tx<'_>, id: EvaluationId, graded: &Graded) -> Result<(), StoreError> {
    let graded = store::Value::json(graded)?;
    sql!(
        "UPDATE x402_payment SET maybe_sent = 0, graded = CASE
            WHEN EXISTS (SELECT 1 FROM evaluation WHERE id = {id} AND request <> 'null') THEN CAST({graded} AS TEXT) END
         WHERE evaluation_id = {id} AND state = 'open'"
    )
    .execute(tx)
    .map(drop)
}

/// The money is there. Once more changes nothing.
pub(crate) fn settle(tx: &mut Tx<'_>, payment: &PaymentRow, receipt: &Receipt) -> Result<(), StoreError> {
    let (id, now, header, hash) = (payment.evaluation_id, tx.now(), receipt.header(), receipt.transaction.clone());
    sql!(
        "UPDATE x402_payment SET state = 'settled', transaction_hash = {hash}, receipt = {header}, graded = NULL,
            reason = NULL, ended_at = {now}
         WHERE evaluation_id = {id} AND state <> 'settled'"
    )
    .execute_later(tx)
}

/// The money did not come, in the protocol's word for why.
pub(crate) fn refuse(tx: &mut Tx<'_>, id: EvaluationId, reason: &str) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE x402_payment SET state = 'refused', reason = {reason}, graded = NULL, ended_at = {now}
         WHERE evaluation_id = {id} AND state IN ('open', 'unresolved')"
    )
    .execute(tx)
    .map(drop)
}

/// Takes away what the payments for these evaluations hold of a learner's answers.
pub(crate) fn erase(tx: &mut Tx<'_>, evaluations: &[String]) -> Result<(), StoreError> {
    tx.query_each(
        evaluations,
        |id| {
            sql!(
                "UPDATE x402_payment SET graded = NULL, body_digest = '' WHERE evaluation_id = {*id}
                 RETURNING evaluation_id"
            )
        },
        |_| Ok(()),
    )
    .map(drop)
}

/// Nobody could find out whether the money came.
pub(crate) fn leave_unresolved(tx: &mut Tx<'_>, id: EvaluationId) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE x402_payment SET state = 'unresolved', graded = NULL, ended_at = {now}
         WHERE evaluation_id = {id} AND state = 'open'"
    )
    .execute(tx)
    .map(drop)
}

/// The evaluation ended without a grade. A payment that was not sent is not needed any more; of one that may have been,
/// somebody has to find out.
pub(crate) fn give_up(tx: &mut Tx<'_>, row: &EvaluationRow) -> Result<(), StoreError> {
    let (id, now) = (row.id, tx.now());
    let released = sql!(
        "UPDATE x402_payment SET state = 'released', graded = NULL, ended_at = {now}
         WHERE evaluation_id = {id} AND state = 'open' AND maybe_sent = 0"
    )
    .execute(tx)?;
    if released > 0 {
        return Ok(());
    }
    let is_open =
        sql!("SELECT 1 FROM x402_payment WHERE evaluation_id = {id} AND state = 'open'").find(tx, |_| Ok(()))?;
    // Nobody is shown the grade any more.
    sql!("UPDATE x402_payment SET graded = NULL WHERE evaluation_id = {id}").execute(tx)?;
    match is_open {
        Some(()) => jobs::enqueue(tx, row.workspace, &ResolvePayment::new(id)).map(drop),
        None => Ok(()),
    }
}

/// Adds the amount of a settled payment to the workspace's credits where its evaluation has failed, once.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn credit_without_grade(tx: &mut Tx<'_>, id: EvaluationId) -> Result<(), StoreError> {
    let (now, failed) = (tx.now(), Status::Failed);
    let credited = sql!(
        "UPDATE x402_payment SET credited_at = {now}
         WHERE evaluation_id = {id} AND state = 'settled' AND credited_at IS NULL
            AND EXISTS (SELECT 1 FROM evaluation WHERE id = {id} AND status = {failed})
         RETURNING {PaymentRow::*}"
    )
    .find(tx, <PaymentRow as store::Record>::from_row)?;
    let Some(payment) = credited else { return Ok(()) };
    let reason = format!("x402 payment {} for evaluation {id}, which has no grade", payment.nonce);
    match ledger::top_up(tx, payment.workspace_id, payment.amount_micros, Some(&reason)) {
        Ok(_) => Ok(()),
        Err(TopUpError::Store(error)) => Err(error),
        Err(error) => Err(StoreError::Unexpected(Box::new(error))),
    }
}
