//! A payment as a client sends it, and the rules that it is judged by.

use serde::Deserialize;
use serde_json::Value;

use crate::address::hex_bytes;
use crate::header::decode;
use crate::signature::{Verdict, judge};
use crate::{Address, Fault, Network, Offer, Token, Version};

/// Facilitators refuse a payment that expires within so many seconds: to settle takes a while.
const SOONEST_END_SECONDS: u64 = 6;
/// The longest signature, in bytes: that of a contract wallet may hold several.
const LONGEST_SIGNATURE: usize = 4096;

/// What a payer allows: one transfer of an amount within a time (EIP-3009).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// The payer.
    pub from: Address,
    /// The receiver.
    pub to: Address,
    /// The amount, in the token's units.
    pub value: u64,
    /// From when on, in seconds since 1970.
    pub valid_after: u64,
    /// Until when, in seconds since 1970.
    pub valid_before: u64,
    /// Makes it unique among the payer's authorizations of this token.
    pub nonce: [u8; 32],
}

/// A payment that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The version that it is written in.
    pub version: Version,
    /// What the payer allows.
    pub authorization: Authorization,
    signature: Vec<u8>,
    /// The payment as it came: what a facilitator is handed.
    pub payload: Value,
}

/// How far a payment could be judged without a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The payer's key signed it.
    Signed,
    /// Its payer may be a contract wallet: a node has to be asked ([`crate::chain::is_valid_signature`]).
    ByContract {
        /// What was to be signed.
        digest: [u8; 32],
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exact {
    signature: String,
    authorization: Allowed,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Allowed {
    from: String,
    to: String,
    value: String,
    valid_after: String,
    valid_before: String,
    nonce: String,
}

impl Payment {
    /// Reads a payment header of either version.
    ///
    /// # Errors
    /// What is wrong with its shape.
    pub fn read(header: &str) -> Result<Self, Fault> {
        Self::of(decode(header)?)
    }

    /// Reads a payment from its JSON, as [`Payment::payload`] has it.
    ///
    /// # Errors
    /// What is wrong with its shape.
    pub fn of(payload: Value) -> Result<Self, Fault> {
        let version = Version::read(&payload["x402Version"]).ok_or(Fault::Version)?;
        if !payload["payload"].is_object() {
            return Err(Fault::Shape("payload"));
        }
        let exact = Exact::deserialize(&payload["payload"]).map_err(|_| Fault::Shape("signature or authorization"))?;
        let signature = exact.signature.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let signature = signature.filter(|bytes| (1..=LONGEST_SIGNATURE).contains(&bytes.len()));
        let signature = signature.ok_or(Fault::Shape("signature"))?;
        let authorization = exact.authorization.read()?;
        Ok(Self { version, authorization, signature, payload })
    }

    /// Judges a payment for an offer at a time, in seconds since 1970, from its words to its signature.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, offer: &Offer, now: u64) -> Result<Judged, Fault> {
        match self.version {
            Version::V1 => self.check_words(&self.payload, &offer.network)?,
            Version::V2 => {
                let accepted = self.payload.get("accepted").filter(|accepted| accepted.is_object());
                let accepted = accepted.ok_or(Fault::Shape("accepted"))?;
                self.check_words(accepted, &offer.network)?;
                self.check_accepted(accepted, offer)?;
            }
        }
        let Authorization { to, value, valid_after, valid_before, .. } = self.authorization;
        if to != offer.pay_to {
            return Err(Fault::Recipient);
        }
        if i64::try_from(value) != Ok(offer.amount.micros()) {
            return Err(Fault::Amount);
        }
        if valid_before < now.saturating_add(SOONEST_END_SECONDS) {
            return Err(Fault::Expired);
        }
        if valid_after > now {
            return Err(Fault::NotYetValid);
        }
        match judge(&self.authorization, &self.signature, &offer.network, &offer.token) {
            Verdict::Payer => Ok(Judged::Signed),
            Verdict::Other { digest } => Ok(Judged::ByContract { digest }),
        }
    }

    fn check_words(&self, stated: &Value, network: &Network) -> Result<(), Fault> {
        if stated["scheme"] != "exact" {
            return Err(Fault::Scheme);
        }
        if stated["network"] == network.name_in(self.version) { Ok(()) } else { Err(Fault::Network) }
    }

    /// What a client of version 2 says that it accepted must be what is offered.
    fn check_accepted(&self, accepted: &Value, offer: &Offer) -> Result<(), Fault> {
        let address = |name: &str| accepted[name].as_str().and_then(|text| text.parse::<Address>().ok());
        if address("asset") != Some(offer.token.address) {
            return Err(Fault::Asset);
        }
        if address("payTo") != Some(offer.pay_to) {
            return Err(Fault::Recipient);
        }
        if accepted["amount"].as_str() != Some(&*offer.amount.micros().to_string()) {
            return Err(Fault::Amount);
        }
        match self.payload.get("resource") {
            None | Some(Value::Null) => Ok(()),
            Some(resource) if resource["url"] == offer.resource.as_str() => Ok(()),
            Some(_) => Err(Fault::Resource),
        }
    }

    /// The signature as it came.
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// The nonce as it is written.
    pub fn nonce(&self) -> String {
        format!("0x{}", hex::encode(self.authorization.nonce))
    }
}

impl Authorization {
    /// What its payer signs (EIP-712): the authorization, for a token on a chain.
    pub fn digest(&self, network: &Network, token: &Token) -> [u8; 32] {
        crate::signature::digest(self, network, token)
    }
}

impl Allowed {
    fn read(&self) -> Result<Authorization, Fault> {
        let address = |text: &str, name| text.parse().map_err(|_| Fault::Shape(name));
        Ok(Authorization {
            from: address(&self.from, "from")?,
            to: address(&self.to, "to")?,
            value: number(&self.value).ok_or(Fault::Shape("value"))?,
            valid_after: number(&self.valid_after).ok_or(Fault::Shape("validAfter"))?,
            valid_before: number(&self.valid_before).ok_or(Fault::Shape("validBefore"))?,
            nonce: hex_bytes(&self.nonce).ok_or(Fault::Shape("nonce"))?,
        })
    }
}

/// Digits alone: a sign, a space or another notation could be read in two ways.
fn number(text: &str) -> Option<u64> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests;
