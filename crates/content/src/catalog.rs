//! What an organization has to offer to courses of learning platforms: finished modules, courses, videos and tests, and what
//! they were made of.
//!
//! Pages on which teachers pick content read it. It changes nothing and knows nothing of platforms.

use kernel::id::{ClassroomId, ExpansionId, OrganizationId, TestId};
use kernel::json::JsonText;
use kernel::secret::sha256_hex;
use kernel::time::Timestamp;
use store::{Group as _, Record, StoreError, Tx, sql};

use crate::exchange::named_test;
use crate::resources::Kind;
use crate::tests::TestItem;

/// The kinds that courses can link to.
pub const KINDS: [Kind; 4] = [Kind::Module, Kind::Course, Kind::Video, Kind::Test];

/// A resource that is there.
#[derive(Clone, Debug, PartialEq, Eq, Record)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is about; may be empty.
    pub description: String,
    /// Where it lives.
    pub classroom_id: ClassroomId,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Which entries are wanted; what is absent narrows nothing.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only of this classroom.
    pub classroom: Option<ClassroomId>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only with this text in the title. The case of letters beyond ASCII counts on the embedded store.
    pub words: String,
}

/// The newest entries of an organization.
///
/// # Errors
/// Any [`StoreError`].
pub fn list(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    let pattern = format!("%{}%", wanted.words.trim().replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"));
    let limit = i64::from(limit);
    sql!(
        "SELECT kind, id, title, description, classroom_id, created_at FROM (
             SELECT 'module' AS kind, id, title, description, classroom_id, created_at
             FROM module WHERE organization_id = {organization} AND status = 'completed' AND type <> 'test' AND type <> 'link'
             UNION ALL
             SELECT 'course', id, title, description, classroom_id, created_at
             FROM course WHERE organization_id = {organization} AND status = 'completed'
             UNION ALL
             SELECT 'video', id, title, description, classroom_id, created_at
             FROM video WHERE organization_id = {organization} AND status = 'completed'
             UNION ALL
             SELECT 'test', id, name, description, classroom_id, created_at
             FROM test WHERE organization_id = {organization} AND status = 'completed'
         ) AS entry
         WHERE (CAST({wanted.kind} AS TEXT) IS NULL OR kind = {wanted.kind})
            AND (CAST({wanted.classroom} AS TEXT) IS NULL OR classroom_id = {wanted.classroom})
            AND lower(title) LIKE lower({pattern}) ESCAPE '\\'
         ORDER BY created_at DESC, id DESC LIMIT {limit}"
    )
    .query(tx, |row| Entry::read_at(row, 0))
}

/// An entry by its kind and id.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, organization: OrganizationId, kind: Kind, id: &str) -> Result<Option<Entry>, StoreError> {
    macro_rules! find {
        ($table:literal, $title:literal, $more:literal) => {
            sql!(
                "SELECT {kind}, id, " $title ", description, classroom_id, created_at FROM " $table "
                 WHERE id = {id} AND organization_id = {organization} AND status = 'completed'" $more
            )
            .find(tx, |row| Entry::read_at(row, 0))
        };
    }
    match kind {
        Kind::Module => find!("module", "title", " AND type <> 'test' AND type <> 'link'"),
        Kind::Course => find!("course", "title", ""),
        Kind::Video => find!("video", "title", ""),
        Kind::Test => find!("test", "name", ""),
        Kind::Slide => Ok(None),
    }
}

/// The points that a test's items give together; 0 for a test that is not there.
///
/// # Errors
/// Any [`StoreError`].
pub fn points(tx: &mut Tx<'_>, organization: OrganizationId, test: &str) -> Result<f64, StoreError> {
    let items = sql!("SELECT items FROM test WHERE id = {test} AND organization_id = {organization}")
        .find(tx, |row| row.get::<String>(0))?;
    Ok(items.map_or(0.0, |items| points_of(&items)))
}

/// A test of a course, and the points that its items give together.
#[derive(Clone, Debug, PartialEq)]
pub struct CourseTest {
    /// The test.
    pub test_id: TestId,
    /// Its points.
    pub points: f64,
}

/// The finished tests of a course, each once, in the order of the course.
///
/// # Errors
/// Any [`StoreError`].
pub fn course_tests(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    course: &str,
) -> Result<Vec<CourseTest>, StoreError> {
    let parts = sql!(
        "SELECT metadata FROM module WHERE course_id = {course} AND organization_id = {organization} AND type = 'test'
         ORDER BY sequence"
    )
    .query(tx, |row| row.get::<JsonText>(0))?;
    let mut tests: Vec<TestId> = Vec::with_capacity(parts.len());
    for test in parts.iter().filter_map(named_test) {
        if !tests.contains(&test) {
            tests.push(test);
        }
    }
    tx.query_each(
        &tests,
        |test| {
            sql!(
                "SELECT id, items FROM test WHERE id = {*test} AND organization_id = {organization} AND status = 'completed'
                    AND classroom_id = (SELECT classroom_id FROM course WHERE id = {course})"
            )
        },
        |row| Ok(CourseTest { test_id: row.get(0)?, points: points_of(&row.get::<String>(1)?) }),
    )
}

fn points_of(items: &str) -> f64 {
    let items: Vec<TestItem> = serde_json::from_str(items).unwrap_or_default();
    items.iter().map(|item| item.score).sum()
}

/// The source of resources: an expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The expansion job.
    pub expansion_id: ExpansionId,
    /// Where its resources live.
    pub classroom_id: ClassroomId,
    /// The title of the source.
    pub title: String,
    /// The SHA-256 of the source JSON as it was sent, in hex.
    pub sha256: String,
    /// When it was sent.
    pub created_at: Timestamp,
    /// What was made of it: kind and id.
    pub resources: Vec<(Kind, String)>,
}

/// The first expansion of an organization that made a resource; `None` for what nobody expanded.
///
/// # Errors
/// Any [`StoreError`].
pub fn expansion_of(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    resource: &str,
) -> Result<Option<ExpansionId>, StoreError> {
    sql!(
        "SELECT e.id FROM expansion_output o JOIN expansion e ON e.id = o.expansion_id
         WHERE o.resource_id = {resource} AND e.organization_id = {organization} ORDER BY e.created_at, e.id LIMIT 1"
    )
    .find(tx, |row| row.get(0))
}

/// An expansion of an organization, as the source of its resources.
///
/// # Errors
/// Any [`StoreError`].
pub fn source(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    expansion: ExpansionId,
) -> Result<Option<Source>, StoreError> {
    let found = sql!(
        "SELECT classroom_id, source_title, payload, created_at FROM expansion
         WHERE id = {expansion} AND organization_id = {organization}"
    )
    .find(tx, |row| {
        let payload: String = row.get(2)?;
        Ok((row.get(0)?, row.get(1)?, sha256_hex(payload.as_bytes()), row.get(3)?))
    })?;
    let Some((classroom_id, title, sha256, created_at)) = found else { return Ok(None) };
    let resources = sql!(
        "SELECT output_type, resource_id FROM expansion_output
         WHERE expansion_id = {expansion} AND resource_id IS NOT NULL ORDER BY position"
    )
    .query(tx, |row| Ok((row.get::<crate::expansions::OutputKind>(0)?.resource_kind(), row.get::<String>(1)?)))?;
    Ok(Some(Source { expansion_id: expansion, classroom_id, title, sha256, created_at, resources }))
}

/// The organization whose content an id names: an expansion's or a resource's. `None` for other ids.
///
/// # Errors
/// Any [`StoreError`].
pub fn owner(tx: &mut Tx<'_>, id: &str) -> Result<Option<OrganizationId>, StoreError> {
    sql!(
        "SELECT organization_id FROM expansion WHERE id = {id}
         UNION ALL SELECT organization_id FROM module WHERE id = {id}
         UNION ALL SELECT organization_id FROM course WHERE id = {id}
         UNION ALL SELECT organization_id FROM video WHERE id = {id}
         UNION ALL SELECT organization_id FROM test WHERE id = {id}
         LIMIT 1"
    )
    .find(tx, |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::App;

    async fn titles(app: &App, organization: OrganizationId, wanted: Wanted) -> Vec<String> {
        let read = move |tx: &mut Tx<'_>| list(tx, organization, &wanted, 100);
        let entries = app.test.store.read("test", read).await.unwrap();
        entries.into_iter().map(|entry| entry.title).collect()
    }

    #[both_stores]
    async fn an_organization_offers_what_is_finished_and_its_own(test: TestStore) {
        let app = App::new(test);
        let (own, other) = (app.tenant("Own").await, app.tenant("Other").await);
        for (tenant, title) in [(&own, "Cells 100%"), (&own, "Roman roads"), (&other, "Foreign")] {
            let path = format!("/v1/content/classrooms/{}/modules", tenant.classroom);
            let body = json!({ "title": title, "content": "A cell is alive." });
            app.post(&path).key(&tenant.key).json(&body).send().await.expect(201);
            app.test.clock.advance(std::time::Duration::from_secs(1));
        }
        let organization = own.organization;
        assert_eq!(titles(&app, organization, Wanted::default()).await, ["Roman roads", "Cells 100%"]);
        let of = |words: &str| Wanted { words: words.to_owned(), ..Wanted::default() };
        assert_eq!(titles(&app, organization, of("cells 100%")).await, ["Cells 100%"]);
        assert!(titles(&app, organization, of("cells_100")).await.is_empty(), "no wildcards");
        let of_kind = |kind| Wanted { kind: Some(kind), ..Wanted::default() };
        assert_eq!(titles(&app, organization, of_kind(Kind::Module)).await.len(), 2);
        assert!(titles(&app, organization, of_kind(Kind::Test)).await.is_empty());
        let elsewhere = Wanted { classroom: Some(other.classroom), ..Wanted::default() };
        assert!(titles(&app, organization, elsewhere).await.is_empty());
    }
}
