//! What traces begin with: the platform surface asks, the content surface knows.

use content::catalog::{self, KINDS, Source};
use kernel::id::{ExpansionId, OrganizationId};
use platform::traces::{Origin, TracedResource, TracedSource};
use store::{StoreError, Tx};

/// An expansion with all that was made of it, or a resource with its expansion, of an organization. A resource that was deleted is
/// known as long as its expansion is.
pub fn find_origin(tx: &mut Tx<'_>, organization: OrganizationId, id: &str) -> Result<Option<Origin>, StoreError> {
    if let Ok(expansion) = id.parse::<ExpansionId>()
        && let Some(source) = catalog::source(tx, organization, expansion)?
    {
        let resources = source.resources.iter().map(|(kind, id)| resource(kind.as_str(), id)).collect();
        return Ok(Some(Origin { source: Some(traced(source)), resources }));
    }
    let source = match catalog::expansion_of(tx, organization, id)? {
        Some(expansion) => catalog::source(tx, organization, expansion)?,
        None => None,
    };
    let made = source.as_ref().and_then(|source| source.resources.iter().find(|(_, made)| made == id));
    let kind = match made {
        Some((kind, _)) => Some(*kind),
        None => find_kind(tx, organization, id)?,
    };
    let Some(kind) = kind else { return Ok(None) };
    Ok(Some(Origin { source: source.map(traced), resources: vec![resource(kind.as_str(), id)] }))
}

fn find_kind(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    id: &str,
) -> Result<Option<content::resources::Kind>, StoreError> {
    for kind in KINDS {
        if catalog::find(tx, organization, kind, id)?.is_some() {
            return Ok(Some(kind));
        }
    }
    Ok(None)
}

fn resource(kind: &str, id: &str) -> TracedResource {
    TracedResource { kind: kind.to_owned(), id: id.to_owned() }
}

fn traced(source: Source) -> TracedSource {
    TracedSource {
        expansion_id: source.expansion_id.to_string(),
        classroom_id: source.classroom_id.to_string(),
        title: source.title,
        sha256: source.sha256,
        created_at: source.created_at,
    }
}
