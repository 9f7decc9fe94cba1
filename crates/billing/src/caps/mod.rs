//! Spending caps: what a workspace, or one of its keys, may spend in a UTC day and a UTC month.
//!
//! A hard cap refuses what would exceed it; a soft cap only tells. Checking and counting are one statement, so that of many
//! requests at a cap as many get through as it holds. [`crate::ledger::reserve`] and [`crate::ledger::charge`] count, and
//! [`crate::ledger::release`] gives back; nobody else has to. A workspace without caps costs no statement.
//!
//! Read on in [`take`] and [`set`].

mod set;
mod take;

use kernel::id::{KeyId, SubjectId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::time::{Day, Timestamp};
use store::{Group as _, Record, StoreError, Tx, sql};

pub use set::{pass_on, set};
pub use take::{Counted, TakeError, give_back, take};

/// The limits of one subject; `None` for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Record)]
pub struct Limits {
    /// In a day, what is told.
    #[column(name = "daily_soft_micros")]
    pub daily_soft: Option<MicroUsd>,
    /// In a day, what is not exceeded.
    #[column(name = "daily_hard_micros")]
    pub daily_hard: Option<MicroUsd>,
    /// In a month, what is told.
    #[column(name = "monthly_soft_micros")]
    pub monthly_soft: Option<MicroUsd>,
    /// In a month, what is not exceeded.
    #[column(name = "monthly_hard_micros")]
    pub monthly_hard: Option<MicroUsd>,
}

impl Limits {
    /// One of them.
    pub const fn of(&self, period: Period, level: Level) -> Option<MicroUsd> {
        match (period, level) {
            (Period::Day, Level::Soft) => self.daily_soft,
            (Period::Day, Level::Hard) => self.daily_hard,
            (Period::Month, Level::Soft) => self.monthly_soft,
            (Period::Month, Level::Hard) => self.monthly_hard,
        }
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Whose spending is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// All of a workspace.
    Workspace(WorkspaceId),
    /// The requests of one key.
    Key(KeyId),
}

impl Subject {
    /// The id of its row.
    pub fn id(self) -> SubjectId {
        match self {
            Self::Workspace(id) => SubjectId::of(id),
            Self::Key(id) => SubjectId::of(id),
        }
    }
}

/// The counts of a subject, and its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The limits.
    pub limits: Limits,
    /// What was spent, or is set aside, today.
    pub day: MicroUsd,
    /// The same of this month.
    pub month: MicroUsd,
}

/// For how long a cap counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub enum Period {
    /// A UTC day.
    Day,
    /// A UTC month.
    Month,
}

/// What a cap does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, store::Words)]
pub enum Level {
    /// It tells.
    Soft,
    /// It refuses.
    Hard,
}

/// Caps that a spending crossed for the first time in their periods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossed(u8);

/// The places of [`Crossed`]: of the workspace, then the same of the key.
const PLACES: [(Period, Level); 4] = [
    (Period::Day, Level::Soft),
    (Period::Day, Level::Hard),
    (Period::Month, Level::Soft),
    (Period::Month, Level::Hard),
];

/// A cap that was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Whether it is the cap of the key, not of the workspace.
    pub is_of_key: bool,
    /// Its period.
    pub period: Period,
    /// What it does.
    pub level: Level,
}

impl Crossed {
    /// Whether none was.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Crossing> {
        let places =
            [false, true].into_iter().flat_map(|is_of_key| PLACES.map(|(period, level)| (is_of_key, period, level)));
        let crossing = |(is_of_key, period, level)| Crossing { is_of_key, period, level };
        places.zip(0..).filter(move |(_, place)| self.0 & (1 << place) != 0).map(move |(place, _)| crossing(place))
    }

    fn of(subject: Subject, places: [bool; 4]) -> Self {
        let first = if matches!(subject, Subject::Key(_)) { 4 } else { 0 };
        let bits = places.into_iter().zip(first..).map(|(is_crossed, place)| u8::from(is_crossed) << place);
        Self(bits.fold(0, |all, bit| all | bit))
    }

    const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A hard cap stands against a spending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The {} spending cap of the {}, USD {}, does not allow it.",
    if *period == Period::Day { "daily" } else { "monthly" },
    if matches!(subject, Subject::Key(_)) { "API key" } else { "workspace" },
    limit.to_usd_number()
)]
pub struct CapReached {
    /// Whose cap.
    pub subject: Subject,
    /// Its period.
    pub period: Period,
    /// What may be spent in the period.
    pub limit: MicroUsd,
    /// What was spent in it before.
    pub spent: MicroUsd,
}

/// The day and the month of an instant. A month is its first day.
pub(crate) fn periods(now: Timestamp) -> (Day, Day) {
    let day = now.day();
    let text = day.to_string();
    let first = text.rsplit_once('-').and_then(|(month, _)| Day::parse(&format!("{month}-01")));
    (day, first.expect("a day is in a month"))
}

/// The counts of a subject at an instant; `None` without caps.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, subject: Subject, now: Timestamp) -> Result<Option<Standing>, StoreError> {
    let (id, (day, month)) = (subject.id(), periods(now));
    sql!(
        "SELECT daily_soft_micros, daily_hard_micros, monthly_soft_micros, monthly_hard_micros,
            CASE WHEN day >= {day.number()} THEN day_micros ELSE 0 END,
            CASE WHEN month >= {month.number()} THEN month_micros ELSE 0 END
         FROM spending_cap WHERE subject_id = {id}"
    )
    .find(tx, |row| Ok(Standing { limits: Limits::read_at(row, 0)?, day: row.get(4)?, month: row.get(5)? }))
}
