//! Payments that come with requests for evaluations (x402; platform-api sections 5 and 7).
//!
//! The way of a payment: [`Means`] finds that nothing else pays for the evaluation. [`x402::Payment::check`] judges the payment, the
//! facilitator verifies it, and the transaction that stores the evaluation stores it in [`row::PaymentRow`], whose authorization
//! is unique for ever. When there is a grade, [`collect`] has the payment settled, and one transaction ends the evaluation,
//! the payment and the reservation. Without a grade nothing is settled. A settlement of unknown outcome is tried and looked up until it
//! is known; a grade is never shown before the money is there. Money that came without a grade becomes credits.

mod collect;
pub mod doctor;
pub(crate) mod end;
mod facilitator;
mod means;
mod node;
pub mod resolve;
pub(crate) mod row;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use billing::catalog::PriceSnapshot;
use edge::problem::{PaymentInstructions, Problem};
use http::{HeaderMap, HeaderName, HeaderValue};
use kernel::secret::{ExposeSecret as _, SecretString};
use net::{OpenOperatorClientError, OperatorClient, Url};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use x402::{Address, Fault, HEADERS, Judged, Network, Offer, Payment, Token};

pub(crate) use self::collect::{Collected, Collection};
use self::facilitator::Facilitator;
pub(crate) use self::means::{Means, Unpaid, can_pay, reserve_without_payment};
use self::node::Node;
use crate::evaluations::Mode;

/// Why an evaluation failed whose payment was not settled.
pub(crate) const PAYMENT_FAILED: &str = "x402_payment_failed";
/// Why an evaluation failed of whose payment nobody knows whether it was settled.
pub(crate) const PAYMENT_UNRESOLVED: &str = "x402_payment_unresolved";
/// The protocol's word for an authorization that was used before.
const NONCE_USED: &str = "invalid_exact_evm_nonce_already_used";
const DESCRIPTION: &str = "One evaluation of a learner's answer";
const ROUTE: &str = "/v1/platform/evaluations";
const BILLING_SESSION: &str = "/v1/platform/agent/billing/session";
/// How long a payment must hold whose caller waits for the grade, in seconds.
const TIMEOUT_SYNC: u32 = 300;
/// How long a payment must hold for a grade that is queued, in seconds.
const TIMEOUT_ASYNC: u32 = 3600;
const PAYMENT_REQUIRED: HeaderName = HeaderName::from_static("payment-required");

/// Where payments go and who settles them.
#[derive(Clone)]
pub struct X402Options {
    /// The chain.
    pub network: Network,
    /// What is paid with.
    pub token: Token,
    /// The operator's account.
    pub pay_to: Address,
    /// Verifies and settles.
    pub facilitator_url: Url,
    /// Sent to the facilitator as a bearer token.
    pub facilitator_token: Option<SecretString>,
    /// A node of the chain, which is asked when the facilitator leaves a settlement open.
    pub node_url: Option<Url>,
    /// Trusted besides the system's certificates.
    pub extra_ca_pem: Option<Vec<u8>>,
    /// Settlements of queued evaluations that wait for the facilitator at once: each holds a worker meanwhile.
    pub queued_settlements: usize,
}

/// Takes payments. Cheap to clone.
#[derive(Clone)]
pub struct X402(Arc<Parts>);

struct Parts {
    network: Network,
    token: Token,
    pay_to: Address,
    facilitator: Facilitator,
    node: Option<Node>,
    base_url: String,
    /// For settlements of queued evaluations.
    places: Arc<Semaphore>,
}

/// A payment that the facilitator has verified, and what it was verified for.
#[derive(Clone)]
pub(crate) struct VerifiedPayment {
    pub(crate) payment: Payment,
    pub(crate) offer: Offer,
}

impl X402 {
    /// Takes payments as the options say. `base_url` is the service's public address.
    ///
    /// # Errors
    /// When a client for the facilitator or the node can't be made.
    pub fn open(options: &X402Options, base_url: &Url) -> Result<Self, OpenOperatorClientError> {
        let extra_ca_pem = options.extra_ca_pem.as_deref();
        let facilitator =
            Facilitator::open(&options.facilitator_url, options.facilitator_token.as_ref(), extra_ca_pem)?;
        let node = options.node_url.as_ref().map(|url| Node::open(url, extra_ca_pem)).transpose()?;
        let (network, token, pay_to) = (options.network.clone(), options.token.clone(), options.pay_to);
        let base_url = base_url.as_str().trim_end_matches('/').to_owned();
        let places = Arc::new(Semaphore::new(options.queued_settlements.max(1)));
        Ok(Self(Arc::new(Parts { network, token, pay_to, facilitator, node, base_url, places })))
    }

    /// A place for the settlement of a queued evaluation; `None` while too many wait for the facilitator.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.0.places.clone().try_acquire_owned().ok()
    }

    /// What an evaluation of this price is offered for.
    pub(crate) fn offer(&self, price: &PriceSnapshot, mode: Mode) -> Offer {
        Offer {
            network: self.0.network.clone(),
            token: self.0.token.clone(),
            pay_to: self.0.pay_to,
            amount: price.amount,
            resource: format!("{}{ROUTE}", self.0.base_url),
            description: DESCRIPTION.to_owned(),
            mime_type: "application/json".to_owned(),
            max_timeout_seconds: match mode {
                Mode::Sync => TIMEOUT_SYNC,
                Mode::Async => TIMEOUT_ASYNC,
            },
        }
    }

    /// Has a payment judged for an offer at a time, in seconds since 1970: here, by a node where a contract wallet may have signed it, and by
    /// the facilitator.
    ///
    /// # Errors
    /// 402 for a payment that is not taken, 503 where nobody can tell at the moment.
    pub(crate) async fn verify(&self, payment: Payment, offer: Offer, now: u64) -> Result<VerifiedPayment, Problem> {
        let judged = payment.check(&offer, now).map_err(|fault| self.refused(&offer, fault))?;
        if let Judged::ByContract { digest } = judged {
            let is_signed = match &self.0.node {
                Some(node) => node.has_signed(&payment, &digest).await?,
                None if payment.signature().len() == 65 => false,
                None => return Err(self.refused(&offer, Fault::ContractWallet)),
            };
            if !is_signed {
                return Err(self.refused(&offer, Fault::Signature));
            }
        }
        match self.0.facilitator.verify(&payment, &offer).await? {
            x402::facilitator::Verification::Valid => Ok(VerifiedPayment { payment, offer }),
            x402::facilitator::Verification::Invalid(reason) => {
                Err(self.failed(&offer, &reason, format!("The payment was not verified: {reason}.")))
            }
        }
    }

    /// The refusal of a request that nothing pays for.
    pub(crate) fn required(&self, offer: &Offer) -> Problem {
        Problem::PaymentRequired(Arc::new(self.instructions(offer, "Payment required")))
    }

    /// The refusal of a payment for what is wrong with it.
    pub(crate) fn refused(&self, offer: &Offer, fault: Fault) -> Problem {
        self.failed(offer, fault.reason(), fault.to_string())
    }

    /// The refusal of a payment whose authorization has come before.
    pub(crate) fn used(&self, offer: &Offer) -> Problem {
        let why = "The payment was used before. Every request needs a payment of its own.";
        self.failed(offer, NONCE_USED, why.to_owned())
    }

    /// The refusal of a payment; `reason` is the protocol's word.
    pub(crate) fn failed(&self, offer: &Offer, reason: &str, why: String) -> Problem {
        Problem::PaymentFailed { why, instructions: Arc::new(self.instructions(offer, reason)) }
    }

    /// The refusal of a payment that was not settled, with the protocol's receipt for that.
    pub(crate) fn unsettled(&self, offer: &Offer, version: x402::Version, reason: &str, why: String) -> Problem {
        let mut instructions = self.instructions(offer, reason);
        let receipt = x402::facilitator::refusal_header(reason, &self.0.network.name_in(version));
        instructions.headers.extend(receipt_header(version, &receipt));
        Problem::PaymentFailed { why, instructions: Arc::new(instructions) }
    }

    fn instructions(&self, offer: &Offer, error: &str) -> PaymentInstructions {
        let mut body = offer.body();
        body.insert("billingSessionUrl".to_owned(), format!("{}{BILLING_SESSION}", self.0.base_url).into());
        let required = HeaderValue::try_from(offer.required_header(error)).expect("base64 is a header value");
        PaymentInstructions { body, headers: vec![(PAYMENT_REQUIRED, required)] }
    }
}

/// The payment that a request carries, of either version; `None` without one.
pub(crate) fn presented(headers: &HeaderMap) -> Option<Result<Payment, Fault>> {
    let mut values = HEADERS.iter().flat_map(|name| headers.get_all(*name));
    let value = values.next()?;
    if values.next().is_some() {
        return Some(Err(Fault::SentTwice));
    }
    Some(value.to_str().map_err(|_| Fault::Encoding).and_then(Payment::read))
}

/// The header that hands a receipt to a client of this version.
pub(crate) fn receipt_header(version: x402::Version, receipt: &str) -> Option<(HeaderName, HeaderValue)> {
    Some((HeaderName::from_static(version.receipt_header()), HeaderValue::try_from(receipt).ok()?))
}

/// A client for one of the operator's servers, whose URL may have a query: a key, perhaps.
fn client(
    url: &Url,
    token: Option<&SecretString>,
    extra_ca_pem: Option<&[u8]>,
) -> Result<OperatorClient, OpenOperatorClientError> {
    let bearer = token.map(|token| format!("Bearer {}", token.expose_secret()));
    let secret = bearer.as_deref().map(|bearer| (http::header::AUTHORIZATION, bearer));
    OperatorClient::new(&net::OperatorServer { base: url.clone(), secret, extra_ca_pem, connections: 64 })
}
