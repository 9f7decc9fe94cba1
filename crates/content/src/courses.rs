//! Courses: modules in an order. A course has copies of its own; the modules that they were made from live on
//! by themselves.

use kernel::id::{CourseId, OrganizationId};
use store::{StoreError, Tx};

/// Notes that something of a course changed. Whoever changes a course's modules does this first: it is the row
/// that tells two writers of one course apart.
pub(crate) fn touch(tx: &mut Tx<'_>, organization: OrganizationId, course: CourseId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE course SET version = version + 1, updated_at = $3 WHERE id = $1 AND organization_id = $2",
        &[&course, &organization, &now],
    )
}

/// Closes the gap that a module leaves in its course.
pub(crate) fn close_gap(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    course: CourseId,
    sequence: i64,
) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "UPDATE module SET sequence = 1 - sequence, version = version + 1, updated_at = $4
         WHERE course_id = $1 AND organization_id = $2 AND sequence > $3",
        &[&course, &organization, &sequence, &now],
    )?;
    settle_places(tx, organization, course)
}

/// Modules move over negative places, because no two of a course may ever have the same one.
fn settle_places(tx: &mut Tx<'_>, organization: OrganizationId, course: CourseId) -> Result<(), StoreError> {
    tx.execute_later(
        "UPDATE module SET sequence = -sequence WHERE course_id = $1 AND organization_id = $2 AND sequence < 0",
        &[&course, &organization],
    )
}
