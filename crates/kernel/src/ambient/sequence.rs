//! The order of new ids: a counter that never repeats and never goes back.
//!
//! An id's first 66 bits that are not its version or variant hold a *tick*: 48 bits for the millisecond, as UUID
//! version 7 demands, and 18 bits for the time within it. The next tick is the clock's, or one more than the last where
//! the clock stands still or steps back. Where a millisecond's ticks are used up, the next millisecond's follow (RFC 9562, section 6.2).
//!
//! All threads of the process share one sequence; drawing from it takes one atomic operation and no lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Bits of a tick below the millisecond: the 12 of `rand_a` and the first 6 of `rand_b`.
const FRACTION_BITS: u32 = 18;
const TICKS_PER_MILLI: u128 = 1 << FRACTION_BITS;
const NANOS_PER_MILLI: u128 = 1_000_000;

/// Random bytes behind the tick.
pub(super) const RANDOM_BYTES: usize = 7;

/// A place in the order of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tick(u64);

impl Tick {
    /// The tick of an instant. Zero before 1970; instants after the year 4000 share the last tick.
    pub(super) fn at(since_epoch: Duration) -> Self {
        let ticks = since_epoch.as_nanos() * TICKS_PER_MILLI / NANOS_PER_MILLI;
        Self(u64::try_from(ticks).unwrap_or(u64::MAX))
    }

    /// The UUID with this place in the order.
    pub(super) fn uuid(self, random: [u8; RANDOM_BYTES]) -> uuid::Uuid {
        let fraction = self.0 & ((1 << FRACTION_BITS) - 1);
        let [.., high, middle, low] = (fraction << 6).to_be_bytes();
        // The builder takes the low 4, 8 and 6 bits of the first three bytes.
        let mut bytes = [0; 10];
        bytes[0] = high >> 4;
        bytes[1] = (high << 4) | (middle >> 4);
        bytes[2] = ((middle & 0x0f) << 2) | (low >> 6);
        bytes[3..].copy_from_slice(&random);
        uuid::Builder::from_unix_timestamp_millis(self.0 >> FRACTION_BITS, &bytes).into_uuid()
    }
}

/// Hands out ticks, each larger than all before it.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    last: AtomicU64,
}

impl Sequence {
    pub(super) const fn new() -> Self {
        Self { last: AtomicU64::new(0) }
    }

    /// The next tick at `now`.
    pub(super) fn next(&self, now: Tick) -> Tick {
        let after = |last: u64| now.0.max(last.saturating_add(1));
        // One variable has one order of changes, whatever the ordering of other memory: a call that begins after another
        // has returned sees its tick.
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last)))
            .expect("every tick has one after it");
        Tick(after(last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MILLI: Duration = Duration::from_millis(1);

    #[test]
    fn a_tick_holds_its_millisecond_and_the_time_within_it() {
        let start = Duration::from_millis(1_767_225_600_120);
        let id = |since: Duration| Tick::at(since).uuid([0xff; RANDOM_BYTES]);
        assert_eq!(id(start).to_string(), "019b76da-a878-7000-80ff-ffffffffffff");
        assert_eq!(id(start + MILLI / 2).to_string(), "019b76da-a878-7800-80ff-ffffffffffff");
        assert_eq!(id(start + MILLI - Duration::from_nanos(1)).to_string(), "019b76da-a878-7fff-bfff-ffffffffffff");
        assert_eq!(id(start + MILLI).to_string(), "019b76da-a879-7000-80ff-ffffffffffff");
    }

    #[test]
    fn a_used_up_millisecond_goes_on_in_the_next() {
        let sequence = Sequence::new();
        let last = Tick(Tick::at(5 * MILLI).0 - 1);
        let [one, two] = [sequence.next(last), sequence.next(last)].map(|tick| tick.uuid([0; RANDOM_BYTES]));
        assert!(one < two);
        let millis = |id: uuid::Uuid| id.as_u128() >> 80;
        assert_eq!([millis(one), millis(two)], [4, 5]);
    }

    #[test]
    fn threads_see_each_others_ids() {
        let sequence = Sequence::new();
        let handed = std::sync::Mutex::new(Tick(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        // Read before the draw: what another thread has returned must be less.
                        let earlier = *handed.lock().unwrap();
                        let tick = sequence.next(Tick(7));
                        assert!(earlier < tick);
                        let mut latest = handed.lock().unwrap();
                        *latest = tick.max(*latest);
                    }
                });
            }
        });
        assert_eq!(*handed.lock().unwrap(), Tick(7 + 4 * 2_000 - 1), "each was handed out once");
    }

    proptest! {
        #[test]
        fn ids_sort_in_the_order_of_their_making(
            clock in proptest::collection::vec((0..50_000_000_u64, any::<[u8; RANDOM_BYTES]>()), 2..200),
        ) {
            // The clock jumps at will within 50 ms, so it also stands still and steps back.
            let sequence = Sequence::new();
            let ids: Vec<uuid::Uuid> = clock
                .iter()
                .map(|(nanos, random)| sequence.next(Tick::at(Duration::from_nanos(*nanos))).uuid(*random))
                .collect();
            prop_assert!(ids.is_sorted_by(|one, next| one < next));
            prop_assert!(ids.is_sorted_by(|one, next| one.to_string() < next.to_string()));
            prop_assert!(ids.iter().all(|id| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122));
        }

        #[test]
        fn a_larger_tick_is_a_larger_id(one in 0..u64::MAX >> 2, more in 1..u64::MAX >> 2) {
            let (first, second) = (Tick(one).uuid([0xff; RANDOM_BYTES]), Tick(one + more).uuid([0; RANDOM_BYTES]));
            prop_assert!(first < second);
        }
    }
}
