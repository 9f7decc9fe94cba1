//! What a facilitator is asked, and what its answers mean.

use serde_json::{Value, json};

use crate::Payment;
use crate::header::encode;

/// What `/verify` said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// The payment can be settled.
    Valid,
    /// It can't, in the facilitator's word.
    Invalid(String),
}

/// What `/settle` said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// The money has moved.
    Settled(Receipt),
    /// It has not, in the facilitator's word.
    Refused(String),
    /// It may have: the transfer is on its way, or the facilitator failed after it had sent it.
    Doubtful(String),
}

/// The proof of a settled payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The hash of the chain's transaction.
    pub transaction: String,
    /// The payer, as the facilitator writes it.
    pub payer: String,
    /// The network, as the facilitator writes it.
    pub network: String,
}

/// Words that a facilitator may send are kept up to this length, in characters.
const LONGEST_WORD: usize = 200;
/// The longest of the protocol's words for why, in characters.
const LONGEST_REASON: usize = 100;

/// The body of `/verify` and `/settle`. The requirements are those of [`crate::Offer::requirements`], in the payment's version.
pub fn request(payment: &Payment, requirements: &Value) -> Value {
    json!({
        "x402Version": payment.version.number(),
        "paymentPayload": payment.payload,
        "paymentRequirements": requirements,
    })
}

/// Reads an answer of `/verify`; `None` for what is none.
pub fn read_verification(answer: &Value) -> Option<Verification> {
    Some(match answer["isValid"].as_bool()? {
        true => Verification::Valid,
        false => Verification::Invalid(reason(answer, "invalidReason")),
    })
}

/// Reads an answer of `/settle`; `None` for what is none. Success without a transaction proves nothing.
pub fn read_settlement(answer: &Value) -> Option<Settlement> {
    let word = |name: &str| clip(answer[name].as_str().unwrap_or_default());
    if !answer["success"].as_bool()? {
        let given = reason(answer, "errorReason");
        // A transaction that failed on the chain moves nothing; any other that has a name may move something yet. What is no word
        // of the protocol is what a library said, perhaps after it had sent the transfer.
        let is_sent = !word("transaction").is_empty() && given != "invalid_transaction_state";
        let is_word = answer["errorReason"].as_str().is_none_or(|said| said == given);
        return Some(match is_sent || !is_word || given == "settlement_pending" {
            true => Settlement::Doubtful(given),
            false => Settlement::Refused(given),
        });
    }
    let receipt = Receipt { transaction: word("transaction"), payer: word("payer"), network: word("network") };
    (!receipt.transaction.is_empty()).then_some(Settlement::Settled(receipt))
}

impl Receipt {
    /// The text of the header that hands the receipt to the client.
    pub fn header(&self) -> String {
        encode(&json!({
            "success": true, "transaction": self.transaction, "network": self.network, "payer": self.payer,
        }))
    }
}

/// The text of the header that tells a client that nothing was paid.
pub fn refusal_header(reason: &str, network: &str) -> String {
    encode(&json!({ "success": false, "errorReason": reason, "transaction": "", "network": network }))
}

fn reason(answer: &Value, name: &str) -> String {
    let is_word = |text: &&str| {
        (1..=LONGEST_REASON).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    // Some hand on what their libraries say, in many lines: nothing for a customer.
    answer[name].as_str().filter(is_word).unwrap_or("unexpected_error").to_owned()
}

/// Without what could end a line of a log, and not longer than a word is.
fn clip(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_WORD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{V1, V2, offer};

    #[test]
    fn a_facilitator_gets_the_requirements_in_the_payments_version() {
        for (header, amount) in [(V1, "maxAmountRequired"), (V2, "amount")] {
            let payment = Payment::read(header).unwrap();
            let asked = request(&payment, &offer().requirements(payment.version));
            assert_eq!(asked["x402Version"], payment.payload["x402Version"]);
            assert_eq!(asked["paymentPayload"], payment.payload);
            assert_eq!(asked["paymentRequirements"][amount], "30000");
        }
    }

    #[test]
    fn a_success_is_only_what_says_so_with_a_transaction() {
        let settled = json!({ "success": true, "transaction": "0xab", "network": "base", "payer": "0x1" });
        assert!(
            matches!(read_settlement(&settled), Some(Settlement::Settled(receipt)) if receipt.transaction == "0xab")
        );
        let refused = json!({ "success": false, "errorReason": "insufficient_funds", "transaction": "" });
        assert_eq!(read_settlement(&refused), Some(Settlement::Refused("insufficient_funds".to_owned())));
        let pending = json!({ "success": false, "errorReason": "settlement_pending", "transaction": "0xcd" });
        assert_eq!(read_settlement(&pending), Some(Settlement::Doubtful("settlement_pending".to_owned())));
        let failed = json!({ "success": false, "errorReason": "Timed out.\nDetails: …", "transaction": "" });
        assert_eq!(read_settlement(&failed), Some(Settlement::Doubtful("unexpected_error".to_owned())));
        let reverted = json!({ "success": false, "errorReason": "invalid_transaction_state", "transaction": "0xcd" });
        assert_eq!(read_settlement(&reverted), Some(Settlement::Refused("invalid_transaction_state".to_owned())));
        assert!(matches!(read_settlement(&json!({ "success": false })), Some(Settlement::Refused(_))));
        for nothing in
            [json!({}), json!(null), json!({ "success": "true" }), json!({ "success": true, "transaction": "" })]
        {
            assert_eq!(read_settlement(&nothing), None, "{nothing}");
        }
        assert_eq!(read_verification(&json!({ "isValid": true })), Some(Verification::Valid));
        let invalid = Some(Verification::Invalid("unexpected_error".to_owned()));
        assert_eq!(read_verification(&json!({ "isValid": false, "invalidReason": null })), invalid);
        let talkative =
            json!({ "isValid": false, "invalidReason": "The contract reverted.\n\nDocs: https://x.example" });
        assert_eq!(read_verification(&talkative), Some(Verification::Invalid("unexpected_error".to_owned())));
        assert_eq!(read_verification(&json!({ "isValid": 1 })), None);
    }
}
