//! Amounts of money: whole millionths of a US dollar, so that no cent is ever lost to a fraction.
//!
//! Nothing here divides money or knows a price. Prices and accounts are in the crate `billing`.

use std::fmt;

use serde::{Serialize as _, Serializer};
use serde_json::Number;

/// Micros of one US dollar.
const PER_USD: i64 = 1_000_000;
/// Micros of one credit, which is one cent.
const PER_CREDIT: i64 = 10_000;

/// An amount, 0 to [`MicroUsd::MAX`] millionths of a US dollar. It is never negative: what is owed has an account of
/// its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MicroUsd(i64);

impl MicroUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// About nine billion dollars: 2^53 - 1, up to which a JSON number holds every amount exactly.
    pub const MAX: Self = Self((1 << 53) - 1);

    /// An amount in millionths of a dollar; `None` when it is negative or above [`Self::MAX`].
    pub const fn from_micros(micros: i64) -> Option<Self> {
        if micros < 0 || micros > Self::MAX.0 { None } else { Some(Self(micros)) }
    }

    /// An amount in cents. Any fits.
    pub const fn from_cents(cents: u32) -> Self {
        Self(cents as i64 * PER_CREDIT)
    }

    /// An amount in credits of USD 0.01; `None` when it is above [`Self::MAX`].
    pub const fn from_credits(credits: u64) -> Option<Self> {
        if credits > (Self::MAX.0 / PER_CREDIT) as u64 { None } else { Some(Self(credits as i64 * PER_CREDIT)) }
    }

    /// Reads what [`Self::to_usd_number`] writes; `None` when it is negative or too large.
    pub fn from_usd_number(number: &Number) -> Option<Self> {
        let micros = (number.as_f64()? * PER_USD as f64).round();
        if (0.0..=Self::MAX.0 as f64).contains(&micros) { Some(Self(micros as i64)) } else { None }
    }

    /// Reads a decimal number of dollars with at most six decimals, such as `0.03`, exactly. `None` for any other text, and
    /// when it is above [`Self::MAX`].
    pub fn from_usd_text(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(decimals) || whole.len() > 10 || decimals.len() > 6 {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let micros: i64 = format!("{decimals:0<6}").parse().ok()?;
        Self::from_micros(whole * PER_USD + micros)
    }

    /// Millionths of a dollar.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Both together; `None` above [`Self::MAX`].
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        Self::from_micros(self.0 + other.0)
    }

    /// What is left; `None` when it is not enough.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        Self::from_micros(self.0 - other.0)
    }

    /// Dollars as a JSON number, with as many decimals as the amount has: `0.03`, `2`.
    pub fn to_usd_number(self) -> Number {
        self.in_units_of(PER_USD)
    }

    /// Credits of USD 0.01 as a JSON number.
    pub fn to_credits_number(self) -> Number {
        self.in_units_of(PER_CREDIT)
    }

    /// For serde: an amount as [`MicroUsd::to_credits_number`].
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize_as_credits<S: Serializer>(amount: &Self, serializer: S) -> Result<S::Ok, S::Error> {
        amount.to_credits_number().serialize(serializer)
    }

    /// Both operands are exact as doubles, so the quotient is the double nearest to the decimal number, and is
    /// written as that decimal number.
    fn in_units_of(self, unit: i64) -> Number {
        if self.0 % unit == 0 {
            return Number::from(self.0 / unit);
        }
        Number::from_f64(self.0 as f64 / unit as f64).expect("a quotient of whole numbers is finite")
    }
}

/// Dollars with all decimals, for people and logs: `USD 0.030000`.
impl fmt::Display for MicroUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "USD {}.{:06}", self.0 / PER_USD, self.0 % PER_USD)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(micros: i64) -> MicroUsd {
        MicroUsd::from_micros(micros).unwrap()
    }

    /// The digits of a whole number of `unit`s, without needless zeros.
    fn decimal(micros: i64, unit: i64) -> String {
        let width = unit.ilog10() as usize;
        let text = format!("{}.{:0width$}", micros / unit, micros % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    #[test]
    fn prices_are_exact_as_json() {
        for (cents, usd) in [(1, "0.01"), (3, "0.03"), (5, "0.05"), (29, "0.29"), (100, "1"), (110, "1.1")] {
            assert_eq!(MicroUsd::from_cents(cents).to_usd_number().to_string(), usd);
            assert_eq!(MicroUsd::from_cents(cents).to_credits_number().to_string(), cents.to_string());
        }
        assert_eq!(amount(30_000 + 30_000 + 30_000).to_usd_number().to_string(), "0.09");
        assert_eq!(amount(15_000).to_credits_number().to_string(), "1.5");
        assert_eq!(MicroUsd::MAX.to_usd_number().to_string(), "9007199254.740992");
    }

    #[test]
    fn nothing_is_negative_or_too_large() {
        assert_eq!(MicroUsd::from_micros(-1), None);
        assert_eq!(MicroUsd::from_micros(MicroUsd::MAX.0 + 1), None);
        assert_eq!(MicroUsd::from_credits(u64::MAX), None);
        assert_eq!(MicroUsd::MAX.checked_add(amount(1)), None);
        assert_eq!(amount(1).checked_sub(amount(2)), None);
        assert_eq!(MicroUsd::from_usd_number(&Number::from(-1)), None);
        assert_eq!(MicroUsd::from_usd_number(&Number::from_f64(1e300).unwrap()), None);
    }

    #[test]
    fn a_text_is_read_exactly_or_not_at_all() {
        for (text, micros) in [("0.01", 10_000), ("1", 1_000_000), ("0.000001", 1), ("007.5", 7_500_000)] {
            assert_eq!(MicroUsd::from_usd_text(text).map(MicroUsd::micros), Some(micros), "{text}");
        }
        for wrong in
            ["", ".", "1.", ".5", "-1", "+1", "1e3", "0.0000001", "1,5", " 1", "99999999999", "9007199254.740993"]
        {
            assert_eq!(MicroUsd::from_usd_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn is_shown_with_all_decimals() {
        assert_eq!(MicroUsd::from_cents(103).to_string(), "USD 1.030000");
    }

    proptest! {
        /// 15 digits are what a double holds whatever they are.
        #[test]
        fn every_amount_is_its_decimal_number(micros in 0..1_000_000_000_000_000_i64) {
            prop_assert_eq!(amount(micros).to_usd_number().to_string(), decimal(micros, PER_USD));
            prop_assert_eq!(amount(micros).to_credits_number().to_string(), decimal(micros, PER_CREDIT));
            prop_assert_eq!(MicroUsd::from_usd_number(&amount(micros).to_usd_number()), Some(amount(micros)));
        }

        #[test]
        fn adding_and_taking_away_are_inverse(one in 0..=MicroUsd::MAX.0, other in 0..=MicroUsd::MAX.0) {
            if let Some(sum) = amount(one).checked_add(amount(other)) {
                prop_assert_eq!(sum.checked_sub(amount(other)), Some(amount(one)));
            } else {
                prop_assert!(one + other > MicroUsd::MAX.0);
            }
        }
    }
}
