//! What it takes to pass a test: a share of the score, or points that the items can give.

use edge::body::{At, Check, Plain, number, one_of};
use edge::problem::Problem;
use serde::Serialize;

use super::{Test, TestItem};

/// The most points that can be asked for.
const MOST_POINTS: f64 = 1_000_000.0;

/// What a passing value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, store::Words, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PassingValueType {
    /// The share of the items' scores together, 0 to 100.
    Percentage,
    /// Points, 0 to the items' scores together.
    Points,
}

impl PassingValueType {
    /// The highest value of this type, whatever the items are.
    pub(super) const fn highest(self) -> f64 {
        match self {
            Self::Percentage => 100.0,
            Self::Points => MOST_POINTS,
        }
    }
}

impl Plain for PassingValueType {
    fn check() -> impl Check<Value = Self> {
        one_of(Self::WORDS).shown_as::<Self>()
    }
}

/// A value, of which its type is to judge: [`is_of_type`].
pub(super) fn passing_value() -> impl Check<Value = f64> {
    number(f64::MIN..=f64::MAX).shown_like(number(0.0..=MOST_POINTS))
}

/// The rule of a passing value: it is one of its type.
pub(super) fn is_of_type(at: &mut At<'_>, kind: Option<&PassingValueType>, value: &Option<f64>) {
    let highest = kind.map_or(MOST_POINTS, |kind| kind.highest());
    if value.is_some_and(|value| !(0.0..=highest).contains(&value)) {
        at.member("passingValue").refuse::<()>(format!("must be from 0 to {highest}"));
    }
}

/// The rule of a change: a passing value is one of the type that is given with it, or of any.
pub(super) fn stays_of_type(at: &mut At<'_>, kind: Option<&Option<PassingValueType>>, value: &Option<f64>) {
    is_of_type(at, kind.and_then(Option::as_ref), value);
}

/// Whether somebody can pass a test as it is. `changed` is the field of the request that is at fault if not.
///
/// # Errors
/// 400 when more is asked for than there is.
pub(super) fn check(test: &Test, changed: &str) -> Result<(), Problem> {
    let kind = test.passing_value_type;
    let items: Vec<TestItem> = serde_json::from_str(test.items.as_str()).map_err(Problem::unexpected)?;
    let highest = attainable(kind, items.iter().map(|item| item.score));
    if test.passing_value <= highest {
        return Ok(());
    }
    let unit = match kind {
        PassingValueType::Percentage => "percent",
        PassingValueType::Points => "points",
    };
    let message = format!("leaves a passing value of {} {unit} where {highest} can be had", test.passing_value);
    Err(Problem::field(changed, &message))
}

/// The most that can be had of these items; without items, nobody knows yet.
pub(super) fn attainable(kind: PassingValueType, scores: impl ExactSizeIterator<Item = f64>) -> f64 {
    match (kind, scores.len() == 0) {
        (PassingValueType::Percentage, _) => PassingValueType::Percentage.highest(),
        (PassingValueType::Points, true) => MOST_POINTS,
        (PassingValueType::Points, false) => total(scores),
    }
}

/// Scores together, without what adding decimals up in binary leaves: 0.7 and 0.1 are 0.8.
pub(crate) fn total(scores: impl Iterator<Item = f64>) -> f64 {
    const MILLIONTHS: f64 = 1e6;
    (scores.sum::<f64>() * MILLIONTHS).round() / MILLIONTHS
}
