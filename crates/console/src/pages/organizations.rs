//! The organizations of the administrator, and for operators a new one and another name.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::{FormState, Page};
use crate::api::content::Organization;
use crate::api::identity::Me;
use crate::api::workspaces::Workspace;
use crate::fields::Fields;
use crate::owner::{Kind, Owner};
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page_with};

const LIST: &str = "/v1/content/organizations";

#[derive(Template)]
#[template(path = "organizations.html")]
struct OrganizationsPage {
    shell: Shell,
    form: FormState,
    organizations: Vec<Organization>,
    idempotency_key: String,
    /// The reader's id.
    me: String,
}

#[derive(Template)]
#[template(path = "organization_settings.html")]
struct SettingsPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    organization: Organization,
}

pub(crate) async fn list(visit: Visit) -> Page {
    organizations_page(&visit, FormState::default()).await
}

async fn organizations_page(visit: &Visit, form: FormState) -> Page {
    let organizations = visit.read("listOrganizations", LIST).await?;
    let me = visit.me().await?;
    if me.is_operator {
        visit.note(&create_operation(json!({ "name": "Riverside School" }), ""));
    }
    let shell = visit.shell("Organizations", Section::Organizations).await?;
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &OrganizationsPage { shell, form, organizations, idempotency_key, me: me.id }))
}

fn create_operation(body: Value, key: &str) -> Operation<'_> {
    let (id, method, idempotency_key) = ("createOrganization", Method::POST, Some(key));
    Operation { id, method, path: LIST, body: Some(body), idempotency_key, ..Operation::default() }
}

pub(crate) async fn create(visit: Visit, fields: Fields) -> Page {
    let body = Value::Object(fields.texts(&["name"]));
    match visit.send::<Organization>(create_operation(body, fields.get("key"))).await {
        Ok(made) => Ok(visit.done(&format!("/console/organizations/{}/people", made.id), "organization-created")),
        Err(problem) => organizations_page(&visit, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn settings(visit: Visit, owner: Owner) -> Page {
    settings_page(&visit, owner, None).await
}

async fn settings_page(visit: &Visit, owner: Owner, form: Option<FormState>) -> Page {
    let organization = find(visit, &owner).await?;
    let form = form.unwrap_or_else(|| FormState::filled(Fields::default().with("name", &organization.name)));
    let (path, body) = (address(&owner), Some(json!({ "name": organization.name })));
    let id = "updateOrganization";
    visit.note(&Operation { id, method: Method::PATCH, path: &path, body, ..Operation::default() });
    let shell = frame(visit, &owner, "Settings", "Settings").await?;
    Ok(page_with(form.status(), &SettingsPage { shell, form, owner, organization }))
}

fn address(owner: &Owner) -> String {
    format!("{LIST}/{}", owner.id)
}

pub(crate) async fn save(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let (path, body) = (address(&owner), Some(Value::Object(fields.texts(&["name"]))));
    let id = "updateOrganization";
    match visit.act(Operation { id, method: Method::PATCH, path: &path, body, ..Operation::default() }).await {
        Ok(()) => Ok(visit.done(&owner.page("/settings"), "organization-saved")),
        Err(problem) => settings_page(&visit, owner, Some(FormState::refused(fields, problem)?)).await,
    }
}

/// The first of an organization's pages.
pub(crate) async fn open(visit: Visit, owner: Owner) -> Page {
    Ok(visit.redirect(&owner.page("/classrooms")))
}

/// The name of an owner, or that there is no such owner.
async fn name_of(visit: &Visit, owner: &Owner, me: &Me) -> Result<String, ApiProblem> {
    match owner.kind {
        Kind::Organization => Ok(find(visit, owner).await?.name),
        Kind::Workspace if me.is_operator => {
            let path = format!("/v1/platform/workspaces/{}", owner.id);
            Ok(visit.read::<Workspace>("getWorkspace", &path).await?.name)
        }
        Kind::Workspace => {
            let found = me.workspaces().find(|workspace| workspace.id == owner.id);
            found.map(|workspace| workspace.name.clone()).ok_or_else(ApiProblem::not_found)
        }
    }
}

async fn find(visit: &Visit, owner: &Owner) -> Result<Organization, ApiProblem> {
    let organizations: Vec<Organization> = visit.read("listOrganizations", LIST).await?;
    organizations.into_iter().find(|organization| organization.id == owner.id).ok_or_else(ApiProblem::not_found)
}

/// The frame of an owner's page.
pub(crate) async fn frame(visit: &Visit, owner: &Owner, tab: &str, title: &str) -> Result<Shell, ApiProblem> {
    let me = visit.me().await?;
    let name = name_of(visit, owner, &me).await?;
    let section = match owner.kind {
        Kind::Organization => Section::Organizations,
        Kind::Workspace if me.is_operator => Section::Workspaces,
        Kind::Workspace => Section::Evaluations,
    };
    Ok(visit.bare_shell(title, section).signed_in(me).owned_by(owner, &name, tab))
}
