//! Expansions: one level of a customer's source JSON becomes a module, a video and a quiz.
//!
//! [`create`] accepts a source, [`export`] makes one of a module; [`work`] does the work, [`status`], [`result`] and [`list`] tell
//! how it stands, [`retry`] tries again what failed. [`payload`] holds the rules of the source, [`rows`] the tables,
//! [`view`] what a client sees.

mod accept;
pub mod create;
pub mod export;
pub mod list;
pub mod payload;
pub mod result;
pub mod retry;
mod rows;
pub mod status;
mod view;
pub mod work;

use edge::door::KeyCaller;
use edge::problem::Problem;
use engine::SourceLevel;
use kernel::id::{ExpansionId, OrganizationId};
use store::{StoreError, Tx};

pub use rows::{OutputKind, ResourceType};

use crate::organization_of;

/// The job that an id in a path names; what is no id names none.
fn expansion_param(text: &str) -> Result<ExpansionId, Problem> {
    text.parse().map_err(|_| UNKNOWN_JOB)
}

const UNKNOWN_JOB: Problem = Problem::NotFound("Expansion job");

/// The source of an organization's expansion, where it is still kept: the level that it works on.
pub(crate) fn source(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    id: ExpansionId,
) -> Result<Option<StoredSource>, StoreError> {
    match rows::find(tx, organization, id)? {
        Some(found) => Ok(rows::payload(tx, found.id)?.map(StoredSource)),
        None => Ok(None),
    }
}

/// The stored source of an expansion, not read yet.
pub(crate) struct StoredSource(String);

impl StoredSource {
    /// The level that the expansion works on; `None` where this version can't read it. It computes.
    pub(crate) fn level(&self) -> Option<SourceLevel> {
        payload::source_level(&serde_json::from_str(&self.0).ok()?)
    }
}

/// The caller's job that an id in a path names.
fn load(tx: &mut Tx<'_>, caller: &KeyCaller, id: &str) -> Result<rows::Expansion, Problem> {
    let id = expansion_param(id)?;
    rows::find(tx, organization_of(caller)?, id)?.ok_or(UNKNOWN_JOB)
}
