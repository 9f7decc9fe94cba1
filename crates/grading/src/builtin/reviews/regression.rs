//! What a person's grades say of an answer between them: logistic regression with a Gaussian process, where it is most likely.
//!
//! Each graded answer says how far the log-odds of a point lie from what was expected of it, and an answer is corrected by
//! those that are like it, as much as they are like it. Answers that say the same twice count less than twice, grades that
//! contradict each other cancel out, and far from everything nothing is corrected. In log-odds, because a grade of 0 or 1
//! that was expected teaches little, however sure the expectation was.

use super::super::scorer::logistic;

/// Most steps towards the likeliest correction, which is found in about six, and the gain below which it is found.
const MOST_STEPS: usize = 50;
const FOUND: f64 = 1e-9;
/// The shortest part of a step that is tried.
const SHORTEST: f64 = 1e-3;
/// Least weight of a grade that was expected wholly.
const LEAST_WEIGHT: f64 = 1e-6;
/// Grades that are taken to be all or nothing beside those that are given, and the most that a grade is worth.
const ALL_OR_NOTHING: f64 = 3.0;
const MOST_WORTH: f64 = 10.0;

/// Graded answers, ready to be asked.
pub(super) struct Regression {
    /// What each of them weighs in a correction.
    weights: Vec<f64>,
    /// The share that the others and its own estimate would have given each of them.
    alone: Vec<f64>,
}

impl Regression {
    /// Solves for graded answers: how alike each is to those before it and itself, the lower triangle of a matrix without
    /// negative eigenvalues; the log-odds that were expected of each, and its grade as a share from 0 to 1.
    pub(super) fn solve(likeness: &[Vec<f64>], expected: &[f64], shares: &[f64]) -> Self {
        let grades = Grades { likeness, expected, shares, worth: worth(shares) };
        let mut state = grades.at(vec![0.0; shares.len()]);
        for _ in 0..MOST_STEPS {
            let next = grades.step(&state);
            let gain = next.likelihood - state.likelihood;
            if gain > 0.0 {
                state = next;
            }
            if gain <= FOUND {
                break;
            }
        }
        let alone = grades.alone(&state);
        Self { weights: state.weights, alone }
    }

    /// How far the log-odds of an answer are expected to lie from its estimate, by how alike it is to each graded one.
    pub(super) fn correction(&self, likeness: &[f64]) -> f64 {
        dot(likeness, &self.weights)
    }

    /// The share that the others and its own estimate would have given each graded answer.
    pub(super) fn alone(&self) -> &[f64] {
        &self.alone
    }
}

/// How many grades of all or nothing one of these is worth: where grades lie close together, less of them is chance.
fn worth(shares: &[f64]) -> f64 {
    let count = shares.len() as f64;
    let mean = (shares.iter().sum::<f64>() / count.max(1.0)).clamp(0.01, 0.99);
    let most = mean * (1.0 - mean);
    let spread: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
    ((count + ALL_OR_NOTHING) * most / (spread + ALL_OR_NOTHING * most)).min(MOST_WORTH)
}

/// What is to be explained.
struct Grades<'g> {
    likeness: &'g [Vec<f64>],
    expected: &'g [f64],
    shares: &'g [f64],
    worth: f64,
}

/// An explanation.
struct State {
    weights: Vec<f64>,
    /// What it adds to the log-odds of each answer.
    added: Vec<f64>,
    /// Its logarithm, but for what is the same for all of them.
    likelihood: f64,
}

impl Grades<'_> {
    fn at(&self, weights: Vec<f64>) -> State {
        let added = product(self.likeness, &weights);
        let of = |((add, expected), share): ((&f64, &f64), &f64)| {
            let log_odds = expected + add;
            // ln(1 + e^x) without overflow.
            share * log_odds - log_odds.max(0.0) - (-log_odds.abs()).exp().ln_1p()
        };
        let said: f64 = added.iter().zip(self.expected).zip(self.shares).map(of).sum();
        let likelihood = self.worth * said - dot(&added, &weights) / 2.0;
        State { weights, added, likelihood }
    }

    /// Newton's step, or as much of it as makes the explanation likelier.
    fn step(&self, from: &State) -> State {
        let (rises, slopes) = self.slopes(from);
        let factor = cholesky(self.likeness, &slopes);
        let wanted: Vec<f64> =
            rises.iter().zip(&slopes).zip(&from.added).map(|((rise, slope), add)| slope * add + rise).collect();
        let right = product(self.likeness, &wanted);
        let right: Vec<f64> = right.iter().zip(&slopes).map(|(value, slope)| value * slope.sqrt()).collect();
        let solved = substitute(&factor, &right);
        let target = wanted.iter().zip(&slopes).zip(solved).map(|((value, slope), less)| value - slope.sqrt() * less);
        let way: Vec<f64> = target.zip(&from.weights).map(|(to, weight)| to - weight).collect();
        let mut length = 1.0;
        loop {
            let next = self.at(from.weights.iter().zip(&way).map(|(weight, way)| weight + length * way).collect());
            if next.likelihood > from.likelihood || length < SHORTEST {
                return next;
            }
            length /= 2.0;
        }
    }

    /// How far the grade of each answer lies from what is explained, and how fast that changes with the log-odds.
    fn slopes(&self, state: &State) -> (Vec<f64>, Vec<f64>) {
        let share = |(add, expected): (&f64, &f64)| logistic(expected + add);
        let explained: Vec<f64> = state.added.iter().zip(self.expected).map(share).collect();
        let rises = explained.iter().zip(self.shares).map(|(share, given)| self.worth * (given - share)).collect();
        let slopes = explained.iter().map(|share| (self.worth * share * (1.0 - share)).max(LEAST_WEIGHT)).collect();
        (rises, slopes)
    }

    /// What the others say of each graded answer, in closed form: with the slopes as they are.
    fn alone(&self, state: &State) -> Vec<f64> {
        let (rises, slopes) = self.slopes(state);
        let factor = cholesky(self.likeness, &slopes);
        let of = |at: usize| {
            let unit: Vec<f64> = (0..rises.len()).map(|other| f64::from(u8::from(other == at))).collect();
            let own = slopes[at] * substitute(&factor, &unit)[at];
            logistic(self.expected[at] + state.added[at] + rises[at] / slopes[at] - rises[at] / own)
        };
        (0..rises.len()).map(of).collect()
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// A symmetric matrix, given by its lower triangle, times a vector.
fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; vector.len()];
    for (at, row) in matrix.iter().enumerate() {
        for (to, value) in row.iter().enumerate() {
            found[at] += value * vector[to];
            found[to] += if to == at { 0.0 } else { value * vector[at] };
        }
    }
    found
}

/// The lower triangle whose product with itself is the matrix, each entry times the roots of its row's and column's slopes,
/// with ones added to the diagonal.
fn cholesky(matrix: &[Vec<f64>], slopes: &[f64]) -> Vec<Vec<f64>> {
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
    for (at, row) in matrix.iter().enumerate() {
        let mut own = Vec::with_capacity(at + 1);
        for (to, like) in row.iter().enumerate().take(at + 1) {
            let scaled = like * (slopes[at] * slopes[to]).sqrt();
            let before: &[f64] = if to == at { &own } else { &factor[to] };
            let sum: f64 = own.iter().zip(before).take(to).map(|(one, other)| one * other).sum();
            own.push(if to == at { (1.0 + scaled - sum).max(0.5).sqrt() } else { (scaled - sum) / factor[to][to] });
        }
        factor.push(own);
    }
    factor
}

/// Solves for a right-hand side: forwards through the triangle, then backwards.
fn substitute(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut solved: Vec<f64> = Vec::with_capacity(right.len());
    for (row, value) in factor.iter().zip(right) {
        let own = row.get(solved.len()).copied().unwrap_or(1.0);
        solved.push((value - dot(row, &solved)) / own);
    }
    for at in (0..solved.len()).rev() {
        let below: f64 = (at + 1..solved.len()).map(|to| factor[to][at] * solved[to]).sum();
        solved[at] = (solved[at] - below) / factor[at][at];
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIKENESS: [[f64; 4]; 4] =
        [[9.0, 5.0, 2.0, 1.0], [5.0, 9.0, 1.0, 3.0], [2.0, 1.0, 9.0, 4.0], [1.0, 3.0, 4.0, 9.0]];
    const EXPECTED: [f64; 4] = [0.5, -1.0, 3.0, -4.0];
    const SHARES: [f64; 4] = [1.0, 0.25, 0.0, 1.0];

    fn triangle<const N: usize>(matrix: &[[f64; N]; N]) -> Vec<Vec<f64>> {
        matrix.iter().enumerate().map(|(at, row)| row[..=at].to_vec()).collect()
    }

    #[test]
    fn nothing_near_the_solution_is_likelier() {
        let likeness = triangle(&LIKENESS);
        let solved = Regression::solve(&likeness, &EXPECTED, &SHARES);
        let grades = Grades { likeness: &likeness, expected: &EXPECTED, shares: &SHARES, worth: worth(&SHARES) };
        let best = grades.at(solved.weights.clone()).likelihood;
        for at in 0..4 {
            for step in [-0.01, 0.01] {
                let mut other = solved.weights.clone();
                other[at] += step;
                assert!(grades.at(other).likelihood < best, "{at} {step}");
            }
        }
    }

    #[test]
    fn grades_move_answers_towards_them_and_most_where_they_were_least_expected() {
        let likeness = triangle(&LIKENESS);
        let solved = Regression::solve(&likeness, &EXPECTED, &SHARES);
        let corrections = LIKENESS.map(|row| solved.correction(&row));
        assert!(corrections[2] < -2.0 && corrections[3] > 2.0, "{corrections:?}");
        let expected = EXPECTED.map(logistic);
        let as_expected = Regression::solve(&likeness, &EXPECTED, &expected);
        assert!(LIKENESS.iter().all(|row| as_expected.correction(row).abs() < 1e-6));
    }

    #[test]
    fn what_the_others_say_of_an_answer_is_about_what_leaving_it_out_gives() {
        let all = Regression::solve(&triangle(&LIKENESS), &EXPECTED, &SHARES);
        let rest = [[9.0, 1.0, 3.0], [1.0, 9.0, 4.0], [3.0, 4.0, 9.0]];
        let rest = Regression::solve(&triangle(&rest), &EXPECTED[1..], &SHARES[1..]);
        let alone = logistic(EXPECTED[0] + rest.correction(&LIKENESS[0][1..]));
        assert!((all.alone[0] - alone).abs() < 0.1, "{} {alone}", all.alone[0]);
    }

    #[test]
    fn equal_answers_with_contrary_grades_cancel_out() {
        let likeness = triangle(&[[9.0; 4]; 4]);
        let solved = Regression::solve(&likeness, &[0.0; 4], &[1.0, 0.0, 1.0, 0.0]);
        assert!(solved.correction(&[9.0; 4]).abs() < 1e-9);
    }

    #[test]
    fn grades_close_together_are_worth_more_than_all_or_nothing() {
        assert!((worth(&[0.0, 1.0, 1.0, 0.0]) - 1.0).abs() < 1e-9);
        assert!(worth(&[0.5, 0.6, 0.55, 0.45, 0.5]) > 2.0);
        assert!(worth(&[0.5; 64]) <= MOST_WORTH && worth(&[]) >= 1.0);
    }

    #[test]
    fn expectations_of_any_size_are_bounded() {
        let likeness = triangle(&LIKENESS);
        for expected in [[40.0; 4], [-40.0; 4], [0.0; 4]] {
            for shares in [[0.0; 4], [1.0; 4], SHARES] {
                let solved = Regression::solve(&likeness, &expected, &shares);
                assert!(solved.weights.iter().chain(&solved.alone).all(|value| value.is_finite()));
                assert!(solved.alone.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }
}
