//! The workspace that a request names. It has two names: the older documents call it `workspaceId`, the newer ones
//! `organizationId`; both mean the workspace everywhere on this surface.

use axum::extract::FromRequestParts;
use edge::body::{Fields, id};
use edge::problem::{Detail, Problem};
use http::request::Parts;
use kernel::id::WorkspaceId;
use url::form_urlencoded;

/// Reads the workspace from a body that must name one.
pub(crate) fn named_workspace(fields: &mut Fields<'_>) -> Option<WorkspaceId> {
    named_or_own_workspace(fields)?.or_else(|| fields.at().member("organizationId").refuse("is required"))
}

/// Reads the workspace from a body that may name one.
pub(crate) fn named_or_own_workspace(fields: &mut Fields<'_>) -> Option<Option<WorkspaceId>> {
    let organization = fields.optional("organizationId", id::<WorkspaceId>);
    let workspace = fields.optional("workspaceId", id::<WorkspaceId>);
    match (organization?, workspace?) {
        (Some(one), Some(other)) if one != other => {
            fields.at().member("workspaceId").refuse("must be the same as organizationId")
        }
        (one, other) => Some(one.or(other)),
    }
}

/// The workspace of a query, if any; the verdict on it waits until the caller is known.
#[derive(Clone, Debug)]
pub struct NamedInQuery(Result<Option<WorkspaceId>, Problem>);

impl NamedInQuery {
    /// # Errors
    /// 400 for what is no id, and for two that differ.
    pub(crate) fn optional(&self) -> Result<Option<WorkspaceId>, Problem> {
        self.0.clone()
    }

    /// # Errors
    /// As [`NamedInQuery::optional`], and 400 when the query names none.
    pub(crate) fn required(&self) -> Result<WorkspaceId, Problem> {
        self.optional()?.ok_or_else(|| Problem::field("organizationId", "is required"))
    }

    fn of(query: &str) -> Self {
        let (mut named, mut details) = (Vec::new(), Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if matches!(&*name, "organizationId" | "workspaceId") {
                match value.parse::<WorkspaceId>() {
                    Ok(id) if named.first().is_none_or(|first| *first == id) => named.push(id),
                    Ok(_) => details.push((name, "must name one workspace")),
                    Err(_) => details.push((name, "must be a UUID")),
                }
            }
        }
        let detail = |(name, message): (std::borrow::Cow<'_, str>, &str)| Detail {
            path: name.into_owned(),
            message: message.to_owned(),
        };
        match details.is_empty() {
            true => Self(Ok(named.first().copied())),
            false => Self(Err(Problem::Invalid(details.into_iter().map(detail).collect()))),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for NamedInQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_name_will_do_and_both_must_agree() {
        let (one, other) = ("0192aee1-5a3b-7c2d-8e4f-123456789abc", "0192aee1-5a3b-7c2d-8e4f-123456789abd");
        let named = |query: &str| NamedInQuery::of(query).optional();
        assert_eq!(named("x=1").unwrap(), None);
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
