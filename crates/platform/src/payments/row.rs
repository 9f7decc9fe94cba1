//! A payment as it is stored. Its row is the tombstone of its authorization: it is never deleted.

use edge::answer::Answer;
use kernel::id::{EvaluationId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Record, StoreError, Tx, sql};
use x402::facilitator::Receipt;
use x402::{Fault, Offer, Payment, Version};

use super::{VerifiedPayment, receipt_header};
use crate::evaluations::{EvaluationRow, Graded};

/// How far a payment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub(crate) enum PaymentState {
    /// It belongs to an evaluation that is not over, or its outcome is being found out.
    Open,
    /// The money is there.
    Settled,
    /// It was not settled.
    Refused,
    /// There was no grade, and it was never sent.
    Released,
    /// Nobody could find out whether it was settled. An operator decides.
    Unresolved,
}

/// A payment in the form in which it came.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub(crate) struct StoredPayment(pub(crate) Payment);

impl TryFrom<Value> for StoredPayment {
    type Error = Fault;

    fn try_from(payload: Value) -> Result<Self, Fault> {
        Payment::of(payload).map(Self)
    }
}

impl From<StoredPayment> for Value {
    fn from(payment: StoredPayment) -> Self {
        payment.0.payload
    }
}

/// A row of `x402_payment`.
#[derive(Clone, Debug, Record)]
#[record(table = "x402_payment")]
pub(crate) struct PaymentRow {
    pub(crate) evaluation_id: EvaluationId,
    pub(crate) workspace_id: WorkspaceId,
    /// The protocol's version.
    pub(crate) version: i64,
    pub(crate) chain_id: i64,
    pub(crate) asset: String,
    pub(crate) payer: String,
    pub(crate) nonce: String,
    /// Seconds since 1970.
    pub(crate) valid_before: i64,
    pub(crate) amount_micros: MicroUsd,
    /// Method and path that it was sent to.
    pub(crate) route: String,
    /// SHA-256 of the canonical request.
    pub(crate) body_digest: String,
    #[column(json)]
    pub(crate) payload: StoredPayment,
    #[column(json)]
    pub(crate) requirements: Value,
    pub(crate) state: PaymentState,
    pub(crate) maybe_sent: bool,
    /// The grade that waits for the money.
    #[column(json)]
    pub(crate) graded: Option<Graded>,
    pub(crate) reason: Option<String>,
    pub(crate) transaction_hash: Option<String>,
    /// The text of the receipt's header.
    pub(crate) receipt: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) credited_at: Option<Timestamp>,
}

/// What a payment is bound to.
pub(crate) struct Binding<'a> {
    /// The evaluation that it pays for.
    pub(crate) row: &'a EvaluationRow,
    /// Method and path of the request.
    pub(crate) route: &'static str,
    /// The grade, where it is there before the payment: as soon as both are stored, the facilitator is asked.
    pub(crate) grade: Option<&'a Graded>,
}

impl PaymentRow {
    fn new(verified: &VerifiedPayment, binding: &Binding<'_>, tx: &Tx<'_>) -> Self {
        let VerifiedPayment { payment, offer } = verified;
        Self {
            evaluation_id: binding.row.id,
            workspace_id: binding.row.workspace,
            version: payment.version.number().into(),
            chain_id: i64::try_from(offer.network.chain_id).unwrap_or(i64::MAX),
            asset: offer.token.address.to_string(),
            payer: payment.authorization.from.to_string(),
            nonce: payment.nonce(),
            valid_before: i64::try_from(payment.authorization.valid_before).unwrap_or(i64::MAX),
            amount_micros: offer.amount,
            route: binding.route.to_owned(),
            body_digest: binding.row.request_hash.clone(),
            payload: StoredPayment(payment.clone()),
            requirements: offer.requirements(payment.version),
            state: PaymentState::Open,
            maybe_sent: binding.grade.is_some(),
            graded: binding.grade.cloned(),
            reason: None,
            transaction_hash: None,
            receipt: None,
            created_at: tx.now(),
            ended_at: None,
            credited_at: None,
        }
    }

    /// Stores a verified payment for an evaluation; `None` where its authorization has come before.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn add(
        tx: &mut Tx<'_>,
        verified: &VerifiedPayment,
        binding: &Binding<'_>,
    ) -> Result<Option<Self>, StoreError> {
        let new = Self::new(verified, binding, tx);
        let (payload, requirements) = (store::Value::json(&new.payload)?, store::Value::json(&new.requirements)?);
        let graded = store::Value::json(&new.graded)?;
        let added = sql!(
            "INSERT INTO x402_payment (evaluation_id, workspace_id, version, chain_id, asset, payer, nonce, valid_before,
                amount_micros, route, body_digest, payload, requirements, state, maybe_sent, graded, created_at)
             VALUES ({new.evaluation_id}, {new.workspace_id}, {new.version}, {new.chain_id}, {new.asset}, {new.payer},
                {new.nonce}, {new.valid_before}, {new.amount_micros}, {new.route}, {new.body_digest}, {payload},
                {requirements}, {new.state}, {new.maybe_sent}, {graded}, {new.created_at})
             ON CONFLICT DO NOTHING RETURNING version"
        )
        .find(tx, |_| Ok(()))?;
        Ok(added.map(|()| new))
    }

    /// Whether an authorization has come before.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn has_come(tx: &mut Tx<'_>, payment: &Payment, offer: &Offer) -> Result<bool, StoreError> {
        let chain_id = i64::try_from(offer.network.chain_id).unwrap_or(i64::MAX);
        let (asset, payer) = (offer.token.address.to_string(), payment.authorization.from.to_string());
        let nonce = payment.nonce();
        let found = sql!(
            "SELECT 1 FROM x402_payment
             WHERE chain_id = {chain_id} AND asset = {asset} AND payer = {payer} AND nonce = {nonce}"
        )
        .find(tx, |_| Ok(()))?;
        Ok(found.is_some())
    }

    /// The payment for an evaluation, whatever became of it.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find(tx: &mut Tx<'_>, evaluation: EvaluationId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {PaymentRow::*} FROM x402_payment WHERE evaluation_id = {evaluation}").find(tx, Self::from_row)
    }

    /// What the payment's client gets when it is settled.
    pub(crate) fn receipt(&self, receipt: &Receipt) -> PaymentReceipt {
        PaymentReceipt { version: protocol_version(self.version), header: receipt.header() }
    }
}

/// The proof of a settled payment, as its client reads it.
#[derive(Clone, Debug)]
pub(crate) struct PaymentReceipt {
    version: Version,
    /// The header's text.
    header: String,
}

impl PaymentReceipt {
    /// The receipt of the payment for an evaluation, where one was settled.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find(tx: &mut Tx<'_>, evaluation: EvaluationId) -> Result<Option<Self>, StoreError> {
        sql!(
            "SELECT version, receipt FROM x402_payment
             WHERE evaluation_id = {evaluation} AND state = 'settled' AND receipt IS NOT NULL"
        )
        .find(tx, |row| Ok(Self { version: protocol_version(row.get(0)?), header: row.get(1)? }))
    }

    /// The answer with the receipt.
    pub(crate) fn put_on(&self, answer: Answer) -> Answer {
        match receipt_header(self.version, &self.header) {
            Some((name, value)) => answer.with_header(name, value),
            None => answer,
        }
    }
}

fn protocol_version(number: i64) -> Version {
    if number == 1 { Version::V1 } else { Version::V2 }
}
