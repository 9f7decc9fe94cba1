//! The organizations of the administrator.

use askama::Template;

use super::Page;
use crate::api::content::Organization;
use crate::owner::Owner;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Visit, page};

const LIST: &str = "/v1/content/organizations";

#[derive(Template)]
#[template(path = "organizations.html")]
struct OrganizationsPage {
    shell: Shell,
    organizations: Vec<Organization>,
}

pub(crate) async fn list(visit: Visit) -> Page {
    let organizations = visit.read("listOrganizations", LIST).await?;
    let shell = visit.shell("Organizations", Section::Organizations).await?;
    Ok(page(&OrganizationsPage { shell, organizations }))
}

/// The first of an organization's pages.
pub(crate) async fn open(visit: Visit, owner: Owner) -> Page {
    Ok(visit.redirect(&owner.page("/classrooms")))
}

/// The name of an owner, or that there is no such owner.
pub(crate) async fn name_of(visit: &Visit, owner: &Owner) -> Result<String, ApiProblem> {
    if owner.is_workspace() {
        let path = format!("/v1/platform/workspaces/{}", owner.id);
        let workspace: crate::api::workspaces::Workspace = visit.read("getWorkspace", &path).await?;
        return Ok(workspace.name);
    }
    let organizations: Vec<Organization> = visit.read("listOrganizations", LIST).await?;
    let found = organizations.into_iter().find(|organization| organization.id == owner.id);
    found.map(|organization| organization.name).ok_or_else(ApiProblem::not_found)
}

/// The frame of an owner's page.
pub(crate) async fn frame(visit: &Visit, owner: &Owner, tab: &str, title: &str) -> Result<Shell, ApiProblem> {
    let name = name_of(visit, owner).await?;
    let section = if owner.is_workspace() { Section::Workspaces } else { Section::Organizations };
    Ok(visit.shell(title, section).await?.owned_by(owner, &name, tab))
}
