//! How well grades agree with those that people gave, and how honest their confidences are.
//!
//! Scores are shares of the points, from 0 to 1. All functions are of one pass or two over slices that the caller keeps. A figure
//! that the answers do not determine, such as a mean of none, is NaN.

use std::collections::HashMap;
use std::hash::Hash;

/// Answers of a question from which the order within it says something.
const FEWEST_WITHIN: usize = 8;
/// A share is right within so much of the person's. A little more than a quarter, as shares are rounded.
pub const QUARTER: f64 = 0.25 + 1e-9;
/// Grades are sure from this confidence on.
const SURE: f64 = 0.8;

/// Whether a share is within a quarter of the person's.
#[must_use]
pub fn is_hit(share: f64, given: f64) -> bool {
    (share - given).abs() <= QUARTER
}

/// What is said of shares beside those that people gave.
#[derive(Clone, Copy, Debug)]
pub struct Agreement {
    /// Pearson's r; 0 where all shares are alike.
    pub r: f64,
    /// The same within questions of at least eight answers, weighed by their answers.
    pub within: f64,
    /// Root mean square error.
    pub rmse: f64,
    /// That of always giving the mean of the people's shares.
    pub rmse_of_mean: f64,
    /// Mean of the shares less that of the people's.
    pub bias: f64,
    /// Share of the answers within a quarter.
    pub hits: f64,
}

impl Agreement {
    /// Of shares, those that people gave, and the questions, in the same order.
    pub fn of<Q: Eq + Hash + Ord>(shares: &[f64], given: &[f64], questions: &[Q]) -> Self {
        let mut by_question: HashMap<&Q, (Vec<f64>, Vec<f64>)> = HashMap::new();
        for ((share, given), question) in shares.iter().zip(given).zip(questions) {
            let entry = by_question.entry(question).or_default();
            entry.0.push(*share);
            entry.1.push(*given);
        }
        // In the order of the questions: sums of floats depend on it.
        let mut by_question: Vec<_> = by_question.into_iter().collect();
        by_question.sort_unstable_by_key(|(question, _)| *question);
        let (mut sum, mut count) = (0.0, 0.0);
        for (_, (shares, given)) in by_question.iter().filter(|(_, (shares, _))| shares.len() >= FEWEST_WITHIN) {
            if deviation(given) > 0.0 {
                sum += pearson(shares, given) * shares.len() as f64;
                count += shares.len() as f64;
            }
        }
        let pairs = || shares.iter().zip(given);
        Self {
            r: pearson(shares, given),
            within: sum / count,
            rmse: mean(pairs().map(|(share, given)| (share - given).powi(2))).sqrt(),
            rmse_of_mean: deviation(given),
            bias: mean(shares.iter().copied()) - mean(given.iter().copied()),
            hits: mean(pairs().map(|(share, given)| f64::from(u8::from(is_hit(*share, *given))))),
        }
    }
}

/// How honest confidences are.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Of each fifth of the grades, from the least to the most sure: mean confidence, and share within a quarter.
    pub fifths: [(f64, f64); 5],
    /// Share of the grades with a confidence of .8 or more.
    pub sure: f64,
    /// Of those the share that is not within a quarter.
    pub wrong: f64,
}

impl Calibration {
    /// Of confidences, and whether each grade is within a quarter, in the same order.
    #[must_use]
    pub fn of(confidences: &[f64], hits: &[bool]) -> Self {
        let mut grades: Vec<(f64, f64)> =
            confidences.iter().zip(hits).map(|(sure, hit)| (*sure, f64::from(u8::from(*hit)))).collect();
        grades.sort_by(|one, other| one.0.total_cmp(&other.0));
        let bound = |fifth: usize| fifth * grades.len() / 5;
        let fifth = |at: usize| &grades[bound(at)..bound(at + 1)];
        let sure: Vec<f64> = grades.iter().filter(|(sure, _)| *sure >= SURE).map(|(_, hit)| *hit).collect();
        Self {
            fifths: std::array::from_fn(|at| {
                (mean(fifth(at).iter().map(|(sure, _)| *sure)), mean(fifth(at).iter().map(|(_, hit)| *hit)))
            }),
            sure: sure.len() as f64 / grades.len() as f64,
            wrong: 1.0 - mean(sure.iter().copied()),
        }
    }

    /// The largest difference between confidence and share within a quarter among the fifths.
    #[must_use]
    pub fn largest_gap(&self) -> f64 {
        self.fifths.iter().map(|(sure, hit)| (sure - hit).abs()).fold(0.0, f64::max)
    }
}

/// How often grades on one scale of whole points are those that people gave.
#[derive(Clone, Copy, Debug)]
pub struct PointAgreement {
    /// Share of the answers with the same points.
    pub exact: f64,
    /// Share of the answers whose points differ by one at most.
    pub adjacent: f64,
    /// Quadratic weighted kappa: 1 for the same points, 0 for what chance would give.
    pub kappa: f64,
}

impl PointAgreement {
    /// Of shares and those that people gave, in the same order, on a scale from 0 to `most` points.
    #[must_use]
    pub fn of(shares: &[f64], given: &[f64], most: u8) -> Self {
        let points = |share: &f64| (share.clamp(0.0, 1.0) * f64::from(most)).round();
        let pairs: Vec<(f64, f64)> = shares.iter().map(points).zip(given.iter().map(points)).collect();
        let share_within =
            |points: f64| mean(pairs.iter().map(|(one, other)| f64::from(u8::from((one - other).abs() <= points))));
        // The mean over all pairs of one's points with the other's.
        let (one, other) = (|| pairs.iter().map(|pair| pair.0), || pairs.iter().map(|pair| pair.1));
        let squares = mean(one().map(|points| points * points)) + mean(other().map(|points| points * points));
        let by_chance = squares - 2.0 * mean(one()) * mean(other());
        let found = mean(pairs.iter().map(|(one, other)| (one - other).powi(2)));
        Self { exact: share_within(0.5), adjacent: share_within(1.5), kappa: 1.0 - found / by_chance }
    }
}

/// The value below or at which a share of the values lies, by nearest rank; `None` without values. Sorts them.
pub fn percentile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let rank = (share.clamp(0.0, 1.0) * values.len() as f64).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied()
}

/// The mean; NaN of nothing.
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    sum / count
}

fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values.iter().copied());
    mean(values.iter().map(|value| (value - middle).powi(2))).sqrt()
}

fn pearson(one: &[f64], other: &[f64]) -> f64 {
    let (own, theirs) = (mean(one.iter().copied()), mean(other.iter().copied()));
    let product = mean(one.iter().zip(other).map(|(one, other)| (one - own) * (other - theirs)));
    let spread = deviation(one) * deviation(other);
    if spread > 1e-12 { product / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }

    #[test]
    fn agreement_is_as_worked_out_by_hand() {
        let (shares, given) = ([0.2, 0.5, 0.9, 0.6], [0.0, 0.5, 1.0, 0.0]);
        let found = Agreement::of(&shares, &given, &["q"; 4]);
        // Means .55 and .375; squares of the distances .25 and .6875, products .325.
        assert_near(found.r, 0.325 / (0.25_f64 * 0.6875).sqrt());
        assert_near(found.rmse, (0.41_f64 / 4.0).sqrt());
        assert_near(found.rmse_of_mean, (0.6875_f64 / 4.0).sqrt());
        assert_near(found.bias, 0.175);
        assert_near(found.hits, 0.75);
        assert!(found.within.is_nan(), "four answers say nothing of a question");
    }

    #[test]
    fn within_questions_differences_between_them_count_nothing() {
        let half: Vec<f64> = (0..8).map(|at| f64::from(at) / 8.0).collect();
        let shares: Vec<f64> = half.iter().chain(&half).copied().collect();
        let given: Vec<f64> = half.iter().copied().chain(half.iter().rev().copied()).collect();
        let questions: Vec<usize> = (0..16).map(|at| at / 8).collect();
        assert_near(Agreement::of(&shares, &given, &questions).within, 0.0);
        assert_near(Agreement::of(&shares[..8], &given[..8], &questions[..8]).within, 1.0);
        assert_near(Agreement::of(&[0.5; 8], &half, &[1; 8]).within, 0.0);
    }

    #[test]
    fn fifths_go_from_the_least_to_the_most_sure() {
        let confidences = [0.9, 0.1, 0.3, 0.2, 0.5, 0.6, 0.7, 0.4, 0.8, 1.0];
        let hits = confidences.map(|sure| sure > 0.35 && sure != 0.9);
        let found = Calibration::of(&confidences, &hits);
        for ((sure, hit), (expected, right)) in
            found.fifths.into_iter().zip([(0.15, 0.0), (0.35, 0.5), (0.55, 1.0), (0.75, 1.0), (0.95, 0.5)])
        {
            assert_near(sure, expected);
            assert_near(hit, right);
        }
        assert_near(found.sure, 0.3);
        assert_near(found.wrong, 1.0 / 3.0);
        assert_near(found.largest_gap(), 0.45);
        assert!(Calibration::of(&[0.5], &[true]).wrong.is_nan(), "nobody is sure");
    }

    #[test]
    fn points_agree_as_worked_out_by_hand() {
        // Points 0 1 2 2 beside 0 2 2 0: squared differences 0 1 0 4.
        let found = PointAgreement::of(&[0.0, 0.5, 1.0, 0.9], &[0.0, 1.0, 1.0, 0.1], 2);
        assert_near(found.exact, 0.5);
        assert_near(found.adjacent, 0.75);
        // Each of 0 1 2 2 with each of 0 2 2 0: 8 + 4 + 8 + 8 = 28 of 16 pairs.
        assert_near(found.kappa, 1.0 - (5.0 / 4.0) / (28.0 / 16.0));
        assert_near(PointAgreement::of(&[0.0, 1.0], &[0.0, 1.0], 4).kappa, 1.0);
        assert!(PointAgreement::of(&[1.0; 3], &[1.0; 3], 4).kappa.is_nan(), "chance gives the same");
    }

    #[test]
    fn percentiles_are_values_that_were_there() {
        let mut values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(
            [0.5, 0.95, 0.99, 1.0, 0.0].map(|share| percentile(&mut values, share)),
            [50.0, 95.0, 99.0, 100.0, 1.0].map(Some)
        );
        assert_eq!(percentile(&mut [7.0], 0.5), Some(7.0));
        assert_eq!(percentile(&mut [], 0.5), None);
    }
}
