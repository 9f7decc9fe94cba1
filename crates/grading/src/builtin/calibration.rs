//! From features to the share of the points that a person would give, and how sure that is.
//!
//! A logistic curve over the features, fitted to graded answers: for the order of the answers and so that the
//! shares are those that people give. Alike measures of the same thing keep nearly the same weight, because sets
//! of answers differ in which of them tells most. How and on what: `docs/grading.md`.

use super::features::Features;

/// What each feature adds, in the order of [`values`].
const WEIGHTS: [f64; 14] = [0.47, 0.47, 0.41, 0.44, 0.57, 0.47, 0.46, 0.47, 0.49, 0.26, -0.17, -0.14, 0.17, -0.28];
const OFFSET: f64 = -1.26;
/// Of references longer than [`USUAL`], answers need less; both are logarithms of words.
const LONGER: f64 = 0.17;
const USUAL: f64 = 2.6;
const LONGEST: f64 = 4.7;
/// Where points are marked, a mention of what they stand at earns them.
const MARKED: f64 = 0.9;
/// With many references one fits by chance.
const CHOICE: f64 = -0.3;

/// The share of the points, from 0 to 1.
pub(super) fn share(features: &Features) -> f64 {
    curve(features) * evidence(features)
}

/// The same for an answer that speaks of the matter.
fn curve(features: &Features) -> f64 {
    logistic(log_odds(features))
}

/// The log-odds of a point for an answer that speaks of the matter.
pub(super) fn log_odds(features: &Features) -> f64 {
    let said: f64 = parts(features).iter().sum();
    let longer = (features.reference_length.min(LONGEST) - USUAL).max(0.0);
    let lenience = LONGER * longer + MARKED * features.marked + CHOICE * features.references;
    said + lenience + OFFSET
}

/// What each feature adds to the log-odds.
pub(super) fn parts(features: &Features) -> [f64; 14] {
    let mut parts = values(features);
    parts.iter_mut().zip(WEIGHTS).for_each(|(value, weight)| *value *= weight);
    parts
}

/// The share that log-odds stand for.
pub(super) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The features in the order of the weights.
fn values(features: &Features) -> [f64; 14] {
    [
        features.recall,
        features.new_recall,
        features.precision,
        features.f1,
        features.letters,
        features.neighbours,
        features.ideas,
        features.best_idea,
        features.length,
        features.own_words,
        features.foreign,
        features.denial,
        features.verdict,
        features.numbers,
    ]
}

/// An answer that has nothing of what the reference adds to the question earns little, and next to nothing when
/// it speaks of other matters, however fluent it is. A word or two in common with a long reference is chance.
fn evidence(features: &Features) -> f64 {
    let ramp = |value: f64, from: f64, to: f64| ((value - from) / (to - from)).clamp(0.0, 1.0);
    let known = 1.0 - features.foreign;
    if features.verdict > 0.0 {
        return 1.0;
    }
    if features.support == 0.0 {
        return 0.05 + 0.25 * ramp(known, 0.1, 0.4);
    }
    let related = [ramp(known, 0.15, 0.25), ramp(features.new_recall, 0.2, 0.35), ramp(features.support, 3.5, 6.0)];
    0.05 + 0.95 * related.into_iter().fold(0.0, f64::max)
}

/// How sure a share is: a middling one is the likeliest to be wrong.
pub(super) fn confidence(share: f64) -> f64 {
    0.35 + 0.6 * (2.0 * share - 1.0).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_of_the_reference_never_earns_less() {
        let less = Features { recall: 0.3, new_recall: 0.3, support: 2.0, ..Features::default() };
        let more = Features { recall: 0.6, new_recall: 0.7, ideas: 0.5, support: 4.0, ..less };
        assert!(share(&more) > share(&less));
    }

    #[test]
    fn nothing_of_the_reference_earns_next_to_nothing() {
        let fluent = Features { own_words: 3.0, length: 0.3, recall: 0.4, foreign: 1.0, ..Features::default() };
        assert!(share(&fluent) < 0.06);
    }
}
