//! The points of a whole test, and whether they pass.

use super::Mark;

/// The points of a whole test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// Points for right answers.
    pub(crate) earned: f64,
    /// Points of the items that are graded here.
    pub(crate) gradable: f64,
    /// Points of the items that a person has to grade.
    pub(crate) open: f64,
    /// Earned points that a person may take away.
    pub(crate) doubtful: f64,
    /// Points that a person may add to items that are graded here.
    pub(crate) possible: f64,
}

/// What it takes to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passing {
    /// A share of all points, in percent.
    Percentage(f64),
    /// So many points.
    Points(f64),
}

impl Passing {
    /// The points that it takes, of so many in all.
    pub(crate) fn points(self, total: f64) -> f64 {
        match self {
            Self::Percentage(percent) => total * percent / 100.0,
            Self::Points(points) => points,
        }
    }
}

/// Whether a test is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Whatever a person decides.
    Passed,
    /// Whatever a person decides.
    NotPassed,
    /// It depends on points that a person gives or changes.
    Undecided,
}

/// Sums of scores differ from what a person would sum in their last bits.
const ROUNDING: f64 = 1e-9;

impl Score {
    /// Counts an item.
    pub(crate) fn add(&mut self, points: f64, mark: &Mark) {
        let Some(share) = mark.share else {
            self.open += points;
            return;
        };
        self.earned += points * share;
        self.gradable += points;
        if mark.is_estimate {
            self.doubtful += points * share;
            self.possible += points * (1.0 - share);
        }
    }

    /// Earned points as a share of those that could be earned here, 0 to 100; `None` when none could.
    pub(crate) fn percent(&self) -> Option<f64> {
        (self.gradable > 0.0).then(|| 100.0 * self.earned / self.gradable)
    }

    /// Whether no person has to look at an answer.
    pub(crate) fn is_final(&self) -> bool {
        self.open + self.doubtful + self.possible <= 0.0
    }

    /// Whether that passes; what a person decides may still turn it either way.
    pub(crate) fn outcome(&self, passing: Passing) -> Outcome {
        let total = self.gradable + self.open;
        if total <= 0.0 {
            return Outcome::Undecided;
        }
        let needed = passing.points(total);
        if self.earned - self.doubtful + ROUNDING >= needed {
            Outcome::Passed
        } else if self.earned + self.possible + self.open + ROUNDING < needed {
            Outcome::NotPassed
        } else {
            Outcome::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_points_leave_it_open_only_while_they_matter() {
        let score = |earned: f64, open: f64| Score { earned, gradable: 10.0, open, ..Score::default() };
        let half = Passing::Percentage(50.0);
        assert_eq!(score(5.0, 0.0).outcome(half), Outcome::Passed);
        assert_eq!(score(4.9, 0.0).outcome(half), Outcome::NotPassed);
        assert_eq!(score(6.0, 2.0).outcome(half), Outcome::Passed);
        assert_eq!(score(5.0, 2.0).outcome(half), Outcome::Undecided);
        assert_eq!(score(1.0, 2.0).outcome(half), Outcome::NotPassed);
        assert_eq!(score(5.0, 2.0).outcome(Passing::Points(7.0)), Outcome::Undecided);
        assert_eq!(Score::default().outcome(half), Outcome::Undecided);
        let thirds = Score { earned: 0.1 + 0.2, gradable: 0.3, ..Score::default() };
        assert_eq!(thirds.outcome(Passing::Percentage(100.0)), Outcome::Passed);
        assert_eq!(Score { earned: 1.0, gradable: 4.0, open: 5.0, ..Score::default() }.percent(), Some(25.0));
        assert_eq!(Score { open: 5.0, ..Score::default() }.percent(), None);
    }

    #[test]
    fn points_that_are_an_estimate_leave_it_open_only_while_they_matter() {
        let mut score = Score::default();
        score.add(6.0, &Mark::of_share(1.0));
        score.add(4.0, &Mark { is_estimate: true, ..Mark::of_share(0.5) });
        assert!(!score.is_final());
        let outcome = |points: f64| score.outcome(Passing::Points(points));
        assert_eq!((score.earned, outcome(6.0)), (8.0, Outcome::Passed));
        assert_eq!((outcome(7.0), outcome(9.0)), (Outcome::Undecided, Outcome::Undecided));
        assert_eq!(score.outcome(Passing::Points(10.1)), Outcome::NotPassed);
        let mut whole = Score::default();
        whole.add(4.0, &Mark::of_share(0.5));
        assert!(whole.is_final());
    }
}
