//! What the audit log tells of a request.

use std::sync::{Arc, OnceLock};

use axum::extract::MatchedPath;
use http::request::Parts;
use kernel::id::{OrganizationId, WorkspaceId};
use uuid::Uuid;

use super::operations::{OperationName, OperationNames};

const ORGANIZATIONS: [&str; 2] = ["/v1/content/organizations/{", "/auth/organizations/{"];
const WORKSPACES: &str = "/v1/platform/workspaces/{";
/// A learner's id must not outlast the learner's erasure.
const LEARNER: &str = "{learnerId}";

/// The thing that a request makes, if it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    /// A customer of the content surface.
    Organization,
    /// A customer of the platform surface.
    Workspace,
    /// Something of a customer's, or nothing.
    Other,
}

impl Makes {
    fn of(route: &str) -> Self {
        let is_of_one = route.contains('{');
        match route {
            "/v1/content/organizations" => Self::Organization,
            _ if route.starts_with("/v1/platform/workspaces") && !is_of_one => Self::Workspace,
            _ => Self::Other,
        }
    }
}

/// A request that may change something.
#[derive(Debug)]
pub(crate) struct AuditedRequest {
    pub(super) operation: OperationName,
    pub(super) makes: Makes,
    /// The last id of the path.
    pub(super) resource: Option<Uuid>,
    organization: OnceLock<OrganizationId>,
    workspace: OnceLock<WorkspaceId>,
}

impl AuditedRequest {
    /// The request, unless its method is one that changes nothing.
    pub(crate) fn of(parts: &Parts) -> Option<Arc<Self>> {
        if parts.method.is_safe() {
            return None;
        }
        let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let known = parts.extensions.get::<OperationNames>().and_then(|names| names.find(route, &parts.method));
        // A route without a document is not left out.
        let operation = known
            .cloned()
            .unwrap_or_else(|| OperationName { id: format!("{} {route}", parts.method), is_administrative: true });
        let (resource, owner) = ids(route, parts.uri.path());
        let workspace = OnceLock::new();
        if let Some(id) = owner.filter(|_| route.starts_with(WORKSPACES)) {
            let _ = workspace.set(WorkspaceId::from(id));
        }
        let organization = OnceLock::new();
        if let Some(id) = owner.filter(|_| ORGANIZATIONS.iter().any(|folder| route.starts_with(folder))) {
            let _ = organization.set(OrganizationId::from(id));
        }
        Some(Arc::new(Self { operation, makes: Makes::of(route), resource, organization, workspace }))
    }

    pub(super) fn organization(&self) -> Option<OrganizationId> {
        self.organization.get().copied()
    }

    pub(super) fn workspace(&self) -> Option<WorkspaceId> {
        self.workspace.get().copied()
    }
}

/// Takes the customer that a request concerns, for the audit log, where the path does not say it. What is noted first counts.
/// By default nothing is kept.
#[derive(Clone, Debug, Default)]
pub struct AuditNote(pub(crate) Option<Arc<AuditedRequest>>);

impl AuditNote {
    /// Notes the organization.
    pub fn organization(&self, organization: OrganizationId) {
        if let Some(request) = &self.0 {
            let _ = request.organization.set(organization);
        }
    }

    /// Notes the workspace.
    pub fn workspace(&self, workspace: WorkspaceId) {
        if let Some(request) = &self.0 {
            let _ = request.workspace.set(workspace);
        }
    }
}

/// The last and the first id among the variables of a path.
fn ids(route: &str, path: &str) -> (Option<Uuid>, Option<Uuid>) {
    let variables = route.split('/').zip(path.split('/')).filter(|(name, _)| name.starts_with('{') && *name != LEARNER);
    let ids: Vec<Uuid> = variables.filter_map(|(_, value)| value.parse().ok()).collect();
    (ids.last().copied(), ids.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_a_path_are_told_and_nothing_else_of_it() {
        let (one, two) = ("0192aee1-5a3b-7c2d-8e4f-123456789abc", "0192aee1-5a3b-7c2d-8e4f-123456789abd");
        let told = |route: &str, path: &str| {
            let (last, first) = ids(route, path);
            (last.map(|id| id.to_string()), first.map(|id| id.to_string()))
        };
        let of = |last: &str, first: &str| (Some(last.to_owned()), Some(first.to_owned()));
        assert_eq!(told("/a/{id}/b/{keyId}/rotate", &format!("/a/{one}/b/{two}/rotate")), of(two, one));
        assert_eq!(told("/a/{id}", &format!("/a/{one}")), of(one, one));
        assert_eq!(told("/videos/edit/{editToken}", "/videos/edit/7.secret"), (None, None));
        assert_eq!(told("/learners/{learnerId}", &format!("/learners/{one}")), (None, None));
    }
}
