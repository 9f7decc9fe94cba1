//! The price catalog: what a piece of work costs (platform-api, sections 4 and 8).
//!
//! A price is copied into a [`PriceSnapshot`] when the work is ordered; what was ordered is billed by its snapshot,
//! whatever the catalog says later. [`Catalog`] has the prices by the dates from which they hold.

mod versions;

use std::borrow::Cow;

use kernel::money::MicroUsd;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use store::{Group, Json, Row, StoreError, Value, Words};
use utoipa::ToSchema;

pub use versions::{Catalog, CatalogError, FREE_GRANT, MAX_PRICE, MAX_VERSIONS, Prices, Version};

/// The price class of an evaluation, and with it the care that the evaluation gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TierName)]
pub enum Tier {
    /// USD 0.01 where the operator has set no other price.
    Fast,
    /// USD 0.03 likewise.
    Standard,
    /// USD 0.05 likewise.
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
    /// The version of the catalog; absent where the operator has set no prices, or had set none then.
    #[schema(value_type = Option<String>, example = "1", nullable = false)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog_version: Option<Cow<'static, str>>,
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

fn write_usd<S: Serializer>(amount: &MicroUsd, serializer: S) -> Result<S::Ok, S::Error> {
    amount.to_usd_number().serialize(serializer)
}

fn read_usd<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MicroUsd, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    MicroUsd::from_usd_number(&number).ok_or_else(|| serde::de::Error::custom("no amount of money"))
}

#[cfg(test)]
mod tests {
    use kernel::time::Timestamp;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(0);

    #[test]
    fn evaluations_cost_one_three_and_five_cents() {
        let price = |tier| Catalog::default().evaluation(tier, NOW).amount.to_usd_number();
        let prices = Tier::ALL.map(|tier| serde_json::to_string(&price(tier)).unwrap());
        assert_eq!(prices, ["0.01", "0.03", "0.05"]);
    }

    #[test]
    fn a_snapshot_is_written_as_the_interface_names_it_and_read_back() {
        let text = serde_json::to_string(&Catalog::default().evaluation(Tier::Standard, NOW)).unwrap();
        assert_eq!(
            text,
            r#"{"category":"evaluation","catalogKey":"evaluation.standard","tier":"standard","amountUsd":0.03,"unit":"evaluation","currency":"USD","source":"catalog"}"#
        );
        for tier in Tier::ALL {
            let snapshot = Catalog::default().evaluation(tier, NOW);
            let written = serde_json::to_string(&snapshot).unwrap();
            assert_eq!(serde_json::from_str::<PriceSnapshot>(&written).unwrap(), snapshot);
            assert_eq!(Tier::from_word(tier.as_str()), Some(tier));
        }
        assert!(serde_json::from_str::<PriceSnapshot>(&text.replace("0.03", "-0.03")).is_err());
    }

    #[test]
    fn a_snapshot_of_before_versions_is_read_and_written_as_it_was() {
        let stored = r#"{"category":"evaluation","catalogKey":"evaluation.fast","tier":"fast","amountUsd":0.01,"unit":"evaluation","currency":"USD","source":"catalog"}"#;
        let read: PriceSnapshot = serde_json::from_str(stored).unwrap();
        assert_eq!((read.amount, &read.catalog_version), (MicroUsd::from_cents(1), &None));
        assert_eq!(serde_json::to_string(&read).unwrap(), stored);
    }
}
