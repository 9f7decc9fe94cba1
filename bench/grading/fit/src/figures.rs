//! How well shares agree with teachers'.

use std::collections::BTreeMap;

/// Answers of a question from which the order within it says something.
const FEWEST_WITHIN: usize = 8;
/// A share is right within so much of the teacher's.
const QUARTER: f64 = 0.25 + 1e-9;
/// Grades are sure from this confidence on.
const SURE: f64 = 0.8;

/// Whether a share is within a quarter of the teacher's.
pub(crate) fn is_hit(share: f64, given: f64) -> bool {
    (share - given).abs() <= QUARTER
}

/// What is said of shares beside those that teachers gave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreement {
    /// Pearson's r.
    pub(crate) r: f64,
    /// The same within questions, weighed by their answers; NaN where no question has enough of them.
    pub(crate) within: f64,
    /// Root mean square error, and that of always giving the mean.
    pub(crate) rmse: f64,
    pub(crate) rmse_of_mean: f64,
    /// Mean of the shares less that of the teachers'.
    pub(crate) bias: f64,
    /// Share of the answers within a quarter.
    pub(crate) hits: f64,
}

impl Agreement {
    pub(crate) fn of(shares: &[f64], given: &[f64], questions: &[&str]) -> Self {
        let mut by_question: BTreeMap<&str, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
        for ((share, given), question) in shares.iter().zip(given).zip(questions) {
            let entry = by_question.entry(question).or_default();
            entry.0.push(*share);
            entry.1.push(*given);
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for (shares, given) in by_question.values().filter(|(shares, _)| shares.len() >= FEWEST_WITHIN) {
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
pub(crate) struct Calibration {
    /// Of each fifth of the grades, from the least to the most sure: mean confidence, and share within a quarter.
    pub(crate) fifths: Vec<(f64, f64)>,
    /// Share of the grades that are sure, and of those the share that is not within a quarter.
    pub(crate) sure: f64,
    pub(crate) wrong: f64,
}

impl Calibration {
    pub(crate) fn of(confidences: &[f64], hits: &[bool]) -> Self {
        let mut grades: Vec<(f64, f64)> =
            confidences.iter().zip(hits).map(|(sure, hit)| (*sure, f64::from(u8::from(*hit)))).collect();
        grades.sort_by(|one, other| one.0.total_cmp(&other.0));
        let bound = |fifth: usize| fifth * grades.len() / 5;
        let fifth = |at: usize| &grades[bound(at)..bound(at + 1)];
        let sure: Vec<f64> = grades.iter().filter(|(sure, _)| *sure >= SURE).map(|(_, hit)| *hit).collect();
        Self {
            fifths: (0..5)
                .map(|at| (mean(fifth(at).iter().map(|(sure, _)| *sure)), mean(fifth(at).iter().map(|(_, hit)| *hit))))
                .collect(),
            sure: sure.len() as f64 / grades.len() as f64,
            wrong: 1.0 - mean(sure.iter().copied()),
        }
    }

    pub(crate) fn largest_gap(&self) -> f64 {
        self.fifths.iter().map(|(sure, hit)| (sure - hit).abs()).fold(0.0, f64::max)
    }
}

pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
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
