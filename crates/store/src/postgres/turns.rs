//! Who runs beside whom, so that of many writers of one row each gets through.
//!
//! Of two that change one row beside each other, the second to get there has to run again. Chance parts most
//! rivals; but one that just lost begins again behind those that come fresh, and could lose to them every time.

use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// With so many conflicts a closure runs in turn with the others that have met as many. With more it runs alone: it
/// waits for the writes that are under way, and new ones wait for it. Only another process can be in its way then.
pub(super) const IN_TURN: RangeInclusive<u32> = 3..=7;

/// The writes of one process. Additions (`additions.rs`) change no row, so they need no turn.
#[derive(Default)]
pub(super) struct Turns {
    rivals: Mutex<()>,
    writes: RwLock<()>,
}

/// Held while a closure runs once.
pub(super) enum Turn<'a> {
    Beside { _rivals: Option<MutexGuard<'a, ()>>, _others: RwLockReadGuard<'a, ()> },
    Alone { _all: RwLockWriteGuard<'a, ()> },
}

impl Turns {
    /// Waits for the turn of a write that has met so many conflicts.
    pub(super) fn take(&self, conflicts: u32) -> Turn<'_> {
        if conflicts > *IN_TURN.end() {
            return Turn::Alone { _all: self.writes.write().unwrap_or_else(PoisonError::into_inner) };
        }
        let in_turn = || self.rivals.lock().unwrap_or_else(PoisonError::into_inner);
        let _rivals = IN_TURN.contains(&conflicts).then(in_turn);
        Turn::Beside { _rivals, _others: self.writes.read().unwrap_or_else(PoisonError::into_inner) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_writes_run_beside_each_other_and_beside_one_in_turn() {
        let turns = Turns::default();
        let _held = (turns.take(0), turns.take(2), turns.take(3));
        assert!(turns.writes.try_read().is_ok());
        assert!(turns.rivals.try_lock().is_err());
    }

    #[test]
    fn a_write_that_lost_again_and_again_runs_alone() {
        let turns = Turns::default();
        let _held = turns.take(8);
        assert!(turns.writes.try_read().is_err());
    }
}
