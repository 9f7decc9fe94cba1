//! What it takes to pass a test: a share of the score, or points that the items can give.

use edge::body::{At, number, one_of};
use edge::problem::Problem;
use serde::Serialize;
use serde_json::Value;

use super::{Test, TestItem};

/// The most points that can be asked for.
const MOST_POINTS: f64 = 1_000_000.0;

/// What a passing value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PassingValueType {
    /// The share of the items' scores together, 0 to 100.
    Percentage,
    /// Points, 0 to the items' scores together.
    Points,
}

impl PassingValueType {
    const WORDS: &[(&str, Self)] = &[("PERCENTAGE", Self::Percentage), ("POINTS", Self::Points)];

    /// Its name on the wire and in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Percentage => "PERCENTAGE",
            Self::Points => "POINTS",
        }
    }

    /// The highest value of this type, whatever the items are.
    pub(super) const fn highest(self) -> f64 {
        match self {
            Self::Percentage => 100.0,
            Self::Points => MOST_POINTS,
        }
    }
}

/// `PERCENTAGE` or `POINTS`.
pub(super) fn passing_value_type(value: &Value, at: &mut At<'_>) -> Option<PassingValueType> {
    one_of(PassingValueType::WORDS)(value, at)
}

/// A value of a type; of any type where that is not known.
pub(super) fn passing_value(kind: Option<PassingValueType>) -> impl Fn(&Value, &mut At<'_>) -> Option<f64> {
    let highest = kind.map_or(MOST_POINTS, PassingValueType::highest);
    number(0.0..=highest)
}

/// Whether somebody can pass a test as it is. `changed` is the field of the request that is at fault if not.
///
/// # Errors
/// 400 when more is asked for than there is.
pub(super) fn check(test: &Test, changed: &str) -> Result<(), Problem> {
    let is_percentage = test.passing_value_type == PassingValueType::Percentage.word();
    let kind = if is_percentage { PassingValueType::Percentage } else { PassingValueType::Points };
    let items: Vec<TestItem> = serde_json::from_str(test.items.as_str()).map_err(Problem::unexpected)?;
    let highest = attainable(kind, &items);
    if test.passing_value <= highest {
        return Ok(());
    }
    let unit = if is_percentage { "percent" } else { "points" };
    let message = format!("leaves a passing value of {} {unit} where {highest} can be had", test.passing_value);
    Err(Problem::field(changed, &message))
}

/// The most that can be had of these items; without items, nobody knows yet.
pub(super) fn attainable(kind: PassingValueType, items: &[TestItem]) -> f64 {
    match (kind, items.is_empty()) {
        (PassingValueType::Percentage, _) => PassingValueType::Percentage.highest(),
        (PassingValueType::Points, true) => MOST_POINTS,
        (PassingValueType::Points, false) => total(items.iter().map(|item| item.score)),
    }
}

/// Scores together, without what adding decimals up in binary leaves: 0.7 and 0.1 are 0.8.
pub(crate) fn total(scores: impl Iterator<Item = f64>) -> f64 {
    const MILLIONTHS: f64 = 1e6;
    (scores.sum::<f64>() * MILLIONTHS).round() / MILLIONTHS
}
