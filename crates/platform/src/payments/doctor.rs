//! Checks whether payments can be taken, for `lectern x402 doctor`: the facilitator, the node, the token, and payments of unknown
//! outcome. It moves no money.

use kernel::id::EvaluationId;
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde_json::Value;
use store::{Record, Store, StoreError, Tx, sql};
use x402::chain;

use super::{X402, X402Options};
use crate::lti::doctor::{Diagnosis, Severity};

/// Unresolved payments that are named one by one.
const MOST_NAMED: u32 = 20;

/// A payment of which nobody knows whether it was settled.
#[derive(Clone, Debug, Record)]
#[record(table = "x402_payment")]
pub struct Unresolved {
    /// The evaluation that it was to pay for.
    pub evaluation_id: EvaluationId,
    /// Who was to pay.
    pub payer: String,
    /// The authorization.
    pub nonce: String,
    /// How much.
    pub amount_micros: MicroUsd,
    /// Since when.
    pub created_at: Timestamp,
}

impl Unresolved {
    /// The oldest of them.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Self>, StoreError> {
        sql!(
            "SELECT {Unresolved::*} FROM x402_payment WHERE state = 'unresolved'
             ORDER BY created_at, evaluation_id LIMIT {MOST_NAMED}"
        )
        .query(tx, |row| store::Group::read_at(row, 0))
    }
}

impl X402 {
    /// Examines everything that payments depend on.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn examine(&self, options: &X402Options, store: &Store) -> Result<Vec<Diagnosis>, StoreError> {
        let mut found = vec![self.receiver(options), self.resource()];
        found.push(self.facilitator().await);
        match &self.0.node {
            Some(_) => found.extend(self.chain().await),
            None => found.push(warning(
                "node",
                "none is configured: a settlement whose answer is lost is left to you, and contract wallets can't pay. Set LECTERN_X402_NODE_URL",
            )),
        }
        found.extend(diagnose(store.read("x402_doctor.unresolved", Unresolved::list).await?));
        Ok(found)
    }

    fn receiver(&self, options: &X402Options) -> Diagnosis {
        let (pay_to, network, token) = (options.pay_to, options.network.name, &options.token);
        let is_usual = *token == options.network.usdc();
        let message = format!("{pay_to} is paid on {network} with {} ({})", token.name, token.address);
        if is_usual {
            return fine("receiver", message);
        }
        warning(
            "receiver",
            format!("{message}, which is not Circle's USDC: its unit must be a millionth of a US dollar"),
        )
    }

    fn resource(&self) -> Diagnosis {
        let base_url = &self.0.base_url;
        if base_url.starts_with("https://") {
            return fine("resource", format!("payments are for {base_url}{}", super::ROUTE));
        }
        warning(
            "resource",
            format!("payments are for {base_url}{}: set LECTERN_BASE_URL to the public https address", super::ROUTE),
        )
    }

    async fn facilitator(&self) -> Diagnosis {
        const SUBJECT: &str = "facilitator";
        let (status, answer) = match self.0.facilitator.supported().await {
            Ok(answer) => answer,
            Err(error) => return wrong(SUBJECT, format!("it can't be asked: {error}. Nobody can pay")),
        };
        let Some(kinds) = answer["kinds"].as_array() else {
            return wrong(SUBJECT, format!("/supported answers {status} without kinds: is this a facilitator?"));
        };
        let network = &self.0.network;
        let has = |version: u8, name: &str| {
            kinds
                .iter()
                .any(|kind| kind["x402Version"] == version && kind["scheme"] == "exact" && kind["network"] == name)
        };
        match (has(1, network.name), has(2, &network.caip2())) {
            (true, true) => fine(SUBJECT, format!("it settles {} in both versions", network.name)),
            (false, false) => wrong(SUBJECT, format!("it does not settle {}", network.name)),
            (v1, _) => {
                let only = if v1 { 1 } else { 2 };
                warning(
                    SUBJECT,
                    format!("it settles {} in version {only} only: clients of the other can't pay", network.name),
                )
            }
        }
    }

    async fn chain(&self) -> Vec<Diagnosis> {
        const SUBJECT: &str = "node";
        let Some(node) = &self.0.node else { return Vec::new() };
        let Some(id) = node.ask(&chain::chain_id()).await.as_ref().and_then(chain::read_number) else {
            return vec![wrong(SUBJECT, "it does not say what chain it is of: compare LECTERN_X402_NODE_URL")];
        };
        if id != self.0.network.chain_id {
            let message =
                format!("it is of chain {id}, and {} is chain {}", self.0.network.name, self.0.network.chain_id);
            return vec![wrong(SUBJECT, message)];
        }
        let code = node.ask(&chain::code(self.0.token.address)).await.unwrap_or(Value::Null);
        let mut found = vec![fine(SUBJECT, format!("it is of {}", self.0.network.name))];
        if !chain::is_contract(&code) {
            found.push(wrong("token", format!("there is no contract at {}", self.0.token.address)));
            return found;
        }
        let domain = node.ask(&chain::domain_separator(&self.0.token)).await;
        let expected = chain::expected_domain_separator(&self.0.network, &self.0.token);
        found.push(match domain {
            Some(domain) if domain == expected.as_str() => {
                fine("token", "its name and version are those that payers sign")
            }
            Some(_) => {
                wrong("token", "its EIP-712 domain has another name or version: every signature would be refused")
            }
            None => warning("token", "it does not tell its EIP-712 domain: compare name and version yourself"),
        });
        found
    }
}

/// What there is to say of payments of unknown outcome.
pub fn diagnose(payments: Vec<Unresolved>) -> Vec<Diagnosis> {
    if payments.is_empty() {
        return vec![fine("payments", "none is of unknown outcome")];
    }
    let tell = |payment: Unresolved| {
        let Unresolved { evaluation_id, payer, nonce, amount_micros, created_at } = payment;
        let amount = amount_micros.to_usd_number();
        let message = format!(
            "nobody knows whether the payment of USD {amount} for evaluation {evaluation_id} was settled ({created_at}, payer {payer}, \
             nonce {nonce}): look it up, then run lectern x402 resolve"
        );
        warning("payments", message)
    };
    payments.into_iter().map(tell).collect()
}

fn fine(subject: &'static str, message: impl Into<String>) -> Diagnosis {
    Diagnosis { subject, severity: Severity::Fine, message: message.into() }
}

fn warning(subject: &'static str, message: impl Into<String>) -> Diagnosis {
    Diagnosis { subject, severity: Severity::Warning, message: message.into() }
}

fn wrong(subject: &'static str, message: impl Into<String>) -> Diagnosis {
    Diagnosis { subject, severity: Severity::Wrong, message: message.into() }
}
