//! What is asked for one request.

use kernel::money::MicroUsd;
use serde_json::{Map, Value, json};

use crate::header::encode;
use crate::{Address, Network, Token, Version};

/// The price of a request and how it can be paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Where.
    pub network: Network,
    /// With what.
    pub token: Token,
    /// To whom.
    pub pay_to: Address,
    /// How much.
    pub amount: MicroUsd,
    /// The absolute URL of the operation.
    pub resource: String,
    /// What is bought, for people.
    pub description: String,
    /// The type of the answer.
    pub mime_type: String,
    /// How long a payment must hold: for the work and for settling.
    pub max_timeout_seconds: u32,
}

impl Offer {
    /// The members that stand beside `error` in the body of a 402: the instructions of version 1, and `x402` (platform-api, section 7).
    pub fn body(&self) -> Map<String, Value> {
        let x402 = json!({
            "scheme": "exact",
            "network": self.network.name,
            "price": self.price(),
            "payTo": self.pay_to.to_string(),
            "description": self.description,
            "mimeType": self.mime_type,
            "resource": self.resource,
        });
        let members = [("x402Version", json!(1)), ("accepts", json!([self.requirements(Version::V1)])), ("x402", x402)];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The header `PAYMENT-REQUIRED` of version 2.
    pub fn required_header(&self, error: &str) -> String {
        encode(&json!({
            "x402Version": 2,
            "error": error,
            "resource": { "url": self.resource, "description": self.description, "mimeType": self.mime_type },
            "accepts": [self.requirements(Version::V2)],
        }))
    }

    /// The requirements as clients and facilitators of a version read them.
    pub fn requirements(&self, version: Version) -> Value {
        let amount = self.amount.micros().to_string();
        let extra = json!({ "name": self.token.name, "version": self.token.version });
        match version {
            Version::V1 => json!({
                "scheme": "exact",
                "network": self.network.name,
                "maxAmountRequired": amount,
                "resource": self.resource,
                "description": self.description,
                "mimeType": self.mime_type,
                "payTo": self.pay_to.to_string(),
                "maxTimeoutSeconds": self.max_timeout_seconds,
                "asset": self.token.address.to_string(),
                "extra": extra,
            }),
            Version::V2 => json!({
                "scheme": "exact",
                "network": self.network.caip2(),
                "amount": amount,
                "asset": self.token.address.to_string(),
                "payTo": self.pay_to.to_string(),
                "maxTimeoutSeconds": self.max_timeout_seconds,
                "extra": extra,
            }),
        }
    }

    /// In US dollars, such as `$0.03`.
    fn price(&self) -> String {
        format!("${}", self.amount.to_usd_number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::decode;
    use crate::vectors::offer;

    #[test]
    fn version_1_has_a_body_beside_the_documented_one() {
        let body = Value::Object(offer().body());
        assert_eq!(body["x402Version"], 1);
        assert_eq!(
            body["accepts"],
            json!([{
                "scheme": "exact", "network": "base-sepolia", "maxAmountRequired": "30000",
                "resource": "https://lectern.example/v1/platform/evaluations", "description": "One evaluation",
                "mimeType": "application/json", "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                "maxTimeoutSeconds": 300, "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
                "extra": { "name": "USDC", "version": "2" },
            }])
        );
        assert_eq!(
            body["x402"],
            json!({
                "scheme": "exact", "network": "base-sepolia", "price": "$0.03",
                "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "description": "One evaluation",
                "mimeType": "application/json", "resource": "https://lectern.example/v1/platform/evaluations",
            })
        );
    }

    #[test]
    fn version_2_has_a_header() {
        let required = decode(&offer().required_header("Payment required")).unwrap();
        assert_eq!((&required["x402Version"], &required["error"]), (&json!(2), &json!("Payment required")));
        assert_eq!(required["resource"]["url"], "https://lectern.example/v1/platform/evaluations");
        assert_eq!(
            required["accepts"],
            json!([{
                "scheme": "exact", "network": "eip155:84532", "amount": "30000",
                "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
                "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 300,
                "extra": { "name": "USDC", "version": "2" },
            }])
        );
    }
}
