//! The places of a course's modules: 1, 2, 3 and so on, whatever is added and removed.
//!
//! Places change in two steps, over negative ones: the database lets no two modules of a course have the same
//! place, not even between two rows of one statement. Call [`crate::courses::touch`] before any change here.

use kernel::id::{CourseId, OrganizationId};
use store::{StoreError, Tx, sql};

/// Moves the modules from this place on up by one.
pub(crate) fn make_room(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    course: CourseId,
    sequence: i64,
) -> Result<(), StoreError> {
    shift(tx, organization, course, sequence, 1)
}

/// Moves the modules behind this place down by one.
pub(crate) fn close_gap(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    course: CourseId,
    sequence: i64,
) -> Result<(), StoreError> {
    shift(tx, organization, course, sequence + 1, -1)
}

fn shift(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    course: CourseId,
    first: i64,
    by: i64,
) -> Result<(), StoreError> {
    let now = tx.now();
    sql!(
        "UPDATE module SET sequence = -sequence - {by}, version = version + 1, updated_at = {now}
         WHERE course_id = {course} AND organization_id = {organization} AND sequence >= {first}"
    )
    .execute_later(tx)?;
    tx.execute_later(
        "UPDATE module SET sequence = -sequence WHERE course_id = $1 AND organization_id = $2 AND sequence < 0",
        &[&course, &organization],
    )
}

/// Removes a course's modules: they are copies, nobody else has them.
pub(crate) fn remove_all(tx: &mut Tx<'_>, organization: OrganizationId, course: CourseId) -> Result<(), StoreError> {
    tx.execute_later("DELETE FROM module WHERE course_id = $1 AND organization_id = $2", &[&course, &organization])
}
