//! Queues an expansion, whatever its source: the job with its outputs, the work, the event, in one transaction.

use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, ModuleId, OrganizationId};
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use super::rows::{self, Expansion, Output, OutputKind, Progress};
use super::work;
use crate::resources::Kind;

/// The source type of an export; no caller can give it to a source of its own.
pub(super) const STANDALONE_LESSON: &str = "standalone_lesson";

/// An expansion to queue.
pub(super) struct NewExpansion {
    pub(super) classroom: ClassroomId,
    /// In priority order, each once.
    pub(super) kinds: Vec<OutputKind>,
    pub(super) source_type: String,
    pub(super) source_title: String,
    /// The module that the source was made from.
    pub(super) source_module: Option<ModuleId>,
    /// JSON that the rules of `payload` accept.
    pub(super) payload: String,
}

/// Queues an expansion in the caller's transaction.
pub(super) fn accept(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    organization: OrganizationId,
    new: &NewExpansion,
) -> Result<Expansion, StoreError> {
    let now = tx.now();
    let expansion = queued(ambient, organization, new, now);
    rows::insert(tx, &expansion)?;
    work::enqueue(tx, organization, expansion.id)?;
    Ok(expansion)
}

fn queued(ambient: &Ambient, organization: OrganizationId, new: &NewExpansion, now: Timestamp) -> Expansion {
    let outputs = new.kinds.iter().map(|kind| Output {
        id: ambient.id(),
        kind: *kind,
        progress: Progress::Queued,
        resource_id: None,
        manifest: None,
        module_is_public: None,
    });
    Expansion {
        id: ambient.id(),
        organization_id: organization,
        classroom_id: new.classroom,
        source_type: new.source_type.clone(),
        source_title: new.source_title.clone(),
        source_resource_id: new.source_module.map(|module| module.to_string()),
        source_resource_type: new.source_module.map(|_| Kind::Module.as_str().to_owned()),
        payload: new.payload.clone(),
        progress: Progress::Queued,
        created_at: now,
        updated_at: now,
        outputs: outputs.collect(),
    }
}
