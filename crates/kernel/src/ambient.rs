//! The clock and the randomness: the two impure inputs, passed as one value so that a test owns both.
//!
//! Nothing else in the program may read the system's time or draw random bytes (`clippy.toml` bans it).

use std::cell::RefCell;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};

use crate::id::Id;
use crate::time::Timestamp;

/// Random bytes of a UUID version 7.
const ID_BYTES: usize = 10;

/// A handle on time and chance. Cheap to clone.
#[derive(Clone)]
pub struct Ambient {
    kind: Arc<Kind>,
}

enum Kind {
    System(SystemRandom),
    Fixed { now: Arc<AtomicI64>, generator: Mutex<SeededGenerator> },
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
        let ambient = Self { kind: Arc::new(Kind::Fixed { now: now.clone(), generator }) };
        (ambient, ManualClock { now })
    }

    /// The time of day, UTC.
    pub fn now(&self) -> Timestamp {
        match &*self.kind {
            Kind::System(_) => system_now(),
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

    /// A new identifier: UUID version 7, ordered by the millisecond of its making.
    pub fn id<T: Id>(&self) -> T {
        let millis = u64::try_from(self.now().as_millis()).unwrap_or(0);
        let random = match &*self.kind {
            Kind::System(random) => pooled_random(random),
            Kind::Fixed { .. } => self.random(),
        };
        T::from_uuid(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }
}

/// Random bytes for ids, drawn from the system sixty-four ids at a time: every request needs some.
fn pooled_random(random: &SystemRandom) -> [u8; ID_BYTES] {
    const POOL_BYTES: usize = 64 * ID_BYTES;
    thread_local! {
        static POOL: RefCell<([u8; POOL_BYTES], usize)> = const { RefCell::new(([0; POOL_BYTES], POOL_BYTES)) };
    }
    POOL.with_borrow_mut(|(bytes, used)| {
        if *used == POOL_BYTES {
            random.fill(bytes).expect("the operating system gives random bytes");
            *used = 0;
        }
        let mut drawn = [0; ID_BYTES];
        drawn.copy_from_slice(&bytes[*used..*used + ID_BYTES]);
        *used += ID_BYTES;
        drawn
    })
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
fn system_now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
}

/// Moves the clock of a fixed [`Ambient`].
#[derive(Clone)]
pub struct ManualClock {
    now: Arc<AtomicI64>,
}

impl ManualClock {
    /// Lets time pass.
    pub fn advance(&self, span: Duration) {
        let millis = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        self.now.fetch_add(millis, Ordering::SeqCst);
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
