//! How many requests may be under way: to one receiver, for one owner, in all. A receiver that takes long to answer fills
//! its own slots and nobody else's.
//!
//! Besides the fixed bounds there is a pool of burst slots for receivers that answered quickly so far: a fast one gets
//! thousands of requests a second, and one that turns slow can hold the burst pool at most, never the slots of others. The
//! bounds are those of one process.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

/// The weight of the newest answer in the average.
const NEWEST_WEIGHT: f64 = 0.3;
/// Receivers without a request under way whose speed is remembered.
const REMEMBERED: usize = 512;

/// Bounds on requests under way, each at least 1 except `burst`.
#[derive(Clone, Copy, Debug)]
pub struct InFlightLimits {
    /// To one receiver.
    pub per_receiver: usize,
    /// To all receivers of one owner.
    pub per_owner: usize,
    /// In all, burst slots not counted.
    pub total: usize,
    /// Further slots that quick receivers share, beyond the three bounds above.
    pub burst: usize,
    /// A receiver whose answers take less than this on the average may use burst slots.
    pub quick: Duration,
}

/// What tells one receiver from another.
pub trait Receiver: Copy + Eq + Hash + Send + 'static {}

impl<T: Copy + Eq + Hash + Send + 'static> Receiver for T {}

/// What is under way now.
#[derive(Clone)]
pub struct Slots<R> {
    limits: InFlightLimits,
    receivers: HashMap<R, ReceiverUse>,
    owners: HashMap<Arc<str>, usize>,
    base: usize,
    burst: usize,
}

#[derive(Clone, Copy, Default)]
struct ReceiverUse {
    base: usize,
    burst: usize,
    average_ms: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotKind {
    Base,
    Burst,
}

impl<R: Receiver> Slots<R> {
    fn new(limits: InFlightLimits) -> Self {
        Self { limits, receivers: HashMap::new(), owners: HashMap::new(), base: 0, burst: 0 }
    }

    /// How many requests each of these receivers (with its owner) may get now, so that what is scarce
    /// is shared evenly.
    pub fn shares(&self, wanting: &[(R, Arc<str>)]) -> Vec<usize> {
        let mut slots = self.clone();
        let mut shares = Vec::with_capacity(wanting.len());
        for (index, (receiver, owner)) in wanting.iter().enumerate() {
            let even = slots.limits.total.saturating_sub(slots.base).div_ceil(wanting.len() - index);
            let share = slots.free_base(*receiver, owner).min(even) + slots.free_burst(*receiver);
            for _ in 0..share {
                slots.take(*receiver, owner);
            }
            shares.push(share);
        }
        shares
    }

    /// Whether as many more would take every slot that the bound on all leaves.
    pub fn is_exhausted_by(&self, more: usize) -> bool {
        self.base + more >= self.limits.total
    }

    fn free_base(&self, receiver: R, owner: &Arc<str>) -> usize {
        let of_receiver = self.receivers.get(&receiver).map_or(0, |used| used.base);
        let of_owner = self.owners.get(owner).copied().unwrap_or(0);
        let free = self.limits.per_receiver.saturating_sub(of_receiver);
        free.min(self.limits.per_owner.saturating_sub(of_owner)).min(self.limits.total.saturating_sub(self.base))
    }

    /// Half of what is left, so that the next quick receiver finds some too.
    fn free_burst(&self, receiver: R) -> usize {
        let average = self.receivers.get(&receiver).and_then(|used| used.average_ms);
        let is_quick = average.is_some_and(|ms| ms < self.limits.quick.as_secs_f64() * 1000.0);
        if is_quick { self.limits.burst.saturating_sub(self.burst).div_ceil(2) } else { 0 }
    }

    fn take(&mut self, receiver: R, owner: &Arc<str>) -> SlotKind {
        let has_base = self.free_base(receiver, owner) > 0;
        let used = self.receivers.entry(receiver).or_default();
        if has_base {
            used.base += 1;
            self.base += 1;
            *self.owners.entry(owner.clone()).or_default() += 1;
            SlotKind::Base
        } else {
            used.burst += 1;
            self.burst += 1;
            SlotKind::Burst
        }
    }

    fn release(&mut self, receiver: R, owner: &Arc<str>, kind: SlotKind) {
        let receivers = self.receivers.len();
        let Some(used) = self.receivers.get_mut(&receiver) else { return };
        match kind {
            SlotKind::Base => {
                used.base -= 1;
                self.base -= 1;
                if let Some(count) = self.owners.get_mut(owner) {
                    *count -= 1;
                    if *count == 0 {
                        self.owners.remove(owner);
                    }
                }
            }
            SlotKind::Burst => {
                used.burst -= 1;
                self.burst -= 1;
            }
        }
        if used.base + used.burst == 0 && (used.average_ms.is_none() || receivers > REMEMBERED) {
            self.receivers.remove(&receiver);
        }
    }

    fn note_answer(&mut self, receiver: R, took_ms: f64) {
        if let Some(used) = self.receivers.get_mut(&receiver) {
            let before = used.average_ms.unwrap_or(took_ms);
            used.average_ms = Some(before + (took_ms - before) * NEWEST_WEIGHT);
        }
    }
}

/// The slots as the tasks share them.
pub struct SlotTable<R: Receiver> {
    slots: Mutex<Slots<R>>,
    /// Told whenever a slot comes free.
    pub freed: Notify,
}

impl<R: Receiver> SlotTable<R> {
    /// A table without a slot taken.
    pub fn new(limits: InFlightLimits) -> Arc<Self> {
        Arc::new(Self { slots: Mutex::new(Slots::new(limits)), freed: Notify::new() })
    }

    /// The state now; slots can only come free after it, for one task takes them all.
    pub fn snapshot(&self) -> Slots<R> {
        self.lock().clone()
    }

    /// Takes a slot: a burst slot where the bounds leave no other.
    pub fn take(self: &Arc<Self>, receiver: R, owner: &Arc<str>) -> Slot<R> {
        let kind = self.lock().take(receiver, owner);
        Slot { table: self.clone(), receiver, owner: owner.clone(), kind }
    }

    fn lock(&self) -> MutexGuard<'_, Slots<R>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request's place. Dropping it, also in a panic, gives it back.
pub struct Slot<R: Receiver> {
    table: Arc<SlotTable<R>>,
    receiver: R,
    owner: Arc<str>,
    kind: SlotKind,
}

impl<R: Receiver> Slot<R> {
    /// Remembers how long the receiver took.
    pub fn note_answer(&self, took: Duration) {
        self.table.lock().note_answer(self.receiver, took.as_secs_f64() * 1000.0);
    }
}

impl<R: Receiver> Drop for Slot<R> {
    fn drop(&mut self) {
        self.table.lock().release(self.receiver, &self.owner, self.kind);
        self.table.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: InFlightLimits =
        InFlightLimits { per_receiver: 4, per_owner: 6, total: 10, burst: 8, quick: Duration::from_millis(100) };

    fn hold(table: &Arc<SlotTable<char>>, receiver: char, owner: &Arc<str>, count: usize) -> Vec<Slot<char>> {
        (0..count).map(|_| table.take(receiver, owner)).collect()
    }

    #[test]
    fn an_receiver_an_owner_and_all_together_are_bounded() {
        let table = SlotTable::new(LIMITS);
        let [a, b, c, d] = ['a', 'b', 'c', 'd'];
        let (one, two): (Arc<str>, Arc<str>) = ("one".into(), "two".into());
        assert_eq!(table.snapshot().shares(&[(a, one.clone())]), [4]);
        let first = hold(&table, a, &one, 4);
        assert_eq!(table.snapshot().shares(&[(a, one.clone()), (b, one.clone())]), [0, 2], "the owner has 6");
        let second = hold(&table, c, &two, 4);
        assert_eq!(table.snapshot().shares(&[(b, one.clone()), (d, two.clone())]), [1, 1], "2 are left in all");
        drop((first, second));
        assert_eq!(table.snapshot().shares(&[(a, one)]), [4]);
        assert!(table.snapshot().owners.is_empty() && table.snapshot().receivers.is_empty());
    }

    #[test]
    fn quick_receivers_share_the_burst_pool_and_slow_ones_do_not() {
        let table = SlotTable::new(LIMITS);
        let [quick, slow, third] = ['q', 's', 't'];
        let owner: Arc<str> = "owner".into();
        for (receiver, took_ms) in [(quick, 5), (slow, 5_000), (third, 5)] {
            table.take(receiver, &owner).note_answer(Duration::from_millis(took_ms));
        }
        let one = |receiver| table.snapshot().shares(&[(receiver, owner.clone())]);
        assert_eq!((one(quick), one(slow)), (vec![4 + 4], vec![4]));
        let held = hold(&table, quick, &owner, 8);
        assert_eq!(one(third), [2 + 2], "the owner has 2 base slots left, the pool gives half of 4");
        held.last().expect("eight slots").note_answer(Duration::from_secs(15));
        assert_eq!(one(quick), [0], "it is slow now");
        drop(held);
        assert_eq!(one(quick), [4]);
    }

    #[test]
    fn a_panic_gives_the_slot_back() {
        let table = SlotTable::new(LIMITS);
        let slot = table.take('a', &"owner".into());
        let panicked = std::thread::spawn(move || {
            let _slot = slot;
            panic!("a defect in a send task");
        });
        assert!(panicked.join().is_err());
        assert_eq!(table.snapshot().base, 0);
    }
}
