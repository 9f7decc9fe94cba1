//! A course's contents as the course shows them. Call [`touch`] before any change of them; where the modules stand is
//! changed by [`crate::modules::places`].

use std::collections::HashMap;

use kernel::id::{ClassroomId, CourseId, OrganizationId};
use store::{Group as _, StoreError, Tx, sql};

use super::{Course, CourseEntry};

/// Notes that something of a course changed.
pub(crate) fn touch(tx: &mut Tx<'_>, organization: OrganizationId, course: CourseId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE course SET version = version + 1, updated_at = $3 WHERE id = $1 AND organization_id = $2",
        &[&course, &organization, &now],
    )
}

/// How many modules a course has; `None` when the classroom has no such course.
pub(crate) fn size_of(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    classroom: ClassroomId,
    course: CourseId,
) -> Result<Option<i64>, StoreError> {
    tx.find(
        "SELECT (SELECT count(*) FROM module WHERE module.course_id = course.id)
         FROM course WHERE id = $1 AND organization_id = $2 AND classroom_id = $3",
        &[&course, &organization, &classroom],
        |row| row.get(0),
    )
}

/// Adds their contents to some courses.
pub(super) fn complete(tx: &mut Tx<'_>, courses: &mut [Course]) -> Result<(), StoreError> {
    let rows = tx.query_each(
        &*courses,
        |course| {
            sql!(
                "SELECT course_id, id, sequence, title, description, type, status, is_public FROM module
                 WHERE course_id = {course.id} ORDER BY sequence"
            )
        },
        |row| Ok((row.get::<CourseId>(0)?, CourseEntry::read_at(row, 1)?)),
    )?;
    let mut contents: HashMap<CourseId, Vec<CourseEntry>> = HashMap::new();
    for (course, entry) in rows {
        contents.entry(course).or_default().push(entry);
    }
    for course in courses {
        course.contents = contents.remove(&course.id).unwrap_or_default();
    }
    Ok(())
}
