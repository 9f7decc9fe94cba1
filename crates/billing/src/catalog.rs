//! The price catalog: what a piece of work costs (platform-api, sections 4 and 8).
//!
//! A price is copied into a [`PriceSnapshot`] when the work is ordered; what was ordered is billed by its snapshot,
//! whatever the catalog says later.

use std::borrow::Cow;

use kernel::money::MicroUsd;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use store::{Group, Json, Row, StoreError, Value, Words};
use utoipa::ToSchema;

/// The price class of an evaluation, and with it the care that the evaluation gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TierName)]
pub enum Tier {
    /// USD 0.01.
    Fast,
    /// USD 0.03.
    Standard,
    /// USD 0.05.
    Advanced,
}

/// A price as it was when the evaluation was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Price)]
pub struct PriceSnapshot {
    /// The kind of work.
    #[schema(value_type = String, example = "evaluation")]
    pub category: Cow<'static, str>,
    /// Its line in the catalog.
    #[schema(value_type = String, example = "evaluation.standard")]
    pub catalog_key: Cow<'static, str>,
    /// Its tier.
    pub tier: Tier,
    /// The price of one unit.
    #[schema(value_type = f64, example = 0.03)]
    #[serde(rename = "amountUsd", serialize_with = "write_usd", deserialize_with = "read_usd")]
    pub amount: MicroUsd,
    /// The unit that is priced.
    #[schema(value_type = String, example = "evaluation")]
    pub unit: Cow<'static, str>,
    /// The currency.
    #[schema(value_type = String, example = "USD")]
    pub currency: Cow<'static, str>,
    /// Where the price comes from.
    #[schema(value_type = String, example = "catalog")]
    pub source: Cow<'static, str>,
}

/// The snapshot, and from it the tier and the amount: queries sum and group by them.
impl Group for PriceSnapshot {
    const COUNT: usize = 3;

    fn read_at(row: &Row<'_>, from: usize) -> Result<Self, StoreError> {
        let Json(snapshot) = row.get(from)?;
        Ok(snapshot)
    }

    fn write<'a>(&'a self, values: &mut Vec<Value<'a>>) -> Result<(), StoreError> {
        values.extend([Value::json(self)?, Value::Of(&self.tier), Value::Of(&self.amount)]);
        Ok(())
    }
}

/// What one evaluation of a tier costs now.
pub const fn evaluation(tier: Tier) -> PriceSnapshot {
    let (catalog_key, cents) = match tier {
        Tier::Fast => ("evaluation.fast", 1),
        Tier::Standard => ("evaluation.standard", 3),
        Tier::Advanced => ("evaluation.advanced", 5),
    };
    PriceSnapshot {
        category: Cow::Borrowed("evaluation"),
        catalog_key: Cow::Borrowed(catalog_key),
        tier,
        amount: MicroUsd::from_cents(cents),
        unit: Cow::Borrowed("evaluation"),
        currency: Cow::Borrowed("USD"),
        source: Cow::Borrowed("catalog"),
    }
}

/// What a new workspace may spend for free: USD 1.00 (platform-api, section 8).
pub const FREE_GRANT: MicroUsd = MicroUsd::from_cents(100);

fn write_usd<S: Serializer>(amount: &MicroUsd, serializer: S) -> Result<S::Ok, S::Error> {
    amount.to_usd_number().serialize(serializer)
}

fn read_usd<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MicroUsd, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    MicroUsd::from_usd_number(&number).ok_or_else(|| serde::de::Error::custom("no amount of money"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_cost_one_three_and_five_cents() {
        let prices = Tier::ALL.map(|tier| serde_json::to_string(&evaluation(tier).amount.to_usd_number()).unwrap());
        assert_eq!(prices, ["0.01", "0.03", "0.05"]);
    }

    #[test]
    fn a_snapshot_is_written_as_the_interface_names_it_and_read_back() {
        let text = serde_json::to_string(&evaluation(Tier::Standard)).unwrap();
        assert_eq!(
            text,
            r#"{"category":"evaluation","catalogKey":"evaluation.standard","tier":"standard","amountUsd":0.03,"unit":"evaluation","currency":"USD","source":"catalog"}"#
        );
        for tier in Tier::ALL {
            let written = serde_json::to_string(&evaluation(tier)).unwrap();
            assert_eq!(serde_json::from_str::<PriceSnapshot>(&written).unwrap(), evaluation(tier));
            assert_eq!(Tier::from_word(tier.as_str()), Some(tier));
        }
        assert!(serde_json::from_str::<PriceSnapshot>(&text.replace("0.03", "-0.03")).is_err());
    }
}
