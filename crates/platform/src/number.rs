//! Numbers as people write them.

use serde::Serializer;

/// Without a fraction where the number is whole.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "how serde calls it")]
pub(crate) fn plain<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    #[expect(clippy::cast_possible_truncation, reason = "whole, and small enough to be exact")]
    if number.fract() == 0.0 && number.abs() < 9e15 {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

/// [`plain`] for a number that may be missing.
#[expect(clippy::ref_option, reason = "how serde calls it")]
pub(crate) fn plain_option<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => plain(number, serializer),
        None => serializer.serialize_none(),
    }
}
