//! Where packages are packed and unpacked: with so many hands, and with room for so many uploads. One organization takes
//! a part of the room at most, however slowly it uploads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use edge::problem::Problem;
use kernel::id::OrganizationId;
use kernel::turns::{Turn, Turns};

/// Uploads in memory at once; each is as large as a package may be.
const UPLOADS_AT_ONCE: usize = 8;
/// Of these, one organization's.
const UPLOADS_OF_ONE: usize = 2;
/// Requests that wait for room or for a hand; one more is told to come back.
const MOST_WAITING: usize = 64;
/// Of those that wait for room, one organization's.
const WAITING_OF_ONE: usize = 6;

/// What limits the exchange, for all requests together.
pub(crate) struct Desk {
    /// Of organizations that upload now.
    own_uploads: Mutex<HashMap<OrganizationId, Arc<Turns>>>,
    uploads: Turns,
    hands: Turns,
    large: Turns,
}

impl Default for Desk {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            own_uploads: Mutex::default(),
            uploads: Turns::new(UPLOADS_AT_ONCE, MOST_WAITING),
            hands: Turns::new(processors, MOST_WAITING),
            large: Turns::new(1, MOST_WAITING),
        }
    }
}

/// Room for an upload.
pub(super) struct Room {
    _own: Turn,
    _shared: Turn,
    /// Keeps the organization's turns in the desk's list.
    _turns: Arc<Turns>,
}

/// The right to compute.
pub(super) struct Hand {
    _turn: Turn,
    _large: Option<Turn>,
}

/// How much a package may hold in memory while it is packed or unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// A test or a module.
    One,
    /// A course or an upload: as much text as a package may have. One at a time.
    Many,
}

impl Desk {
    /// Room for an upload, as long as it is held.
    ///
    /// # Errors
    /// 503 when too many wait for it.
    pub(super) async fn room(&self, organization: OrganizationId) -> Result<Room, Problem> {
        let turns = self.turns_of(organization);
        let own = turns.take().await.ok_or_else(busy)?;
        let shared = self.uploads.take().await.ok_or_else(busy)?;
        Ok(Room { _own: own, _shared: shared, _turns: turns })
    }

    fn turns_of(&self, organization: OrganizationId) -> Arc<Turns> {
        let mut all = self.own_uploads.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turns| Arc::strong_count(turns) > 1);
        all.entry(organization).or_insert_with(|| Arc::new(Turns::new(UPLOADS_OF_ONE, WAITING_OF_ONE))).clone()
    }

    /// A hand to pack or unpack with.
    ///
    /// # Errors
    /// 503 when too many wait for one.
    pub(super) async fn hand(&self, size: Size) -> Result<Hand, Problem> {
        let large = match size {
            Size::One => None,
            Size::Many => Some(self.large.take().await.ok_or_else(busy)?),
        };
        Ok(Hand { _turn: self.hands.take().await.ok_or_else(busy)?, _large: large })
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
            let _hand = self;
            work()
        });
        working.await.map_err(Problem::unexpected)
    }
}

fn busy() -> Problem {
    Problem::Unavailable(Arc::new(std::io::Error::other("too many packages wait")))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn organization(n: u128) -> OrganizationId {
        uuid::Uuid::from_u128(n).to_string().parse().unwrap()
    }

    #[tokio::test]
    async fn one_organization_leaves_room_for_the_others() {
        let desk = Desk::default();
        let mut held = Vec::new();
        for _ in 0..UPLOADS_OF_ONE {
            held.push(desk.room(organization(1)).await.unwrap());
        }
        let waiting: Vec<_> = (0..WAITING_OF_ONE).map(|_| Box::pin(desk.room(organization(1)))).collect();
        let mut waiting = futures_util::future::join_all(waiting);
        assert!((&mut waiting).now_or_never().is_none());
        assert!(matches!(desk.room(organization(1)).await.map(drop), Err(Problem::Unavailable(_))));
        desk.room(organization(2)).await.unwrap();
        drop(held);
    }

    #[tokio::test]
    async fn work_that_panics_is_unexpected_and_gives_its_turn_back() {
        let desk = Desk {
            own_uploads: Mutex::default(),
            uploads: Turns::new(1, 0),
            hands: Turns::new(2, 0),
            large: Turns::new(1, 0),
        };
        let failed = desk.hand(Size::Many).await.unwrap().compute(|| panic!("made by the test")).await;
        assert!(matches!(failed, Result::<(), _>::Err(Problem::Unexpected(_))));
        assert_eq!(desk.hand(Size::Many).await.unwrap().compute(|| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn more_than_there_is_room_for_are_told_to_come_back() {
        let desk = Desk {
            own_uploads: Mutex::default(),
            uploads: Turns::new(1, 0),
            hands: Turns::new(2, 0),
            large: Turns::new(1, 0),
        };
        let _room = desk.room(organization(1)).await.unwrap();
        assert!(matches!(desk.room(organization(2)).await.map(drop), Err(Problem::Unavailable(_))));
    }
}
