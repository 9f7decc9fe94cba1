//! Whether work grows with its input, and not with the square of it.

use crate::Stopwatch;

/// How many times as much the larger input is.
const TIMES: usize = 8;
/// The fastest of so many runs counts: caches are cold at times.
const RUNS: usize = 10;
/// Three times as long as linear is still good; quadratic is eight times.
const LEEWAY: f64 = 3.0;

/// Fails unless work on eight times as much takes about eight times as long. `make` makes an input of a size; only
/// `work` is timed.
///
/// # Panics
/// When it takes longer in all of several runs.
#[track_caller]
pub fn assert_linear<T>(about: &str, n: usize, make: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let (few, many) = (make(n), make(TIMES * n));
    let seconds = |input: &T| {
        let watch = Stopwatch::start();
        work(input);
        watch.seconds()
    };
    let (mut of_few, mut of_many) = (f64::INFINITY, f64::INFINITY);
    let times = f64::from(u32::try_from(TIMES).expect("a small number"));
    let is_linear = (0..RUNS).any(|_| {
        of_few = of_few.min(seconds(&few)).min(seconds(&few));
        of_many = of_many.min(seconds(&many));
        of_many < LEEWAY * times * of_few
    });
    assert!(is_linear, "{about}: {n} take {of_few} s, {TIMES} times as many {of_many} s");
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn loops(count: usize) {
        for at in 0..count {
            black_box(at);
        }
    }

    #[test]
    fn linear_work_passes() {
        assert_linear("steps", 20_000, |n| n, |n| loops(*n));
    }

    #[test]
    #[should_panic = "squares: 200 take"]
    fn quadratic_work_fails() {
        assert_linear("squares", 200, |n| n, |n| loops(n * n));
    }
}
