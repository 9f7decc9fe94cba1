//! From features to the share of the points that a teacher is expected to give, and the probability that the teacher's share is
//! within a quarter of it.
//!
//! Both are logistic curves, fitted to answers that teachers graded. `weights.json` has their weights and says what they come from;
//! `bench/grading/fit` makes it from the graded answers. How, and how well it does: `docs/grading.md`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::features::{Comparison, Features};

/// The names of the features, in the order of [`Measured::values`].
pub const FEATURES: [&str; Features::NAMES.len()] = Features::NAMES;
/// The sign that the weight of each feature may have; any where it is 0.
pub const SIGNS: [f64; FEATURES.len()] = Features::SIGNS;

/// Shares from here on are high, and up to there low.
const HIGH: f64 = 0.75;
const LOW: f64 = 0.25;
/// Where a part of the points can be given, a middling share is as likely right as beside a reference of this detail.
const PARTIAL_DETAIL: f64 = 0.75;

/// The weights of both curves, by the names of what they weigh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Of the share, by the names of the features.
    pub share: Curve,
    /// Of the confidence.
    pub confidence: Curve,
    /// What more points than one add to the log-odds of a share: where there is more than all or nothing to give, teachers give
    /// a part of it.
    pub partial_credit: f64,
    /// The graded answers behind them.
    pub provenance: BTreeMap<String, Provenance>,
}

/// A logistic curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What is added to all.
    pub offset: f64,
    /// What each input counts.
    pub weights: BTreeMap<String, f64>,
}

/// A collection of graded answers that weights were fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// How many answers.
    pub answers: usize,
    /// To how many questions.
    pub questions: usize,
    /// The mean of the teachers' shares.
    pub mean: f64,
}

macro_rules! confidence_inputs {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What the confidence is told by.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct ConfidenceInputs { $($(#[$doc])* pub $name: f64,)* }

        impl ConfidenceInputs {
            /// Their names, in the order of [`ConfidenceInputs::values`].
            pub const NAMES: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// All of them.
            #[must_use]
            pub fn values(&self) -> [f64; Self::NAMES.len()] {
                [$(self.$name),*]
            }
        }
    };
}

confidence_inputs! {
    /// 1 for a high share.
    high,
    /// 1 for a low share.
    low,
    /// How far a high share is above the bound, from 0 to 1.
    high_by,
    /// How far a low share is below the bound, from 0 to 1.
    low_by,
    /// For other shares: how detailed the reference is.
    middle_detail,
    /// For a low share: how much the answer says of its own.
    low_own,
    /// For a high share: how near the answer is to the reference.
    high_f1,
    /// For a high share: how short the reference is.
    high_short,
    /// For other shares: 1 where points stand in the reference.
    middle_marked,
}

/// What is measured of an answer, as the scorer takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    features: Features,
    detail: f64,
    short: f64,
    own: usize,
}

impl From<&Comparison> for Measured {
    fn from(comparison: &Comparison) -> Self {
        let Comparison { features, detail, short, own, .. } = *comparison;
        Self { features, detail, short, own }
    }
}

impl Measured {
    /// The values of the features, in the order of their names.
    #[must_use]
    pub fn values(&self) -> [f64; FEATURES.len()] {
        self.features.values()
    }

    /// What the confidence of a share is told by.
    #[must_use]
    pub fn confidence_inputs(&self, share: f64) -> ConfidenceInputs {
        let is = |holds: bool| f64::from(u8::from(holds));
        let (high, low) = (is(share >= HIGH), is(share <= LOW));
        ConfidenceInputs {
            high,
            low,
            high_by: high * (share - HIGH) * 4.0,
            low_by: low * (LOW - share) * 4.0,
            middle_detail: (1.0 - high - low) * self.detail,
            low_own: low * ((self.own as f64).ln_1p().min(3.0) - 1.1).max(0.0),
            high_f1: high * self.features.f1,
            high_short: high * self.short,
            middle_marked: (1.0 - high - low) * self.features.marked,
        }
    }
}

static WEIGHTS: LazyLock<Prepared> = LazyLock::new(|| {
    let weights: Weights =
        serde_json::from_str(include_str!("weights.json")).expect("the weights were written by the fit");
    Prepared::of(&weights)
});

/// The weights in the order of the inputs.
struct Prepared {
    share: [f64; Features::NAMES.len()],
    share_offset: f64,
    confidence: [f64; ConfidenceInputs::NAMES.len()],
    confidence_offset: f64,
    partial_credit: f64,
}

impl Prepared {
    fn of(weights: &Weights) -> Self {
        let of = |curve: &Curve, name: &str| curve.weights.get(name).copied().unwrap_or(0.0);
        Self {
            share: Features::NAMES.map(|name| of(&weights.share, name)),
            share_offset: weights.share.offset,
            confidence: ConfidenceInputs::NAMES.map(|name| of(&weights.confidence, name)),
            confidence_offset: weights.confidence.offset,
            partial_credit: weights.partial_credit,
        }
    }
}

/// A share with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    /// The expected share of the points, from 0 to 1.
    pub(super) share: f64,
    /// The probability that a teacher's share is within a quarter of it.
    pub(super) confidence: f64,
}

/// The log-odds of a point for an answer to a question with so many points.
pub(super) fn log_odds(features: &Features, max_score: f64) -> f64 {
    let more = if max_score > 1.0 { WEIGHTS.partial_credit } else { 0.0 };
    parts(features).iter().sum::<f64>() + WEIGHTS.share_offset + more
}

/// What each feature adds to them.
pub(super) fn parts(features: &Features) -> [f64; Features::NAMES.len()] {
    let mut parts = features.values();
    parts.iter_mut().zip(WEIGHTS.share).for_each(|(value, weight)| *value *= weight);
    parts
}

/// Scores an answer by how it compares.
pub(super) fn score(comparison: &Comparison, max_score: f64) -> Scored {
    let share = logistic(log_odds(&comparison.features, max_score));
    let mut measured = Measured::from(comparison);
    if max_score > 1.0 {
        measured.detail = measured.detail.max(PARTIAL_DETAIL);
    }
    let inputs = measured.confidence_inputs(share).values();
    let sure: f64 = inputs.iter().zip(WEIGHTS.confidence).map(|(value, weight)| value * weight).sum();
    Scored { share, confidence: logistic(sure + WEIGHTS.confidence_offset) }
}

/// The share that log-odds stand for.
pub(super) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
