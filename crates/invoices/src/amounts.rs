//! Cents, and what is left of a cent.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

use crate::Kind;

/// Millionths of a dollar in a cent.
const PER_CENT: i64 = 10_000;

/// Whole cents. As JSON dollars: `12.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cents(pub i64);

/// Dollars with two decimals: `12.50`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return (self.0 / 100).serialize(serializer);
        }
        // Both are exact, so the quotient is the double that is nearest to the decimal number.
        Number::from_f64(self.0 as f64 / 100.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Ok(Self((dollars * 100.0).round() as i64))
    }
}

/// A part of an amount, rounded to the cent, halves away from zero.
pub(crate) fn share(amount: Cents, part: i128, whole: i128) -> Cents {
    let exact = i128::from(amount.0) * part;
    let rounded = (exact.abs() * 2 + whole) / (whole * 2) * exact.signum();
    Cents(i64::try_from(rounded).unwrap_or(i64::MAX))
}

/// What the ledger has of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Millionths of a dollar.
    pub micros: i64,
    /// Entries.
    pub count: u64,
}

/// What the ledger has of each kind in a month.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(BTreeMap<Kind, Sum>);

impl Figures {
    /// Adds entries of a kind.
    pub fn add(&mut self, kind: Kind, more: Sum) {
        let sum = self.0.entry(kind).or_default();
        sum.micros += more.micros;
        sum.count += more.count;
    }

    /// What there is of a kind.
    pub fn of(&self, kind: Kind) -> Sum {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|sum| sum.count == 0)
    }
}

/// What is left of a cent of each kind, in millionths of a dollar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carries(BTreeMap<Kind, i64>);

impl Carries {
    /// The whole cents of an amount and of what was left before; the rest is left.
    pub(crate) fn settle(&mut self, kind: Kind, micros: i64) -> Cents {
        let rest = self.0.entry(kind).or_default();
        let all = *rest + micros;
        *rest = all % PER_CENT;
        Cents(all / PER_CENT)
    }
}
