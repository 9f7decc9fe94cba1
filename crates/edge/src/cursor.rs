//! Lists that are read with cursors: newest first, each page from where the last one ended.
//!
//! A cursor is a position, the time and the id of a row, with a tag that only this service can make. It belongs to one list
//! of one tenant; a changed cursor, or another list's, is a 400 that names it. It gives no right: the list's own query decides
//! what is shown. Following cursors visits every row once, whatever is added meanwhile, because new rows come in front.
//! Where to read next: `content::expansions::list` and `platform::evaluations::list`.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kernel::secret::{Authenticator, MasterKey};
use kernel::time::Timestamp;
use store::{Row, StoreError};

use crate::paging;
use crate::problem::Problem;
use crate::query::{Parameters, text, timestamp};

/// The most rows that one request passes over in search of those that its filters keep. A page that this ends may have fewer
/// rows than its limit, or none, while there is a next one.
pub const MOST_SCANNED: u64 = 10_000;

/// The most characters that a cursor has.
pub const LONGEST_CURSOR: usize = 200;
const NOT_A_CURSOR: &str =
    "is not a cursor of this list; take it from the list's last answer, or leave it out to begin";

/// A row's place in a list that is newest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When the row was made.
    pub created_at: Timestamp,
    /// The row's id.
    pub id: String,
}

impl Position {
    /// Before every row.
    #[must_use]
    pub fn first() -> Self {
        Self { created_at: Timestamp::from_millis(i64::MAX), id: "z".to_owned() }
    }

    /// Behind every row that was made at this instant or later, and before all that were made earlier.
    fn behind(created_at: Timestamp) -> Self {
        Self { created_at, id: String::new() }
    }

    /// Reads two columns: the time, then the id.
    ///
    /// # Errors
    /// When the columns are others.
    pub fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self { created_at: row.get(0)?, id: row.get(1)? })
    }
}

/// The rows that a request is about: those behind `from`, up to and including `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The last row that was read, or where to begin.
    pub from: Position,
    /// The last row to look at.
    pub to: Position,
}

impl Span {
    /// Ends the span at a row, where it does not end before.
    #[must_use]
    pub fn up_to(self, row: Option<&Position>) -> Self {
        let to = row.filter(|row| **row > self.to).cloned().unwrap_or(self.to);
        Self { to, ..self }
    }
}

/// Makes cursors and reads those that come back. Cheap to clone.
#[derive(Clone)]
pub struct Cursors(Authenticator);

impl Cursors {
    /// Cursors hold as long as the master key.
    pub fn new(master: &MasterKey) -> Self {
        Self(master.authenticator("list cursors"))
    }

    /// The cursor from which a list goes on behind a position. `list` names the list and whose it is.
    pub fn write(&self, list: &str, position: &Position) -> String {
        let position = format!("{} {}", position.created_at.as_millis(), position.id);
        let tag = self.0.tag(&vouched(list, &position));
        format!("{}.{tag}", URL_SAFE_NO_PAD.encode(position))
    }

    /// The position that a cursor of a list stands for.
    ///
    /// # Errors
    /// 400 for what is no cursor of this list.
    pub fn position(&self, list: &str, cursor: &str) -> Result<Position, Problem> {
        self.read(list, cursor).ok_or_else(|| Problem::field("cursor", NOT_A_CURSOR))
    }

    fn read(&self, list: &str, cursor: &str) -> Option<Position> {
        let (position, tag) = cursor.split_once('.')?;
        let position = String::from_utf8(URL_SAFE_NO_PAD.decode(position).ok()?).ok()?;
        if !self.0.vouches(&vouched(list, &position), tag) {
            return None;
        }
        let (millis, id) = position.split_once(' ')?;
        Some(Position { created_at: Timestamp::from_millis(millis.parse().ok()?), id: id.to_owned() })
    }
}

fn vouched(list: &str, position: &str) -> String {
    format!("{list}\n{position}")
}

/// The parameters that every list with cursors takes.
#[derive(Clone, Debug)]
pub struct CursorQuery {
    /// How many rows a page has.
    pub limit: u64,
    cursor: Option<String>,
    created_after: Option<Timestamp>,
    created_before: Option<Timestamp>,
}

impl CursorQuery {
    /// Reads `limit`, `cursor`, `createdAfter` and `createdBefore`. Whether the cursor is one is known with the list: see
    /// [`CursorQuery::span`].
    pub fn read(parameters: &mut Parameters<'_>) -> Option<Self> {
        let limit = paging::limit(parameters);
        let cursor =
            parameters.optional("cursor", |value| text(1..=LONGEST_CURSOR)(value).map_err(|_| NOT_A_CURSOR.to_owned()));
        let created_after = parameters.optional("createdAfter", timestamp);
        let created_before = parameters.optional("createdBefore", timestamp);
        Some(Self { limit: limit?, cursor: cursor?, created_after: created_after?, created_before: created_before? })
    }

    /// The rows that are asked for. Both instants are exclusive.
    ///
    /// # Errors
    /// 400 for what is no cursor of this list.
    pub fn span(&self, cursors: &Cursors, list: &str) -> Result<Span, Problem> {
        let last_read = match &self.cursor {
            Some(cursor) => cursors.position(list, cursor)?,
            None => Position::first(),
        };
        let before = self.created_before.map_or_else(Position::first, Position::behind);
        let after = self.created_after.map(|after| after.plus(Duration::from_millis(1)));
        let to = Position::behind(after.unwrap_or(Timestamp::from_millis(i64::MIN)));
        Ok(Span { from: last_read.min(before), to })
    }
}

/// Cuts the rows that were found to a page, and says from where the next one goes on; `None` at the end of the list. One
/// row more than the limit was asked for; `scanned_to` is where the search ended, if not at the end of the list.
pub fn cut<T>(
    found: &mut Vec<T>,
    limit: u64,
    scanned_to: Option<Position>,
    position_of: impl Fn(&T) -> Position,
) -> Option<Position> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if found.len() <= limit {
        return scanned_to;
    }
    found.truncate(limit);
    found.last().map(position_of)
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "0192aee1-5a3b-7c2d-8e4f-123456789abc";

    fn cursors() -> Cursors {
        Cursors::new(&MasterKey::generate(&Ambient::fixed(Timestamp::from_millis(0), 1).0))
    }

    fn at(millis: i64, id: &str) -> Position {
        Position { created_at: Timestamp::from_millis(millis), id: id.to_owned() }
    }

    fn read(query: &str) -> CursorQuery {
        let query: crate::query::Query = format!("/?{query}").parse::<http::Uri>().unwrap().into();
        query.read(CursorQuery::read).unwrap()
    }

    #[test]
    fn a_cursor_leads_back_to_its_position_in_its_own_list_only() {
        let (cursors, position) = (cursors(), at(1_795_282_725_007, ID));
        let cursor = cursors.write("evaluations a", &position);
        assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "{cursor}");
        assert!(cursor.len() <= LONGEST_CURSOR);
        assert_eq!(cursors.read("evaluations a", &cursor), Some(position));
        assert_eq!(cursors.read("evaluations b", &cursor), None);
        assert_eq!(cursors.read("expansions a", &cursor), None);
    }

    #[test]
    fn a_changed_cursor_is_named() {
        let cursors = cursors();
        let cursor = cursors.write("list", &at(7, ID));
        for n in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[n] = if changed[n] == b'A' { b'E' } else { b'A' };
            let query = read(&format!("cursor={}", String::from_utf8(changed).unwrap()));
            let refused = query.span(&cursors, "list").unwrap_err();
            assert!(matches!(refused, Problem::Invalid(details) if details[0].path == "cursor"), "{n}");
        }
        assert!(read(&format!("cursor={cursor}")).span(&cursors, "list").is_ok());
    }

    #[test]
    fn instants_are_exclusive_and_never_widen_what_a_cursor_left() {
        let span = |query: &str| read(query).span(&cursors(), "list").unwrap();
        let (after, before) = ("createdAfter=1970-01-01T00:00:01Z", "createdBefore=1970-01-01T00:00:02Z");
        assert_eq!(span(&format!("{after}&{before}")), Span { from: at(2_000, ""), to: at(1_001, "") });
        assert_eq!(span(""), Span { from: Position::first(), to: at(i64::MIN, "") });
        let cursor = cursors().write("list", &at(1_500, ID));
        assert_eq!(span(&format!("cursor={cursor}&{before}")).from, at(1_500, ID));
        let cursor = cursors().write("list", &at(2_500, ID));
        assert_eq!(span(&format!("cursor={cursor}&{before}")).from, at(2_000, ""));
    }

    #[test]
    fn a_search_ends_at_whichever_end_comes_first() {
        let span = Span { from: Position::first(), to: at(1_000, "") };
        assert_eq!(span.clone().up_to(Some(&at(2_000, ID))).to, at(2_000, ID));
        assert_eq!(span.clone().up_to(Some(&at(500, ID))).to, at(1_000, ""));
        assert_eq!(span.up_to(None).to, at(1_000, ""));
    }

    proptest! {
        #[test]
        fn no_text_but_a_cursor_is_one(text in "[A-Za-z0-9_.=-]{0,80}") {
            prop_assert_eq!(cursors().read("list", &text), None);
        }

        #[test]
        fn following_cursors_visits_every_row_once_while_rows_are_added(
            mut rows in proptest::collection::btree_set((0_i64..20, 0_u32..1_000), 0..60),
            added in proptest::collection::vec(0_u32..1_000, 0..20),
            limit in 1_u64..7,
            scanned in 1_usize..9,
        ) {
            let cursors = cursors();
            let as_position = |(millis, id): &(i64, u32)| at(*millis, &format!("{id:04}"));
            let there_at_first: Vec<_> = rows.iter().rev().map(as_position).collect();
            let (mut seen, mut cursor, mut added) = (Vec::new(), String::new(), added.into_iter());
            loop {
                let Span { from, to } = read(&format!("limit={limit}{cursor}")).span(&cursors, "list").unwrap();
                let behind: Vec<_> = rows.iter().rev().map(as_position).filter(|row| *row < from && *row >= to).collect();
                let scanned_to = behind.get(scanned - 1).cloned();
                let mut found: Vec<_> = behind.into_iter().take(scanned).filter(|row| !row.id.ends_with('7')).collect();
                found.truncate(usize::try_from(limit).unwrap() + 1);
                let next = cut(&mut found, limit, scanned_to, Clone::clone);
                seen.extend(found);
                rows.extend(added.next().map(|id| (20, id)));
                let Some(next) = next else { break };
                cursor = format!("&cursor={}", cursors.write("list", &next));
            }
            let expected: Vec<_> = there_at_first.into_iter().filter(|row| !row.id.ends_with('7')).collect();
            let seen: Vec<_> = seen.into_iter().filter(|row| row.created_at < Timestamp::from_millis(20)).collect();
            prop_assert_eq!(seen, expected);
        }
    }
}
