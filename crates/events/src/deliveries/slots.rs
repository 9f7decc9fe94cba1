//! How many requests may be under way: per endpoint, per owner, in all. A receiver that takes long to
//! answer fills its own slots and nobody else's.
//!
//! Besides the fixed bounds there is a pool of burst slots for endpoints that answered quickly so far:
//! a fast receiver gets thousands of deliveries a second, and one that turns slow can hold the burst
//! pool at most, never the slots of others. The bounds are those of one process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::id::EndpointId;
use tokio::sync::Notify;

/// An endpoint whose answers take less than this on the average may use burst slots.
const QUICK_MS: f64 = 100.0;
/// The weight of the newest answer in the average.
const NEWEST_WEIGHT: f64 = 0.3;
/// Endpoints without a request under way whose speed is remembered.
const REMEMBERED: usize = 512;

/// Bounds on requests under way, each at least 1 except `burst`.
#[derive(Clone, Copy, Debug)]
pub struct InFlightLimits {
    /// To one endpoint.
    pub per_endpoint: usize,
    /// To all endpoints of one owner.
    pub per_owner: usize,
    /// In all, burst slots not counted.
    pub total: usize,
    /// Further slots that quick endpoints share, beyond the three bounds above.
    pub burst: usize,
}

impl Default for InFlightLimits {
    fn default() -> Self {
        Self { per_endpoint: 32, per_owner: 64, total: 512, burst: 256 }
    }
}

/// What is under way now.
#[derive(Clone)]
pub(super) struct Slots {
    limits: InFlightLimits,
    endpoints: HashMap<EndpointId, EndpointUse>,
    owners: HashMap<Arc<str>, usize>,
    base: usize,
    burst: usize,
}

#[derive(Clone, Copy, Default)]
struct EndpointUse {
    base: usize,
    burst: usize,
    average_ms: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotKind {
    Base,
    Burst,
}

impl Slots {
    pub(super) fn new(limits: InFlightLimits) -> Self {
        Self { limits, endpoints: HashMap::new(), owners: HashMap::new(), base: 0, burst: 0 }
    }

    /// How many deliveries each of these endpoints (with its owner) may get now, so that what is scarce
    /// is shared evenly.
    pub(super) fn shares(&self, wanting: &[(EndpointId, Arc<str>)]) -> Vec<usize> {
        let mut slots = self.clone();
        let mut shares = Vec::with_capacity(wanting.len());
        for (index, (endpoint, owner)) in wanting.iter().enumerate() {
            let even = slots.limits.total.saturating_sub(slots.base).div_ceil(wanting.len() - index);
            let share = slots.free_base(*endpoint, owner).min(even) + slots.free_burst(*endpoint);
            for _ in 0..share {
                slots.take(*endpoint, owner);
            }
            shares.push(share);
        }
        shares
    }

    /// Whether as many more would take every slot that the bound on all leaves.
    pub(super) fn is_exhausted_by(&self, more: usize) -> bool {
        self.base + more >= self.limits.total
    }

    fn free_base(&self, endpoint: EndpointId, owner: &Arc<str>) -> usize {
        let of_endpoint = self.endpoints.get(&endpoint).map_or(0, |used| used.base);
        let of_owner = self.owners.get(owner).copied().unwrap_or(0);
        let free = self.limits.per_endpoint.saturating_sub(of_endpoint);
        free.min(self.limits.per_owner.saturating_sub(of_owner)).min(self.limits.total.saturating_sub(self.base))
    }

    /// Half of what is left, so that the next quick endpoint finds some too.
    fn free_burst(&self, endpoint: EndpointId) -> usize {
        let average = self.endpoints.get(&endpoint).and_then(|used| used.average_ms);
        let is_quick = average.is_some_and(|ms| ms < QUICK_MS);
        if is_quick { self.limits.burst.saturating_sub(self.burst).div_ceil(2) } else { 0 }
    }

    fn take(&mut self, endpoint: EndpointId, owner: &Arc<str>) -> SlotKind {
        let has_base = self.free_base(endpoint, owner) > 0;
        let used = self.endpoints.entry(endpoint).or_default();
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

    fn release(&mut self, endpoint: EndpointId, owner: &Arc<str>, kind: SlotKind) {
        let endpoints = self.endpoints.len();
        let Some(used) = self.endpoints.get_mut(&endpoint) else { return };
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
        if used.base + used.burst == 0 && (used.average_ms.is_none() || endpoints > REMEMBERED) {
            self.endpoints.remove(&endpoint);
        }
    }

    fn note_answer(&mut self, endpoint: EndpointId, took_ms: f64) {
        if let Some(used) = self.endpoints.get_mut(&endpoint) {
            let before = used.average_ms.unwrap_or(took_ms);
            used.average_ms = Some(before + (took_ms - before) * NEWEST_WEIGHT);
        }
    }
}

/// The slots as the tasks share them.
pub(super) struct SlotTable {
    slots: Mutex<Slots>,
    /// Told whenever a slot comes free.
    pub(super) freed: Notify,
}

impl SlotTable {
    pub(super) fn new(limits: InFlightLimits) -> Arc<Self> {
        Arc::new(Self { slots: Mutex::new(Slots::new(limits)), freed: Notify::new() })
    }

    /// The state now; slots can only come free after it, for one task takes them all.
    pub(super) fn snapshot(&self) -> Slots {
        self.lock().clone()
    }

    pub(super) fn take(self: &Arc<Self>, endpoint: EndpointId, owner: &Arc<str>) -> Slot {
        let kind = self.lock().take(endpoint, owner);
        Slot { table: self.clone(), endpoint, owner: owner.clone(), kind }
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request's place. Dropping it, also in a panic, gives it back.
pub(super) struct Slot {
    table: Arc<SlotTable>,
    endpoint: EndpointId,
    owner: Arc<str>,
    kind: SlotKind,
}

impl Slot {
    /// Remembers how long the receiver took.
    pub(super) fn note_answer(&self, took_ms: f64) {
        self.table.lock().note_answer(self.endpoint, took_ms);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.table.lock().release(self.endpoint, &self.owner, self.kind);
        self.table.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;

    use super::*;

    const LIMITS: InFlightLimits = InFlightLimits { per_endpoint: 4, per_owner: 6, total: 10, burst: 8 };

    fn endpoints<const N: usize>() -> [EndpointId; N] {
        let ambient = Ambient::system();
        std::array::from_fn(|_| ambient.id())
    }

    fn hold(table: &Arc<SlotTable>, endpoint: EndpointId, owner: &Arc<str>, count: usize) -> Vec<Slot> {
        (0..count).map(|_| table.take(endpoint, owner)).collect()
    }

    #[test]
    fn an_endpoint_an_owner_and_all_together_are_bounded() {
        let table = SlotTable::new(LIMITS);
        let [a, b, c, d] = endpoints();
        let (one, two): (Arc<str>, Arc<str>) = ("one".into(), "two".into());
        assert_eq!(table.snapshot().shares(&[(a, one.clone())]), [4]);
        let first = hold(&table, a, &one, 4);
        assert_eq!(table.snapshot().shares(&[(a, one.clone()), (b, one.clone())]), [0, 2], "the owner has 6");
        let second = hold(&table, c, &two, 4);
        assert_eq!(table.snapshot().shares(&[(b, one.clone()), (d, two.clone())]), [1, 1], "2 are left in all");
        drop((first, second));
        assert_eq!(table.snapshot().shares(&[(a, one)]), [4]);
        assert!(table.snapshot().owners.is_empty() && table.snapshot().endpoints.is_empty());
    }

    #[test]
    fn quick_endpoints_share_the_burst_pool_and_slow_ones_do_not() {
        let table = SlotTable::new(LIMITS);
        let [quick, slow, third] = endpoints();
        let owner: Arc<str> = "owner".into();
        for (endpoint, took_ms) in [(quick, 5.0), (slow, 5_000.0), (third, 5.0)] {
            table.take(endpoint, &owner).note_answer(took_ms);
        }
        let one = |endpoint| table.snapshot().shares(&[(endpoint, owner.clone())]);
        assert_eq!((one(quick), one(slow)), (vec![4 + 4], vec![4]));
        let held = hold(&table, quick, &owner, 8);
        assert_eq!(one(third), [2 + 2], "the owner has 2 base slots left, the pool gives half of 4");
        held.last().expect("eight slots").note_answer(15_000.0);
        assert_eq!(one(quick), [0], "it is slow now");
        drop(held);
        assert_eq!(one(quick), [4]);
    }

    #[test]
    fn a_panic_gives_the_slot_back() {
        let table = SlotTable::new(LIMITS);
        let [endpoint] = endpoints();
        let slot = table.take(endpoint, &"owner".into());
        let panicked = std::thread::spawn(move || {
            let _slot = slot;
            panic!("a defect in a send task");
        });
        assert!(panicked.join().is_err());
        assert_eq!(table.snapshot().base, 0);
    }
}
