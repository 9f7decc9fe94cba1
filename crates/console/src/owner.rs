//! Who owns keys and webhooks: an organization on the content surface, or a workspace on the platform surface.

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;

use crate::fields::query;
use crate::problem::ApiProblem;

/// The surface of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Organization,
    Workspace,
}

/// The owner that the path of a page names.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) kind: Kind,
    pub(crate) id: String,
}

/// The parameters of a page's path, each a plain segment of a path of the API.
#[derive(Clone, Debug)]
pub(crate) struct Ids(Vec<(String, String)>);

impl Ids {
    /// The parameter of a name; empty where the route has none.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Ids {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        let given = RawPathParams::from_request_parts(parts, state).await.map_err(|_| ApiProblem::not_found())?;
        let pairs: Vec<_> = given.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        if pairs.iter().all(|(_, value)| is_plain(value)) { Ok(Self(pairs)) } else { Err(ApiProblem::not_found()) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Owner {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        let is_workspace = parts.uri.path().starts_with("/console/workspaces/");
        let kind = if is_workspace { Kind::Workspace } else { Kind::Organization };
        let ids = Ids::from_request_parts(parts, state).await?;
        Ok(Self { kind, id: ids.get("id").to_owned() })
    }
}

/// Letters, digits and hyphens: what ids are made of, and nothing that leads to another operation of the API.
fn is_plain(segment: &str) -> bool {
    let is_short = (1..=100).contains(&segment.len());
    is_short && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

impl Owner {
    pub(crate) fn is_workspace(&self) -> bool {
        self.kind == Kind::Workspace
    }

    /// The address of the owner's pages.
    pub(crate) fn page(&self, rest: &str) -> String {
        let folder = if self.is_workspace() { "workspaces" } else { "organizations" };
        format!("/console/{folder}/{}{rest}", self.id)
    }

    /// The address of a page of something that the owner has.
    pub(crate) fn page_of(&self, folder: &str, id: &str, rest: &str) -> String {
        self.page(&format!("/{folder}/{id}{rest}"))
    }

    /// The address of an operation on the owner's keys; `rest` follows the collection.
    pub(crate) fn keys(&self, rest: &str) -> String {
        self.collection("api-keys", rest, rest.is_empty())
    }

    /// The address of an operation on the owner's webhooks; `rest` follows the collection.
    pub(crate) fn webhooks(&self, rest: &str) -> String {
        self.collection("webhooks", rest, true)
    }

    fn collection(&self, name: &str, rest: &str, names_workspace: bool) -> String {
        match self.kind {
            Kind::Organization => format!("/v1/content/organizations/{}/{name}{rest}", self.id),
            Kind::Workspace => {
                let query = if names_workspace { query([("workspaceId", self.id.as_str())]) } else { String::new() };
                format!("/v1/platform/{name}{rest}{query}")
            }
        }
    }

    /// One of two operation ids: the content surface's or the platform surface's.
    pub(crate) fn operation(&self, content: &'static str, platform: &'static str) -> &'static str {
        if self.is_workspace() { platform } else { content }
    }
}
