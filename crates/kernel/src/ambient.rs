//! The clock and the randomness: the two impure inputs, passed as one value so that a test owns both.
//!
//! Nothing else in the program may read the system's time or draw random bytes (`clippy.toml` bans it).
//! Time does not go back by less than [`SMALLEST_STEP_BACK`], and ids sort in the order of their making (`ambient/sequence.rs`):
//! a list by time and id shows rows in the order in which one client made them.

mod sequence;

use std::cell::RefCell;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use self::sequence::{RANDOM_BYTES, Sequence, Tick};
use crate::time::Timestamp;

/// A clock that is set back by less is waited for: its time stands still until it is reached again. One that is set back by
/// more was wrong, and is followed.
pub const SMALLEST_STEP_BACK: Duration = Duration::from_secs(2);

/// The ids of the process.
static SYSTEM_IDS: Sequence = Sequence::new();
/// The latest time that the process was told.
static SYSTEM_TIME: SteadyTime = SteadyTime::new();

/// A handle on time and chance. Cheap to clone.
#[derive(Clone)]
pub struct Ambient {
    kind: Arc<Kind>,
}

enum Kind {
    System(SystemRandom),
    Fixed { now: Arc<AtomicI64>, generator: Mutex<SeededGenerator>, ids: Sequence },
}

impl Ambient {
    /// The system's clock and its cryptographic random generator.
    pub fn system() -> Self {
        Self { kind: Arc::new(Kind::System(SystemRandom::new())) }
    }

    /// A clock that stands still until the returned [`ManualClock`] moves it, and random bytes that
    /// follow from `seed`. For tests and measurements; never for secrets that matter.
    pub fn fixed(start: Timestamp, seed: u64) -> (Self, ManualClock) {
        let now = Arc::new(AtomicI64::new(start.as_millis()));
        let generator = Mutex::new(SeededGenerator { seed, block: 0 });
        let ambient = Self { kind: Arc::new(Kind::Fixed { now: now.clone(), generator, ids: Sequence::new() }) };
        (ambient, ManualClock { now })
    }

    /// The time of day, UTC.
    pub fn now(&self) -> Timestamp {
        match &*self.kind {
            Kind::System(_) => SYSTEM_TIME.latest(to_millis(system_clock())),
            Kind::Fixed { now, .. } => Timestamp::from_millis(now.load(Ordering::SeqCst)),
        }
    }

    /// `N` random bytes, unpredictable unless the ambient is fixed.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match &*self.kind {
            Kind::System(random) => random.fill(&mut bytes).expect("the operating system gives random bytes"),
            Kind::Fixed { generator, .. } => {
                generator.lock().unwrap_or_else(PoisonError::into_inner).fill(&mut bytes);
            }
        }
        bytes
    }

    /// A new identifier: UUID version 7, larger than every id that this process made before.
    pub fn id<T: From<Uuid>>(&self) -> T {
        let uuid = match &*self.kind {
            Kind::System(random) => SYSTEM_IDS.next(Tick::at(system_clock())).uuid(pooled_random(random)),
            Kind::Fixed { now, ids, .. } => {
                let millis = u64::try_from(now.load(Ordering::SeqCst)).unwrap_or(0);
                ids.next(Tick::at(Duration::from_millis(millis))).uuid(self.random())
            }
        };
        T::from(uuid)
    }
}

/// Random bytes for ids, drawn from the system sixty-four ids at a time: every request needs some.
fn pooled_random(random: &SystemRandom) -> [u8; RANDOM_BYTES] {
    const POOL_BYTES: usize = 64 * RANDOM_BYTES;
    thread_local! {
        static POOL: RefCell<([u8; POOL_BYTES], usize)> = const { RefCell::new(([0; POOL_BYTES], POOL_BYTES)) };
    }
    POOL.with_borrow_mut(|(bytes, used)| {
        if *used == POOL_BYTES {
            random.fill(bytes).expect("the operating system gives random bytes");
            *used = 0;
        }
        let mut drawn = [0; RANDOM_BYTES];
        drawn.copy_from_slice(&bytes[*used..*used + RANDOM_BYTES]);
        *used += RANDOM_BYTES;
        drawn
    })
}

/// The system's clock, since 1970.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
fn system_clock() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

fn to_millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds that stand still where the clock steps back a little.
struct SteadyTime {
    latest: AtomicI64,
}

impl SteadyTime {
    const fn new() -> Self {
        Self { latest: AtomicI64::new(0) }
    }

    /// The time to tell when the clock shows `now`.
    fn latest(&self, now: i64) -> Timestamp {
        let latest = self.latest.fetch_max(now, Ordering::Relaxed).max(now);
        if latest - now < to_millis(SMALLEST_STEP_BACK) {
            return Timestamp::from_millis(latest);
        }
        // Another thread may have followed the clock already; then there is nothing to change.
        let _ = self.latest.compare_exchange(latest, now, Ordering::Relaxed, Ordering::Relaxed);
        Timestamp::from_millis(now)
    }
}

/// Moves the clock of a fixed [`Ambient`].
#[derive(Clone)]
pub struct ManualClock {
    now: Arc<AtomicI64>,
}

impl ManualClock {
    /// Lets time pass.
    pub fn advance(&self, span: Duration) {
        self.now.fetch_add(to_millis(span), Ordering::SeqCst);
    }
}

/// SHA-256 in counter mode: reproducible, and without statistical surprises.
struct SeededGenerator {
    seed: u64,
    block: u64,
}

impl SeededGenerator {
    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(32) {
            let mut hash = Sha256::new();
            hash.update(self.seed.to_le_bytes());
            hash.update(self.block.to_le_bytes());
            self.block += 1;
            chunk.copy_from_slice(&hash.finalize()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::JobId;

    #[test]
    fn ids_are_ordered_by_time() {
        let (ambient, clock) = Ambient::fixed(Timestamp::from_millis(1_000), 7);
        let first: JobId = ambient.id();
        clock.advance(Duration::from_millis(1));
        let second: JobId = ambient.id();
        assert!(first < second);
        assert!(first.to_string() < second.to_string());
    }

    #[test]
    fn ids_of_one_instant_are_ordered_by_their_making() {
        let (fixed, _) = Ambient::fixed(Timestamp::from_millis(1_000), 7);
        for ambient in [fixed, Ambient::system()] {
            let ids: Vec<JobId> = (0..5_000).map(|_| ambient.id()).collect();
            assert!(ids.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn all_system_handles_share_one_order() {
        let [one, other] = [Ambient::system(), Ambient::system()];
        let ids: Vec<JobId> = (0..1_000).flat_map(|_| [one.id(), other.id()]).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn a_seed_repeats_its_ids() {
        let ids = || {
            let (ambient, _) = Ambient::fixed(Timestamp::from_millis(1_000), 7);
            [(); 3].map(|()| ambient.id::<JobId>())
        };
        assert_eq!(ids(), ids());
    }

    #[test]
    fn a_small_step_back_is_waited_for_and_a_large_one_followed() {
        let time = SteadyTime::new();
        let told: Vec<i64> =
            [10_000, 9_990, 10_001, 8_002, 8_001, 8_000].map(|now| time.latest(now).as_millis()).into();
        assert_eq!(told, [10_000, 10_000, 10_001, 10_001, 8_001, 8_001]);
    }

    #[test]
    fn a_seed_repeats_itself_and_no_draw_does() {
        let draw = |seed| Ambient::fixed(Timestamp::from_millis(0), seed).0.random::<40>();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        assert_ne!(ambient.random::<16>(), ambient.random::<16>());
    }

    #[test]
    fn system_ids_are_version_7_and_never_repeat() {
        let ambient = Ambient::system();
        let ids: std::collections::HashSet<JobId> = (0..1000).map(|_| ambient.id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.uuid().get_version_num() == 7));
    }
}
