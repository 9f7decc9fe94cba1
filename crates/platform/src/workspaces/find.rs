//! Workspaces by what people call them, for the commands.

use kernel::id::{OrganizationId, WorkspaceId};
use store::{StoreError, Tx};

/// Finds a workspace by its id or its slug. A slug may look like an id: the workspace that has the id counts.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(tx: &mut Tx<'_>, id_or_slug: &str) -> Result<Option<WorkspaceId>, StoreError> {
    tx.find(
        "SELECT id FROM workspace WHERE id = $1 OR slug = $1 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1",
        &[&id_or_slug],
        |row| row.get(0),
    )
}

/// The oldest workspace that is linked to an organization.
///
/// # Errors
/// Any [`StoreError`].
pub fn oldest_of(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Option<WorkspaceId>, StoreError> {
    tx.find(
        "SELECT id FROM workspace WHERE organization_id = $1 ORDER BY created_at, id LIMIT 1",
        &[&organization],
        |row| row.get(0),
    )
}

/// The workspaces that are linked to an organization, perhaps none: whom the content surface tells what happens there.
///
/// # Errors
/// Any [`StoreError`].
pub fn linked_to(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<Vec<String>, StoreError> {
    tx.query("SELECT id FROM workspace WHERE organization_id = $1 ORDER BY id", &[&organization], |row| row.get(0))
}

/// A slug for an organization's workspace: the organization's own, or where that is taken one that nobody else asks
/// for. Two transactions that ask at the same moment get the same, so that only one of them can make a workspace.
///
/// # Errors
/// Any [`StoreError`].
pub fn free_slug(tx: &mut Tx<'_>, organization: OrganizationId, slug: &str) -> Result<String, StoreError> {
    let is_taken = tx.find("SELECT 1 FROM workspace WHERE slug = $1", &[&slug], |_| Ok(()))?.is_some();
    Ok(if is_taken { format!("{slug}-{}", organization.uuid().simple()) } else { slug.to_owned() })
}

#[cfg(test)]
mod tests {
    use edge::problem::Problem;
    use kernel::time::Timestamp;
    use testkit::{TestStore, both_stores};

    use super::super::create::{NewWorkspace, insert};
    use super::*;

    #[both_stores]
    async fn an_id_and_a_slug_find_their_workspace_and_the_id_counts(test: TestStore) {
        test.store
            .write("test", |tx| {
                let one = insert(tx, &NewWorkspace::named("One".into(), "one".into()))?;
                let other = insert(tx, &NewWorkspace::named("Two".into(), one.to_string()))?;
                for (name, expected) in [(one.to_string().as_str(), Some(one)), ("one", Some(one)), ("nobody", None)] {
                    assert_eq!(find(tx, name)?, expected, "{name}");
                }
                assert_eq!(find(tx, &other.to_string())?, Some(other));
                Ok::<_, Problem>(())
            })
            .await
            .unwrap();
    }

    #[both_stores]
    async fn the_oldest_workspace_of_an_organization_is_found(test: TestStore) {
        test.store
            .write("test", |tx| {
                let organization: OrganizationId = tx.ambient().id();
                tx.execute(
                    "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, 'A', 'a', 0, 0)",
                    &[&organization],
                )?;
                assert_eq!((oldest_of(tx, organization)?, linked_to(tx, organization)?), (None, Vec::new()));
                let linked = |slug: &str| NewWorkspace {
                    organization: Some(organization),
                    ..NewWorkspace::named(slug.to_owned(), slug.to_owned())
                };
                let older = insert(tx, &linked("older"))?;
                let newer = insert(tx, &linked("newer"))?;
                let later = Timestamp::from_millis(tx.now().as_millis() + 1);
                tx.execute("UPDATE workspace SET created_at = $2 WHERE id = $1", &[&newer, &later])?;
                assert_eq!(oldest_of(tx, organization)?, Some(older));
                assert_eq!(linked_to(tx, organization)?, [older.to_string(), newer.to_string()]);
                let free = free_slug(tx, organization, "older")?;
                assert!(free.starts_with("older-") && free == free_slug(tx, organization, "older")?, "{free}");
                assert_eq!(free_slug(tx, organization, "a")?, "a");
                Ok::<_, Problem>(())
            })
            .await
            .unwrap();
    }
}
