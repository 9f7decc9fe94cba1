//! Spending caps of workspaces and of keys: an operator's business. [`billing::caps`] counts and refuses.

pub mod of_key;
pub mod of_workspace;

use billing::caps::{Limits, Standing, Subject, find};
use edge::body::{Body, Check, number};
use edge::problem::Problem;
use kernel::money::MicroUsd;
use serde::Serialize;
use serde_json::Number;
use store::{StoreError, Tx};

/// The highest cap, in dollars: more is a slip of the hand.
const HIGHEST_USD: f64 = 100_000_000.0;

/// Limits of spending, all of them: what is absent is none.
#[derive(Body)]
pub struct SetSpendingCaps {
    /// What a day's spending is told at; absent or null for none.
    #[field(dollars(), example = 8)]
    daily_soft_usd: Option<MicroUsd>,
    /// What a day's spending does not exceed; absent or null for none.
    #[field(dollars(), example = 10)]
    daily_hard_usd: Option<MicroUsd>,
    /// What a month's spending is told at; absent or null for none.
    #[field(dollars(), example = 80)]
    monthly_soft_usd: Option<MicroUsd>,
    /// What a month's spending does not exceed; absent or null for none.
    #[field(dollars(), example = 100)]
    monthly_hard_usd: Option<MicroUsd>,
}

impl SetSpendingCaps {
    /// The limits. A soft cap above the hard one would tell nothing.
    fn limits(&self) -> Result<Limits, Problem> {
        let is_above = |soft: Option<MicroUsd>, hard: Option<MicroUsd>| hard.is_some_and(|hard| soft > Some(hard));
        if is_above(self.daily_soft_usd, self.daily_hard_usd) {
            return Err(Problem::field("dailySoftUsd", "must not be above dailyHardUsd"));
        }
        if is_above(self.monthly_soft_usd, self.monthly_hard_usd) {
            return Err(Problem::field("monthlySoftUsd", "must not be above monthlyHardUsd"));
        }
        Ok(Limits {
            daily_soft: self.daily_soft_usd,
            daily_hard: self.daily_hard_usd,
            monthly_soft: self.monthly_soft_usd,
            monthly_hard: self.monthly_hard_usd,
        })
    }
}

/// What may be spent in a UTC day and a UTC month, and what was.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpendingCaps {
    /// What a day's spending is told at; null for none.
    #[schema(value_type = Option<f64>, required, example = 8)]
    daily_soft_usd: Option<Number>,
    /// What a day's spending does not exceed; null for none.
    #[schema(value_type = Option<f64>, required, example = 10)]
    daily_hard_usd: Option<Number>,
    /// What a month's spending is told at; null for none.
    #[schema(value_type = Option<f64>, required, example = 80)]
    monthly_soft_usd: Option<Number>,
    /// What a month's spending does not exceed; null for none.
    #[schema(value_type = Option<f64>, required, example = 100)]
    monthly_hard_usd: Option<Number>,
    /// What was spent, or is set aside, today; null where nothing is counted.
    #[schema(value_type = Option<f64>, required, example = 1.25)]
    spent_today_usd: Option<Number>,
    /// The same of this month.
    #[schema(value_type = Option<f64>, required, example = 20)]
    spent_this_month_usd: Option<Number>,
}

impl SpendingCaps {
    fn of(standing: Option<Standing>) -> Self {
        let usd = |amount: Option<MicroUsd>| amount.map(MicroUsd::to_usd_number);
        let Limits { daily_soft, daily_hard, monthly_soft, monthly_hard } =
            standing.map(|standing| standing.limits).unwrap_or_default();
        Self {
            daily_soft_usd: usd(daily_soft),
            daily_hard_usd: usd(daily_hard),
            monthly_soft_usd: usd(monthly_soft),
            monthly_hard_usd: usd(monthly_hard),
            spent_today_usd: usd(standing.map(|standing| standing.day)),
            spent_this_month_usd: usd(standing.map(|standing| standing.month)),
        }
    }

    fn load(tx: &mut Tx<'_>, subject: Subject) -> Result<Self, StoreError> {
        let now = tx.now();
        Ok(Self::of(find(tx, subject, now)?))
    }
}

/// An amount of dollars in a request.
fn dollars() -> impl Check<Value = MicroUsd> {
    // Written without an exponent, whatever its size.
    number(0.0..=HIGHEST_USD)
        .parsed(|usd: f64| MicroUsd::from_usd_text(&usd.to_string()).ok_or("must have at most six decimals"))
}

#[cfg(test)]
mod tests;
