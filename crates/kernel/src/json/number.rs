//! Numbers as people write them.

use serde::Serializer;

/// Without a fraction where the number is whole; for `serialize_with`.
pub fn plain_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and small enough to be exact")]
    if number.fract() == 0.0 && number.abs() < 9e15 {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

/// [`plain_number`] for a number that may be missing.
pub fn plain_number_or_null<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => plain_number(number, serializer),
        None => serializer.serialize_none(),
    }
}
