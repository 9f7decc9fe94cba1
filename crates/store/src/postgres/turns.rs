//! Who runs beside whom, so that of many writers of one row each gets through.
//!
//! Of two snapshots that change one row, the second to get there has to run again. Chance parts most rivals; but one
//! that just lost begins again behind those that come fresh, and could lose to them every time.

use std::ops::RangeInclusive;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// With so many conflicts a closure runs in turn with the others that have met as many or more. With more it also runs
/// alone: it waits for the writes that are under way, and new ones wait for it. Only additions, which change no row,
/// and other processes still run beside it.
pub(super) const IN_TURN: RangeInclusive<u32> = 3..=7;

/// How long a write may keep others waiting so that it runs alone. To run beside them is only less likely to succeed; if
/// it, or one that it waits for, hangs in the database, the others must not hang with it.
const LONGEST_ALONE: Duration = Duration::from_millis(250);

/// The writes of one process.
#[derive(Default)]
pub(super) struct Turns {
    rivals: Mutex<()>,
    floor: Mutex<Floor>,
    has_changed: Condvar,
}

#[derive(Default)]
struct Floor {
    running: usize,
    /// Until then new writes wait for one that runs alone, or is about to.
    kept_until: Option<Instant>,
}

/// Held while a closure runs once.
pub(super) struct Turn<'a> {
    turns: &'a Turns,
    is_alone: bool,
    _rivals: Option<MutexGuard<'a, ()>>,
}

impl Turns {
    /// Waits for the turn of a write that has met so many conflicts.
    pub(super) fn take(&self, conflicts: u32) -> Turn<'_> {
        let in_turn = || self.rivals.lock().unwrap_or_else(PoisonError::into_inner);
        let rivals = (conflicts >= *IN_TURN.start()).then(in_turn);
        let is_alone = conflicts > *IN_TURN.end();
        let mut floor = self.floor();
        if is_alone {
            floor.kept_until = Some(Instant::now() + LONGEST_ALONE);
        }
        while let Some(rest) = floor.kept_until.and_then(|end| end.checked_duration_since(Instant::now())) {
            if is_alone && floor.running == 0 {
                break;
            }
            floor = self.has_changed.wait_timeout(floor, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
        floor.running += 1;
        Turn { turns: self, is_alone, _rivals: rivals }
    }

    fn floor(&self) -> MutexGuard<'_, Floor> {
        self.floor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut floor = self.turns.floor();
        floor.running -= 1;
        if floor.kept_until.is_some() {
            self.turns.has_changed.notify_all();
        }
        if self.is_alone {
            floor.kept_until = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn fresh_writes_run_beside_each_other_and_beside_one_in_turn() {
        let turns = Turns::default();
        let _held = (turns.take(0), turns.take(*IN_TURN.start() - 1), turns.take(*IN_TURN.end()));
        assert!(turns.rivals.try_lock().is_err());
        assert_eq!(turns.floor().running, 3);
    }

    #[test]
    fn a_write_that_lost_again_and_again_runs_alone() {
        let turns = Turns::default();
        let (tell, told) = mpsc::channel();
        thread::scope(|scope| {
            let alone = turns.take(*IN_TURN.end() + 1);
            let fresh = scope.spawn(|| {
                let _turn = turns.take(0);
                tell.send("fresh").unwrap();
            });
            tell.send("alone").unwrap();
            drop(alone);
            fresh.join().unwrap();
        });
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["alone", "fresh"]);
        let floor = turns.floor();
        assert_eq!((floor.running, floor.kept_until), (0, None));
    }

    #[test]
    fn one_that_hangs_keeps_nobody_for_long() {
        let turns = Turns::default();
        let hanging = turns.take(0);
        let alone = turns.take(*IN_TURN.end() + 1);
        let fresh = turns.take(0);
        drop((hanging, alone, fresh));
        assert_eq!(turns.floor().running, 0);
    }
}
