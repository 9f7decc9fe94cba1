//! Where far pages of a list begin, so that page 900 costs about what page 1 does.
//!
//! A database finds the row behind ninety thousand others by walking past them. What this service learns on such a
//! walk it keeps as a mark, and the next walk begins at the mark before its end: who follows the pages one by one never
//! walks far. Marks hold as long as no resource of the kind was added to the classroom or removed from it, which a
//! list reads from the database together with its total, in the snapshot of its rows. Nothing of a resource is kept here
//! but its place.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kernel::id::{ClassroomId, OrganizationId};
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx};

use super::{Kind, Resource};

/// The least number of rows from one mark to the next.
const SPACING: u64 = 512;
/// Lists whose marks are kept at the same time.
const MOST_LISTS: usize = 64;
/// Marks of a list.
const MOST_MARKS: usize = 2_048;

/// A row's place in a list that is newest first: by the time of its making, then by its id.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
pub(crate) struct Mark {
    pub(crate) created_at: Timestamp,
    pub(crate) id: String,
}

impl Mark {
    /// Before everything.
    fn top() -> Self {
        Self { created_at: Timestamp::from_millis(i64::MAX), id: "z".to_owned() }
    }
}

/// What is known of the lists that were read far down.
#[derive(Default)]
pub(crate) struct Positions(Mutex<HashMap<(ClassroomId, Kind), Known>>);

/// The marks of a list, by how many rows come before each.
struct Known {
    /// The count of additions and removals at which they hold.
    changes: u64,
    marks: BTreeMap<u64, Mark>,
}

impl Positions {
    /// A mark, and how many rows after it the row at `offset` comes; few, unless there are too many marks.
    pub(super) fn locate<R: Resource>(
        &self,
        tx: &mut Tx<'_>,
        (organization, classroom): (OrganizationId, ClassroomId),
        changes: u64,
        offset: u64,
    ) -> Result<(Mark, u64), StoreError> {
        let list = (classroom, R::KIND);
        let (place, mark) = self.last_before(list, changes, offset);
        let goal = offset - offset % SPACING;
        if goal <= place {
            return Ok((mark, offset - place));
        }
        let steps = i64::try_from(goal - place).unwrap_or(i64::MAX);
        let found = tx.find(R::SQL.mark, &[&organization, &classroom, &mark.created_at, &mark.id, &steps], |row| {
            Mark::read_at(row, 0)
        })?;
        let Some(found) = found else { return Ok((mark, offset - place)) };
        self.learn(list, changes, goal, found.clone());
        Ok((found, offset - goal))
    }

    /// The last known mark up to `offset`, and how many rows come before it.
    fn last_before(&self, list: (ClassroomId, Kind), changes: u64, offset: u64) -> (u64, Mark) {
        let lists = self.lists();
        let known = lists.get(&list).filter(|known| known.changes == changes);
        let last = known.and_then(|known| known.marks.range(..=offset).next_back());
        last.map_or_else(|| (0, Mark::top()), |(place, mark)| (*place, mark.clone()))
    }

    fn learn(&self, list: (ClassroomId, Kind), changes: u64, place: u64, mark: Mark) {
        let mut lists = self.lists();
        if lists.len() >= MOST_LISTS && !lists.contains_key(&list) {
            let any = lists.keys().next().copied();
            any.map(|any| lists.remove(&any));
        }
        let known = lists.entry(list).or_insert_with(|| Known { changes, marks: BTreeMap::new() });
        if known.changes != changes {
            *known = Known { changes, marks: BTreeMap::new() };
        }
        if known.marks.len() < MOST_MARKS {
            known.marks.insert(place, mark);
        }
    }

    fn lists(&self) -> MutexGuard<'_, HashMap<(ClassroomId, Kind), Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use kernel::ambient::Ambient;
    use kernel::id::ModuleId;
    use proptest::strategy::{Strategy as _, ValueTree as _};
    use proptest::test_runner::TestRunner;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, Tenant};

    /// Stores so many modules whose times of making often are the same.
    async fn add(app: &App, tenant: &Tenant, count: i64) {
        let (organization, classroom) = (tenant.organization, tenant.classroom);
        let insert = move |tx: &mut Tx<'_>| {
            (0..count).try_for_each(|n| {
                tx.execute_later(
                    "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status,
                        language, is_public, content, quizzes, metadata, created_at, updated_at)
                     VALUES ($1, $2, $3, '', 'm', '', '', 'completed', '', 0, '', '[]', '{}', $4, 0)",
                    &[&tx.ambient().id::<ModuleId>(), &organization, &classroom, &(n * 7 % 31)],
                )
            })
        };
        app.write(insert).await;
    }

    async fn in_order(app: &App) -> Vec<String> {
        let read = app.read(|tx| {
            tx.query("SELECT id, created_at FROM module", &[], |row| Ok((row.get::<i64>(1)?, row.get::<String>(0)?)))
        });
        let mut rows = read.await;
        rows.sort_unstable_by(|one, other| other.cmp(one));
        rows.into_iter().map(|(_, id)| id).collect()
    }

    async fn page(app: &App, tenant: &Tenant, limit: usize, number: usize) -> Vec<String> {
        let path = tenant.resources(&format!("modules?limit={limit}&page={number}"));
        let listed = app.get(&path).key(&tenant.key).send().await.expect(200);
        listed.as_array().unwrap().iter().map(|module| module["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Pages to read, each as its limit and where in the list it is, in thousandths.
    fn history() -> Vec<(usize, usize)> {
        let steps = proptest::collection::vec((1..=100_usize, 0..1_000_usize), 60);
        steps.new_tree(&mut TestRunner::default()).unwrap().current()
    }

    #[both_stores]
    async fn far_pages_are_right_whatever_was_read_added_and_deleted_before(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        add(&app, &tenant, 1_700).await;
        let mut expected = in_order(&app).await;
        for (step, (limit, thousandth)) in history().into_iter().enumerate() {
            match step % 12 {
                7 => add(&app, &tenant, 3).await,
                11 => {
                    let path = tenant.resources(&format!("modules/{}", expected[thousandth * expected.len() / 1_000]));
                    app.delete(&path).key(&tenant.key).send().await.expect(200);
                }
                _ => {}
            }
            if matches!(step % 12, 7 | 11) {
                expected = in_order(&app).await;
            }
            let number = thousandth * expected.len() / 1_000 / limit;
            let slice = &expected[number * limit..expected.len().min((number + 1) * limit)];
            assert_eq!(page(&app, &tenant, limit, number + 1).await, slice, "{limit} on page {}", number + 1);
        }
    }

    #[test]
    fn marks_hold_until_something_is_added_or_removed() {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let list = (ambient.id::<ClassroomId>(), Kind::Module);
        let mark = |n| Mark { created_at: Timestamp::from_millis(n), id: String::new() };
        let positions = Positions::default();
        positions.learn(list, 7, 1_024, mark(1));
        positions.learn(list, 7, 4_096, mark(2));
        assert_eq!(positions.last_before(list, 7, 1_023), (0, Mark::top()));
        assert_eq!(positions.last_before(list, 7, 4_095), (1_024, mark(1)));
        assert_eq!(positions.last_before(list, 7, 9_999), (4_096, mark(2)));
        assert_eq!(positions.last_before(list, 8, 9_999), (0, Mark::top()));
        assert_eq!(positions.last_before((list.0, Kind::Video), 7, 9_999), (0, Mark::top()));
        positions.learn(list, 8, 512, mark(3));
        assert_eq!(positions.last_before(list, 7, 9_999), (0, Mark::top()));
        assert_eq!(positions.last_before(list, 8, 9_999), (512, mark(3)));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let positions = Positions::default();
        for _ in 0..MOST_LISTS * 3 {
            positions.learn((ambient.id(), Kind::Module), 1, 512, Mark::top());
        }
        assert_eq!(positions.lists().len(), MOST_LISTS);
        let list = (ambient.id(), Kind::Module);
        for n in 0..MOST_MARKS as u64 * 2 {
            positions.learn(list, 1, n * SPACING, Mark::top());
        }
        assert_eq!(positions.lists()[&list].marks.len(), MOST_MARKS);
    }
}
