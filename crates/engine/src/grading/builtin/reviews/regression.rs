//! What a person's grades say of an answer between them: Gaussian process regression, in closed form.
//!
//! Each graded answer says how far its grade lies from what was expected of it, and an answer is corrected by those that
//! are like it, as much as they are like it. Answers that say the same twice count less than twice, grades that
//! contradict each other cancel out, and far from everything nothing is corrected.

/// What grades scatter by that have nothing else apart: the variance of a person's judgement and of what is not measured.
const NOISE: f64 = 0.2;

/// Graded answers, ready to be asked.
pub(super) struct Regression {
    /// What each of them weighs in a correction.
    weights: Vec<f64>,
    /// How far each one's grade is from what the others and its own estimate would have said, from 0 up.
    surprises: Vec<f64>,
}

impl Regression {
    /// Solves for graded answers: how alike each is to those before it and itself, the lower triangle of a matrix without
    /// negative eigenvalues, and how far each one's grade lies from its estimate.
    pub(super) fn solve(likeness: &[Vec<f64>], residuals: &[f64]) -> Self {
        let factor = cholesky(likeness);
        let weights = substitute(&factor, residuals);
        let unit = |at: usize| (0..residuals.len()).map(|other| f64::from(u8::from(other == at))).collect::<Vec<_>>();
        // Leaving one out, in closed form: its weight over its own entry of the inverse.
        let surprise = |(at, weight): (usize, &f64)| (weight / substitute(&factor, &unit(at))[at]).abs();
        let surprises = weights.iter().enumerate().map(surprise).collect();
        Self { weights, surprises }
    }

    /// How far the grade of an answer is expected to lie from its estimate, by how alike it is to each graded one.
    pub(super) fn correction(&self, likeness: &[f64]) -> f64 {
        likeness.iter().zip(&self.weights).map(|(like, weight)| like * weight).sum()
    }

    /// How far off such corrections were for the graded answers like this one.
    pub(super) fn surprise(&self, likeness: &[f64]) -> f64 {
        // The nearest tell most.
        let (mut all, mut sum) = (0.0, 0.0);
        for (like, surprise) in likeness.iter().zip(&self.surprises) {
            let near = like.powi(3);
            all += near;
            sum += near * surprise;
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// The lower triangle whose product with itself is the matrix with noise on its diagonal.
fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
    for (at, row) in matrix.iter().enumerate() {
        let mut own = Vec::with_capacity(at + 1);
        for (to, like) in row.iter().enumerate().take(at + 1) {
            let before: &[f64] = if to == at { &own } else { &factor[to] };
            let sum: f64 = own.iter().zip(before).take(to).map(|(one, other)| one * other).sum();
            own.push(if to == at {
                (like + NOISE - sum).max(NOISE / 2.0).sqrt()
            } else {
                (like - sum) / factor[to][to]
            });
        }
        factor.push(own);
    }
    factor
}

/// Solves for a right-hand side: forwards through the triangle, then backwards.
fn substitute(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut solved: Vec<f64> = Vec::with_capacity(right.len());
    for (row, value) in factor.iter().zip(right) {
        let sum: f64 = row.iter().zip(&solved).map(|(one, other)| one * other).sum();
        let own = row.get(solved.len()).copied().unwrap_or(1.0);
        solved.push((value - sum) / own);
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

    fn triangle<const N: usize>(matrix: &[[f64; N]; N]) -> Vec<Vec<f64>> {
        matrix.iter().enumerate().map(|(at, row)| row[..=at].to_vec()).collect()
    }

    #[test]
    fn the_solution_solves_the_equations() {
        let likeness = [[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]];
        let residuals = [0.3, -0.2, 0.6];
        let solved = Regression::solve(&triangle(&likeness), &residuals);
        for (at, row) in likeness.iter().enumerate() {
            let back = solved.correction(row) + NOISE * solved.weights[at];
            assert!((back - residuals[at]).abs() < 1e-12, "{at}: {back}");
        }
    }

    #[test]
    fn surprises_are_what_leaving_one_out_gives() {
        let likeness = [[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]];
        let all = Regression::solve(&triangle(&likeness), &[0.3, -0.2, 0.6]);
        let rest = Regression::solve(&triangle(&[[1.0, 0.1], [0.1, 1.0]]), &[-0.2, 0.6]);
        assert!((all.surprises[0] - (0.3 - rest.correction(&[0.5, 0.2])).abs()).abs() < 1e-12);
    }

    #[test]
    fn equal_answers_with_contrary_grades_cancel_out() {
        let likeness = triangle(&[[1.0; 4]; 4]);
        let solved = Regression::solve(&likeness, &[0.5, -0.5, 0.5, -0.5]);
        assert!(solved.correction(&[1.0; 4]).abs() < 1e-12);
        assert!(solved.surprise(&[1.0; 4]) > 0.4);
    }
}
