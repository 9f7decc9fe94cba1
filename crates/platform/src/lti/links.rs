//! Links to resources of a workspace's organization that teachers picked for their courses (Deep Linking).
//!
//! A link names its resource; its launches name the link. It belongs to the workspace, so that it outlives the registration
//! that it was picked for. [`super::deep_linking`] places links.

use kernel::id::{LaunchId, LinkId, OrganizationId, RegistrationId, WorkspaceId};
use kernel::time::Timestamp;
use net::Url;
use store::{Record, StoreError, Tx, sql};

use super::LAUNCH_PATH;
use super::sessions::LaunchSession;
use crate::Platform;

/// The custom parameter by which launches name their link. Platforms give it back unaltered.
pub(crate) const CUSTOM_PARAMETER: &str = "lectern_link";
/// The same in the query of the link's address, for platforms that lose custom parameters.
pub(super) const QUERY_PARAMETER: &str = "link";

/// A row of `lti_link`.
#[derive(Clone, Debug, Record)]
#[record(table = "lti_link")]
pub struct Link {
    /// Its id.
    pub id: LinkId,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// The platform that it was picked for; `None` once the registration was deleted.
    pub registration_id: Option<RegistrationId>,
    /// The launch in which it was picked.
    pub session_id: LaunchId,
    /// `module`, `course`, `video` or `test`.
    pub kind: String,
    /// What it leads to.
    pub resource_id: String,
    /// The resource's title as it was.
    pub title: String,
    /// The course, as the platform names it.
    pub context_id: Option<String>,
    /// The trace that the resource is part of.
    pub trace_id: String,
    /// When it was picked.
    pub created_at: Timestamp,
}

/// The link that a launch opens, and the organization whose content it leads to.
#[derive(Clone, Debug)]
pub struct LinkTarget {
    /// The link.
    pub link: Link,
    /// The organization that the workspace is linked to.
    pub organization: OrganizationId,
}

impl Platform {
    /// The link that a launch opens; `None` where it opens none, its workspace is suspended, or no organization is linked to
    /// the workspace any more.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn link_target(&self, session: &LaunchSession) -> Result<Option<LinkTarget>, StoreError> {
        let Some(id) = session.link_id else { return Ok(None) };
        let workspace = session.workspace_id;
        let find = move |tx: &mut Tx<'_>| {
            let Some(organization) = linked_organization(tx, workspace)? else { return Ok(None) };
            Ok(Link::find(tx, workspace, id)?.map(|link| LinkTarget { link, organization }))
        };
        self.door.store.read("lti_links.open", find).await
    }

    /// The organization whose content a teacher may pick in a launch; `None` as in [`Platform::link_target`].
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn linked_organization(&self, session: &LaunchSession) -> Result<Option<OrganizationId>, StoreError> {
        let workspace = session.workspace_id;
        self.door.store.read("lti_links.organization", move |tx| linked_organization(tx, workspace)).await
    }
}

fn linked_organization(tx: &mut Tx<'_>, workspace: WorkspaceId) -> Result<Option<OrganizationId>, StoreError> {
    let found = sql!("SELECT organization_id FROM workspace WHERE id = {workspace} AND status = 'ACTIVE'")
        .find(tx, |row| row.get::<Option<OrganizationId>>(0))?;
    Ok(found.flatten())
}

impl Link {
    /// A link of a workspace.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn find(tx: &mut Tx<'_>, workspace: WorkspaceId, id: LinkId) -> Result<Option<Self>, StoreError> {
        sql!("SELECT {Link::*} FROM lti_link WHERE id = {id} AND workspace_id = {workspace}").find(tx, Self::from_row)
    }

    /// The link that a launch names, whether or not there is one.
    pub(super) fn named_by(session: &LaunchSession) -> Option<LinkId> {
        let custom: serde_json::Value = serde_json::from_str(session.custom.as_str()).unwrap_or_default();
        if let Some(id) = custom.get(CUSTOM_PARAMETER).and_then(serde_json::Value::as_str) {
            return id.parse().ok();
        }
        let target = Url::parse(&session.target_link_uri).ok()?;
        target.query_pairs().find(|(name, _)| name == QUERY_PARAMETER).and_then(|(_, id)| id.parse().ok())
    }

    /// Where the link's launches lead.
    ///
    /// # Panics
    /// When the service's own address is none.
    pub(super) fn url(&self, base_url: &str) -> Url {
        let mut url = Url::parse(&format!("{base_url}{LAUNCH_PATH}")).expect("the service's own address is a URL");
        url.query_pairs_mut().append_pair(QUERY_PARAMETER, &self.id.to_string());
        url
    }
}
