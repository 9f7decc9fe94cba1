//! Where packages are packed and unpacked: with so many hands, and with room for so many uploads.

use edge::problem::Problem;
use edge::turns::{Turn, Turns};

/// Uploads in memory at once; each is as large as a package may be.
const UPLOADS_AT_ONCE: usize = 8;
/// Requests that wait for room or for a hand; one more is told to come back.
const MOST_WAITING: usize = 64;

/// What limits the exchange, for all requests together.
pub(crate) struct Desk {
    uploads: Turns,
    hands: Turns,
}

impl Default for Desk {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { uploads: Turns::new(UPLOADS_AT_ONCE, MOST_WAITING), hands: Turns::new(processors, MOST_WAITING) }
    }
}

/// The right to compute.
pub(super) struct Hand(Turn);

impl Desk {
    /// Room for an upload, as long as it is held.
    ///
    /// # Errors
    /// 503 when too many wait for it.
    pub(super) async fn room(&self) -> Result<Turn, Problem> {
        self.uploads.take().await.ok_or_else(busy)
    }

    /// A hand to pack or unpack with.
    ///
    /// # Errors
    /// 503 when too many wait for one.
    pub(super) async fn hand(&self) -> Result<Hand, Problem> {
        self.hands.take().await.map(Hand).ok_or_else(busy)
    }
}

impl Hand {
    /// Does what takes a processor.
    ///
    /// # Errors
    /// 500 when the work panics.
    pub(super) async fn compute<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let working = tokio::task::spawn_blocking(move || {
            // Held as long as the work goes on, whoever still waits for it.
            let _hand = self.0;
            work()
        });
        working.await.map_err(Problem::unexpected)
    }
}

fn busy() -> Problem {
    Problem::Unavailable(std::sync::Arc::new(std::io::Error::other("too many packages wait")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_unexpected_and_gives_its_turn_back() {
        let desk = Desk { uploads: Turns::new(1, 0), hands: Turns::new(1, 0) };
        let failed = desk.hand().await.unwrap().compute(|| panic!("made by the test")).await;
        assert!(matches!(failed, Result::<(), _>::Err(Problem::Unexpected(_))));
        assert_eq!(desk.hand().await.unwrap().compute(|| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn more_than_there_is_room_for_are_told_to_come_back() {
        let desk = Desk { uploads: Turns::new(1, 0), hands: Turns::new(1, 0) };
        let _room = desk.room().await.unwrap();
        assert!(matches!(desk.room().await.map(drop), Err(Problem::Unavailable(_))));
    }
}
