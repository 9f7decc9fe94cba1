//! Makes a classroom, for the operation and for the operator's commands.

use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, OrganizationId};
use store::{StoreError, Tx, sql};

use super::Classroom;
use crate::organizations::create::short;
use crate::slug::slugify;

/// Finds an organization's classroom by its exact name.
pub fn find(tx: &mut Tx<'_>, organization: OrganizationId, name: &str) -> Result<Option<Classroom>, StoreError> {
    let mut found = tx.query(
        "SELECT id, name, slug, locale FROM classroom WHERE organization_id = $1 AND name = $2
         ORDER BY created_at LIMIT 1",
        &[&organization, &name],
        |row| Ok(Classroom { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, locale: row.get(3)? }),
    )?;
    Ok(found.pop())
}

/// Makes a classroom. [`StoreError::ForeignKey`] when the organization does not exist.
pub fn create(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    organization: OrganizationId,
    name: &str,
    locale: &str,
) -> Result<Classroom, StoreError> {
    let id: ClassroomId = ambient.id();
    let now = tx.now();
    let mut slug = slugify(name, "classroom");
    let taken =
        tx.find("SELECT 1 FROM classroom WHERE organization_id = $1 AND slug = $2", &[&organization, &slug], |_| {
            Ok(())
        })?;
    if taken.is_some() {
        slug = format!("{slug}-{}", short(id.uuid()));
    }
    sql!(
        "INSERT INTO classroom (id, organization_id, name, slug, locale, created_at, updated_at)
         VALUES ({id}, {organization}, {name}, {slug}, {locale}, {now}, {now})"
    )
    .execute(tx)?;
    Ok(Classroom { id, name: name.to_owned(), slug, locale: locale.to_owned() })
}
