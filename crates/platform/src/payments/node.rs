//! Questions to a node of the chain.

use std::time::Duration;

use edge::problem::Problem;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use net::{OpenOperatorClientError, OperatorClient, Url};
use serde_json::Value;
use x402::facilitator::Receipt;
use x402::{Network, Payment, Token, chain};

use super::facilitator::{away, read};

const TIMEOUT: Duration = Duration::from_secs(10);
const LONGEST_ANSWER: usize = 4 * 1024 * 1024;
/// Blocks before the payment was stored that are looked at too: clocks differ.
const EARLIER_BLOCKS: u64 = 600;
/// Questions for logs: of chains with a block a second, those of more than a week.
const MOST_QUESTIONS: u64 = 360;

/// A node of the chain.
pub(super) struct Node(OperatorClient, String);

/// What the chain says of an authorization.
pub(super) enum Standing {
    /// It has paid.
    Paid(Receipt),
    /// It was used for something else, or cancelled.
    Spent,
    /// It has moved nothing up to the newest block, which was made then, in seconds since 1970.
    Unused {
        /// The time of the block.
        as_of: u64,
    },
    /// The node is away, or does not know any more.
    Unknown,
}

impl Node {
    pub(super) fn open(url: &Url, extra_ca_pem: Option<&[u8]>) -> Result<Self, OpenOperatorClientError> {
        // The client puts paths behind its base, and a node's URL is whole.
        let (path, mut base) = (url.path().to_owned(), url.clone());
        base.set_path("");
        Ok(Self(super::client(&base, None, extra_ca_pem)?, path))
    }

    /// The result of a call; `None` where there is none.
    pub(super) async fn ask(&self, call: &Value) -> Option<Value> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let answer =
            self.0.post(&self.1, headers, call.to_string().into_bytes(), TIMEOUT, LONGEST_ANSWER).await.ok()?;
        let (status, answer) = read(answer, TIMEOUT).await.ok()?;
        status.is_success().then(|| chain::result(&answer).cloned())?
    }

    /// Whether a contract wallet says that it signed a payment. An account without code has signed nothing.
    ///
    /// # Errors
    /// 503 where the node is away.
    pub(super) async fn has_signed(&self, payment: &Payment, digest: &[u8; 32]) -> Result<bool, Problem> {
        let wallet = payment.authorization.from;
        let code = self.ask(&chain::code(wallet)).await.ok_or_else(away)?;
        if !chain::is_contract(&code) {
            return Ok(false);
        }
        // A wallet may refuse with an error, too.
        let answer = self.ask(&chain::is_valid_signature(wallet, digest, payment.signature())).await;
        Ok(answer.is_some_and(|answer| chain::has_signed(&answer)))
    }

    /// What the chain says of a payment's authorization. `age` is how long ago the payment was stored.
    pub(super) async fn look_up(&self, network: &Network, token: &Token, payment: &Payment, age: Duration) -> Standing {
        let as_of = self.ask(&chain::newest_block()).await.as_ref().and_then(chain::read_block_time);
        match self.is_used(token, payment).await {
            None => Standing::Unknown,
            // The block is asked for first: what was used after it is seen, or may still come.
            Some(false) => as_of.map_or(Standing::Unknown, |as_of| Standing::Unused { as_of }),
            Some(true) => self.find_use(network, token, payment, age).await.unwrap_or(Standing::Unknown),
        }
    }

    async fn is_used(&self, token: &Token, payment: &Payment) -> Option<bool> {
        chain::read_bool(&self.ask(&chain::authorization_state(token, payment)).await?)
    }

    /// Goes back through the blocks to the one that ended the authorization.
    async fn find_use(&self, network: &Network, token: &Token, payment: &Payment, age: Duration) -> Option<Standing> {
        let newest = chain::read_number(&self.ask(&chain::block_number()).await?)?;
        let oldest = newest.saturating_sub(age.as_secs().saturating_add(EARLIER_BLOCKS));
        let mut to = newest;
        for _ in 0..MOST_QUESTIONS {
            let from = to.saturating_sub(chain::BLOCKS_OF_A_QUESTION - 1).max(oldest);
            let logs = self.ask(&chain::end_logs(token, payment, from, to)).await?;
            let transactions = chain::transactions_of(&logs);
            for transaction in &transactions {
                let receipt = self.ask(&chain::transaction_receipt(transaction)).await?;
                // A node behind a balancer may not have got so far.
                if receipt.is_null() {
                    return None;
                }
                if chain::has_paid(&receipt, token, payment) {
                    let payer = payment.authorization.from.to_string();
                    let network = network.name_in(payment.version);
                    return Some(Standing::Paid(Receipt { transaction: transaction.clone(), payer, network }));
                }
            }
            if !transactions.is_empty() {
                return Some(Standing::Spent);
            }
            if from == oldest {
                return None;
            }
            to = from - 1;
        }
        None
    }
}
