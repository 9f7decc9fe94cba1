//! The workspace that a request names. It has two names: the older documents call it `workspaceId`, the newer ones
//! `organizationId`; both mean the workspace everywhere on this surface.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use edge::body::At;
use edge::openapi::optional_text;
use edge::problem::Problem;
use edge::query::{self, Parameters, Query};
use http::request::Parts;
use kernel::id::WorkspaceId;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

/// The rule of a body that must name a workspace.
pub(crate) fn names_one(at: &mut At<'_>, organization: &Option<WorkspaceId>, workspace: &Option<WorkspaceId>) {
    names_at_most_one(at, organization, workspace);
    if organization.or(*workspace).is_none() {
        at.member("organizationId").refuse::<()>("is required");
    }
}

/// The rule of a body that may name a workspace.
pub(crate) fn names_at_most_one(at: &mut At<'_>, organization: &Option<WorkspaceId>, workspace: &Option<WorkspaceId>) {
    if organization.zip(*workspace).is_some_and(|(one, other)| one != other) {
        at.member("workspaceId").refuse::<()>("must be the same as organizationId");
    }
}

/// Reads the workspace from a query that may name one.
pub(crate) fn workspace_in_query(parameters: &mut Parameters<'_>) -> Option<Option<WorkspaceId>> {
    let organization = parameters.optional("organizationId", query::id::<WorkspaceId>);
    let workspace = parameters.optional("workspaceId", query::id::<WorkspaceId>);
    match (organization?, workspace?) {
        (Some(one), Some(other)) if one != other => {
            parameters.refuse("workspaceId", "must be the same as organizationId")
        }
        (one, other) => Some(one.or(other)),
    }
}

/// The workspace that the query of an operation names, if any; the verdict on it waits until the caller is known.
#[derive(Clone, Debug)]
pub struct NamedInQuery(Query);

impl NamedInQuery {
    /// The workspace, where the operation is no list: other parameters are ignored.
    ///
    /// # Errors
    /// 400 for what is no id, and for two that differ.
    pub(crate) fn optional(&self) -> Result<Option<WorkspaceId>, Problem> {
        self.0.read_known(workspace_in_query)
    }

    /// The workspace, where the operation lists and takes nothing else.
    ///
    /// # Errors
    /// As [`NamedInQuery::optional`], and 400 naming every other parameter.
    pub(crate) fn alone(&self) -> Result<Option<WorkspaceId>, Problem> {
        self.0.read(workspace_in_query)
    }
}

impl IntoParams for NamedInQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = |name, description| optional_text(name, ParameterIn::Query, description);
        vec![
            parameter("organizationId", "The workspace, where it is not the key's own"),
            parameter("workspaceId", "The same as `organizationId`"),
        ]
    }
}

impl<S: Send + Sync> FromRequestParts<S> for NamedInQuery {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Query::from_request_parts(parts, state).await.map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_name_will_do_and_both_must_agree() {
        let (one, other) = ("0192aee1-5a3b-7c2d-8e4f-123456789abc", "0192aee1-5a3b-7c2d-8e4f-123456789abd");
        let query = |query: &str| NamedInQuery(format!("/?{query}").parse::<http::Uri>().unwrap().into());
        let named = |text: &str| query(text).optional();
        assert_eq!(named("x=1").unwrap(), None);
        assert!(matches!(query("x=1").alone(), Err(Problem::Invalid(details)) if details[0].path == "x"));
        for query in [format!("organizationId={one}"), format!("workspaceId={one}&organizationId={one}")] {
            assert_eq!(named(&query).unwrap().unwrap().to_string(), one);
        }
        for query in
            [format!("organizationId={one}&workspaceId={other}"), "workspaceId=7".into(), "workspaceId=".into()]
        {
            assert!(matches!(named(&query), Err(Problem::Invalid(details)) if details[0].path == "workspaceId"));
        }
    }
}
