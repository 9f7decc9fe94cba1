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

/// Requests of one organization that wait for a hand.
const WAITING_FOR_A_HAND: usize = 16;

/// What limits the exchange, for all requests together.
pub(crate) struct Desk {
    own_uploads: OwnTurns,
    uploads: Turns,
    own_hands: OwnTurns,
    hands: Turns,
    large: Turns,
}

impl Default for Desk {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            own_uploads: OwnTurns::new(UPLOADS_OF_ONE, WAITING_OF_ONE),
            uploads: Turns::new(UPLOADS_AT_ONCE, MOST_WAITING),
            own_hands: OwnTurns::new(processors, WAITING_FOR_A_HAND),
            hands: Turns::new(processors, MOST_WAITING),
            large: Turns::new(1, MOST_WAITING),
        }
    }
}

/// Turns that each organization has for itself.
struct OwnTurns {
    at_once: usize,
    most_waiting: usize,
    /// The turns of every organization that has one or waits for one.
    all: Mutex<HashMap<OrganizationId, Arc<Turns>>>,
}

impl OwnTurns {
    fn new(at_once: usize, most_waiting: usize) -> Self {
        Self { at_once, most_waiting, all: Mutex::default() }
    }

    async fn take(&self, organization: OrganizationId) -> Result<OwnTurn, Problem> {
        let turns = self.of(organization);
        let turn = turns.take().await.ok_or_else(busy)?;
        Ok(OwnTurn { _turn: turn, _turns: turns })
    }

    fn of(&self, organization: OrganizationId) -> Arc<Turns> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turns| Arc::strong_count(turns) > 1);
        let new = || Arc::new(Turns::new(self.at_once, self.most_waiting));
        all.entry(organization).or_insert_with(new).clone()
    }
}

struct OwnTurn {
    _turn: Turn,
    /// Keeps the organization's turns in the list.
    _turns: Arc<Turns>,
}

/// Room for an upload.
pub(super) struct Room {
    _own: OwnTurn,
    _shared: Turn,
}

/// The right to compute.
pub(super) struct Hand {
    _own: OwnTurn,
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
        let own = self.own_uploads.take(organization).await?;
        let shared = self.uploads.take().await.ok_or_else(busy)?;
        Ok(Room { _own: own, _shared: shared })
    }

    /// A hand to pack or unpack with.
    ///
    /// # Errors
    /// 503 when too many wait for one.
    pub(super) async fn hand(&self, organization: OrganizationId, size: Size) -> Result<Hand, Problem> {
        let own = self.own_hands.take(organization).await?;
        let large = match size {
            Size::One => None,
            Size::Many => Some(self.large.take().await.ok_or_else(busy)?),
        };
        Ok(Hand { _own: own, _turn: self.hands.take().await.ok_or_else(busy)?, _large: large })
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

    /// Room for one upload, and two hands, for whom nobody waits.
    fn small() -> Desk {
        Desk {
            own_uploads: OwnTurns::new(1, 0),
            uploads: Turns::new(1, 0),
            own_hands: OwnTurns::new(2, 0),
            hands: Turns::new(2, 0),
            large: Turns::new(1, 0),
        }
    }

    #[tokio::test]
    async fn one_organization_leaves_hands_for_the_others() {
        let desk = Desk::default();
        let one = || desk.hand(organization(1), Size::Many);
        let held = one().await.unwrap();
        let mut waiting = Vec::new();
        let refused = loop {
            let mut another = Box::pin(one());
            match (&mut another).now_or_never() {
                None => waiting.push(another),
                Some(outcome) => break outcome.map(drop),
            }
        };
        assert!(matches!(refused, Err(Problem::Unavailable(_))));
        assert!(waiting.len() < MOST_WAITING / 2, "{} wait", waiting.len());
        let mut other = Box::pin(desk.hand(organization(2), Size::Many));
        assert!((&mut other).now_or_never().is_none(), "another organization's waits and is not refused");
        drop((held, waiting));
        other.await.unwrap();
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
        let desk = small();
        let failed = desk.hand(organization(1), Size::Many).await.unwrap().compute(|| panic!("made by the test")).await;
        assert!(matches!(failed, Result::<(), _>::Err(Problem::Unexpected(_))));
        assert_eq!(desk.hand(organization(1), Size::Many).await.unwrap().compute(|| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn more_than_there_is_room_for_are_told_to_come_back() {
        let desk = small();
        let _room = desk.room(organization(1)).await.unwrap();
        assert!(matches!(desk.room(organization(2)).await.map(drop), Err(Problem::Unavailable(_))));
    }
}
