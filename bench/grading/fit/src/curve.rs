//! Logistic regression with a ridge and bounds on the weights' signs.

/// A row to be explained.
pub(crate) struct Case {
    pub(crate) inputs: Vec<f64>,
    /// From 0 to 1.
    pub(crate) share: f64,
    /// What it weighs beside the others.
    pub(crate) weight: f64,
}

/// A curve: what each input counts, and what is added.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) weights: Vec<f64>,
    pub(crate) offset: f64,
}

const MOST_STEPS: usize = 200;
const FOUND: f64 = 1e-12;

impl Curve {
    pub(crate) fn at(&self, inputs: &[f64]) -> f64 {
        logistic(self.log_odds(inputs))
    }

    fn log_odds(&self, inputs: &[f64]) -> f64 {
        inputs.iter().zip(&self.weights).map(|(input, weight)| input * weight).sum::<f64>() + self.offset
    }

    /// The curve with the least cross entropy, the cases weighed to one in all, and a ridge on the weights; `signs` says which
    /// weights may not be negative (1) or positive (-1). Newton's steps on those that are not held at a bound.
    pub(crate) fn fit(cases: &[Case], signs: &[f64], ridge: f64) -> Self {
        let all: f64 = cases.iter().map(|case| case.weight).sum();
        let mut curve = Self { weights: vec![0.0; signs.len()], offset: 0.0 };
        let mut loss = curve.loss(cases, all, ridge);
        for _ in 0..MOST_STEPS {
            let (gradient, hessian) = curve.slopes(cases, all, ridge);
            let is_held = |at: usize| {
                signs.get(at).is_some_and(|sign| *sign != 0.0 && curve.weights[at] == 0.0 && gradient[at] * sign > 0.0)
            };
            let free: Vec<usize> = (0..=signs.len()).filter(|at| !is_held(*at)).collect();
            let step = solve(&free, &gradient, &hessian);
            let mut length = 1.0;
            let (next, next_loss) = loop {
                let next = curve.moved(&free, &step, length, signs);
                let next_loss = next.loss(cases, all, ridge);
                if next_loss <= loss || length < 1e-9 {
                    break (next, next_loss);
                }
                length /= 2.0;
            };
            let gain = loss - next_loss;
            if gain > 0.0 {
                (curve, loss) = (next, next_loss);
            }
            if gain <= FOUND {
                break;
            }
        }
        curve
    }

    fn moved(&self, free: &[usize], step: &[f64], length: f64, signs: &[f64]) -> Self {
        let mut next = self.clone();
        for (at, by) in free.iter().zip(step) {
            match signs.get(*at) {
                None => next.offset -= length * by,
                Some(sign) => {
                    let moved = next.weights[*at] - length * by;
                    next.weights[*at] = if *sign != 0.0 && moved * sign < 0.0 { 0.0 } else { moved };
                }
            }
        }
        next
    }

    fn loss(&self, cases: &[Case], all: f64, ridge: f64) -> f64 {
        let of = |case: &Case| {
            let log_odds = self.log_odds(&case.inputs);
            case.weight * (log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p() - case.share * log_odds)
        };
        let square: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        cases.iter().map(of).sum::<f64>() / all + ridge * square / 2.0
    }

    /// Gradient and Hessian; the offset is the last.
    fn slopes(&self, cases: &[Case], all: f64, ridge: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.weights.len() + 1;
        let (mut gradient, mut hessian) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        for case in cases {
            let share = self.at(&case.inputs);
            let weight = case.weight / all;
            let (error, curvature) = (weight * (share - case.share), weight * share * (1.0 - share));
            let inputs = || case.inputs.iter().copied().chain([1.0]);
            for (row, one) in inputs().enumerate() {
                gradient[row] += error * one;
                for (column, other) in inputs().enumerate().take(row + 1) {
                    hessian[row][column] += curvature * one * other;
                }
            }
        }
        for (at, weight) in self.weights.iter().enumerate() {
            gradient[at] += ridge * weight;
            hessian[at][at] += ridge;
        }
        (gradient, hessian)
    }
}

/// The Newton step of the free ones: Hessian times step is the gradient. By Cholesky.
fn solve(free: &[usize], gradient: &[f64], hessian: &[Vec<f64>]) -> Vec<f64> {
    let at = |row: usize, column: usize| hessian[row.max(column)][row.min(column)];
    let mut factor: Vec<Vec<f64>> = Vec::new();
    for (row, place) in free.iter().enumerate() {
        let mut own: Vec<f64> = Vec::new();
        for column in 0..=row {
            let before: &[f64] = if column == row { &own } else { &factor[column] };
            let sum: f64 = own.iter().zip(before).take(column).map(|(one, other)| one * other).sum();
            let value = at(*place, free[column]) - sum;
            own.push(if column == row { value.max(1e-12).sqrt() } else { value / factor[column][column] });
        }
        factor.push(own);
    }
    let mut solved: Vec<f64> = Vec::new();
    for (row, place) in free.iter().enumerate() {
        let sum: f64 = factor[row].iter().zip(&solved).map(|(one, other)| one * other).sum();
        solved.push((gradient[*place] - sum) / factor[row][row]);
    }
    for row in (0..free.len()).rev() {
        let below: f64 = (row + 1..free.len()).map(|to| factor[to][row] * solved[to]).sum();
        solved[row] = (solved[row] - below) / factor[row][row];
    }
    solved
}

pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> Vec<Case> {
        let case = |one: f64, two: f64, share: f64| Case { inputs: vec![one, two], share, weight: 1.0 };
        vec![case(0.0, 1.0, 0.1), case(0.5, 0.2, 0.4), case(1.0, 0.9, 0.8), case(0.9, 0.1, 0.9), case(0.1, 0.5, 0.3)]
    }

    #[test]
    fn nothing_near_the_fit_is_better() {
        let (cases, ridge) = (cases(), 0.01);
        let best = Curve::fit(&cases, &[0.0, 0.0], ridge);
        for at in 0..3 {
            for step in [-0.01, 0.01] {
                let mut other = best.clone();
                *other.weights.get_mut(at).unwrap_or(&mut other.offset) += step;
                assert!(other.loss(&cases, 5.0, ridge) > best.loss(&cases, 5.0, ridge), "{at} {step}");
            }
        }
    }

    #[test]
    fn weights_keep_their_signs() {
        let free = Curve::fit(&cases(), &[0.0, 0.0], 0.01);
        assert!(free.weights[0] > 0.0 && free.weights[1] < 0.0, "{free:?}");
        let held = Curve::fit(&cases(), &[1.0, 1.0], 0.01);
        assert!(held.weights[0] > 0.0 && held.weights[1] == 0.0, "{held:?}");
    }
}
