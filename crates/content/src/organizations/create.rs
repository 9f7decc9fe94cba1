//! Makes an organization, for the operation and for the operator's commands.

use edge::admins::ROLE_ADMIN;
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use store::{StoreError, Tx};

use super::Organization;
use crate::slug::slugify;

/// Finds an organization by its id, its slug or its exact name.
pub fn find(tx: &mut Tx<'_>, id_slug_or_name: &str) -> Result<Option<Organization>, StoreError> {
    let mut found = tx.query(
        "SELECT id, name, slug FROM organization WHERE id = $1 OR slug = $1 OR name = $1 ORDER BY created_at LIMIT 1",
        &[&id_slug_or_name],
        |row| Ok(Organization { id: row.get(0)?, name: row.get(1)?, slug: row.get(2)?, role: ROLE_ADMIN }),
    )?;
    Ok(found.pop())
}

/// Makes an organization. Its slug comes from the name, made unique where it is taken.
pub fn create(tx: &mut Tx<'_>, ambient: &Ambient, name: &str) -> Result<Organization, StoreError> {
    let id: OrganizationId = ambient.id();
    let now = tx.now();
    let slug = free_slug(tx, name, id)?;
    tx.execute(
        "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)",
        &[&id, &name, &slug, &now],
    )?;
    Ok(Organization { id, name: name.to_owned(), slug, role: ROLE_ADMIN })
}

fn free_slug(tx: &mut Tx<'_>, name: &str, id: OrganizationId) -> Result<String, StoreError> {
    let slug = slugify(name, "organization");
    let is_taken = tx.find("SELECT 1 FROM organization WHERE slug = $1", &[&slug], |_| Ok(()))?.is_some();
    Ok(if is_taken { format!("{slug}-{}", short(id.uuid())) } else { slug })
}

/// The random end of an id, to tell equal names apart.
pub(crate) fn short(id: uuid::Uuid) -> String {
    let text = id.simple().to_string();
    text[text.len() - 8..].to_owned()
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;

    #[both_stores]
    async fn equal_names_get_different_slugs_and_every_handle_finds_its_own(test: TestStore) {
        let ambient = test.ambient.clone();
        let (one, other) = test
            .store
            .write("test", move |tx| {
                Ok::<_, StoreError>((create(tx, &ambient, "A School")?, create(tx, &ambient, "A School")?))
            })
            .await
            .unwrap();
        assert_eq!(one.slug, "a-school");
        assert_ne!(one.slug, other.slug);
        for handle in [other.id.to_string(), other.slug.clone()] {
            let found = test.store.read("test", move |tx| find(tx, &handle)).await.unwrap().unwrap();
            assert_eq!(found.id, other.id);
        }
        assert!(test.store.read("test", |tx| find(tx, "nobody")).await.unwrap().is_none());
    }
}
